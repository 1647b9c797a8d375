// The two ends of ECM (formerly BCN), apart from any engine. The congestion point reports congestion to the sources of
// sampled frames and room only to those that carry its own tag, so that a queue which was never full cannot raise a
// rate that another one has cut. The reaction point adds and multiplies as it is told.
#pragma once
#include <cstdint>

#include "base/random.h"
#include "base/units.h"
#include "schemes/ethernet/qcn_points.h"

namespace weir {

struct EcmParams {
  Bytes equilibrium = 33'000;
  double weight = 2;
  std::uint32_t bits = 6;  // of the feedback, without its sign
  Bytes sample_interval = 150'000;
  double jitter = 0.15;
  Bytes severe = 0;        // a queue above this sends a stop; 0 = never
  double decrease_gain = 1.0 / 128;
  double least_decrease = 0.5;
  double increase_gain = 2;
  double rate_unit = 8e6;  // bit/s
  double min_rate = 100e3;
  double drift = 1e6;      // bit/s added every drift_interval without being told
  Time drift_interval{1'000'000'000};
  double restart_rate = 100e6;  // after a stop
  Time longest_stop{1'000'000'000};

  std::int32_t largest_feedback() const { return (1 << bits) - 1; }
  std::int32_t stop() const { return -(1 << bits); }  // the value that stands for a stop
  double largest_excess() const { return static_cast<double>(equilibrium) * (2 * weight + 1); }
};

class EcmCongestionPoint {
 public:
  EcmCongestionPoint() = default;
  EcmCongestionPoint(const EcmParams& params, RandomStream random);

  // A frame has joined the queue; `tagged`: it carries the tag of this congestion point. Returns the feedback to send
  // to its source; 0 = nothing.
  std::int32_t arrival(const EcmParams& params, std::uint32_t bytes, std::int64_t queue, bool tagged);

  double until_sample() const { return until_sample_; }
  std::int64_t old_queue() const { return old_queue_; }

 private:
  std::int64_t old_queue_ = 0;
  double until_sample_ = 0;
  RandomStream random_;
};

class EcmReactionPoint {
 public:
  EcmReactionPoint() = default;
  EcmReactionPoint(const EcmParams& params, double line_rate, RandomStream random);

  // From the congestion point with this tag. Room at another one than the tag's is not for this limiter.
  void feedback(const EcmParams& params, std::int32_t value, std::uint32_t tag);
  // The timer has run out: the rate drifts upwards, or a stop is over.
  void timer_expired(const EcmParams& params);
  Time timer_period(const EcmParams& params);  // of the timer that begins now

  double rate() const { return rate_; }
  bool stopped() const { return stopped_; }
  bool released() const { return !stopped_ && rate_ >= line_rate_; }
  std::uint32_t tag() const { return tag_; }  // of the frames that it lets pass

 private:
  double line_rate_ = 0, rate_ = 0;
  std::uint32_t tag_ = 0;
  bool stopped_ = false;
  RandomStream random_;
};

}  // namespace weir
