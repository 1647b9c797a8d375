#include "schemes/ecm.h"

#include <fmt/format.h>

#include "schemes/ecm_points.h"
#include "schemes/notification_params.h"
#include "schemes/rate_limiters.h"

namespace weir {
namespace {

struct EcmFamily : SchemeHooks {
  static constexpr bool kConnections = true;
  static constexpr bool kGates = true;
  using Limiter = RateLimiters<EcmReactionPoint>::Limiter;

  template <class E>
  void on_start(E& engine) {
    limiters.prepare(engine.connections());
    const std::uint32_t channels = engine.fabric().channel_of(engine.fabric().links(), 0);
    for (std::uint32_t c = 0; c < channels; ++c)
      points.emplace_back(params, RandomStream(engine.seed(), Purpose::jitter, c));
  }

  // ---- congestion point; its tag is the number of the port, plus 1: 0 stands for no tag ----
  template <class E>
  void on_output(E& engine, std::uint32_t channel, PacketIndex p) {
    const Packet packet = engine.packets()[p];
    if (packet.kind() != PacketKind::data) return;
    const std::uint32_t link = engine.fabric().link_of(channel);
    const bool tagged = engine.packets().cold(p).aux == link + 1;
    const std::int32_t feedback =
        points[channel].arrival(params, packet.size, engine.output_occupancy(channel), tagged);
    if (feedback == 0) return;
    ++(feedback <= params.stop() ? stops : feedback < 0 ? cuts : raises);
    const SwitchId here = engine.topology().switch_of({engine.fabric().link(link).sender});
    engine.notify(here, {packet.source}, {{link}, {packet.destination}, feedback}, notification.bytes,
                  notification.lane, packet.connection);
  }

  // ---- reaction point ----
  template <class E>
  void on_notification(E& engine, HostId host, PacketIndex p) {
    const std::uint32_t connection = engine.packets()[p].connection;
    const Notification n = Notification::read(engine.packets().cold(p));
    Limiter* limiter = limiters.find(connection);
    const bool is_new = limiter == nullptr;
    if (is_new && n.feedback > 0) return;  // released meanwhile
    if (is_new) {
      const LinkProperties& line = engine.topology().link(engine.topology().host_port(host));
      const RandomStream random(engine.seed() ^ static_cast<std::uint64_t>(engine.now().ps), Purpose::backoff,
                                connection);
      limiter =
          &limiters.add(connection, EcmReactionPoint(params, static_cast<double>(line.rate.bits_per_second), random));
    }
    const bool stopped_before = limiter->point.stopped();
    limiter->point.feedback(params, n.feedback, n.origin.index + 1);
    if (is_new || limiter->point.stopped() != stopped_before) start_timer(engine, *limiter);
    release_or_wake(engine, *limiter);
  }
  template <class E>
  void start_timer(E& engine, Limiter& limiter) {
    engine.set_timer(engine.now() + limiter.point.timer_period(params), limiter.connection,
                     limiters.new_timer(limiter));
  }
  template <class E>
  void on_timer(E& engine, std::uint32_t connection, std::uint32_t number) {
    Limiter* limiter = limiters.find(connection);
    if (limiter == nullptr || limiter->timer != number) return;
    limiter->point.timer_expired(params);
    start_timer(engine, *limiter);
    release_or_wake(engine, *limiter);
  }
  template <class E>
  void release_or_wake(E& engine, Limiter& limiter) {
    const std::uint32_t connection = limiter.connection;
    if (limiter.point.released()) limiters.remove(connection);
    engine.wake(connection);
  }
  template <class E>
  Time gate(E&, std::uint32_t connection, PacketIndex) {
    const Limiter* limiter = limiters.find(connection);
    return limiter != nullptr && limiter->point.stopped() ? kNever : limiters.gate(connection);
  }
  template <class E>
  void on_inject(E& engine, HostId, PacketIndex p) {
    const Packet& packet = engine.packets()[p];
    Limiter* limiter = limiters.find(packet.connection);
    engine.packets().cold(p).aux = limiter == nullptr ? 0 : limiter->point.tag();
    if (limiter != nullptr) limiters.sent(*limiter, engine.now(), packet.size);
  }

  void report(Measurements& m) const {
    m.scheme_numbers.emplace_back("negative notifications", static_cast<double>(cuts));
    m.scheme_numbers.emplace_back("positive notifications", static_cast<double>(raises));
    m.scheme_numbers.emplace_back("stops", static_cast<double>(stops));
    m.scheme_numbers.emplace_back("rate limiters at most", static_cast<double>(limiters.peak()));
    m.scheme_numbers.emplace_back("rate limiters at the end", static_cast<double>(limiters.active()));
  }
  std::size_t bytes_of_state() const {
    return points.capacity() * sizeof(EcmCongestionPoint) + limiters.bytes_of_state();
  }

  EcmParams params;
  NotificationParams notification;
  std::vector<EcmCongestionPoint> points;  // per channel
  RateLimiters<EcmReactionPoint> limiters;
  std::uint64_t cuts = 0, raises = 0, stops = 0;
};

EcmFamily read(const Section& s, const PacketRun& run) {
  EcmFamily family;
  EcmParams& p = family.params;
  const auto rate = [&](const char* key) { return static_cast<double>(s.rate(key).bits_per_second); };
  p.equilibrium = s.bytes("qeq");
  p.weight = s.number("wd");
  p.bits = static_cast<std::uint32_t>(s.integer("bits"));
  p.sample_interval = s.bytes("sample_interval");
  p.jitter = s.number("jitter");
  p.decrease_gain = s.number("gd");
  p.least_decrease = s.number("min_decrease");
  p.increase_gain = s.number("gi");
  p.rate_unit = rate("ru");
  p.min_rate = rate("min_rate");
  p.drift = rate("drift");
  p.drift_interval = s.time("drift_interval");
  p.severe = s.has("severe") ? s.bytes("severe") : 0;
  p.longest_stop = s.time("stop_time");
  p.restart_rate = rate("restart_rate");
  if (p.severe > 0 && p.severe <= p.equilibrium)
    s.refuse("severe", fmt::format("severe congestion must lie above qeq = {} B", p.equilibrium));
  family.notification = read_notification(s, run);
  return family;
}

}  // namespace

Measurements run_ecm(const PacketRun& run, const Section& scheme) {
  return PacketEngine<EcmFamily>(run, read(scheme, run)).run();
}

}  // namespace weir
