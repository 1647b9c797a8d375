#include "schemes/ethernet/ecm.h"

#include <fmt/format.h>

#include "schemes/ethernet/ecm_points.h"
#include "schemes/ethernet/notification_family.h"
#include "schemes/ethernet/notification_scale.h"
#include "schemes/packet_scheme.h"

namespace weir {
namespace {

// Feedback of both signs; room only for frames with the congestion point's own tag. The timer lets rates drift upwards
// and ends stops.
struct EcmRules {
  using CongestionPoint = EcmCongestionPoint;
  using ReactionPoint = EcmReactionPoint;
  static constexpr bool kTags = true;
  struct Counts {
    std::uint64_t cuts = 0, raises = 0, stops = 0;
    void add(const Counts& other) {
      cuts += other.cuts;
      raises += other.raises;
      stops += other.stops;
    }
  };

  std::int32_t sample(Counts& counts, CongestionPoint& point, std::uint32_t bytes, std::int64_t queue,
                      bool tagged) const {
    const std::int32_t feedback = point.arrival(params, bytes, queue, tagged);
    if (feedback != 0) ++(feedback <= params.stop() ? counts.stops : feedback < 0 ? counts.cuts : counts.raises);
    return feedback;
  }
  bool told(Counts&, ReactionPoint& point, std::int32_t feedback, std::uint32_t tag) const {
    const bool was_stopped = point.stopped();
    point.feedback(params, feedback, tag);
    return point.stopped() != was_stopped;
  }
  static bool sent(ReactionPoint&, std::uint32_t) { return false; }
  static bool stopped(const ReactionPoint& point) { return point.stopped(); }
  static std::uint32_t tag(const ReactionPoint& point) { return point.tag(); }
  static void report(const Counts& counts, Measurements& m) {
    m.scheme_numbers.emplace_back("negative notifications", static_cast<double>(counts.cuts));
    m.scheme_numbers.emplace_back("positive notifications", static_cast<double>(counts.raises));
    m.scheme_numbers.emplace_back("stops", static_cast<double>(counts.stops));
  }

  EcmParams params;
};

EcmRules read(const Section& s, const NotificationScale& scale) {
  EcmRules rules;
  EcmParams& p = rules.params;
  const auto rate = [&](const char* key, double at_10_gbps) { return rate_or(s, key, at_10_gbps * scale.rate); };
  p.equilibrium = bytes_or(s, "qeq", scale.equilibrium);
  p.weight = s.number("wd");
  p.bits = static_cast<std::uint32_t>(s.integer("bits"));
  p.sample_interval = bytes_or(s, "sample_interval", scale.interval);
  p.jitter = s.number("jitter");
  p.decrease_gain = s.number("gd");
  p.least_decrease = s.number("min_decrease");
  p.increase_gain = s.number("gi");
  p.rate_unit = rate("ru", p.rate_unit);
  p.min_rate = rate("min_rate", p.min_rate);
  p.drift = rate("drift", p.drift);
  p.drift_interval = time_or(s, "drift_interval", p.drift_interval.seconds() * scale.time);
  p.severe = s.has("severe") ? s.bytes("severe") : 0;
  p.longest_stop = time_or(s, "stop_time", p.longest_stop.seconds() * scale.time);
  p.restart_rate = rate("restart_rate", p.restart_rate);
  if (p.severe > 0 && p.severe <= p.equilibrium)
    s.refuse("severe", fmt::format("severe congestion must lie above qeq = {} B", p.equilibrium));
  return rules;
}

ConfiguredScheme configure_ecm(const Section& scheme, const PacketRun& run) {
  return packet_scheme(run, [rules = read(scheme, notification_scale(run)), own = read_notification(scheme, run)] {
    return NotificationFamily<EcmRules>(rules, own);
  });
}

}  // namespace

extern const SchemeInfo ecm_scheme{
    "ecm", SchemeTag::research,
    "Ethernet congestion management (formerly BCN): positive and negative feedback with tags", kEcmParams,
    "[scheme]\nname = \"ecm\"\ngi = 2", configure_ecm, nullptr, true};

}  // namespace weir
