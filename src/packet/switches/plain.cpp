// The plain switch: one lane, virtual output queues served first come first served, credits, links of one speed. Nobody
// looks into the queues, so the moment at which a packet will leave is known when it joins its queue, unless space is
// missing at the far end. It is put onto the link for that moment at once: waiting for a busy link takes no event.
#include "packet/engine.h"
#include "packet/engine_kinds.h"
#include "packet/switches/common.h"

namespace weir {
namespace {

class PlainSwitch : public SwitchWithoutCrossbar {
 public:
  PlainSwitch(const PacketConfig& config, const Topology&, const FabricState&, bool)
      : releases_at_head_(config.switches.release_at_head) {}
  static constexpr bool kOneLane = true;

  // Most packets pass: their way is known, and they find space at its far end and nobody waiting for it. What they do
  // to the buffer that they pass, and to the link that they take, is done at once.
  template <class E>
  [[gnu::always_inline]] void land(E& e, Packet& p) {
    if (e.scheme.has(Hook::on_switch_arrival) || !p.takes.valid()) [[unlikely]] return land_at_switch(e, p);
    const Outlet out = outlet(e, p.takes);
    const std::int32_t cost = e.fabric().cost(p);
    const std::int64_t now = e.clock().ps(), start = std::max(now, out.link.busy_until);
    if (!out.lane.queue.empty() || !e.fabric().space_by(p.takes, out.lane, cost, start)) [[unlikely]]
      return land_at_switch(e, p);
    const std::int64_t duration = out.kind.serialization(p.size), end = start + duration;
    const std::int64_t leaves = releases_at_head_ ? start : end;
    if (!e.fabric().inputs().pass(p.came_by, cost, now, leaves)) [[unlikely]]
      Credits::release(e, p.came_by, cost, leaves + e.fabric().inputs().return_delay(p.came_by));
    if (start > now) {
      OutputGauge& gauge = e.fabric().output(p.takes);
      gauge.waited += CostTime{p.size} * (start - now);
      gauge.peak_backlog = std::max(gauge.peak_backlog, end - now);
    }
    send(e, out, p, cost, {start, end, duration, false});
  }
  template <class E>
  [[gnu::always_inline]] void accept(E& e, SwitchId s, Packet& p, ChannelId, Time held_until) {
    const ChannelId out = p.takes.valid() ? p.takes : e.routing.choose(e, s, p);
    if (held_until > e.clock().now()) [[unlikely]]
      return held_.hold(e.clock(), e.waiting, p, out, held_until.ps);
    join(e, p, out);
  }
  template <class E>
  void on_ready(E& e, ChannelId came_by) {
    const HeldPackets::Held held = held_.release(came_by, e.clock().ps());
    join(e, e.waiting[held.packet], held.out);
    e.waiting.give_back(held.packet);
  }
  template <class E>
  void send_own(E& e, Packet& p, ChannelId out) {
    join(e, p, out);
  }

  // Space has come back to a channel whose packets wait for it.
  template <class E>
  void space_came(E& e, ChannelId channel) {
    const Outlet out = outlet(e, channel);
    Channel& c = out.lane;
    Link& link = out.link;
    while (!c.queue.empty()) {
      const std::int64_t start = std::max(e.clock().ps(), link.busy_until);
      const PacketSlot slot = c.queue.head;
      Packet& p = e.waiting[slot];
      const std::int32_t cost = e.fabric().cost(p);
      if (!e.fabric().space_by(channel, c, cost, start)) return starve(e, out.l, link, start);
      c.queue.pop_front(e.waiting);
      c.queued -= p.size;
      c.queued_time -= out.kind.serialization(p.size);
      depart(e, out, p, cost, p.time, start);
      e.waiting.give_back(slot);
    }
    e.space.unblock(e, channel, c);
  }

  // Its links are never offered.
  template <class E> bool serve(E&, LinkId, ChannelId, Lane) { return false; }
  template <class E> bool any_waits(E&, ChannelId) const { return false; }
  // Packets are on their link before they have started.
  static constexpr bool promises() { return true; }
  static std::int64_t waits_ahead(const Packet&, std::int64_t until_start) { return until_start; }

  template <class E, class Visit> void each_waiting(E& e, const Visit& visit) const {
    each_in_queues(e, visit);
  }
  template <class E, class Visit> void each_queued(E& e, const Visit& visit) const {
    each_in_queues(e, [&](PacketSlot slot, ChannelId, ChannelId out) { visit(slot, out); });
  }
  template <class E, class Visit> void each_behind(E& e, ChannelId in, const Visit& visit) const {
    each_at_node(e, in, visit);
  }
  HeldPackets& held() { return held_; }
  template <class E, class Audit> void audit(E&, Audit&) const {}
  std::size_t bytes_of_state() const { return 0; }

 private:
  template <class E>
  [[gnu::always_inline]] void join(E& e, Packet& p, ChannelId channel) {
    const Outlet out = outlet(e, channel);
    Channel& c = out.lane;
    Link& link = out.link;
    const std::int64_t now = e.clock().ps(), start = std::max(now, link.busy_until);
    const std::int32_t cost = e.fabric().cost(p);
    if (c.queue.empty() && e.fabric().space_by(channel, c, cost, start)) [[likely]] {
      depart(e, out, p, cost, now, start);
      if (start > now) e.fabric().note_backlog(out, 0, now);  // it is on the link already
      return;
    }
    if (c.queue.empty()) {
      e.space.block(e, channel);
      starve(e, out.l, link, start);
    }
    const PacketSlot slot = e.waiting.keep(p);
    e.waiting[slot].time = now;
    c.queue.push_back(e.waiting, slot);
    c.queued += p.size;
    c.queued_time += out.kind.serialization(p.size);
    e.fabric().note_backlog(out, p.size, now);
  }
  template <class E>
  [[gnu::always_inline]] void depart(E& e, const Outlet& out, const Packet& p, std::int32_t cost, std::int64_t joined,
                                     std::int64_t start) {
    const std::int64_t duration = out.kind.serialization(p.size);
    const Passage pass{start, start + duration, duration, false};
    if (start > joined) e.fabric().output(out.channel).waited += CostTime{p.size} * (start - joined);
    if (p.came_by.valid()) e.space.leaves(e, p.came_by, cost, pass.start, pass.end);
    send(e, out, p, cost, pass);
  }
  template <class E>
  static void starve(E& e, LinkId l, Link& link, std::int64_t from) {
    if (link.is(Link::kWaiting)) return;
    link.set(Link::kWaiting);
    e.fabric().wait(l).since = from;
  }

  bool releases_at_head_;
  HeldPackets held_;
};

}  // namespace

Measurements run_plain(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  return run_with<PlainSwitch>(run, scheme, traits);
}

}  // namespace weir
