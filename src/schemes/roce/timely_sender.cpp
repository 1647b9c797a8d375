#include "schemes/roce/timely_sender.h"

namespace weir {

double TimelySender::wanted(const TimelyParams& params, Time rtt) {
  const auto trip = static_cast<double>(rtt.ps);
  const bool rises = gradient_ <= 0 && rtt >= params.t_low && rtt <= params.t_high;
  rises_ = rises ? rises_ + 1 : 0;
  if (rtt < params.t_low) return rate_ + params.additive;
  if (rtt > params.t_high) return rate_ * (1 - params.beta * (1 - static_cast<double>(params.t_high.ps) / trip));
  if (params.patched) {
    const double weight = std::clamp(2 * gradient_ + 0.5, 0.0, 1.0);
    const double reference = static_cast<double>(params.rtt_ref.ps);
    return (1 - weight) * params.additive + rate_ * (1 - params.patched_beta * weight * (trip - reference) / reference);
  }
  if (rises) return rate_ + (rises_ >= kInARow ? kFaster : 1) * params.additive;
  return rate_ * (1 - params.beta * gradient_);
}

void TimelySender::measured(const TimelyParams& params, Time rtt) {
  const double change = last_ == kNever ? 0 : static_cast<double>((rtt - last_).ps);
  last_ = rtt;
  difference_ = (1 - params.alpha) * difference_ + params.alpha * change;
  gradient_ = difference_ / static_cast<double>(params.min_rtt.ps);
  const double next = std::max(wanted(params, rtt), rate_ * params.least_decrease);
  rate_ = std::clamp(next, std::min(params.min_rate, line_rate_), line_rate_);
}

}  // namespace weir
