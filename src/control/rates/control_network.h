// Carries the messages of a rate protocol through a fabric in simulated time, with the timing model of Zdornov & Birk
// 2009 (section 6.4, table 6.2) and without any data: control packets have absolute priority and preempt, so that they
// wait for each other only. A control packet is received whole, routed, handled by its output port (one at a time per
// port), and sent; on its way back it is only forwarded. A message between neighbours is handled at the input port
// (again one at a time). Hosts take no time. Nothing is lost. Optional jitter lets packets of different flows overtake
// each other.
//
// Events are ordered by (time, kind, port or flow, number of the packet); a run depends on its arguments alone.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/units.h"
#include "control/rates/rate_protocol.h"
#include "network/topology.h"

namespace weir {

struct ControlTiming {
  struct Kind {
    Bytes bytes;
    Time processing;
  };
  Time routing{100'000};
  Kind control{40, {60'000}};       // of a flow
  Kind broadcast{8, {30'000}};      // rounds of DFFA
  Kind spread{40, {53'000}};        // waves of DAFA, away from the leader: 200 ns for a hop of table 6.2's links
  Kind gather{40, {253'000}};       // and back: 400 ns
  Time jitter{};                    // added to every hop: mostly short, at times up to this
  std::uint64_t seed = 1;
};

class ControlNetwork {
 public:
  // `out`, `back`: for each flow the sending ports from source to destination and from destination to source, laid end
  // to end as `start` says. Everything outlives the network.
  struct Paths {
    std::vector<std::uint32_t> start{0};
    std::vector<PortId> ports;
    void add(std::span<const PortId> path);
    std::span<const PortId> of(std::uint32_t flow) const {
      return {ports.data() + start[flow], ports.data() + start[flow + 1]};
    }
  };
  ControlNetwork(const Topology& topology, const Paths& out, const Paths& back, RateProtocol& protocol,
                 ControlTiming timing = {});

  void start_flow(std::uint32_t flow, Time at) { push(at, EventKind::start, flow, 0); }
  void end_flow(std::uint32_t flow, Time at) { push(at, EventKind::end, flow, 0); }
  // Handles everything up to this time. Returns false if nothing is left to happen.
  bool run_until(Time until);
  void step();  // the next event; there must be one
  bool is_quiet() const { return events_.empty(); }
  Time now() const { return now_; }

  struct FlowRecord {
    RateUnits rate = 0;
    Time rate_set{};                // last change
    Time begun{};                   // DFFA: last entry into the loop
    std::uint32_t sent = 0;         // control packets
    std::uint32_t sent_for_rate = 0;  // of these, up to the last change of the rate
  };
  const FlowRecord& flow(std::uint32_t f) const { return records_[f]; }
  void restart_counts();            // `sent` of all flows from 0
  Time longest_round_trip() const { return longest_; }
  std::uint64_t packets() const { return packets_; }   // sent by sources
  std::uint64_t hops() const { return hops_; }         // messages over links, of any kind

 private:
  enum class EventKind : std::uint8_t { at_port, handled, onward, at_host, at_input, at_node, timer, start, end };
  struct Event {
    std::int64_t time;
    std::uint64_t order;    // kind and entity
    std::uint32_t serial;   // of the packet
    std::uint32_t packet;   // its place in the pool
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      if (a.time != b.time) return a.time > b.time;
      if (a.order != b.order) return a.order > b.order;
      return a.serial > b.serial;
    }
  };
  struct Packet {
    RateMessage message;
    std::uint32_t flow = 0, leg = 0, serial = 0;
    bool returning = false;
    Time sent{};
  };
  struct Neighbourly {
    HopMessage message;
    std::uint32_t serial = 0;
  };
  struct Link {
    Time sends_until{}, handles_until{}, reads_until{};  // transmitter, output's processor, input's processor
    Time delay{};
    Time control, broadcast, spread, gather;             // transmission times
    RandomStream draws;
  };

  void push(Time at, EventKind kind, std::uint32_t entity, std::uint32_t packet, std::uint32_t serial = 0);
  void handle(const Event& event);
  void act();
  void send(const RateActions::Send& send);
  void send_hop(const RateActions::Hop& hop);
  void forward(std::uint32_t packet, PortId port);
  void arrived(std::uint32_t packet);
  Time transmit(PortId port, Time duration);
  const ControlTiming::Kind& kind_of(HopKind kind) const;
  Time duration(const Link& link, HopKind kind) const;
  std::span<const PortId> path_of(const Packet& p) const {
    return p.returning ? back_.of(p.flow) : out_.of(p.flow);
  }

  const Topology& topology_;
  const Paths& out_;
  const Paths& back_;
  RateProtocol& protocol_;
  ControlTiming timing_;
  std::vector<Link> links_;      // by sending port
  std::vector<Event> events_;    // a heap
  std::vector<Packet> pool_;
  std::vector<std::uint32_t> unused_;
  std::vector<Neighbourly> hop_pool_;
  std::vector<std::uint32_t> hop_unused_;
  std::vector<FlowRecord> records_;
  RateActions actions_;
  Time now_{}, longest_{};
  std::uint64_t packets_ = 0, hops_ = 0;
  std::uint32_t serials_ = 0;
};

}  // namespace weir
