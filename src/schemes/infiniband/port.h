// The switch's half of InfiniBand congestion control, for one lane of one port: is the port congested, is it the root
// of the congestion or itself a victim of missing credits, and which of its packets are marked.
//
// Over the threshold = what waits for this port in the switch's input buffers exceeds the threshold's share of one
// input buffer. The fifteen values are spread evenly: 15 reacts above 1/16 of the buffer, 1 above 15/16, and 0 is off.
// A packet fills the buffer while it waits, at the slower rate of the links that it comes by and goes by (what the
// buffer holds only to match two rates is not waiting): a short pause, as where two flows share a faster link, is no
// congestion. A port over the threshold is a root if it can send on, that is if it has credit for another packet like
// the last one; without that it is a victim, and marks only if its victim mask is set.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/random.h"
#include "base/units.h"

namespace weir {

struct MarkingSettings {
  std::uint32_t threshold = 15;     // 0..15
  std::uint32_t marking_rate = 0;   // mean number of eligible packets left unmarked between two marked ones
  std::uint32_t packet_size = 0;    // bytes; smaller packets are not marked
  bool victim_mask = false;
  bool strict = false;              // exactly marking_rate packets between two marked ones, instead of at random
};

constexpr std::uint32_t kMostThreshold = 15;

// Bytes above which a port is over the threshold.
constexpr std::int64_t threshold_bytes(std::uint32_t threshold, std::int64_t buffer) {
  if (threshold == 0) return std::numeric_limits<std::int64_t>::max();
  return buffer * (kMostThreshold + 1 - threshold) / (kMostThreshold + 1);
}

class MarkingPort {
 public:
  MarkingPort() = default;
  MarkingPort(const MarkingSettings& settings, std::int64_t buffer, std::uint64_t seed, std::uint32_t channel)
      : limit_(threshold_bytes(settings.threshold, buffer)), packet_size_(settings.packet_size),
        marks_as_victim_(settings.victim_mask), strict_(settings.strict), random_(seed, Purpose::marking, channel) {
    set_marking_rate(settings.marking_rate);
  }

  // Other settings from now on; what was counted stays.
  void configure(const MarkingSettings& settings, std::int64_t buffer) {
    limit_ = threshold_bytes(settings.threshold, buffer);
    packet_size_ = settings.packet_size;
    marks_as_victim_ = settings.victim_mask;
    set_marking_rate(settings.marking_rate);
  }
  void set_marking_rate(std::uint32_t rate) {
    rate_ = rate;
    unmarked_ = std::min(unmarked_, rate);
  }
  std::uint32_t marking_rate() const { return rate_; }

  // A packet has joined those that wait; waiting adds to the buffer at the given speed.
  void joined(Time now, std::int64_t waiting, std::uint32_t bytes, std::uint64_t ps_per_byte_q16) {
    if (root_ || waiting <= limit_ || !may_be_root()) return;
    const std::int64_t missing = std::max<std::int64_t>(0, limit_ - (waiting - bytes));
    begin(now + Rate::scaled(ps_per_byte_q16, missing));
  }
  // A packet has left, or credit was given or used up.
  void changed(Time now, std::int64_t waiting, bool starved) {
    starved_ = starved;
    const bool root = waiting > limit_ && may_be_root();
    if (root == root_) return;
    if (root) return begin(now);
    root_ = false;
    total_ += std::max(now - since_, Time{});
  }
  // A packet departs; changed() follows. True if it is to be marked.
  bool marks(Time now, std::uint32_t bytes) {
    if (!root_ || since_ >= now || bytes < packet_size_) return false;
    if (strict_) {
      if (unmarked_ < rate_) {
        ++unmarked_;
        return false;
      }
      unmarked_ = 0;
    } else if (rate_ > 0 && random_.below(rate_ + 1u) != 0) {
      return false;
    }
    ++marked_;
    return true;
  }

  bool root(Time now) const { return root_ && since_ < now; }
  bool starved() const { return starved_; }
  Time congested(Time now) const { return root_ ? total_ + std::max(now - since_, Time{}) : total_; }
  std::uint64_t marked() const { return marked_; }

 private:
  bool may_be_root() const { return !starved_ || marks_as_victim_; }
  void begin(Time at) {
    root_ = true;
    since_ = at;
  }

  std::int64_t limit_ = threshold_bytes(0, 0);
  std::uint32_t rate_ = 0, unmarked_ = 0, packet_size_ = 0;
  bool marks_as_victim_ = false, strict_ = false, root_ = false, starved_ = false;
  Time since_, total_;  // congested since (or from then on, if that is still to come), and before that
  std::uint64_t marked_ = 0;
  RandomStream random_;
};

}  // namespace weir
