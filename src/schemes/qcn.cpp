#include "schemes/qcn.h"

#include <fmt/format.h>

#include "schemes/notification_params.h"
#include "schemes/qcn_points.h"
#include "schemes/rate_limiters.h"

namespace weir {
namespace {

struct QcnFamily : SchemeHooks {
  static constexpr bool kConnections = true;
  static constexpr bool kGates = true;

  template <class E>
  void on_start(E& engine) {
    limiters.prepare(engine.connections());
    const std::uint32_t channels = engine.fabric().channel_of(engine.fabric().links(), 0);
    for (std::uint32_t c = 0; c < channels; ++c)
      points.emplace_back(params, RandomStream(engine.seed(), Purpose::jitter, c));
  }

  // ---- congestion point ----
  template <class E>
  void on_output(E& engine, std::uint32_t channel, PacketIndex p) {
    const Packet packet = engine.packets()[p];
    if (packet.kind() != PacketKind::data) return;
    const std::uint32_t feedback = points[channel].arrival(params, packet.size, engine.output_occupancy(channel));
    if (feedback == 0) return;
    const std::uint32_t link = engine.fabric().link_of(channel);
    const SwitchId here = engine.topology().switch_of({engine.fabric().link(link).sender});
    const Notification n{{link}, {packet.destination}, -static_cast<std::int32_t>(feedback)};
    engine.notify(here, {packet.source}, n, notification.bytes, notification.lane, packet.connection);
  }

  // ---- reaction point ----
  template <class E>
  void on_notification(E& engine, HostId host, PacketIndex p) {
    const std::uint32_t connection = engine.packets()[p].connection;
    const Notification n = Notification::read(engine.packets().cold(p));
    auto* limiter = limiters.find(connection);
    if (limiter == nullptr) {
      const LinkProperties& line = engine.topology().link(engine.topology().host_port(host));
      const auto rate = static_cast<double>(line.rate.bits_per_second);
      const RandomStream random(engine.seed() ^ static_cast<std::uint64_t>(engine.now().ps), Purpose::backoff,
                                connection);
      limiter = &limiters.add(connection, QcnReactionPoint(params, rate, random));
    }
    limiter->point.feedback(params, static_cast<std::uint32_t>(-n.feedback));
    start_timer(engine, *limiter);
    ++cuts;
    lowest = std::min(lowest, limiter->point.rate());
  }
  template <class E>
  void start_timer(E& engine, RateLimiters<QcnReactionPoint>::Limiter& limiter) {
    engine.set_timer(engine.now() + limiter.point.timer_period(params), limiter.connection,
                     limiters.new_timer(limiter));
  }
  template <class E>
  void on_timer(E& engine, std::uint32_t connection, std::uint32_t number) {
    auto* limiter = limiters.find(connection);
    if (limiter == nullptr || limiter->timer != number) return;
    limiter->point.timer_expired(params);
    if (limiter->point.released()) limiters.remove(connection);
    else start_timer(engine, *limiter);
    engine.wake(connection);
  }
  template <class E>
  Time gate(E&, std::uint32_t connection, PacketIndex) {
    return limiters.gate(connection);
  }
  template <class E>
  void on_inject(E& engine, HostId, PacketIndex p) {
    const Packet& packet = engine.packets()[p];
    auto* limiter = limiters.find(packet.connection);
    if (limiter == nullptr) return;
    limiters.sent(*limiter, engine.now(), packet.size);
    if (limiter->point.sent(params, packet.size) && limiter->point.released()) limiters.remove(packet.connection);
  }

  void report(Measurements& m) const {
    m.scheme_numbers.emplace_back("rate cuts", static_cast<double>(cuts));
    m.scheme_numbers.emplace_back("rate limiters at most", static_cast<double>(limiters.peak()));
    m.scheme_numbers.emplace_back("rate limiters at the end", static_cast<double>(limiters.active()));
    if (cuts > 0) m.scheme_numbers.emplace_back("lowest rate [bit/s]", lowest);
  }
  std::size_t bytes_of_state() const {
    return points.capacity() * sizeof(QcnCongestionPoint) + limiters.bytes_of_state();
  }

  QcnParams params;
  NotificationParams notification;
  std::vector<QcnCongestionPoint> points;  // per channel
  RateLimiters<QcnReactionPoint> limiters;
  std::uint64_t cuts = 0;
  double lowest = 1e18;
};

QcnFamily read(const Section& s, const PacketRun& run) {
  QcnFamily family;
  QcnParams& p = family.params;
  p.equilibrium = s.bytes("qeq");
  p.weight = s.number("wd");
  p.bits = static_cast<std::uint32_t>(s.integer("bits"));
  p.rounding = s.text("rounding") == "down" ? Rounding::down
               : s.text("rounding") == "up" ? Rounding::up
                                            : Rounding::nearest;
  p.sample_interval = s.bytes("sample_interval");
  p.jitter = s.number("jitter");
  p.gain = s.number("gd");
  p.least_decrease = s.number("min_decrease");
  p.min_rate = static_cast<double>(s.rate("min_rate").bits_per_second);
  p.threshold = static_cast<std::uint32_t>(s.integer("threshold"));
  p.byte_limit = s.bytes("byte_limit");
  p.timer = s.time("timer");
  p.halve_late = s.text("halving") == "above-threshold";
  p.active_increase = static_cast<double>(s.rate("active_increase").bits_per_second);
  p.hyper_increase = static_cast<double>(s.rate("hyper_increase").bits_per_second);
  p.hyper_offset = static_cast<std::uint32_t>(s.integer("hyper_offset"));
  p.extra_fast_recovery = s.flag("extra_fast_recovery");
  if (p.hyper_offset > p.threshold)
    s.refuse("hyper_offset", fmt::format("must not be above the threshold of {}", p.threshold));
  family.notification = read_notification(s, run);
  return family;
}

}  // namespace

Measurements run_qcn(const PacketRun& run, const Section& scheme) {
  return PacketEngine<QcnFamily>(run, read(scheme, run)).run();
}

}  // namespace weir
