// The buffered crossbar: FIFO at every input, so that a packet that cannot move holds up those behind it; a transfer
// engages its input and its output for the time the crossbar needs; the output buffer feeds the link.
#include "packet/arbitration.h"
#include "packet/engine.h"
#include "packet/engine_kinds.h"
#include "packet/switch_common.h"

namespace weir {
namespace {

class CrossbarSwitch {
 public:
  CrossbarSwitch(const PacketConfig& config, const Topology& topology, const FabricState& fabric)
      : topology_(topology),
        arbitration_(config.switches.arbitration),
        speedup_(config.switches.speedup),
        delay_(config.switches.switch_delay.ps),
        tail_first_(config.switches.switching == Switching::store_and_forward),
        capacity_(static_cast<std::int32_t>(config.switches.output_buffer)),
        lanes_that_mix_(config.switches.blocks.size() > 1 ? config.switches.lanes : 1),
        requests_(fabric.channels(), (largest_radix(topology) + 1) * lanes_that_mix_),
        inputs_(fabric.channels()),
        outputs_(fabric.channels()) {
    for (Output& out : outputs_) out.free = capacity_;
  }

  template <class E>
  void accept(E& e, SwitchId, Packet& p, ChannelId in, Time held_until, std::uint32_t) {
    if (held_until > e.clock().now()) held_.hold(e.clock(), e.waiting, p, kNoChannel, held_until.ps);
    else queue(e, e.waiting.keep(p), in);
  }
  template <class E>
  void on_ready(E& e, ChannelId came_by) {
    queue(e, held_.release(came_by, e.clock().ps()).packet, came_by);
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
  void handle(E& e, const TimedEvent& event) {
    if (event.kind() == EventKind::crossing) on_crossing(e, {event.entity()});
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
    if (dirty_.size() > 1) std::sort(dirty_.begin(), dirty_.end());
    for (std::size_t i = 0; i < dirty_.size(); ++i) {
      outputs_[dirty_[i].index].dirty = false;
      arbitrate(e, dirty_[i]);
    }
    dirty_.clear();
  }

  // The output buffer feeds the link.
  template <class E>
  bool serve(E& e, LinkId l, ChannelId channel, Lane) {
    Channel& c = e.fabric().channel(channel);
    if (c.queue.empty() || !e.space.may_send(e, channel, e.fabric().cost(e.waiting[c.queue.head]))) return false;
    const PacketSlot slot = c.queue.pop_front(e.waiting);
    Packet& p = e.waiting[slot];
    const std::int32_t cost = e.fabric().cost(p);
    count_out_of_queue(e, p, l, channel);
    const Passage pass = passage(e.fabric(), e.preemption, l, p, e.clock().ps());
    if (p.came_by.valid()) {
      Output& out = outputs_[channel.index];
      out.fold(e.clock().ps());
      out.leaving = cost;
      out.leaving_until = pass.end;
    }
    send(e, l, channel, p, cost, pass);
    e.waiting.give_back(slot);
    return true;
  }
  template <class E> bool any_waits(E&, ChannelId) const { return false; }
  bool wants_link(ChannelId channel) const { return outputs_[channel.index].wants_space; }
  static constexpr bool express_unnoticed() { return true; }
  static constexpr bool kPromises = false;

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
    for (std::uint32_t c = 0; c < inputs_.size(); ++c) {
      walk(e.fabric().channel({c}).queue, kNoChannel, kNoChannel);
      walk(inputs_[c].fifo, {c}, inputs_[c].wanted);
      walk(outputs_[c].crossing, kNoChannel, kNoChannel);
    }
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
    for (std::uint32_t c = 0; c < inputs_.size(); ++c) {
      count.standing[c] += inputs_[c].leaving;
      if (topology_.is_host(e.fabric().link(e.fabric().link_of({c})).sender)) continue;
      std::int64_t in_output = outputs_[c].leaving;
      const auto add = [&](const PacketList& list, bool own_too) {
        for (PacketSlot p = list.head; p.valid(); p = e.waiting.next(p))
          if (own_too || e.waiting[p].came_by.valid()) in_output += e.fabric().cost(e.waiting[p]);
      };
      add(outputs_[c].crossing, true);
      add(e.fabric().channel({c}).queue, false);
      count.require(in_output == capacity_ - outputs_[c].free, "space of an output buffer is not conserved");
    }
  }
  std::size_t bytes_of_state() const {
    return requests_.bytes_of_state() + inputs_.capacity() * sizeof(Input) + outputs_.capacity() * sizeof(Output);
  }

 private:
  struct Input {
    PacketList fifo;
    ChannelId wanted;          // output channel that the head waits for
    std::int32_t leaving = 0;  // cost of the packet now crossing
    bool busy = false;
  };
  struct Output {
    PacketList crossing;       // granted, not yet at the output
    std::int32_t free = 0;
    std::int32_t leaving = 0;  // cost of the packet now on the link
    std::int64_t leaving_until = 0;
    bool busy = false, dirty = false, wants_space = false;

    void fold(std::int64_t now) {
      if (leaving != 0 && leaving_until <= now) {
        free += leaving;
        leaving = 0;
      }
    }
  };

  template <class E>
  void queue(E& e, PacketSlot slot, ChannelId in_channel) {
    Input& in = inputs_[in_channel.index];
    e.waiting[slot].time = e.clock().ps();
    const bool idle = in.fifo.empty();
    in.fifo.push_back(e.waiting, slot);
    if (idle && !in.busy) request(e, in_channel);
  }
  // The head of this input asks for its output.
  template <class E>
  void request(E& e, ChannelId in_channel) {
    Input& in = inputs_[in_channel.index];
    const Link& link = e.fabric().link(e.fabric().link_of(in_channel));
    const SwitchId here = topology_.switch_of(e.fabric().receiver(e.fabric().link_of(in_channel)));
    in.wanted = e.routing.choose(e, here, e.waiting[in.fifo.head]);
    requests_.set(in.wanted, link.input * lanes_that_mix_ + e.fabric().lane_of(in_channel).index % lanes_that_mix_);
    mark(in.wanted);
  }
  void mark(ChannelId out_channel) {
    Output& out = outputs_[out_channel.index];
    if (out.dirty) return;
    out.dirty = true;
    dirty_.push_back(out_channel);
  }
  template <class E>
  void arbitrate(E& e, ChannelId out_channel) {
    Output& out = outputs_[out_channel.index];
    out.wants_space = false;
    if (out.busy) return;
    const LinkId l = e.fabric().link_of(out_channel);
    const NodeId node = e.fabric().link(l).sender;
    const auto channel_from = [&](std::uint32_t input) {
      const Lane lane = lanes_that_mix_ == 1 ? e.fabric().lane_of(out_channel) : Lane{input % lanes_that_mix_};
      return e.fabric().channel_of(topology_.from(topology_.port(node, input / lanes_that_mix_)), lane);
    };
    Channel& c = e.fabric().channel(out_channel);
    const std::uint32_t input =
        choose_input(requests_, out_channel, arbitration_, c.turn,
                     [&](std::uint32_t i) -> Packet& { return e.waiting[inputs_[channel_from(i).index].fifo.head]; });
    if (input == kNoInput) return;
    const ChannelId in_channel = channel_from(input);
    out.fold(e.clock().ps());
    if (e.fabric().cost(e.waiting[inputs_[in_channel.index].fifo.head]) > out.free) {
      out.wants_space = true;
      e.recorder.results().totals.lacked_space = true;
      if (e.fabric().link(l).busy_until > e.clock().ps()) e.offer(l);
      return;
    }
    c.turn = static_cast<std::uint16_t>(input);
    requests_.clear(out_channel, input);
    grant(e, in_channel, out_channel);
  }
  template <class E>
  void grant(E& e, ChannelId in_channel, ChannelId out_channel) {
    Input& in = inputs_[in_channel.index];
    Output& out = outputs_[out_channel.index];
    const PacketSlot slot = in.fifo.pop_front(e.waiting);
    Packet& p = e.waiting[slot];
    const std::int32_t cost = e.fabric().cost(p);
    in.wanted = kNoChannel;
    in.busy = out.busy = true;
    in.leaving = cost;
    out.free -= cost;
    const LinkId in_l = e.fabric().link_of(in_channel);
    const std::int64_t now = e.clock().ps();
    const std::int64_t arriving = e.fabric().link(in_l).serialization(p.size);
    const std::int64_t leaving = e.fabric().link(e.fabric().link_of(out_channel)).serialization(p.size);
    // The crossbar is faster than the faster one of the two links.
    const auto crossing = static_cast<std::int64_t>(static_cast<double>(std::min(arriving, leaving)) / speedup_ + 0.5);
    // A packet that is still arriving cannot cross faster than it comes.
    const std::int64_t tail =
        std::max(tail_first_ ? now : p.time + arriving, e.preemption.tail_of(e.fabric(), in_l, p));
    e.clock().at({std::max(now + crossing, tail)}, EventKind::crossbar_free, in_channel.index, out_channel.index);
    p.time = std::max(now + delay_, tail + delay_ - leaving);
    const bool first = out.crossing.empty();
    if (!first) p.time = std::max(p.time, e.waiting[out.crossing.tail].time);
    out.crossing.push_back(e.waiting, slot);
    if (first) e.clock().at({p.time}, EventKind::crossing, out_channel.index);
  }
  template <class E>
  void on_crossbar_free(E& e, ChannelId in_channel, ChannelId out_channel) {
    Input& in = inputs_[in_channel.index];
    in.busy = false;
    e.space.leaves(e, in_channel, in.leaving, e.clock().ps(), e.clock().ps());
    in.leaving = 0;
    outputs_[out_channel.index].busy = false;
    if (!in.fifo.empty()) request(e, in_channel);
    mark(out_channel);
  }
  template <class E>
  void on_crossing(E& e, ChannelId out_channel) {
    Output& out = outputs_[out_channel.index];
    const PacketSlot slot = out.crossing.pop_front(e.waiting);
    if (!out.crossing.empty())
      e.clock().at({e.waiting[out.crossing.head].time}, EventKind::crossing, out_channel.index);
    join(e, slot, out_channel);
  }
  template <class E>
  void join(E& e, PacketSlot slot, ChannelId out_channel) {
    Packet& p = e.waiting[slot];
    p.time = e.clock().ps();
    e.fabric().channel(out_channel).queue.push_back(e.waiting, slot);
    count_in_queue(e, p, out_channel);
  }

  const Topology& topology_;
  Arbitration arbitration_;
  double speedup_;
  std::int64_t delay_;
  bool tail_first_;
  std::int32_t capacity_;  // of an output buffer
  // Where packets change lanes, each lane of an input asks for itself; else the lane of the output tells which it is.
  std::uint32_t lanes_that_mix_;
  RequestSets requests_;
  std::vector<Input> inputs_;    // by channel
  std::vector<Output> outputs_;  // by channel
  std::vector<ChannelId> dirty_;
  HeldPackets held_;
};

}  // namespace

Measurements run_crossbar(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  return run_with<CrossbarSwitch>(run, scheme, traits);
}

}  // namespace weir
