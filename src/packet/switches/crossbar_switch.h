// The buffered crossbar: FIFO at every input, so that a packet that cannot move holds up those behind it; a transfer
// engages its input and its output for the time the crossbar needs; the output buffer feeds the link.
#pragma once
#include <algorithm>
#include <vector>

#include "packet/switches/arbitration.h"
#include "packet/switches/common.h"
#include "packet/switches/crossbar_ports.h"
#include "packet/switches/crossbar_starts.h"

namespace weir {

// `kOne`: there is one lane, whose packets nobody interrupts, and every way is fixed.
template <bool kOne>
class CrossbarSwitch : public CrossbarPorts {
 public:
  CrossbarSwitch(const PacketConfig& config, const Topology& topology, const FabricState& fabric, bool may_promise)
      : CrossbarPorts(topology, fabric, lanes_that_mix(config),
                      static_cast<std::int32_t>(config.switches.output_buffer)),
        topology_(topology),
        arbitration_(config.switches.arbitration),
        crossing_times_(config.switches.speedup),
        delay_(config.switches.switch_delay.ps),
        tail_first_(config.switches.switching == Switching::store_and_forward),
        promises_(may_promise),
        capacity_(static_cast<std::int32_t>(config.switches.output_buffer)),
        lanes_that_mix_(lanes_that_mix(config)) {}

  static constexpr bool kOneLane = kOne;
  template <class E> void land(E& e, Packet& p) { land_at_switch(e, p); }
  template <class E>
  void accept(E& e, SwitchId, Packet& p, ChannelId in, Time held_until) {
    if (held_until > e.clock().now()) held_.hold(e.clock(), e.waiting, p, kNoChannel, held_until.ps);
    else if (!cross_at_once(e, p, in)) queue(e, e.waiting.keep(p), in);
  }
  template <class E>
  void on_ready(E& e, ChannelId came_by) {
    queue(e, held_.release(came_by, e.clock().ps()).packet, came_by);
  }
  template <class E>
  void send_own(E& e, Packet& p, ChannelId out) {
    WEIR_CHECK(!promises_);  // it could come before what was promised
    join(e, e.waiting.keep(p), out);
  }
  template <class E>
  void space_came(E& e, ChannelId channel) {
    e.offer(e.fabric().link_of(channel));
  }
  template <class E>
  void handle(E& e, const TimedEvent& event) {
    if (event.kind() == EventKind::crossing) on_crossing(e, {event.entity()});
    else if (event.aux == kSpaceCame) on_space_came({event.entity()});
    else on_crossbar_free(e, {event.entity()}, {event.aux});
  }
  template <class E>
  void on_link_free(E& e, LinkId l) {
    e.fabric().each_channel(l, [&](ChannelId c) {
      if (outputs_[c.index].wants_space) mark(c);
    });
  }
  bool unsettled() const { return !dirty_.empty(); }
  template <class E>
  void settle(E& e) {
    if (dirty_.size() > 1) sort_few(dirty_, sorted_);
    for (std::size_t i = 0; i < dirty_.size(); ++i) {
      outputs_[dirty_[i].index].dirty = false;
      arbitrate(e, dirty_[i]);
    }
    dirty_.clear();
  }

  // The output buffer feeds the link.
  template <class E>
  bool serve(E& e, LinkId, ChannelId channel, Lane) {
    Channel& c = e.fabric().channel(channel);
    if (c.queue.empty() || !e.space.may_send(e, channel, e.fabric().cost(e.waiting[c.queue.head]))) return false;
    const PacketSlot slot = c.queue.pop_front(e.waiting);
    Packet& p = e.waiting[slot];
    const std::int32_t cost = e.fabric().cost(p);
    const Outlet to = outlet(e, channel);
    count_out_of_queue(e, p, to);
    start(e, to, p, cost, outputs_[channel.index]);
    e.waiting.give_back(slot);
    return true;
  }
  template <class E> bool any_waits(E&, ChannelId) const { return false; }
  bool wants_link(ChannelId channel) const { return outputs_[channel.index].wants_space; }
  static constexpr bool express_unnoticed() { return true; }
  bool promises() const { return promises_; }
  static constexpr void calm() {}
  // How much of a packet's wait for its link lies ahead.
  static std::int64_t waits_ahead(const Packet& p, std::int64_t until_start) {
    return std::min<std::int64_t>(p.will_wait, until_start);
  }

  template <class E>
  std::int32_t output_occupancy(E& e, ChannelId channel) {
    Output& out = outputs_[channel.index];
    out.fold(e.clock().ps());
    return capacity_ - out.free;
  }
  // What stands in an output buffer has left its input buffer; behind the head of a FIFO nothing moves.
  template <class E, class Visit>
  void each_waiting(E& e, const Visit& visit) const {
    const auto walk = [&](const PacketList& list, ChannelId buffer, ChannelId output) {
      for (PacketSlot p = list.head; p.valid(); p = e.waiting.next(p)) {
        visit(p, buffer, output);
        output = kNoChannel;
      }
    };
    e.fabric().each_used_channel([&](ChannelId c) {
      walk(e.fabric().channel(c).queue, kNoChannel, kNoChannel);
      walk(inputs_[c.index].fifo, c, inputs_[c.index].wanted);
      walk(crossing_[c.index], kNoChannel, kNoChannel);
    });
  }
  template <class E, class Visit> void each_queued(E& e, const Visit& visit) const {
    each_in_queues(e, [&](PacketSlot slot, ChannelId, ChannelId out) { visit(slot, out); });
  }
  template <class E, class Visit> void each_behind(E& e, ChannelId in, const Visit& visit) const {
    for (PacketSlot p = inputs_[in.index].fifo.head; p.valid(); p = e.waiting.next(p)) visit(e.waiting[p]);
  }
  HeldPackets& held() { return held_; }
  template <class E, class Audit>
  void audit(E& e, Audit& count) const {
    e.fabric().each_used_channel([&](ChannelId c) {
      if (topology_.is_host(e.fabric().sender(e.fabric().link_of(c)))) return;
      const Output& out = outputs_[c.index];
      std::int64_t in_output = out.cost_of_leaving();
      const auto add = [&](const PacketList& list, bool own_too) {
        for (PacketSlot p = list.head; p.valid(); p = e.waiting.next(p))
          if (own_too || e.waiting[p].came_by.valid()) in_output += e.fabric().cost(e.waiting[p]);
      };
      add(crossing_[c.index], true);
      add(e.fabric().channel(c).queue, false);
      count.require(in_output == capacity_ - out.free, "space of an output buffer is not conserved");
    });
  }

 private:
  static std::uint32_t lanes_that_mix(const PacketConfig& config) {
    return config.switches.blocks.size() > 1 ? config.switches.lanes : 1;
  }
  using Input = CrossbarInput;
  using Output = CrossbarOutput;

  template <class E>
  void queue(E& e, PacketSlot slot, ChannelId in_channel) {
    Input& in = inputs_[in_channel.index];
    e.waiting[slot].time = e.clock().ps();
    const bool first = in.fifo.empty();
    in.fifo.push_back(e.waiting, slot);
    if (!first) return;
    const std::int64_t now = e.clock().ps();
    // Transfers that end now do so after packets have landed, which matters if a way is chosen then.
    const bool engaged =
        in.busy_until > now || (in.busy_until == now && (in.end_asked || (!e.waiting[slot].takes.valid() &&
                                                                          e.clock().before(EventKind::crossbar_free))));
    if (engaged) ask_end(e, in_channel);
    else request(e, in_channel);
  }
  // The head of this input asks for its output.
  template <class E>
  void request(E& e, ChannelId in_channel) {
    Input& in = inputs_[in_channel.index];
    const SwitchId here = e.fabric().switch_of(e.fabric().receiver(e.fabric().link_of(in_channel)));
    Packet& head = e.waiting[in.fifo.head];
    in.wanted = head.takes.valid() ? head.takes : e.routing.choose(e, here, head);
    requests_.set(in.wanted, in.asks_as);
    const Output& out = outputs_[in.wanted.index];
    if (out.busy_until > e.clock().ps()) ask_end(e, out.from);  // there is nothing to arbitrate before
    else mark(in.wanted);
  }
  void mark(ChannelId out_channel) {
    Output& out = outputs_[out_channel.index];
    if (out.dirty) return;
    out.dirty = true;
    dirty_.push_back(out_channel);
  }
  template <class E>
  void ask_end(E& e, ChannelId in_channel) {
    Input& in = inputs_[in_channel.index];
    if (in.end_asked) return;
    in.end_asked = true;
    e.clock().at({in.busy_until}, EventKind::crossbar_free, in_channel.index, in.crosses_to.index);
  }
  // A transfer to this output goes on. One that ends now has ended, unless it is an event that is still to come.
  bool engaged(const Output& out, ChannelId out_channel, std::int64_t now) const {
    if (out.busy_until < now) return false;
    const Input& in = inputs_[out.from.index];
    return out.busy_until > now || (in.end_asked && in.busy_until == now && in.crosses_to == out_channel);
  }
  template <class E>
  void arbitrate(E& e, ChannelId out_channel) {
    Output& out = outputs_[out_channel.index];
    const std::int64_t now = e.clock().ps();
    out.wants_space = false;
    if (engaged(out, out_channel, now)) {
      if (requests_.any(out_channel)) ask_end(e, out.from);
      return;
    }
    const LinkId l = e.fabric().link_of(out_channel);
    const NodeId node = e.fabric().sender(l);
    const auto channel_from = [&](std::uint32_t input) {
      const bool mix = !kOne && lanes_that_mix_ != 1;
      const Lane lane = mix ? Lane{input % lanes_that_mix_} : e.fabric().lane_of(out_channel);
      const std::uint32_t port = mix ? input / lanes_that_mix_ : input;  // a division takes long
      return e.fabric().channel_of(topology_.from(topology_.port(node, port)), lane);
    };
    Channel& c = e.fabric().channel(out_channel);
    const std::uint32_t input =
        choose_input(requests_, out_channel, arbitration_, c.turn,
                     [&](std::uint32_t i) -> Packet& { return e.waiting[inputs_[channel_from(i).index].fifo.head]; });
    if (input == kNoInput) return;
    const ChannelId in_channel = channel_from(input);
    out.fold(now);
    if (e.fabric().cost(e.waiting[inputs_[in_channel.index].fifo.head]) > out.free)
      return lack_space(e, out_channel, l);
    c.turn = static_cast<std::uint16_t>(input);
    requests_.clear(out_channel, input);
    grant(e, in_channel, out_channel);
  }
  // Nothing can cross before a packet has left the output buffer.
  template <class E>
  void lack_space(E& e, ChannelId out_channel, LinkId l) {
    Output& out = outputs_[out_channel.index];
    out.wants_space = true;
    e.recorder.results().totals.lacked_space = true;
    if (!promises_ || out.leaving == 0) {
      if (e.fabric().link(l).busy_until > e.clock().ps()) e.offer(l);
    } else if (!out.space_asked) {
      out.space_asked = true;
      e.clock().at({out.first_end()}, EventKind::crossbar_free, out_channel.index, kSpaceCame);
    }
  }
  void on_space_came(ChannelId out_channel) {
    outputs_[out_channel.index].space_asked = false;
    mark(out_channel);
  }
  // A packet that lands alone, at an input and for an output that nobody uses or waits for, is the one that arbitration
  // would choose. Transfers that end now have ended for it.
  template <class E>
  bool cross_at_once(E& e, Packet& p, ChannelId in_channel) {
    const ChannelId out_channel = p.takes;
    if (e.unsettled() || e.clock().more_now() || !out_channel.valid()) return false;
    const Input& in = inputs_[in_channel.index];
    Output& out = outputs_[out_channel.index];
    const std::int64_t now = e.clock().ps();
    if (!in.fifo.empty() || in.busy_until > now || out.busy_until > now || requests_.any(out_channel)) return false;
    out.fold(now);
    if (e.fabric().cost(p) > out.free) return false;
    e.fabric().channel(out_channel).turn = static_cast<std::uint16_t>(in.asks_as);
    if (!transfer(e, p, in_channel, out_channel)) cross(e, e.waiting.keep(p), out_channel);
    return true;
  }
  template <class E>
  void grant(E& e, ChannelId in_channel, ChannelId out_channel) {
    Input& in = inputs_[in_channel.index];
    const PacketSlot slot = in.fifo.pop_front(e.waiting);
    in.wanted = kNoChannel;
    if (transfer(e, e.waiting[slot], in_channel, out_channel)) e.waiting.give_back(slot);
    else cross(e, slot, out_channel);
  }
  template <class E>
  void cross(E& e, PacketSlot slot, ChannelId out_channel) {
    PacketList& crossing = crossing_[out_channel.index];
    if (crossing.empty()) e.clock().at({e.waiting[slot].time}, EventKind::crossing, out_channel.index);
    crossing.push_back(e.waiting, slot);
  }
  // A packet starts to cross. True if it is on its link already.
  template <class E>
  bool transfer(E& e, Packet& p, ChannelId in_channel, ChannelId out_channel) {
    Input& in = inputs_[in_channel.index];
    Output& out = outputs_[out_channel.index];
    const Outlet to = outlet(e, out_channel);
    const std::int32_t cost = e.fabric().cost(p);
    const std::int64_t now = e.clock().ps();
    const std::int64_t arriving = e.fabric().kind(in.kind).serialization(p.size);
    const std::int64_t leaving = to.kind.serialization(p.size);
    // The crossbar is faster than the faster one of the two links.
    const std::int64_t crossing = crossing_times_.of(std::min(arriving, leaving));
    // A packet that is still arriving cannot cross faster than it comes.
    const std::int64_t tail =
        std::max(tail_first_ ? now : p.time + arriving,
                 interrupts(e) ? e.preemption.tail_of(e.fabric(), e.fabric().link_of(in_channel), p) : 0);
    in.crosses_to = out_channel;
    out.from = in_channel;
    out.free -= cost;
    in.busy_until = out.busy_until = std::max(now + crossing, tail);
    if (in.busy_until == now || !in.fifo.empty() || requests_.any(out_channel)) ask_end(e, in_channel);
    e.space.leaves(e, in_channel, cost, in.busy_until, in.busy_until);
    p.time = std::max(std::max(now, tail - leaving) + delay_, out.joins);
    out.joins = p.time;
    return promises_ && crossing_[out_channel.index].empty() && !e.scheme.looks_at_output(p) &&
           promise(e, p, cost, out, to, leaving);
  }
  template <class E>
  void on_crossbar_free(E& e, ChannelId in_channel, ChannelId out_channel) {
    Input& in = inputs_[in_channel.index];
    in.busy_until = outputs_[out_channel.index].busy_until = CrossbarInput::kIdle;
    in.end_asked = false;
    if (!in.fifo.empty()) request(e, in_channel);
    mark(out_channel);
  }
  template <class E>
  void on_crossing(E& e, ChannelId out_channel) {
    PacketList& crossing = crossing_[out_channel.index];
    const PacketSlot slot = crossing.pop_front(e.waiting);
    if (!crossing.empty()) e.clock().at({e.waiting[crossing.head].time}, EventKind::crossing, out_channel.index);
    if (!pass(e, e.waiting[slot], outputs_[out_channel.index], out_channel)) return join(e, slot, out_channel);
    e.waiting.give_back(slot);
    const LinkId l = e.fabric().link_of(out_channel);
    e.fabric().each_channel(l, [&](ChannelId c) {
      if (wants_link(c)) e.offer(l);
    });
  }
  template <class E>
  void join(E& e, PacketSlot slot, ChannelId out_channel) {
    Packet& p = e.waiting[slot];
    p.time = e.clock().ps();
    e.fabric().channel(out_channel).queue.push_back(e.waiting, slot);
    count_in_queue(e, p, outlet(e, out_channel));
  }

  const Topology& topology_;
  Arbitration arbitration_;
  CrossingTimes crossing_times_;
  std::int64_t delay_;
  bool tail_first_;
  bool promises_;          // packets may be put onto their link before they start
  std::int32_t capacity_;  // of an output buffer
  // Where packets change lanes, each lane of an input asks for itself; else the lane of the output tells which it is.
  std::uint32_t lanes_that_mix_;
  std::vector<ChannelId> dirty_, sorted_;
  HeldPackets held_;
};

}  // namespace weir
