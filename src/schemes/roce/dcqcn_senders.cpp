#include "schemes/roce/dcqcn_senders.h"

#include <algorithm>

namespace weir {
namespace {

// By squaring: the same bits with every mathematical library.
double power(double base, std::int64_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base)
    if ((exponent & 1) != 0) result *= base;
  return result;
}

}  // namespace

void DcqcnRate::raise(double step) {
  target_ = std::min(target_ + step, line_rate_);
  // Once nothing is left to halve but rounding, the rate is the target.
  rate_ = target_ - rate_ < 1 ? target_ : (target_ + rate_) / 2;
}

void DcqcnRate::cut(const DcqcnParams& params, double alpha) {
  rate_ = std::max(rate_ * (1 - alpha / 2), std::min(params.min_rate, line_rate_));
}

// ---- paper ----

void DcqcnPaperSender::catch_up(const DcqcnParams& params, Time now) {
  const std::int64_t quiet = (now - alpha_since_) / params.alpha_interval;
  if (quiet > 0) {
    alpha_ *= power(1 - params.gain, quiet);
    alpha_since_ += params.alpha_interval * quiet;
  }
  while (timer_due_ <= now) {
    if (at_line_rate()) {  // only the count goes on
      const std::int64_t periods = (now - timer_due_) / params.timer + 1;
      time_stage_ = static_cast<std::uint32_t>(std::min<std::int64_t>(1 << 30, time_stage_ + periods));
      timer_due_ += params.timer * periods;
      return;
    }
    ++time_stage_;
    timer_due_ += params.timer;
    raise_by_stages(params);
  }
}

void DcqcnPaperSender::cnp(const DcqcnParams& params, Time now) {
  target_ = rate_;
  cut(params, alpha_);
  alpha_ = (1 - params.gain) * alpha_ + params.gain;
  alpha_since_ = now;
  timer_due_ = now + params.timer;
  bytes_sent_ = 0;
  time_stage_ = byte_stage_ = 0;
}

void DcqcnPaperSender::sent(const DcqcnParams& params, std::uint32_t bytes) {
  bytes_sent_ += bytes;
  if (bytes_sent_ < params.byte_counter) return;
  bytes_sent_ -= params.byte_counter;
  ++byte_stage_;
  raise_by_stages(params);
}

void DcqcnPaperSender::raise_by_stages(const DcqcnParams& params) {
  const std::uint32_t smaller = std::min(time_stage_, byte_stage_), larger = std::max(time_stage_, byte_stage_);
  if (larger < params.threshold) return raise(0);
  raise(smaller > params.threshold ? (smaller - params.threshold) * params.hyper : params.additive);
}

// ---- as adapters ship it ----

DcqcnAdapterSender::DcqcnAdapterSender(const DcqcnParams& params, double line_rate, Time now)
    : DcqcnRate(line_rate), alpha_due_(now + params.alpha_interval), decrease_due_(now + params.decrease_interval) {}

// Alpha comes before a cut of the same instant, and a cut before an increase.
void DcqcnAdapterSender::catch_up(const DcqcnParams& params, Time now) {
  while (true) {
    if (!told_rate_ && decrease_due_ <= now)  // nothing to do at these
      decrease_due_ += params.decrease_interval * ((now - decrease_due_) / params.decrease_interval + 1);
    const bool raises = !at_line_rate();
    if (!raises && timer_due_ <= now) {
      const std::int64_t periods = (now - timer_due_) / params.timer + 1;
      stage_ = static_cast<std::uint32_t>(std::min<std::int64_t>(1 << 30, stage_ + periods));
      timer_due_ += params.timer * periods;
    }
    const Time next = std::min(decrease_due_, timer_due_);
    if (next > now) break;
    if (decrease_due_ == next) {
      follow_alpha(params, next);
      decrease(params);
    } else {
      increase(params);
    }
  }
  follow_alpha(params, now);
}

void DcqcnAdapterSender::follow_alpha(const DcqcnParams& params, Time now) {
  if (alpha_due_ > now) return;
  const std::int64_t steps = (now - alpha_due_) / params.alpha_interval + 1;
  alpha_ = (1 - params.gain) * alpha_ + (told_alpha_ ? params.gain : 0);
  told_alpha_ = false;
  alpha_ *= power(1 - params.gain, steps - 1);
  alpha_due_ += params.alpha_interval * steps;
}

void DcqcnAdapterSender::decrease(const DcqcnParams& params) {
  told_rate_ = false;
  if (params.clamp_target || stage_ > 0) target_ = rate_;
  cut(params, alpha_);
  stage_ = 0;
  timer_due_ = decrease_due_ + params.timer;
  decrease_due_ += params.decrease_interval;
}

void DcqcnAdapterSender::increase(const DcqcnParams& params) {
  if (stage_ < params.threshold) raise(0);
  else raise(stage_ == params.threshold ? params.additive : params.hyper);
  ++stage_;
  timer_due_ += params.timer;
}

}  // namespace weir
