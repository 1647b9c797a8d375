#include "schemes/roce/dcqcn_fluid.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace weir::dcqcn {
namespace {

constexpr double kStep = 1e-6;  // s

// Everything in packets and packets per second.
class Integration {
 public:
  Integration(const Fluid& model, std::size_t steps)
      : m_(model), link_(model.link / 8 / model.packet), rate_(steps + 1), queue_(steps + 1), marks_(steps + 1),
        unmarked_(steps + 1), target_(link_) {
    rate_[0] = link_;
  }

  void step(std::size_t i) {
    const std::size_t then = before(i, m_.delay);
    const double p = std::max(marks_[then], 1e-12), rate = rate_[i];
    const double sent = m_.departing && queue_[then] > 0 ? link_ / m_.flows : rate_[then];
    const double log_clear = p < 1 ? std::log1p(-p) : -50;  // of the chance that a packet has no mark
    unmarked_[i + 1] = unmarked_[i] + sent * log_clear * kStep;
    const double cnps = -std::expm1(m_.cnp_interval * sent * log_clear) / m_.cnp_interval;  // per second
    const double told = -std::expm1(m_.alpha_interval * sent * log_clear);  // chance of a CNP in an alpha interval
    const double bytes = m_.byte_counter / m_.packet;
    const double by_bytes = sent * p / std::expm1(std::min(600.0, -bytes * log_clear));
    const double by_time = m_.memory
                               ? clear_for(i, m_.timer) / m_.timer
                               : sent * p / std::expm1(std::min(600.0, -m_.timer * sent * log_clear));
    const double late_bytes = std::exp(m_.threshold * bytes * log_clear) * by_bytes;
    const double late_time = m_.memory ? clear_for(i, (m_.threshold + 1) * m_.timer) / m_.timer
                                       : std::exp(m_.threshold * m_.timer * sent * log_clear) * by_time;
    const double distance = target_ - rate;
    alpha_ += m_.gain / m_.alpha_interval * (told - alpha_) * kStep;
    target_ += (-distance * cnps + m_.additive / 8 / m_.packet * (late_bytes + late_time)) * kStep;
    target_ = std::clamp(target_, 1.0, link_);
    const double change = -rate * alpha_ / 2 * cnps + distance / 2 * (by_bytes + by_time);
    rate_[i + 1] = std::clamp(rate + change * kStep, 1.0, link_);
    queue_[i + 1] = std::max(0.0, queue_[i] + (m_.flows * rate - link_) * kStep);
    marks_[i + 1] = m_.red.probability(queue_[i + 1] * m_.packet, m_.pmax);
  }

  FluidResult result(std::size_t from) const {
    FluidResult r{.least = 1e300, .alpha = alpha_};
    const auto count = static_cast<double>(queue_.size() - from);
    for (std::size_t i = from; i < queue_.size(); ++i) {
      const double bytes = queue_[i] * m_.packet;
      r.mean += bytes / count;
      r.marked += marks_[i] / count;
      r.least = std::min(r.least, bytes);
      r.most = std::max(r.most, bytes);
    }
    double squares = 0;
    for (std::size_t i = from; i < queue_.size(); ++i) squares += std::pow(queue_[i] * m_.packet - r.mean, 2) / count;
    r.deviation = std::sqrt(squares);
    return r;
  }

 private:
  static std::size_t before(std::size_t i, double seconds) {
    const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(seconds / kStep)));
    return i > steps ? i - steps : 0;
  }
  // The chance that no packet of the last so many seconds had a mark.
  double clear_for(std::size_t i, double seconds) const {
    return std::exp(unmarked_[i + 1] - unmarked_[before(i, seconds)]);
  }

  Fluid m_;
  double link_;
  std::vector<double> rate_, queue_, marks_;
  std::vector<double> unmarked_;  // logarithm of the chance that nothing was marked so far
  double target_, alpha_ = 1;
};

}  // namespace

FluidResult solve(const Fluid& model, double warmup, double end) {
  const auto steps = static_cast<std::size_t>(end / kStep);
  Integration integration(model, steps);
  for (std::size_t i = 0; i < steps; ++i) integration.step(i);
  return integration.result(static_cast<std::size_t>(warmup / kStep));
}

}  // namespace weir::dcqcn
