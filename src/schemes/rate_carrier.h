// A rate protocol (src/control/rate_protocol.h) at work in the packet engine: its messages are packets on a lane of
// their own. This is the place of a "control" in ExplicitFamily, beside the exact calculation (rate_calculation.h).
//
// A control packet of a flow follows the flow's path, which a switch knows from its route table and caches: with flow
// set-up, a route is torn down when the protocol is through with its flow. The packet is received whole and handled by
// the output port it takes, one at a time; on its way back it takes default ports and is only forwarded. A message
// between neighbours ends at the next node, where the input port handles it, again one at a time. Hosts take no time.
#pragma once
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "control/rate_protocol.h"
#include "flow/solve.h"
#include "packet/engine_view.h"
#include "schemes/explicit_family.h"
#include "schemes/probe_budget.h"

namespace weir {

struct CarrierParams {
  RateAlgorithm algorithm = RateAlgorithm::ffa;
  ReservedShares reserved;
  std::uint32_t lane = 1;
  std::uint32_t bytes = 40, neighbour_bytes = 8;
  Time handling, neighbour_handling;
  Time period, backoff;      // of probes (saa, saa-m); of reservations (saa-m)
  bool piggy_backed = false; // saa: data packets read the links
  double probe_share = 0;    // most that probes take of a link, and whether they are accounted for; 0: neither
};

// What each port may give away.
std::vector<RateUnits> rate_capacity(const CarrierParams& params, const Topology& topology);

std::unique_ptr<RateProtocol> make_rate_protocol(const CarrierParams& params, const Topology& topology,
                                                 const Workload& workload, std::uint64_t seed);
// Weights as whole numbers: the largest of the workload becomes 2^44, so that 2^18 such flows fit on a link.
double weight_scale(const Workload& workload, bool by_size, const std::vector<double>& priority);

class CarriedRates {
 public:
  explicit CarriedRates(const CarrierParams& params) : params_(params) {}

  template <class E, class Family>
  void start(E& engine, Family& family) {
    protocol_ = make_rate_protocol(params_, engine.topology(), engine.workload(), engine.seed());
    if (params_.probe_share > 0)
      budget_ = ProbeBudget(rate_capacity(params_, engine.topology()), params_.bytes, params_.period,
                            params_.probe_share);
    scale_ = weight_scale(engine.workload(), family.weigh_by_size, family.params.priority);
    handles_until_.assign(engine.topology().ports(), 0);
    reads_until_.assign(engine.topology().ports(), 0);
  }
  template <class E, class Family>
  void begin(E& engine, Family& family, const ControlledFlow& flow) {
    std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
    if (unused_slots_.empty()) {
      slots_.emplace_back();
    } else {
      slot = unused_slots_.back();
      unused_slots_.pop_back();
    }
    const double weight = std::max(1.0, std::round(flow.weight * scale_));
    slots_[slot] = {flow.connection, flow.source, flow.destination, flow.links, true, -1, 0, 0, {}};
    if (flow.connection.index >= slot_of_.size()) {
      slot_of_.resize(flow.connection.index + 1, kNone);
      begun_.resize(flow.connection.index + 1, 0);
    }
    slot_of_[flow.connection.index] = slot;
    // Draws belong to the connection, and the next flow of it has others; which slot it has is an accident.
    const std::uint64_t stream = (std::uint64_t{begun_[flow.connection.index]++} << 32) | flow.connection.index;
    protocol_->place(slot, {flow.source, flow.destination, static_cast<RateWeight>(weight), flow.app, stream});
    protocol_->start(slot, actions_);
    act(engine, family);
  }
  template <class E, class Family>
  bool end(E& engine, Family& family, ConnectionId connection) {
    const std::uint32_t slot = std::exchange(slot_of_[connection.index], kNone);
    slots_[slot].active = false;
    protocol_->end(slot, actions_);
    act(engine, family);
    return false;  // act() says when
  }

  // ---- packets ----
  template <class E, class Family>
  Time on_switch_arrival(E& engine, Family&, SwitchId, ChannelId channel, Packet& p) {
    if (!p.is(PacketKind::control)) return {};
    const std::uint32_t index = message_of(p);
    const Message& m = messages_[index];
    if (m.returning) return {};
    const bool whole = engine.config().switches.switching == Switching::store_and_forward;
    const Link& link = engine.fabric().link(engine.fabric().link_of(channel));
    const std::int64_t here = engine.now().ps + (whole ? 0 : link.serialization(p.size));
    if (m.slot == kNone) {
      const PortId in = engine.topology().to(engine.fabric().link_of(channel));
      std::int64_t& until = reads_until_[in.index];
      until = std::max(here, until) + params_.neighbour_handling.ps;
      engine.set_timer({until}, in.index, kFirstMessage + index);
      return kNever;
    }
    std::int64_t& until = handles_until_[slots_[m.slot].links[m.leg].index];
    until = std::max(here, until) + params_.handling.ps;
    return {until};
  }
  RouteStep choose_step(EngineView& engine, SwitchId s, Packet& p, RouteStep step) {
    if (!p.is(PacketKind::control)) return step;
    const Message& m = messages_[message_of(p)];
    if (m.returning || m.slot == kNone) return step;
    const Slot& slot = slots_[m.slot];
    WEIR_CHECK(engine.config().switches.choice != RouteChoice::flow_setup ||
               !engine.route_links(slot.connection).empty());
    const PortId port = slot.links[m.leg];
    return step.port() == port ? step : engine.routes().step_through(port, s, p.source, p.destination);
  }
  void on_output(EngineView& engine, ChannelId channel, Packet& p) {
    if (p.is(PacketKind::data)) {
      const std::uint32_t carried = params_.piggy_backed ? message_of(p) : 0;
      if (carried != 0) protocol_->at_port(engine.fabric().link_of(channel), messages_[carried - 1].message);
      return;
    }
    if (!p.is(PacketKind::control) || !p.came_by.valid()) return;
    Message& m = messages_[message_of(p)];
    account(engine.fabric().link_of(channel), m);
    if (m.returning) return;
    protocol_->at_port(engine.fabric().link_of(channel), m.message);
    ++m.leg;
  }
  // Piggy-backed readings: a data packet names its message by number, from 1.
  void on_inject(EngineView& engine, Packet& p) {
    if (!params_.piggy_backed || !p.is(PacketKind::data)) return;
    const ConnectionId connection = p.connection;
    if (connection.index >= slot_of_.size() || slot_of_[connection.index] == kNone) return;
    Message m{{}, {}, slot_of_[connection.index], 0, false, engine.now().ps, connection, 0};
    if (!protocol_->carry(m.slot, m.message)) return;
    protocol_->at_port(slots_[m.slot].links.front(), m.message);
    p.load(Carried{keep(m) + 1});
  }
  template <class E, class Family>
  void on_delivery(E& engine, Family& family, Packet& p) {
    if (!params_.piggy_backed) return;
    const std::uint32_t carried = message_of(p);
    p.load(Carried{});
    if (carried == 0) return;
    Message& m = messages_[carried - 1];
    // Under random traffic a flow may have ended with packets still on their way.
    const bool current = slots_[m.slot].active && slots_[m.slot].connection == m.connection;
    if (current && protocol_->at_destination(m.slot, m.message, actions_)) {
      m.returning = true;
      ++sent_;
      send(engine, slots_[m.slot].destination, slots_[m.slot].source, carried - 1);
    } else {
      unused_messages_.push_back(carried - 1);
    }
    act(engine, family);
  }
  template <class E, class Family>
  void on_control(E& engine, Family& family, HostId host, Packet& p) {
    const std::uint32_t index = message_of(p);
    const Message m = messages_[index];
    if (m.slot == kNone) {
      unused_messages_.push_back(index);
      protocol_->hop(engine.topology().host_port(host), m.neighbourly, actions_);
    } else if (m.returning) {
      unused_messages_.push_back(index);
      longest_ = std::max(longest_, engine.now().ps - m.sent);
      const bool stranger = m.connection.valid() && slots_[m.slot].connection != m.connection;
      if (!stranger) {
        slots_[m.slot].pace = m.pace;
        protocol_->returned(m.slot, m.message, actions_);
      }
    } else if (protocol_->at_destination(m.slot, messages_[index].message, actions_)) {
      messages_[index].returning = true;
      account(engine.topology().host_port(host), messages_[index]);
      send(engine, host, slots_[m.slot].source, index);
    } else {
      unused_messages_.push_back(index);
    }
    act(engine, family);
  }
  template <class E, class Family>
  void on_timer(E& engine, Family& family, std::uint32_t entity, std::uint32_t aux) {
    if (aux >= kFirstSlot) {
      const std::uint32_t slot = (aux - kFirstSlot) / 2;
      // The slot may have been given to another flow meanwhile; then the timer is not its own.
      if (aux % 2 == kHeldTimer) dispatch(engine, slot, slots_[slot].held);
      else if (slots_[slot].timer == engine.now().ps && slots_[slot].active) protocol_->timer(slot, actions_);
    } else {
      const HopMessage message = messages_[aux - kFirstMessage].neighbourly;
      unused_messages_.push_back(aux - kFirstMessage);
      protocol_->hop({entity}, message, actions_);
    }
    act(engine, family);
  }

  template <class Results>
  void report(Results& m) const {
    m.scheme_numbers.emplace_back("control packets of flows", static_cast<double>(sent_));
    m.scheme_numbers.emplace_back("messages between neighbours", static_cast<double>(neighbourly_));
    m.scheme_numbers.emplace_back("longest control round trip, us", static_cast<double>(longest_) * 1e-6);
    m.scheme_numbers.emplace_back("last new rate, us", static_cast<double>(last_rate_) * 1e-6);
    if (params_.algorithm == RateAlgorithm::ffa)
      m.scheme_numbers.emplace_back("last entry into a round, us", static_cast<double>(last_entry_) * 1e-6);
  }
  std::size_t bytes_of_state() const {
    return protocol_->bytes_in_network() + budget_.bytes_of_state() + messages_.capacity() * sizeof(Message) +
           slots_.capacity() * sizeof(Slot) + (handles_until_.capacity() + reads_until_.capacity()) * 8;
  }

 private:
  // What a packet carries: the number of its message, and of data packets that have one, that number plus 1.
  struct Carried {
    std::uint32_t message = 0;
  };
  static std::uint32_t message_of(const Packet& p) { return p.cargo<Carried>().message; }

  static constexpr std::uint32_t kNone = 0xffffffffu, kFirstMessage = 2;
  static constexpr std::uint32_t kFirstSlot = 0x80000000u, kFlowTimer = 0, kHeldTimer = 1;
  struct Slot {  // a flow that the protocol knows
    ConnectionId connection;
    HostId source, destination;
    std::vector<LinkId> links;
    bool active = false;      // not ended
    std::int64_t timer = -1;  // when its timer is due
    std::int64_t pace = 0;    // between two of its control packets, as its links want it
    std::int64_t next = 0;    // when the next one may go
    RateMessage held;         // which waits until then
  };
  struct Message {
    RateMessage message;
    HopMessage neighbourly;
    std::uint32_t slot = kNone;  // kNone: between neighbours
    std::uint32_t leg = 0;
    bool returning = false;
    std::int64_t sent = 0;
    ConnectionId connection;  // of one that a data packet brought
    std::int64_t pace = 0;             // collected: the longest that its links want
  };

  std::uint32_t keep(const Message& message) {
    if (unused_messages_.empty()) {
      messages_.push_back(message);
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t index = unused_messages_.back();
    unused_messages_.pop_back();
    messages_[index] = message;
    return index;
  }
  // A port counts the flows whose control packets pass it.
  void account(LinkId port, Message& m) {
    if (!budget_.on()) return;
    if (m.message.request == RateRequest::start) budget_.begin(port.index);
    if (m.message.request == RateRequest::end) budget_.end(port.index);
    if (m.message.request == RateRequest::start || m.message.request == RateRequest::end)
      protocol_->set_capacity(port, budget_.left(port.index));
    m.pace = std::max(m.pace, budget_.pace_ps(port.index));
  }
  // Timers of one instant go by connection.
  void set_timer(EngineView& engine, Time at, std::uint32_t slot, std::uint32_t which) {
    engine.set_timer(at, slots_[slot].connection.index, kFirstSlot + 2 * slot + which);
  }
  // What begins an exchange waits until the flow may send again; what ends one goes at once and counts for the next.
  void send_paced(EngineView& engine, std::uint32_t flow, const RateMessage& message) {
    Slot& slot = slots_[flow];
    const bool begins = message.request == RateRequest::probe || message.request == RateRequest::reserve;
    if (!begins || slot.next <= engine.now().ps) return dispatch(engine, flow, message);
    slot.held = message;
    set_timer(engine, {slot.next}, flow, kHeldTimer);
  }
  void dispatch(EngineView& engine, std::uint32_t flow, const RateMessage& message) {
    Slot& slot = slots_[flow];
    slot.next = std::max(slot.next, engine.now().ps) + slot.pace;
    Message m{message, {}, flow, 1, false, engine.now().ps, {}, 0};
    account(slot.links.front(), m);
    protocol_->at_port(slot.links.front(), m.message);
    ++sent_;
    send(engine, slot.source, slot.destination, keep(m));
  }
  void send(EngineView& engine, HostId from, HostId to, std::uint32_t index) {
    Packet p = engine.new_packet({PacketKind::control, from, to, params_.bytes, Lane{params_.lane}});
    p.load(Carried{index});
    engine.send_from_host(from, p);
  }
  template <class E, class Family>
  void act(E& engine, Family& family) {
    const RateActions todo = std::exchange(actions_, {});
    for (const RateActions::NewRate& r : todo.rates) {
      if (!slots_[r.flow].active) continue;
      family.set_rate(engine, slots_[r.flow].connection, bits_per_second(r.rate) / 8);
      last_rate_ = engine.now().ps;
    }
    family.rates_are_set(engine);
    if (!todo.begun.empty()) last_entry_ = engine.now().ps;
    for (const RateActions::Timer& t : todo.timers) {
      const Time at = engine.now() + t.after;
      slots_[t.flow].timer = at.ps;
      set_timer(engine, at, t.flow, kFlowTimer);
    }
    for (const RateActions::Send& s : todo.sends) send_paced(engine, s.flow, s.message);
    for (const RateActions::Hop& h : todo.hops) {
      ++neighbourly_;
      const std::uint32_t bytes = h.message.kind == HopKind::round ? params_.neighbour_bytes : params_.bytes;
      Packet p = engine.new_packet({PacketKind::control, {}, {}, bytes, Lane{params_.lane}});
      p.load(Carried{keep({{}, h.message, kNone, 0, false, 0, {}, 0})});
      engine.send_over(h.out, p);
    }
    for (const std::uint32_t flow : todo.gone) {
      const Slot& slot = slots_[flow];
      unused_slots_.push_back(flow);
      if (family.set_up) engine.tear_down_route(slot.connection, slot.source, slot.destination);
    }
  }

  CarrierParams params_;
  std::unique_ptr<RateProtocol> protocol_;
  RateActions actions_;
  ProbeBudget budget_;
  double scale_ = 1;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> unused_slots_;
  std::vector<std::uint32_t> slot_of_, begun_;  // by connection: its slot, and its flows so far
  std::vector<Message> messages_;
  std::vector<std::uint32_t> unused_messages_;
  std::vector<std::int64_t> handles_until_, reads_until_;  // by port
  std::uint64_t sent_ = 0, neighbourly_ = 0;
  std::int64_t longest_ = 0, last_rate_ = 0, last_entry_ = 0;
};

struct DistributedFamily : ExplicitFamily<CarriedRates> {
  using ExplicitFamily<CarriedRates>::ExplicitFamily;

  RouteStep choose_step(EngineView& engine, SwitchId s, Packet& p, RouteStep step) override {
    return control.choose_step(engine, s, p, step);
  }
  void on_output(EngineView& engine, ChannelId channel, Packet& p) override {
    control.on_output(engine, channel, p);
  }
  void on_inject(EngineView& engine, HostId host, Packet& p) override {
    ExplicitFamily<CarriedRates>::on_inject(engine, host, p);
    control.on_inject(engine, p);
  }
  void on_delivery(EngineView& engine, HostId host, Packet& p) override {
    ExplicitFamily<CarriedRates>::on_delivery(engine, host, p);
    control.on_delivery(engine, *this, p);
  }
  std::size_t bytes_of_state() const override {
    return ExplicitFamily<CarriedRates>::bytes_of_state() + control.bytes_of_state();
  }
};

}  // namespace weir
