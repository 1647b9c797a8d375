#include "schemes/ethernet/ecm_points.h"

#include <algorithm>
#include <cmath>

namespace weir {

EcmCongestionPoint::EcmCongestionPoint(const EcmParams& params, RandomStream random) : random_(random) {
  until_sample_ = static_cast<double>(params.sample_interval) * jittered(random_, params.jitter);
}

std::int32_t EcmCongestionPoint::arrival(const EcmParams& params, std::uint32_t bytes, std::int64_t queue,
                                         bool tagged) {
  until_sample_ -= bytes;
  if (until_sample_ > 0) return 0;
  until_sample_ = static_cast<double>(params.sample_interval) * jittered(random_, params.jitter);
  const auto room = static_cast<double>(params.equilibrium - queue);
  const auto growth = static_cast<double>(queue - old_queue_);
  old_queue_ = queue;
  if (params.severe > 0 && queue > params.severe) return params.stop();
  const double most = params.largest_excess();
  const double feedback = std::clamp(room - params.weight * growth, -most, most);
  const auto size = static_cast<std::int32_t>(quantise(std::fabs(feedback), most, params.bits, Rounding::down));
  if (feedback < 0) return queue > params.equilibrium ? -size : 0;
  return tagged ? size : 0;
}

EcmReactionPoint::EcmReactionPoint(const EcmParams&, double line_rate, RandomStream random)
    : line_rate_(line_rate), rate_(line_rate), random_(random) {}

void EcmReactionPoint::feedback(const EcmParams& params, std::int32_t value, std::uint32_t tag) {
  if (value > 0) {
    if (tag == tag_ && !stopped_) rate_ = std::min(line_rate_, rate_ + params.increase_gain * value * params.rate_unit);
    return;
  }
  tag_ = tag;
  if (stopped_) return;
  if (value <= params.stop()) {
    stopped_ = true;
    rate_ = std::min(rate_, params.restart_rate);
    return;
  }
  rate_ *= std::max(1 + params.decrease_gain * value, params.least_decrease);
  rate_ = std::max(rate_, params.min_rate);
}

void EcmReactionPoint::timer_expired(const EcmParams& params) {
  if (stopped_) stopped_ = false;
  else rate_ = std::min(line_rate_, rate_ + params.drift);
}

Time EcmReactionPoint::timer_period(const EcmParams& params) {
  if (!stopped_) return params.drift_interval;
  return {std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(params.longest_stop.ps) * random_.unit()))};
}

}  // namespace weir
