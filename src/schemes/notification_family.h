// One family for all schemes in which a congestion point in front of each link samples arriving frames and notifies
// their sources, where a reaction point limits the rate of that flow (QCN, ECM). What such schemes share lies here:
// sampling, limiters with one timer each, the gate, release at line rate. What they decide lies in `Rules`:
//
//   Rules::CongestionPoint(Params, RandomStream), Rules::ReactionPoint(Params, line rate, RandomStream)
//   Rules::kTags              limited frames carry the tag of the congestion point that their limiter obeys
//   int32 sample(congestion point, bytes, queue, tagged)     feedback to send, 0 = nothing
//   bool told(reaction point, feedback, tag)                 true: its timer starts anew
//   bool sent(reaction point, bytes)                         true: the rate was raised
//   bool stopped(reaction point), uint32 tag(reaction point)
//   void report(Measurements&)
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "packet/packet_engine.h"
#include "schemes/idle.h"
#include "schemes/notification_params.h"
#include "schemes/notification_scale.h"
#include "schemes/rate_limiters.h"

namespace weir {

template <class Rules>
struct NotificationFamily : SchemeHooks {
  static constexpr bool kConnections = true;
  using Limiter = typename RateLimiters<typename Rules::ReactionPoint>::Limiter;

  NotificationFamily(Rules r, NotificationParams n) : rules(std::move(r)), notification(n) {}

  void on_start(EngineView& engine) override {
    limiters.prepare(engine.connections().count(), engine.topology().hosts());
    const std::uint32_t channels = engine.fabric().channels();
    for (std::uint32_t c = 0; c < channels; ++c)
      points.emplace_back(rules.params, RandomStream(engine.seed(), Purpose::jitter, c));
    const PacketConfig& config = engine.config();
    if (config.switches.organisation != Organisation::fifo_in_out) return;
    seen.capacity = queue_capacity(config);
    // Such a queue is counted as its memory is, and that may be in packets.
    if (config.switches.unit == BufferUnit::packets) counted_in = config.format.max_payload() + config.format.header;
  }

  // What a limited frame carries: the congestion point that its limiter obeys.
  struct Tag {
    std::uint32_t port = 0;
  };

  // ---- congestion point; its tag is the number of the port, plus 1: 0 stands for no tag ----
  void on_output(EngineView& engine, ChannelId channel, Packet& p) override {
    if (!p.is(PacketKind::data)) return;
    const LinkId link = engine.fabric().link_of(channel);
    const bool tagged = Rules::kTags && p.template cargo<Tag>().port == link.index + 1;
    const Bytes queue = engine.output_occupancy(channel) * counted_in;
    seen.longest = std::max<Bytes>(seen.longest, queue);
    const std::int32_t feedback = rules.sample(points[channel.index], p.size, queue, tagged);
    if (feedback == 0) return;
    ++seen.notifications;
    const SwitchId here = engine.topology().switch_of(engine.fabric().link(link).sender);
    engine.notify(here, p.source, {link, p.destination, feedback}, notification.bytes, Lane{notification.lane},
                  p.connection);
  }

  // ---- reaction point ----
  void on_notification(EngineView& engine, HostId host, Packet& p) override {
    const ConnectionId connection = p.connection;
    const auto n = p.template cargo<Notification>();
    Limiter* limiter = limiters.find(connection);
    const bool is_new = limiter == nullptr;
    if (is_new && n.feedback > 0) return;  // released meanwhile
    if (is_new) {
      const LinkProperties& line = engine.topology().link(engine.topology().host_port(host));
      const RandomStream random(engine.seed() ^ static_cast<std::uint64_t>(engine.now().ps), Purpose::backoff,
                                connection.index);
      limiter = &limiters.add(
          connection, host,
          typename Rules::ReactionPoint(rules.params, static_cast<double>(line.rate.bits_per_second), random));
    }
    if (rules.told(limiter->point, n.feedback, n.origin.index + 1) || is_new) start_timer(engine, *limiter);
    if (n.feedback > 0) release_or_wake(engine, *limiter);
  }
  void on_timer(EngineView& engine, std::uint32_t connection, std::uint32_t number) override {
    Limiter* limiter = limiters.find({connection});
    if (limiter == nullptr || limiter->timer != number) return;
    limiter->point.timer_expired(rules.params);
    if (!limiter->point.released()) start_timer(engine, *limiter);
    release_or_wake(engine, *limiter);
  }
  Time gate(EngineView&, ConnectionId connection, Packet&) override {
    const Limiter* limiter = limiters.find(connection);
    return limiter != nullptr && rules.stopped(limiter->point) ? kNever : limiters.gate(connection);
  }
  void on_inject(EngineView& engine, HostId, Packet& p) override {
    Limiter* limiter = limiters.find(p.connection);
    if constexpr (Rules::kTags) p.load(Tag{limiter == nullptr ? 0 : rules.tag(limiter->point)});
    if (limiter == nullptr) return;
    limiters.sent(*limiter, engine.now(), p.size);
    if (rules.sent(limiter->point, p.size) && limiter->point.released()) limiters.remove(p.connection);
  }

  void report(Measurements& m) const override {
    rules.report(m);
    m.scheme_numbers.emplace_back("rate limiters of a host at most", static_cast<double>(limiters.peak()));
    m.scheme_numbers.emplace_back("rate limiters at the end", static_cast<double>(limiters.active()));
    if (limiters.peak() > 0) return;
    idle::Sampled counts = seen;
    counts.equilibrium = rules.params.equilibrium;
    counts.interval = rules.params.sample_interval;
    m.scheme_idle = idle::notification(counts);
  }
  std::size_t bytes_of_state() const override {
    return points.capacity() * sizeof(points[0]) + limiters.bytes_of_state();
  }

  void start_timer(EngineView& engine, Limiter& limiter) {
    engine.set_timer(engine.now() + limiter.point.timer_period(rules.params), limiter.connection.index,
                     limiters.new_timer(limiter));
  }
  void release_or_wake(EngineView& engine, Limiter& limiter) {
    const ConnectionId connection = limiter.connection;
    if (limiter.point.released()) limiters.remove(connection);
    engine.wake(connection);
  }

  Rules rules;
  NotificationParams notification;
  std::vector<typename Rules::CongestionPoint> points;  // per channel
  RateLimiters<typename Rules::ReactionPoint> limiters;
  idle::Sampled seen;
  Bytes counted_in = 1;
};

}  // namespace weir
