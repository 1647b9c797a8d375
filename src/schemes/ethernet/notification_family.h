// One family for all schemes in which a congestion point in front of each link samples arriving frames and notifies
// their sources, where a reaction point limits the rate of that flow (QCN, ECM). What such schemes share lies here:
// sampling, limiters with one timer each, the gate, release at line rate. What they decide lies in `Rules`:
//
//   Rules::CongestionPoint(Params, RandomStream), Rules::ReactionPoint(Params, line rate, RandomStream)
//   Rules::kTags              limited frames carry the tag of the congestion point that their limiter obeys
//   Rules::Counts             what a node counts for the report; add() adds another's
//   int32 sample(counts, congestion point, bytes, queue, tagged)   feedback to send, 0 = nothing
//   bool told(counts, reaction point, feedback, tag)         true: its timer starts anew
//   bool sent(reaction point, bytes)                         true: the rate was raised
//   bool stopped(reaction point), uint32 tag(reaction point)
//   void report(counts of all nodes, Measurements&)
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "packet/packet_engine.h"
#include "schemes/ethernet/notification_params.h"
#include "schemes/ethernet/notification_scale.h"
#include "schemes/fabric_facts.h"
#include "schemes/rate_limiters.h"
#include "schemes/idle.h"

namespace weir {

template <class Rules>
struct NotificationFamily : SchemeHooks {
  static constexpr bool kConnections = true;
  using Limiter = typename RateLimiters<typename Rules::ReactionPoint>::Limiter;

  NotificationFamily(Rules r, NotificationParams n) : rules(std::move(r)), notification(n) {}

  void on_start(const GlobalView& all) override {
    for (std::uint32_t c = 0; c < points.size(); ++c)
      points[{c}] = typename Rules::CongestionPoint(rules.params, RandomStream(all.seed(), Purpose::jitter, c));
    const PacketConfig& config = all.config();
    if (!config.switches.organisation->crossbar) return;
    capacity = queue_capacity(config);
    // Such a queue is counted as its memory is, and that may be in packets.
    if (config.switches.unit == BufferUnit::packets) counted_in = config.format.max_payload() + config.format.header;
  }

  // What a limited frame carries: the congestion point that its limiter obeys.
  struct Tag {
    std::uint32_t port = 0;
  };

  // ---- congestion point; its tag is the number of the port, plus 1: 0 stands for no tag ----
  void on_output(SwitchView here, ChannelId channel, Packet& p) override {
    if (!p.is(PacketKind::data)) return;
    const LinkId link = here.link_of(channel);
    const bool tagged = Rules::kTags && p.template cargo<Tag>().port == link.index + 1;
    const Bytes queue = here.output_occupancy(channel) * counted_in;
    Seen& s = seen[here.node()];
    s.longest = std::max<Bytes>(s.longest, queue);
    const std::int32_t feedback = rules.sample(s.counts, points[channel], p.size, queue, tagged);
    if (feedback == 0) return;
    ++s.notifications;
    here.notify(p.source, {link, p.destination, feedback}, notification.bytes, Lane{notification.lane}, p.connection);
  }

  // ---- reaction point ----
  void on_notification(HostView here, Packet& p) override {
    const ConnectionId connection = p.connection;
    const auto n = p.template cargo<Notification>();
    Limiter* limiter = limiters.find(here.here(), connection);
    const bool is_new = limiter == nullptr;
    if (is_new && n.feedback > 0) return;  // released meanwhile
    if (is_new) {
      const LinkProperties& line = here.topology().link(here.link());
      const RandomStream random(here.seed() ^ static_cast<std::uint64_t>(here.now().ps), Purpose::backoff,
                                connection.index);
      limiter = &limiters.add(
          here.here(), connection,
          typename Rules::ReactionPoint(rules.params, static_cast<double>(line.rate.bits_per_second), random));
    }
    const bool anew = rules.told(seen[here.node()].counts, limiter->point, n.feedback, n.origin.index + 1);
    if (anew || is_new) start_timer(here, *limiter);
    if (n.feedback > 0) release_or_wake(here, *limiter);
  }
  void on_host_timer(HostView here, std::uint32_t connection) override {
    Limiter* limiter = limiters.find(here.here(), {connection});
    if (limiter == nullptr || limiter->timer != here.now()) return;
    limiter->timer = kNever;
    limiter->point.timer_expired(rules.params);
    if (!limiter->point.released()) start_timer(here, *limiter);
    release_or_wake(here, *limiter);
  }
  Time gate(HostView here, ConnectionId connection, Packet&) override {
    const Limiter* limiter = limiters.find(here.here(), connection);
    if (limiter == nullptr) return {};
    return rules.stopped(limiter->point) ? kNever : limiters.gate(*limiter);
  }
  void on_inject(HostView here, Packet& p) override {
    Limiter* limiter = limiters.find(here.here(), p.connection);
    if constexpr (Rules::kTags) p.load(Tag{limiter == nullptr ? 0 : rules.tag(limiter->point)});
    if (limiter == nullptr) return;
    limiters.sent(*limiter, here.now(), p.size);
    if (rules.sent(limiter->point, p.size) && limiter->point.released()) limiters.remove(here.here(), p.connection);
  }

  void report(Measurements& m) const override {
    Seen all;
    for (const Seen& s : seen) all.add(s);
    rules.report(all.counts, m);
    m.scheme_numbers.emplace_back("rate limiters of a host at most", static_cast<double>(limiters.peak()));
    m.scheme_numbers.emplace_back("rate limiters at the end", static_cast<double>(limiters.active()));
    if (limiters.peak() > 0) return;
    m.scheme_idle = idle::notification(
        {all.longest, capacity, rules.params.equilibrium, rules.params.sample_interval, all.notifications});
  }
  std::size_t bytes_beside_tables() const override { return limiters.bytes_beside_tables(); }

  void start_timer(HostView here, Limiter& limiter) {
    limiter.timer = here.now() + limiter.point.timer_period(rules.params);
    here.set_timer(limiter.timer, limiter.connection.index);
  }
  void release_or_wake(HostView here, Limiter& limiter) {
    const ConnectionId connection = limiter.connection;
    if (limiter.point.released()) limiters.remove(here.here(), connection);
    here.wake(connection);
  }

  struct Seen {
    Bytes longest = 0;  // queue
    std::uint64_t notifications = 0;
    typename Rules::Counts counts;

    void add(const Seen& other) {
      longest = std::max(longest, other.longest);
      notifications += other.notifications;
      counts.add(other.counts);
    }
  };

  Rules rules;
  NotificationParams notification;
  ChannelTable<typename Rules::CongestionPoint> points{*this};
  RateLimiters<typename Rules::ReactionPoint> limiters{*this};
  NodeTable<Seen> seen{*this};
  Bytes capacity = 0, counted_in = 1;
};

}  // namespace weir
