#include "schemes/ethernet/qcn_points.h"

#include <algorithm>
#include <cmath>

namespace weir {

std::uint32_t quantise(double amount, double largest, std::uint32_t bits, Rounding rounding) {
  const double most = (1u << bits) - 1;
  double value = 0;
  switch (rounding) {  // down keeps the upper bits of the number; the others spread the range over all values
    case Rounding::down: value = std::floor(amount * (most + 1) / largest); break;
    case Rounding::nearest: value = std::floor(amount * most / largest + 0.5); break;
    case Rounding::up: value = std::ceil(amount * most / largest); break;
  }
  return static_cast<std::uint32_t>(std::clamp(value, 0.0, most));
}

double qcn_interval(const QcnParams& params, std::uint32_t feedback) {
  // 150, 75, 50, 37.5, 30, 25, 21.5 and 18.5 kB in the standard setting.
  static constexpr std::array<double, 8> kShares{1.0,     1.0 / 2, 1.0 / 3,    1.0 / 4,
                                                 1.0 / 5, 1.0 / 6, 21.5 / 150, 18.5 / 150};
  const std::uint32_t octile = std::min(7u, (feedback * 8) >> params.bits);
  return static_cast<double>(params.sample_interval) * kShares[octile];
}

QcnCongestionPoint::QcnCongestionPoint(const QcnParams& params, RandomStream random) : random_(random) {
  until_sample_ = interval(params, 0);
}

double QcnCongestionPoint::interval(const QcnParams& params, std::uint32_t feedback) {
  return qcn_interval(params, feedback) * jittered(random_, params.jitter);
}

double QcnCongestionPoint::excess(const QcnParams& params, std::int64_t queue) const {
  const auto above = static_cast<double>(queue - params.equilibrium);
  const auto growth = static_cast<double>(queue - old_queue_);
  return std::clamp(above + params.weight * growth, 0.0, params.largest_excess());
}

std::uint32_t QcnCongestionPoint::arrival(const QcnParams& params, std::uint32_t bytes, std::int64_t queue) {
  until_sample_ -= bytes;
  if (until_sample_ > 0) return 0;
  const std::uint32_t feedback = params.quantise(excess(params, queue));
  old_queue_ = queue;
  until_sample_ = interval(params, feedback);
  return feedback;
}

QcnReactionPoint::QcnReactionPoint(const QcnParams& params, double line_rate, RandomStream random)
    : line_rate_(line_rate), rate_(line_rate), target_(line_rate), random_(random) {
  refill(params);
}

// The byte cycle that begins now.
void QcnReactionPoint::refill(const QcnParams& params) {
  const double limit = static_cast<double>(params.byte_limit) * (halved(params, byte_stage_) ? 0.5 : 1.0);
  bytes_left_ = limit * jittered(random_, params.jitter);
}

Time QcnReactionPoint::timer_period(const QcnParams& params) {
  const double period = static_cast<double>(params.timer.ps) * (halved(params, time_stage_) ? 0.5 : 1.0);
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(period * jittered(random_, params.jitter)))};
}

void QcnReactionPoint::feedback(const QcnParams& params, std::uint32_t value) {
  const bool recovering = byte_stage_ != 0;  // cuts within the first byte cycle leave the target where it was
  byte_stage_ = time_stage_ = 0;
  if (recovering) {
    target_ = rate_;
    refill(params);
  }
  rate_ *= std::max(1 - params.gain * value, params.least_decrease);
  rate_ = std::max(rate_, params.min_rate);
}

bool QcnReactionPoint::sent(const QcnParams& params, std::uint32_t bytes) {
  bytes_left_ -= bytes;
  if (bytes_left_ > 0) return false;
  ++byte_stage_;
  refill(params);
  raise(params);
  return true;
}

void QcnReactionPoint::timer_expired(const QcnParams& params) {
  ++time_stage_;
  raise(params);
}

void QcnReactionPoint::raise(const QcnParams& params) {
  const std::uint32_t smaller = std::min(byte_stage_, time_stage_), larger = std::max(byte_stage_, time_stage_);
  double increase = 0;
  if (smaller > params.threshold) increase = params.hyper_increase * (smaller - params.hyper_offset);
  else if (larger > params.threshold) increase = params.active_increase;
  const bool first = byte_stage_ == 1 || time_stage_ == 1;
  if (params.extra_fast_recovery && first && target_ > 10 * rate_) target_ /= 8;
  else target_ += increase;
  rate_ = std::min((rate_ + target_) / 2, line_rate_);
}

}  // namespace weir
