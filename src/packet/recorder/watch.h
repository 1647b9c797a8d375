// Time series of chosen ports: rate of the link and length of the queue in front of it, and beside them how many
// packets the receivers hold to put them in order. Rates and the resequencing buffer are exact means of a bin; queues
// are sampled many times per bin, which costs nothing where nobody watches.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "measure/measurements.h"
#include "packet/config/config.h"
#include "packet/hosts/resequencer.h"
#include "packet/links/fabric_state.h"
#include "packet/links/link_use.h"

namespace weir {

class PortWatch {
 public:
  PortWatch() = default;
  PortWatch(const MeasureConfig& config, const Topology& topology)
      : bin_(config.watch_bin.ps), where_(config.watch_where) {
    for (const PortId port : config.watch) watched_.push_back({{port, topology.port_name(port), {}}, 0, 0, 0});
    interval_ = std::max<std::int64_t>(1, bin_ / kSamplesPerBin);
  }
  bool active() const { return !watched_.empty(); }
  // Takes a sample and returns the time of the next one.
  Time sample(const FabricState& fabric, Resequencer& order, std::int64_t now) {
    if (now >= bin_start_ + bin_) close_bin(fabric, order, now);
    ++samples_;
    for (Watched& w : watched_) {
      std::uint64_t queued = backlog_bytes(fabric, fabric.channel_of(w.result.port, {0}), now);
      for (std::uint32_t v = 1; v < fabric.lanes(); ++v)
        queued += fabric.channel(fabric.channel_of(w.result.port, {v})).queued;
      w.queue_sum += static_cast<double>(queued);
      w.queue_max = std::max(w.queue_max, queued);
    }
    return {std::min(now + interval_, bin_start_ + bin_)};
  }
  void finish(const FabricState& fabric, Resequencer& order, std::int64_t now, Measurements& m) {
    if (!active()) return;
    if (now > bin_start_) close_bin(fabric, order, now);
    m.watch_bin = {bin_};
    m.resequencing_series = std::move(resequencing_);
    for (Watched& w : watched_) m.watched.push_back(std::move(w.result));
  }

 private:
  static constexpr std::int64_t kSamplesPerBin = 50;
  struct Watched {
    WatchedPort result;
    std::uint64_t sent_before = 0;
    double queue_sum = 0;
    std::uint64_t queue_max = 0;
  };
  void close_bin(const FabricState& fabric, Resequencer& order, std::int64_t now) {
    if (resequencing_.size() == kMostFixedBins)
      throw InputError(where_, "watch_bin is too narrow: the run is not over after " + std::to_string(kMostFixedBins) +
                                   " bins; give a wider one");
    const double width = Time{now - bin_start_}.seconds();
    const auto samples = static_cast<double>(std::max<std::uint64_t>(1, samples_));
    for (Watched& w : watched_) {
      const std::uint64_t sent = sent_by(fabric, w.result.port, now);
      w.result.series.push_back(
          {8.0 * static_cast<double>(sent - w.sent_before) / width, w.queue_sum / samples, w.queue_max});
      w.sent_before = sent;
      w.queue_sum = 0;
      w.queue_max = 0;
    }
    const unsigned __int128 area = order.packet_time(now);
    resequencing_.push_back(static_cast<double>(area - area_before_) / static_cast<double>(now - bin_start_));
    area_before_ = area;
    samples_ = 0;
    bin_start_ = now;
  }

  std::vector<Watched> watched_;
  std::vector<double> resequencing_;
  unsigned __int128 area_before_ = 0;
  std::int64_t bin_ = 0, interval_ = 0, bin_start_ = 0;
  SourcePosition where_;
  std::uint64_t samples_ = 0;
};

}  // namespace weir
