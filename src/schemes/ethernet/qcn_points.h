// The two ends of QCN, version 2.2, apart from any engine so that each step can be checked by hand: the congestion
// point in front of a link samples arriving frames and computes feedback; the reaction point at a source keeps the rate
// of one flow, cut by feedback and raised by two clocks, bytes sent and time.
#pragma once
#include <array>
#include <cstdint>

#include "base/random.h"
#include "base/units.h"

namespace weir {

enum class Rounding { down, nearest, up };  // of the feedback to its bits

// 0 .. `largest` to 0 .. 2^bits - 1.
std::uint32_t quantise(double value, double largest, std::uint32_t bits, Rounding rounding);

struct QcnParams {
  // congestion point
  Bytes equilibrium = 33'000;   // Qeq
  double weight = 2;            // Wd, of the queue's growth
  std::uint32_t bits = 6;       // of the feedback
  Rounding rounding = Rounding::down;
  Bytes sample_interval = 150'000;
  double jitter = 0.15;         // of sample intervals, byte cycles and timer cycles, either way
  // reaction point
  double gain = 1.0 / 128;      // Gd, per unit of feedback
  double least_decrease = 0.5;  // a cut never multiplies the rate by less
  double min_rate = 100e3;      // bit/s
  std::uint32_t threshold = 5;  // stages of fast recovery
  Bytes byte_limit = 150'000;
  Time timer{15'000'000'000};
  bool halve_late = false;      // cycles are halved only above `threshold`, instead of from it on
  double active_increase = 5e6, hyper_increase = 50e6;
  std::uint32_t hyper_offset = 5;  // hyper-active increase is multiplied by (smaller stage - this)
  bool extra_fast_recovery = true;

  std::uint32_t largest_feedback() const { return (1u << bits) - 1; }
  double largest_excess() const { return static_cast<double>(equilibrium) * (2 * weight + 1); }
  // `excess` >= 0 bytes to 0 .. largest_feedback().
  std::uint32_t quantise(double excess) const { return weir::quantise(excess, largest_excess(), bits, rounding); }
};

// Uniform within `share` either way of 1.
inline double jittered(RandomStream& random, double share) { return 1 + share * (2 * random.unit() - 1); }

class QcnCongestionPoint {
 public:
  QcnCongestionPoint() = default;
  QcnCongestionPoint(const QcnParams& params, RandomStream random);

  // A frame has joined the queue, which is now `queue` bytes long. Returns the quantised feedback to send to its
  // source; 0 = nothing to send.
  std::uint32_t arrival(const QcnParams& params, std::uint32_t bytes, std::int64_t queue);

  // -Fb as it stands: how far the queue is above equilibrium plus how fast it grows, between 0 and its limit.
  double excess(const QcnParams& params, std::int64_t queue) const;
  double until_sample() const { return until_sample_; }
  std::int64_t old_queue() const { return old_queue_; }

 private:
  double interval(const QcnParams& params, std::uint32_t feedback);

  std::int64_t old_queue_ = 0;
  double until_sample_ = 0;  // bytes
  RandomStream random_;
};

// The sample interval for a feedback value, before jitter: shrinks over the eight octiles of the feedback's range.
double qcn_interval(const QcnParams& params, std::uint32_t feedback);

class QcnReactionPoint {
 public:
  QcnReactionPoint() = default;
  QcnReactionPoint(const QcnParams& params, double line_rate, RandomStream random);

  void feedback(const QcnParams& params, std::uint32_t value);
  // A frame was sent; true if that completed a byte cycle and the rate was raised.
  bool sent(const QcnParams& params, std::uint32_t bytes);
  // The timer has run out; the rate was raised. The next period is timer_period().
  void timer_expired(const QcnParams& params);
  // Length of the timer cycle that begins now.
  Time timer_period(const QcnParams& params);

  double rate() const { return rate_; }
  double target() const { return target_; }
  std::uint32_t byte_stage() const { return byte_stage_; }
  std::uint32_t time_stage() const { return time_stage_; }
  double bytes_left() const { return bytes_left_; }
  bool released() const { return rate_ >= line_rate_; }

 private:
  bool halved(const QcnParams& params, std::uint32_t stage) const {
    return params.halve_late ? stage > params.threshold : stage >= params.threshold;
  }
  void refill(const QcnParams& params);
  void raise(const QcnParams& params);

  double line_rate_ = 0, rate_ = 0, target_ = 0;  // bit/s
  double bytes_left_ = 0;
  std::uint32_t byte_stage_ = 0, time_stage_ = 0;
  RandomStream random_;
};

}  // namespace weir
