// The sender of TIMELY, apart from any engine so that each step can be checked by hand. It knows nothing but round
// trips, one for each segment. Below t_low the rate rises by a step, above t_high it is cut. In between the gradient
// decides, the smoothed difference of round trips over min_rtt: it is cut in proportion to a growing round trip, and
// rises otherwise, five times as fast after five times in a row.
//
// That has no unique fixed point: any rates that fill the link keep the gradient at 0 (Zhu et al. 2016). The patched
// version replaces the middle rule by one that has one. A weight w grows evenly with the gradient, from 0 at -1/4 to 1
// at 1/4, and
//
//   R = (1 - w) step + R (1 - patched_beta w (RTT - rtt_ref) / rtt_ref)
#pragma once
#include <algorithm>
#include <cstdint>

#include "base/units.h"

namespace weir {

struct TimelyParams {
  double alpha = 0.875;  // weight of the newest difference
  double beta = 0.8;
  double least_decrease = 0.5;  // a cut never multiplies the rate by less
  Time t_low{50'000'000}, t_high{500'000'000}, min_rtt{20'000'000};
  double additive = 10e6;  // bit/s
  bool patched = false;
  double patched_beta = 0.008;
  Time rtt_ref{50'000'000};
  double min_rate = 10e6;
  double initial_rate = 1e18;  // but the line rate at most
};

class TimelySender {
 public:
  TimelySender() = default;
  TimelySender(const TimelyParams& params, double line_rate)
      : line_rate_(line_rate), rate_(std::min(params.initial_rate, line_rate)) {}

  // A segment has been acknowledged.
  void measured(const TimelyParams& params, Time rtt);

  double rate() const { return rate_; }
  double gradient() const { return gradient_; }

 private:
  double wanted(const TimelyParams& params, Time rtt);

  static constexpr std::uint32_t kInARow = 5, kFaster = 5;

  double line_rate_ = 0, rate_ = 0;  // bit/s
  double difference_ = 0;            // of round trips, smoothed, ps
  double gradient_ = 0;
  Time last_ = kNever;
  std::uint32_t rises_ = 0;  // in a row
};

}  // namespace weir
