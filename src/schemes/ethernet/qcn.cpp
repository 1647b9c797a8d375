#include "schemes/ethernet/qcn.h"

#include <fmt/format.h>

#include <algorithm>

#include "schemes/ethernet/notification_family.h"
#include "schemes/ethernet/notification_scale.h"
#include "schemes/ethernet/qcn_points.h"
#include "schemes/packet_scheme.h"

namespace weir {
namespace {

// Feedback is negative only, every notification restarts the timer, and bytes sent raise the rate.
struct QcnRules {
  using CongestionPoint = QcnCongestionPoint;
  using ReactionPoint = QcnReactionPoint;
  static constexpr bool kTags = false;
  struct Counts {
    std::uint64_t cuts = 0;
    double lowest = 1e18;  // rate
    void add(const Counts& other) {
      cuts += other.cuts;
      lowest = std::min(lowest, other.lowest);
    }
  };

  std::int32_t sample(Counts&, CongestionPoint& point, std::uint32_t bytes, std::int64_t queue, bool) const {
    return -static_cast<std::int32_t>(point.arrival(params, bytes, queue));
  }
  bool told(Counts& counts, ReactionPoint& point, std::int32_t feedback, std::uint32_t) const {
    point.feedback(params, static_cast<std::uint32_t>(-feedback));
    counts.add({1, point.rate()});
    return true;
  }
  bool sent(ReactionPoint& point, std::uint32_t bytes) const { return point.sent(params, bytes); }
  static bool stopped(const ReactionPoint&) { return false; }
  static void report(const Counts& counts, Measurements& m) {
    m.scheme_numbers.emplace_back("rate cuts", static_cast<double>(counts.cuts));
    if (counts.cuts > 0) m.scheme_numbers.emplace_back("lowest rate [bit/s]", counts.lowest);
  }

  QcnParams params;
};

QcnRules read(const Section& s, const NotificationScale& scale) {
  QcnRules rules;
  QcnParams& p = rules.params;
  p.equilibrium = bytes_or(s, "qeq", scale.equilibrium);
  p.weight = s.number("wd");
  p.bits = static_cast<std::uint32_t>(s.integer("bits"));
  p.rounding = s.choice<Rounding>("rounding");
  p.sample_interval = bytes_or(s, "sample_interval", scale.interval);
  p.jitter = s.number("jitter");
  p.gain = s.number("gd");
  p.least_decrease = s.number("min_decrease");
  p.min_rate = rate_or(s, "min_rate", p.min_rate * scale.rate);
  p.threshold = static_cast<std::uint32_t>(s.integer("threshold"));
  p.byte_limit = bytes_or(s, "byte_limit", scale.interval);
  p.timer = time_or(s, "timer", p.timer.seconds() * scale.time);
  p.halve_late = s.chooses("halving", "above-threshold");
  p.active_increase = rate_or(s, "active_increase", p.active_increase * scale.rate);
  p.hyper_increase = rate_or(s, "hyper_increase", p.hyper_increase * scale.rate);
  p.hyper_offset = static_cast<std::uint32_t>(s.integer("hyper_offset"));
  p.extra_fast_recovery = s.flag("extra_fast_recovery");
  if (p.hyper_offset > p.threshold)
    s.refuse("hyper_offset", fmt::format("must not be above the threshold of {}", p.threshold));
  return rules;
}

ConfiguredScheme configure_qcn(const Section& scheme, const RunInput& run) {
  return packet_scheme(run, [rules = read(scheme, notification_scale(run)), own = read_notification(scheme, run)] {
    return NotificationFamily<QcnRules>(rules, own);
  });
}

}  // namespace

extern const SchemeInfo qcn_scheme{
    "qcn", SchemeTag::standard,
    "quantized congestion notification (QCN 2.2): switches sample packets and notify their sources, which then limit "
    "the rate of the flow that the sampled packet belongs to",
    kQcnParams, "[scheme]\nname = \"qcn\"\nqeq = \"33000B\"", configure_qcn, nullptr, true, {}, MadeFor::ethernet};

}  // namespace weir
