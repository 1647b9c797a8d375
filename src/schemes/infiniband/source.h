// The source's half of InfiniBand congestion control: an index CCTI per flow or per service level that notifications
// raise and a free-running timer lowers, and the wait that it puts between two packets. No event is spent on the timer:
// how often it has expired since an index was last touched follows from the time, exactly.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/units.h"
#include "schemes/infiniband/cct.h"

namespace weir {

inline constexpr Time kCctiTimerUnit{1'024'000};

struct SourceSettings {
  std::uint32_t increase = 1;  // CCTI_Increase
  std::uint32_t limit = 127;   // CCTI_Limit, at most the last index of the table
  std::uint32_t minimum = 0;   // CCTI_Min, at most the limit
  Time timer = kCctiTimerUnit * 150;
  std::vector<CctEntry> table = linear_cct(128, 1);
  double jitter = 0;           // a wait is stretched or shortened by up to this share, at random; its mean stays
};

class CctiState {
 public:
  explicit CctiState(std::uint32_t minimum = 0) : ccti_(minimum) {}

  // The index at `now`. `phase` is the timer's: it expires whenever now + phase is a multiple of the period.
  std::uint32_t ccti(const SourceSettings& s, Time now, Time phase) {
    keep_within(s);
    if (ccti_ > s.minimum) decay(s, now, phase);
    return ccti_;
  }
  void notified(const SourceSettings& s, Time now, Time phase) {
    keep_within(s);
    decay(s, now, phase);
    ccti_ = std::min(ccti_ + s.increase, s.limit);
    peak_ = std::max(peak_, ccti_);
  }
  // A packet that takes `packet` on the link starts now; the next may start at next().
  void injected(const SourceSettings& s, Time now, Time phase, Time packet, RandomStream& random) {
    const CctEntry entry = s.table[ccti(s, now, phase)];
    if (entry.multiplier == 0) {
      next_ = {};
      return;
    }
    Time wait = injection_wait(entry, packet);
    if (s.jitter > 0)
      wait += {static_cast<std::int64_t>(static_cast<double>(wait.ps) * s.jitter * (2 * random.unit() - 1))};
    next_ = now + packet + wait;
  }
  Time next() const { return next_; }
  std::uint32_t peak() const { return peak_; }

 private:
  // Settings may have changed.
  void keep_within(const SourceSettings& s) { ccti_ = std::clamp(ccti_, s.minimum, s.limit); }
  void decay(const SourceSettings& s, Time now, Time phase) {
    const std::int64_t expired = (now + phase) / s.timer;
    const std::int64_t passed = expired - expired_;
    expired_ = expired;
    const std::int64_t above = ccti_ - s.minimum;
    ccti_ = s.minimum + static_cast<std::uint32_t>(passed >= above ? 0 : above - passed);
  }

  Time next_;
  std::int64_t expired_ = 0;  // times the timer had expired when ccti_ was last brought up to date
  std::uint32_t ccti_;
  std::uint32_t peak_ = 0;
};

}  // namespace weir
