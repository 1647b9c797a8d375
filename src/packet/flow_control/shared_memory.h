// The packet memory of one switch under PFC. Each input and lane has a reserve, and headroom for what arrives after it
// has stopped its sender; all share the rest. Of the shared memory one input and lane may use alpha times what is free:
// with few busy ones each gets much, with many all get some.
//
// What leaves is known before it does; it waits here and is counted when somebody looks.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "packet/ids.h"

namespace weir {

// What one input and lane uses.
struct MemoryUse {
  std::int32_t pooled = 0;    // of its reserve and of the shared memory
  std::int32_t headroom = 0;
  bool told_stop = false;     // the last frame that started has stopped the sender

  std::int32_t shared(std::int32_t reserve) const { return std::max(0, pooled - reserve); }
};

class SharedMemory {
 public:
  struct Leave {
    std::int64_t at;
    ChannelId channel;
    std::int32_t cost, reserve;
  };

  SharedMemory() = default;
  SharedMemory(std::int64_t shared, double alpha) : shared_(shared), alpha_(alpha) {}

  std::int64_t shared() const { return shared_; }
  std::int64_t used() const { return used_; }  // of the shared memory
  std::int64_t threshold() const { return static_cast<std::int64_t>(alpha_ * static_cast<double>(shared_ - used_)); }

  // A packet lands, in the pool or, beyond the threshold, in the headroom.
  void land(MemoryUse& use, std::int32_t cost, std::int32_t reserve) {
    const std::int64_t above = std::int64_t{use.pooled} + cost - reserve;
    const std::int64_t more = std::clamp<std::int64_t>(above, 0, cost);
    if (above > 0 && (above > threshold() || more > shared_ - used_)) {
      use.headroom += cost;
      return;
    }
    use.pooled += cost;
    used_ += more;
  }
  bool should_stop(const MemoryUse& use, std::int32_t reserve) const {
    return use.headroom > 0 || (use.shared(reserve) > 0 && use.shared(reserve) >= threshold());
  }
  bool may_go_on(const MemoryUse& use, std::int32_t reserve, std::int32_t resume) const {
    const std::int32_t shared = use.shared(reserve);
    return use.headroom == 0 && (shared == 0 || shared + resume <= threshold());
  }

  void leaves(const Leave& leave) {
    to_come_.push_back(leave);
    // It is the last one in most cases, and never far from that: each port has one packet that leaves.
    for (std::size_t i = to_come_.size() - 1; i > gone_ && to_come_[i].at < to_come_[i - 1].at; --i)
      std::swap(to_come_[i], to_come_[i - 1]);
  }
  // Counts what has left by now; use_of(channel) is its MemoryUse. Headroom empties first.
  template <class UseOf>
  void fold(std::int64_t now, const UseOf& use_of) {
    for (; gone_ < to_come_.size() && to_come_[gone_].at <= now; ++gone_) {
      const Leave& leave = to_come_[gone_];
      MemoryUse& use = use_of(leave.channel);
      const std::int32_t before = use.shared(leave.reserve), of_headroom = std::min(use.headroom, leave.cost);
      use.headroom -= of_headroom;
      use.pooled -= leave.cost - of_headroom;
      used_ -= before - use.shared(leave.reserve);
    }
    if (gone_ < kMostGone) [[likely]] return;
    to_come_.erase(to_come_.begin(), to_come_.begin() + static_cast<std::ptrdiff_t>(gone_));
    gone_ = 0;
  }
  std::span<const Leave> to_come() const { return std::span(to_come_).subspan(gone_); }

 private:
  std::int64_t shared_ = 0, used_ = 0;
  double alpha_ = 0;
  static constexpr std::size_t kMostGone = 64;
  std::vector<Leave> to_come_;  // in the order of time, behind those that have gone
  std::size_t gone_ = 0;
};

}  // namespace weir
