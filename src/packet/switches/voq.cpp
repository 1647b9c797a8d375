// Virtual output queues at the inputs, or queues at the outputs: packets wait for their output and for nothing else.
// First come first served they form one queue per output; round robin and oldest first choose among the inputs.
#include "packet/engine.h"
#include "packet/engine_kinds.h"
#include "packet/links/promises.h"
#include "packet/switches/arbitration.h"
#include "packet/switches/common.h"

namespace weir {
namespace {

class VoqSwitch : public SwitchWithoutCrossbar {
 public:
  VoqSwitch(const PacketConfig& config, const Topology& topology, const FabricState& fabric, bool)
      : topology_(topology),
        arbitration_(config.switches.arbitration),
        by_input_(arbitration_ != Arbitration::fcfs),
        may_run_dry_(rates_differ(topology) && config.switches.switching == Switching::cut_through) {
    if (!by_input_) return;
    requests_ = RequestSets(fabric.channels(), largest_radix(topology) + 1);
    queues_ = VirtualQueues(topology, config.switches.lanes);
  }

  static constexpr bool kOneLane = false;
  template <class E>
  [[gnu::always_inline]] void land(E& e, Packet& p) {
    land_at_switch(e, p);
  }
  template <class E>
  [[gnu::always_inline]] void accept(E& e, SwitchId s, Packet& p, ChannelId in, Time held_until) {
    const ChannelId out = p.takes.valid() ? p.takes : e.routing.choose(e, s, p);
    std::int64_t ready = std::max(held_until.ps, e.clock().ps());
    if (may_run_dry_) {
      // Cutting through from a slow link to a faster one would run dry: start so that the tail is there in time.
      const LinkKind& from = e.fabric().kind(e.fabric().link_of(in));
      const LinkKind& to = e.fabric().kind(e.fabric().link_of(out));
      ready = std::max(ready, e.clock().ps() + from.serialization(p.size) - to.serialization(p.size));
    }
    if (ready > e.clock().ps()) held_.hold(e.clock(), e.waiting, p, out, ready);
    else if (calm_ ? !promise(e, p, out) : !pass(e, p, out)) join(e, e.waiting.keep(p), out);
  }
  template <class E>
  void on_ready(E& e, ChannelId came_by) {
    const HeldPackets::Held held = held_.release(came_by, e.clock().ps());
    if (pass(e, e.waiting[held.packet], held.out)) e.waiting.give_back(held.packet);
    else join(e, held.packet, held.out);
  }
  template <class E>
  void send_own(E& e, Packet& p, ChannelId out) {
    join(e, e.waiting.keep(p), out);
  }
  template <class E>
  void space_came(E& e, ChannelId channel) {
    e.offer(e.fabric().link_of(channel));
  }

  template <class E>
  bool serve(E& e, LinkId l, ChannelId channel, Lane lane) {
    const Outlet out = outlet(e, channel);
    Channel& c = out.lane;
    if (!by_input_) {
      if (c.queue.empty()) return false;
      const std::int32_t cost = e.fabric().cost(e.waiting[c.queue.head]);
      if (!e.space.may_send(e, channel, cost)) return false;
      depart(e, out, c.queue.pop_front(e.waiting), cost);
      return true;
    }
    const NodeId node = e.fabric().sender(l);
    const std::uint32_t radix = topology_.port_count(node), output = topology_.local(l);
    const std::uint32_t input = choose_input(requests_, channel, arbitration_, c.turn, [&](std::uint32_t i) -> Packet& {
      return e.waiting[queues_.at(node, radix, i, output, lane).head];
    });
    if (input == kNoInput) return false;
    PacketList& list = queues_.at(node, radix, input, output, lane);
    const std::int32_t cost = e.fabric().cost(e.waiting[list.head]);
    if (!e.space.may_send(e, channel, cost)) return false;
    const PacketSlot slot = list.pop_front(e.waiting);
    if (list.empty()) requests_.clear(channel, input);
    c.turn = static_cast<std::uint16_t>(input);
    depart(e, out, slot, cost);
    return true;
  }
  template <class E> bool any_waits(E&, ChannelId channel) const { return by_input_ && requests_.any(channel); }
  bool promises() const { return calm_; }
  void calm() { calm_ = true; }
  static std::int64_t waits_ahead(const Packet&, std::int64_t until_start) { return until_start; }

  template <class E, class Visit> void each_waiting(E& e, const Visit& visit) {
    each_in_queues(e, visit);
    if (!by_input_) return;
    e.fabric().used().each([&](std::uint32_t l, std::size_t) {
      const NodeId node = e.fabric().sender({l});
      if (topology_.is_host(node)) return;
      const std::uint32_t radix = topology_.port_count(node);
      e.fabric().each_channel({l}, [&](ChannelId c) {
        for (std::uint32_t i = 0; i <= radix; ++i)
          for (PacketSlot p = queues_.at(node, radix, i, topology_.local({l}), e.fabric().lane_of(c)).head; p.valid();
               p = e.waiting.next(p))
            visit(p, e.waiting[p].came_by, c);
      });
    });
  }
  template <class E, class Visit> void each_queued(E& e, const Visit& visit) {
    each_waiting(e, [&](PacketSlot slot, ChannelId, ChannelId out) { visit(slot, out); });
  }
  template <class E, class Visit> void each_behind(E& e, ChannelId in, const Visit& visit) {
    if (!by_input_) return each_at_node(e, in, visit);
    const NodeId node = e.fabric().receiver(e.fabric().link_of(in));
    const std::uint32_t radix = topology_.port_count(node), input = input_of(e, in);
    for (std::uint32_t output = 0; output < radix; ++output) {
      each_lane_from(e, in, [&](Lane lane) {
        for (PacketSlot p = queues_.at(node, radix, input, output, lane).head; p.valid(); p = e.waiting.next(p))
          if (e.waiting[p].came_by == in) visit(e.waiting[p]);
      });
    }
  }
  HeldPackets& held() { return held_; }
  template <class E, class Audit> void audit(E&, Audit&) const {}
  std::size_t bytes_of_state() const { return requests_.bytes_of_state() + queues_.bytes_of_state(); }

 private:
  // The local number of the port that a channel leads to.
  template <class E>
  std::uint32_t input_of(E& e, ChannelId in) const { return topology_.local(topology_.to(e.fabric().link_of(in))); }
  // A packet that is ready alone and finds its link idle and nobody waiting is the one that arbitration would choose.
  // It need not queue, unless somebody looks into queues.
  template <class E>
  [[gnu::always_inline]] bool pass(E& e, Packet& p, ChannelId channel) {
    if (by_input_ || !e.scheme.traits().passes_unseen() || e.unsettled() || e.clock().more_now()) return false;
    const Outlet out = outlet(e, channel);
    const std::int32_t cost = e.fabric().cost(p);
    if (!e.outputs.sends_at_once(e, out, p.lane()) || !e.space.may_send(e, channel, cost)) return false;
    const std::int64_t now = e.clock().ps();
    p.time = now;
    if (out.link.busy_until > now) {  // it interrupts another one, and would count as behind it
      std::int64_t& peak = e.fabric().output(channel).peak_backlog;
      peak = std::max(peak, out.link.busy_until - now + out.lane.queued_time + out.kind.serialization(p.size));
    }
    e.scheme.on_output(e, channel, p);
    e.routing.drained(out.l, out.lane.queued);
    e.scheme.on_departure(e, channel, p);
    const Passage pass = passage(e, out, p, now);
    if (p.came_by.valid()) e.space.leaves(e, p.came_by, cost, pass.start, pass.end);
    send(e, out, p, cost, pass);
    e.outputs.started(e, out, p.lane());
    return true;
  }
  // Where all is calm, it is put onto the link at once, for the moment at which its turn comes.
  template <class E>
  [[gnu::always_inline]] bool promise(E& e, Packet& p, ChannelId channel) {
    const Outlet out = outlet(e, channel);
    const std::int64_t now = e.clock().ps(), start = std::max(now, out.link.busy_until);
    const std::int32_t cost = e.fabric().cost(p);
    if (!out.lane.queue.empty() || out.lane.is(Channel::kBlocked) ||
        !e.fabric().space_by(channel, out.lane, cost, start))
      return false;
    const Passage pass = passage(e, out, p, start);
    e.space.leaves(e, p.came_by, cost, pass.start, pass.end);
    send(e, out, p, cost, pass);
    if (start == now) return true;
    e.fabric().output(channel).waited += CostTime{p.size} * (start - now);
    e.fabric().note_backlog(out, 0, now);  // it is on the link already
    return true;
  }
  template <class E>
  [[gnu::always_inline]] void join(E& e, PacketSlot slot, ChannelId channel) {
    const Outlet out = outlet(e, channel);
    Packet& p = e.waiting[slot];
    p.time = e.clock().ps();
    p.takes = e.routing.ahead(e, out, p);  // now, while what that needs is at hand
    if (by_input_) {
      const NodeId node = e.fabric().sender(out.l);
      const std::uint32_t radix = topology_.port_count(node);
      const std::uint32_t input = p.came_by.valid() ? input_of(e, p.came_by) : radix;
      queues_.at(node, radix, input, topology_.local(out.l), p.lane()).push_back(e.waiting, slot);
      requests_.set(channel, input);
    } else {
      out.lane.queue.push_back(e.waiting, slot);
    }
    count_in_queue(e, p, out);
  }
  template <class E>
  [[gnu::always_inline]] void depart(E& e, const Outlet& out, PacketSlot slot, std::int32_t cost) {
    Packet& p = e.waiting[slot];
    count_out_of_queue(e, p, out);
    const Passage pass = passage(e, out, p, e.clock().ps());
    if (p.came_by.valid()) e.space.leaves(e, p.came_by, cost, pass.start, pass.end);
    send(e, out, p, cost, pass, p.takes);
    e.waiting.give_back(slot);
  }

  const Topology& topology_;
  Arbitration arbitration_;
  bool by_input_;     // a queue per input and output, instead of one per output
  bool may_run_dry_;  // links differ in speed, and packets cut through
  bool calm_ = false;
  RequestSets requests_;
  VirtualQueues queues_;
  HeldPackets held_;
};

// Does the plain switch do what this run asks for?
bool is_plain(const RunInput& run, const SchemeTraits& traits) {
  if (run.config.switches.arbitration != Arbitration::fcfs) return false;
  return may_promise(run, traits) && !rates_differ(run.topology);
}

}  // namespace

// The plain switch stands in where that makes no difference.
Measurements run_voq(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  return is_plain(run, traits) ? run_plain(run, scheme, traits) : run_with<VoqSwitch>(run, scheme, traits);
}

extern const OrganisationKind voq_organisation{
    .spec = {.name = "voq-input",
             .help = "one shared buffer per input, virtual output queues, infinite speedup"},
    .run = run_voq};

}  // namespace weir
