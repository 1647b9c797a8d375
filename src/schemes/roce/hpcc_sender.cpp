#include "schemes/roce/hpcc_sender.h"

#include <algorithm>

#include "base/check.h"

namespace weir {

void HpccSender::measure(const HpccParams& params, std::span<const HpccHop> before, std::span<const HpccHop> now,
                         std::span<const double> rates) {
  const double trip = params.base_rtt.seconds();
  double largest = 0, passed = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double time = now[i].seconds_since(before[i]);
    WEIR_CHECK(time > 0);
    const double sent = 8.0 * now[i].bytes_since(before[i]) / time;
    const double queued = 8.0 * std::min(now[i].queue, before[i].queue) / trip;
    const double u = (sent + queued) / rates[i];
    if (u <= largest) continue;
    largest = u;
    passed = time;
  }
  const double weight = std::min(passed, trip) / trip;
  in_flight_ = (1 - weight) * in_flight_ + weight * largest;
}

void HpccSender::acknowledged(const HpccParams& params, std::span<const HpccHop> before, std::span<const HpccHop> now,
                              std::span<const double> rates, bool anew) {
  measure(params, before, now, rates);
  const bool multiply = in_flight_ >= params.eta || stage_ >= params.max_stage;
  const double wanted = (multiply ? reference_ * params.eta / in_flight_ : reference_) + params.additive;
  rate_ = std::clamp(wanted, std::min(params.min_rate, line_rate_), line_rate_);
  if (!anew) return;
  stage_ = multiply ? 0 : stage_ + 1;
  reference_ = rate_;
}

}  // namespace weir
