// The sender of HPCC, apart from any engine so that each step can be checked by hand. Every acknowledgement brings what
// the switches on the way wrote down when its packet left them: the length of the queue, the bytes sent so far, and the
// time; the rate of the link is known. From two of them follows how much of each link's bandwidth-delay product is in
// flight:
//
//   u = rate of sending / B + min(queue now, queue before) / (B T)
//
// The largest u of all hops, smoothed over a base round trip T, is U. Where U is at least eta, or max_stage additive
// steps were made, the reference rate is multiplied by eta / U; otherwise it is left alone; and R_AI is added. Every
// acknowledgement sets the rate anew from the same reference, which follows once in a round trip: so reactions to one
// and the same queue do not add up.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "base/units.h"

namespace weir {

struct HpccParams {
  double eta = 0.95;
  std::uint32_t max_stage = 5;
  double additive = 10e6;  // R_AI, bit/s
  double min_rate = 100e6;
  double initial_rate = 1e18;  // but the line rate at most
  Time base_rtt{10'000'000};  // T
};

// What one switch writes. As in real headers, time and bytes are counters that start again when they are full: only
// their differences mean something, and only for packets that left within kComparable.
struct HpccHop {
  static constexpr std::int64_t kTick = 16;                // ps
  static constexpr Time kComparable{20'000'000'000};       // 20 ms: 4 GB at 1.6 Tb/s, and a third of the clock

  HpccHop() = default;
  HpccHop(Time now, std::uint64_t sent, std::uint32_t queued)
      : time(static_cast<std::uint32_t>(now.ps / kTick)), sent_bytes(static_cast<std::uint32_t>(sent)), queue(queued) {}
  bool is_later_than(const HpccHop& other) const { return static_cast<std::int32_t>(time - other.time) > 0; }
  double seconds_since(const HpccHop& before) const { return static_cast<double>(time - before.time) * kTick * 1e-12; }
  std::uint32_t bytes_since(const HpccHop& before) const { return sent_bytes - before.sent_bytes; }

  std::uint32_t time = 0;        // ticks
  std::uint32_t sent_bytes = 0;  // onto the link, before this packet
  std::uint32_t queue = 0;       // bytes left behind
};
static_assert(sizeof(HpccHop) == 12);  // five, the longest way of a tree of three levels, lie in a cache line

class HpccSender {
 public:
  HpccSender() = default;
  HpccSender(const HpccParams& params, double line_rate)
      : line_rate_(line_rate), rate_(std::min(params.initial_rate, line_rate)), reference_(rate_) {}

  // `rates`: bit/s of the links of the hops. `anew`: a round trip has passed since the reference was set.
  void acknowledged(const HpccParams& params, std::span<const HpccHop> before, std::span<const HpccHop> now,
                    std::span<const double> rates, bool anew);

  double rate() const { return rate_; }
  double window(const HpccParams& params) const { return rate_ / 8 * params.base_rtt.seconds(); }  // bytes
  double reference() const { return reference_; }
  double in_flight() const { return in_flight_; }
  std::uint32_t stage() const { return stage_; }

 private:
  void measure(const HpccParams& params, std::span<const HpccHop> before, std::span<const HpccHop> now,
               std::span<const double> rates);

  double line_rate_ = 0, rate_ = 0, reference_ = 0;  // bit/s
  double in_flight_ = 1;                             // U
  std::uint32_t stage_ = 0;
};

}  // namespace weir
