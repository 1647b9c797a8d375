// The sender of DCQCN, apart from any engine so that each step can be checked by hand. It keeps the rate of one flow:
// CNPs cut it, by half of an estimate of congestion (alpha); time, and in the paper bytes sent, raise it again. There
// are two of them: the one of the paper (Zhu et al. 2015), and the one that adapters ship.
//
// Clocks are not events. Whoever uses a sender calls catch_up(now) before anything else, and everything that was due
// by then has happened; next_raise() says when the rate may be higher.
#pragma once
#include <cstdint>

#include "base/units.h"

namespace weir {

struct DcqcnParams {
  double gain = 1.0 / 256;          // g, of alpha
  Time alpha_interval{55'000'000};  // paper: without a CNP for so long, alpha falls; adapter: alpha follows so often
  Time timer{55'000'000};           // of increases
  Bytes byte_counter = 10'000'000;  // paper: of increases, too
  Time decrease_interval{4'000'000};  // adapter: at most one cut in it
  bool clamp_target = false;        // adapter: every cut takes the rate as target, not only the first after an increase
  std::uint32_t threshold = 5;      // F: stages of fast recovery
  double additive = 40e6, hyper = 200e6;  // R_AI and R_HAI, bit/s
  double min_rate = 40e6;
};

// Of both: rate, target and the steps that raise them.
class DcqcnRate {
 public:
  double rate() const { return rate_; }
  double target() const { return target_; }

 protected:
  explicit DcqcnRate(double line_rate) : line_rate_(line_rate), rate_(line_rate), target_(line_rate) {}

  void raise(double step);
  void cut(const DcqcnParams& params, double alpha);
  // Raising changes nothing any more.
  bool at_line_rate() const { return rate_ >= line_rate_ && target_ >= line_rate_; }

  double line_rate_ = 0, rate_ = 0, target_ = 0;  // bit/s
};

class DcqcnPaperSender : public DcqcnRate {
 public:
  DcqcnPaperSender() : DcqcnRate(0) {}
  // Made at its first CNP, which cnp() then tells.
  DcqcnPaperSender(const DcqcnParams&, double line_rate, Time) : DcqcnRate(line_rate) {}

  void catch_up(const DcqcnParams& params, Time now);
  void cnp(const DcqcnParams& params, Time now);
  void sent(const DcqcnParams& params, std::uint32_t bytes);
  Time next_raise(const DcqcnParams&) const { return at_line_rate() ? kNever : timer_due_; }

  double alpha() const { return alpha_; }
  std::uint32_t time_stage() const { return time_stage_; }
  std::uint32_t byte_stage() const { return byte_stage_; }

 private:
  void raise_by_stages(const DcqcnParams& params);

  double alpha_ = 1;
  Time alpha_since_, timer_due_ = kNever;
  Bytes bytes_sent_ = 0;
  std::uint32_t time_stage_ = 0, byte_stage_ = 0;
};

class DcqcnAdapterSender : public DcqcnRate {
 public:
  DcqcnAdapterSender() : DcqcnRate(0) {}
  // At its first CNP alpha is 1, and all clocks start.
  DcqcnAdapterSender(const DcqcnParams& params, double line_rate, Time now);

  void catch_up(const DcqcnParams& params, Time now);
  void cnp(const DcqcnParams&, Time) { told_alpha_ = told_rate_ = true; }
  void sent(const DcqcnParams&, std::uint32_t) {}
  Time next_raise(const DcqcnParams&) const { return at_line_rate() ? kNever : timer_due_; }

  double alpha() const { return alpha_; }
  std::uint32_t stage() const { return stage_; }

 private:
  void follow_alpha(const DcqcnParams& params, Time now);
  void decrease(const DcqcnParams& params);
  void increase(const DcqcnParams& params);

  double alpha_ = 1;
  Time alpha_due_, decrease_due_, timer_due_ = kNever;
  std::uint32_t stage_ = 0;
  bool told_alpha_ = false, told_rate_ = false;  // a CNP has come since alpha, or the rate, was looked at
};

}  // namespace weir
