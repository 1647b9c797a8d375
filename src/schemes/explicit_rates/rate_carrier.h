// A rate protocol (control/rates/rate_protocol.h) at work in the packet engine: its messages are packets on a lane of
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

#include "control/rates/rate_protocol.h"
#include "flow/solvers/solve.h"
#include "schemes/explicit_rates/explicit_family.h"
#include "schemes/explicit_rates/probe_budget.h"

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
  static constexpr bool kSendsNothing = false;
  static constexpr const char* kWhyCentral =
      "the protocol of this scheme keeps the state of its ports, flows and messages in one place";

  CarriedRates(SchemeState& owner, const CarrierParams& params) : params_(params), ports_(owner) {}

  template <class Family>
  void start(const GlobalView& all, Family& family) {
    protocol_ = make_rate_protocol(params_, all.topology(), all.workload(), all.seed());
    if (params_.probe_share > 0)
      budget_ = ProbeBudget(rate_capacity(params_, all.topology()), params_.bytes, params_.period,
                            params_.probe_share);
    scale_ = weight_scale(all.workload(), family.weigh_by_size, family.params.priority);
  }
  template <class Family>
  void begin(const GlobalView& all, Family& family, const ControlledFlow& flow) {
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
    act(all, family);
  }
  template <class Family>
  bool end(const GlobalView& all, Family& family, ConnectionId connection) {
    const std::uint32_t slot = std::exchange(slot_of_[connection.index], kNone);
    slots_[slot].active = false;
    protocol_->end(slot, actions_);
    act(all, family);
    return false;  // act() says when
  }

  // ---- packets ----
  Time on_switch_arrival(const GlobalView& all, SwitchView here, ChannelId channel, Packet& p) {
    if (!p.is(PacketKind::control)) return {};
    const std::uint32_t index = message_of(p);
    const Message& m = messages_[index];
    if (m.returning) return {};
    const LinkId by = here.link_of(channel);
    const bool whole = here.config().switches.switching == Switching::store_and_forward;
    const std::int64_t received = here.now().ps + (whole ? 0 : here.serialization(by, p.size).ps);
    if (m.slot == kNone) {
      const PortId in = here.topology().to(by);
      std::int64_t& until = ports_[in].reads_until;
      until = std::max(received, until) + params_.neighbour_handling.ps;
      all.set_timer({until}, in.index, kFirstMessage + index);
      return kNever;
    }
    std::int64_t& until = ports_[*m.way].handles_until;
    until = std::max(received, until) + params_.handling.ps;
    return {until};
  }
  RouteStep choose_step(const GlobalView& all, SwitchView here, Packet& p, RouteStep step) const {
    if (!p.is(PacketKind::control)) return step;
    const Message& m = messages_[message_of(p)];
    if (m.returning || m.slot == kNone) return step;
    WEIR_CHECK(!all.config().switches.choice->sets_up || !all.route_links(slots_[m.slot].connection).empty());
    const PortId port = *m.way;
    return step.port() == port ? step : here.routes().step_through(port, here.here(), p.source, p.destination);
  }
  void on_output(SwitchView here, ChannelId channel, Packet& p) {
    if (p.is(PacketKind::data)) {
      const std::uint32_t carried = params_.piggy_backed ? message_of(p) : 0;
      if (carried != 0) protocol_->at_port(here.link_of(channel), messages_[carried - 1].message);
      return;
    }
    if (!p.is(PacketKind::control) || !p.came_by.valid()) return;
    Message& m = messages_[message_of(p)];
    account(here.link_of(channel), m);
    if (m.returning) return;
    protocol_->at_port(here.link_of(channel), m.message);
    ++m.way;
  }
  // Piggy-backed readings: a data packet names its message by number, from 1.
  void on_inject(HostView here, Packet& p) {
    if (!params_.piggy_backed || !p.is(PacketKind::data)) return;
    const ConnectionId connection = p.connection;
    if (connection.index >= slot_of_.size() || slot_of_[connection.index] == kNone) return;
    Message m(slot_of_[connection.index], here.now().ps);
    m.connection = connection;
    if (!protocol_->carry(m.slot, m.message)) return;
    protocol_->at_port(slots_[m.slot].links.front(), m.message);
    p.load(Carried{keep(m) + 1});
  }
  template <class Family>
  void on_delivery(const GlobalView& all, Family& family, Packet& p) {
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
      send(all, slots_[m.slot].destination, slots_[m.slot].source, carried - 1);
    } else {
      unused_messages_.push_back(carried - 1);
    }
    act(all, family);
  }
  template <class Family>
  void on_control(const GlobalView& all, Family& family, HostId host, Packet& p) {
    const std::uint32_t index = message_of(p);
    Message& m = messages_[index];  // the next one is made by act(), when this one is read
    if (m.slot == kNone) {
      unused_messages_.push_back(index);
      protocol_->hop(all.topology().host_port(host), m.neighbourly, actions_);
    } else if (m.returning) {
      unused_messages_.push_back(index);
      longest_ = std::max(longest_, all.now().ps - m.sent);
      const bool stranger = m.connection.valid() && slots_[m.slot].connection != m.connection;
      if (!stranger) {
        slots_[m.slot].pace = m.pace;
        protocol_->returned(m.slot, m.message, actions_);
      }
    } else if (protocol_->at_destination(m.slot, m.message, actions_)) {
      m.returning = true;
      account(all.topology().host_port(host), m);
      send(all, host, slots_[m.slot].source, index);
    } else {
      unused_messages_.push_back(index);
    }
    act(all, family);
  }
  template <class Family>
  void on_timer(const GlobalView& all, Family& family, std::uint32_t entity, std::uint32_t number) {
    if (number >= kFirstSlot) {
      const std::uint32_t slot = (number - kFirstSlot) / 2;
      // The slot may have been given to another flow meanwhile; then the timer is not its own.
      if (number % 2 == kHeldTimer) dispatch(all, slot, slots_[slot].held);
      else if (slots_[slot].timer == all.now().ps && slots_[slot].active) protocol_->timer(slot, actions_);
    } else {
      const HopMessage message = messages_[number - kFirstMessage].neighbourly;
      unused_messages_.push_back(number - kFirstMessage);
      protocol_->hop({entity}, message, actions_);
    }
    act(all, family);
  }

  // This control packet, or the timer of this number, will be handled soon; of a packet at a switch, again.
  void fetch(const Packet& p, bool again) const {
    if (!p.is(PacketKind::control)) return;
    const char* const record = reinterpret_cast<const char*>(&messages_[message_of(p)]);
    if (again) return __builtin_prefetch(messages_[message_of(p)].way);
    __builtin_prefetch(record, 1);
    __builtin_prefetch(record + sizeof(Message) - 1, 1);
  }
  void fetch_timer(std::uint32_t number) const {
    const std::uint32_t slot = (number - kFirstSlot) / 2;
    if (number < kFirstSlot || slot >= slots_.size()) return;
    const char* const record = reinterpret_cast<const char*>(&slots_[slot]);
    __builtin_prefetch(record, 1);
    __builtin_prefetch(record + sizeof(Slot) - 1, 1);
  }

  template <class Results>
  void report(Results& m) const {
    m.scheme_numbers.emplace_back("control packets of flows", static_cast<double>(sent_));
    m.scheme_numbers.emplace_back("messages between neighbours", static_cast<double>(neighbourly_));
    m.scheme_numbers.emplace_back("longest control round trip, us", static_cast<double>(longest_) * 1e-6);
    m.scheme_numbers.emplace_back("last new rate, us", static_cast<double>(last_rate_) * 1e-6);
    if (params_.algorithm == RateAlgorithm::ffa)
      m.scheme_numbers.emplace_back("last entry into a round, us",
                                    static_cast<double>(last_entry_) * 1e-6);
  }
  std::size_t bytes_beside_tables() const {
    return protocol_->bytes_in_network() + budget_.bytes_of_state() + messages_.capacity() * sizeof(Message) +
           slots_.capacity() * sizeof(Slot);
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
  // The first half, and with it all that switches read for SAA, is a cache line.
  struct alignas(64) Message {
    std::uint32_t slot = kNone;  // kNone: between neighbours
    bool returning = false;
    const LinkId* way = nullptr;  // the link that it takes next
    std::int64_t pace = 0;        // collected: the longest that its links want
    union {
      RateMessage message;
      HopMessage neighbourly;
    };
    std::int64_t sent = 0;
    ConnectionId connection;  // of one that a data packet brought

    Message(std::uint32_t its_slot, std::int64_t now) : slot(its_slot), message(), sent(now) {}
    explicit Message(const HopMessage& to_neighbour) : neighbourly(to_neighbour) {}
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
  void set_timer(const GlobalView& all, Time at, std::uint32_t slot, std::uint32_t which) {
    all.set_timer(at, slots_[slot].connection.index, kFirstSlot + 2 * slot + which);
  }
  // What begins an exchange waits until the flow may send again; what ends one goes at once and counts for the next.
  void send_paced(const GlobalView& all, std::uint32_t flow, const RateMessage& message) {
    Slot& slot = slots_[flow];
    const bool begins = message.request == RateRequest::probe || message.request == RateRequest::reserve;
    if (!begins || slot.next <= all.now().ps) return dispatch(all, flow, message);
    slot.held = message;
    set_timer(all, {slot.next}, flow, kHeldTimer);
  }
  void dispatch(const GlobalView& all, std::uint32_t flow, const RateMessage& message) {
    Slot& slot = slots_[flow];
    slot.next = std::max(slot.next, all.now().ps) + slot.pace;
    Message m(flow, all.now().ps);
    m.message = message;
    m.way = slot.links.data() + 1;
    account(slot.links.front(), m);
    protocol_->at_port(slot.links.front(), m.message);
    ++sent_;
    send(all, slot.source, slot.destination, keep(m));
  }
  void send(const GlobalView& all, HostId from, HostId to, std::uint32_t index) {
    Packet p = all.new_packet({PacketKind::control, from, to, params_.bytes, Lane{params_.lane}});
    p.load(Carried{index});
    all.at(from).send(p);
  }
  template <class Family>
  void act(const GlobalView& all, Family& family) {
    const RateActions& todo = actions_;  // nothing here makes the protocol want more
    for (const RateActions::NewRate& r : todo.rates) {
      if (!slots_[r.flow].active) continue;
      family.set_rate(slots_[r.flow].connection, bits_per_second(r.rate) / 8);
      last_rate_ = all.now().ps;
    }
    family.rates_are_set();
    if (!todo.begun.empty()) last_entry_ = all.now().ps;
    for (const RateActions::Timer& t : todo.timers) {
      const Time at = all.now() + t.after;
      slots_[t.flow].timer = at.ps;
      set_timer(all, at, t.flow, kFlowTimer);
    }
    for (const RateActions::Send& s : todo.sends) send_paced(all, s.flow, s.message);
    for (const RateActions::Hop& h : todo.hops) {
      ++neighbourly_;
      const std::uint32_t bytes = h.message.kind == HopKind::round ? params_.neighbour_bytes : params_.bytes;
      Packet p = all.new_packet({PacketKind::control, {}, {}, bytes, Lane{params_.lane}});
      p.load(Carried{keep(Message(h.message))});
      all.send_over(h.out, p);
    }
    for (const std::uint32_t flow : todo.gone) {
      const Slot& slot = slots_[flow];
      unused_slots_.push_back(flow);
      if (family.params.set_up) all.at(slot.source).tear_down_route(slot.connection, slot.destination);
    }
    actions_.clear();
  }

  struct Port {
    std::int64_t handles_until = 0, reads_until = 0;
  };

  CarrierParams params_;
  PortTable<Port> ports_;
  std::unique_ptr<RateProtocol> protocol_;
  RateActions actions_;  // what is to be done
  ProbeBudget budget_;
  double scale_ = 1;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> unused_slots_;
  std::vector<std::uint32_t> slot_of_, begun_;  // by connection: its slot, and its flows so far
  std::vector<Message> messages_;
  std::vector<std::uint32_t> unused_messages_;
  std::uint64_t sent_ = 0, neighbourly_ = 0;
  std::int64_t longest_ = 0, last_rate_ = 0, last_entry_ = 0;
};

// Unless data packets carry probes, switches look at control packets alone.
template <bool piggy_backed>
struct DistributedFamily : ExplicitFamily<CarriedRates> {
  using ExplicitFamily<CarriedRates>::ExplicitFamily;
  static constexpr bool kReadsControlOnly = !piggy_backed;

  Time on_switch_arrival(SwitchView here, ChannelId channel, Packet& p) override {
    return control.on_switch_arrival(all, here, channel, p);
  }
  RouteStep choose_step(SwitchView here, Packet& p, RouteStep step) override {
    return control.choose_step(all, here, p, step);
  }
  void on_output(SwitchView here, ChannelId channel, Packet& p) override { control.on_output(here, channel, p); }
  void on_inject(HostView here, Packet& p) override {
    ExplicitFamily<CarriedRates>::on_inject(here, p);
    control.on_inject(here, p);
  }
  void on_delivery(HostView here, Packet& p) override {
    ExplicitFamily<CarriedRates>::on_delivery(here, p);
    control.on_delivery(all, *this, p);
  }
  void on_control(HostView here, Packet& p) override { control.on_control(all, *this, here.here(), p); }

  void before_arrival(HostView here, const Packet& p) const override {
    ExplicitFamily<CarriedRates>::before_arrival(here, p);
    control.fetch(p, false);
  }
  void before_switch_arrival(const Packet& p, bool again) const override { control.fetch(p, again); }
  void before_global_timer(std::uint32_t number) const override { control.fetch_timer(number); }
};

}  // namespace weir
