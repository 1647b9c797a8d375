// What the views of schemes stand on (node_view.h): the engine, whatever its switches and its scheme. Only they and the
// engine's own parts see it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/hosts/connections.h"
#include "packet/hosts/flow_queues.h"
#include "packet/links/fabric_state.h"
#include "packet/packet.h"
#include "packet/parts/part.h"
#include "packet/recorder/recorder.h"
#include "packet/routing/notification.h"
#include "packet/run_input.h"

namespace weir {

// A packet to be made.
struct NewPacket {
  PacketKind kind = PacketKind::data;
  HostId from, to;
  std::uint32_t bytes = 0;
  Lane lane{0};
  ConnectionId connection = {};
};

// Who can end a run.
class RunEnd {
 public:
  virtual ~RunEnd() = default;
  virtual void end_at(Time when, Ending ending, std::string text = {}) = 0;
};

class EngineView : public RunEnd {
 public:

  Time now() const { return clock_.now(); }
  const Topology& topology() const { return run_.topology; }
  const RouteTable& routes() const { return run_.routes; }
  const Workload& workload() const { return run_.workload; }
  const PacketConfig& config() const { return run_.config; }
  std::uint64_t seed() const { return run_.seed; }
  FabricState& fabric() { return fabric_; }
  Connections& connections() { return connections_; }
  virtual Bytes unsent(FlowId flow) const = 0;

  std::int32_t input_occupancy(ChannelId c) const { return fabric_.inputs().occupied(c, clock_.ps(), leaves_later()); }
  virtual std::int32_t output_occupancy(ChannelId c) = 0;
  virtual void for_each_waiting(ChannelId in, const std::function<void(const Packet&)>& visit) = 0;

  // At the start of a run, the scheme sets timers for nodes of all parts of the fabric; in every process that has some
  // of them.
  void set_timer(Time at, NodeId node, std::uint32_t number) {
    if (part.owns(node)) [[likely]] clock_.at(at, EventKind::timer, node.index, number);
    else if (part.is_in_process(node)) part.post({at.ps, TimedEvent::pack(EventKind::timer, node.index), number}, node);
  }
  void set_global_timer(Time at, std::uint32_t entity, std::uint32_t number) {
    clock_.at(at, EventKind::global_timer, entity, number);
  }
  virtual void wake(ConnectionId connection) = 0;
  virtual void offer(LinkId l) = 0;
  virtual void set_lane_order(LinkId l, LaneOrder order) = 0;

  Packet new_packet(const NewPacket& n) const {
    Packet p;
    p.time = p.generated = p.injected = clock_.ps();
    p.source = n.from;
    p.destination = n.to;
    p.connection = n.connection;
    p.size = static_cast<std::uint16_t>(n.bytes);
    p.set(n.kind, n.lane);
    return p;
  }
  virtual void send_from_host(HostId from, const Packet& p) = 0;
  virtual void send_from_switch(SwitchId from, Packet& p) = 0;
  virtual void send_over(PortId out, Packet& p) = 0;
  virtual void notify(SwitchId from, HostId to, const Notification& n, std::uint32_t bytes, Lane lane,
                      ConnectionId connection) = 0;

  virtual std::vector<LinkId> route_links(ConnectionId connection) const = 0;
  virtual void tear_down_route(ConnectionId connection, HostId source, HostId destination) = 0;
  virtual void audit() = 0;

  Part part;  // of the fabric that this engine executes
  FlowRanks ranks;

 protected:
  // In a buffered crossbar, transfers end after packets have landed: for those that land, what leaves at this very
  // instant has not left yet.
  bool leaves_later() const {
    return config().switches.organisation->crossbar && clock_.before(EventKind::crossbar_free);
  }

  EngineView(const RunInput& run, const Part& own, Connections::Need numbers)
      : part(own),
        run_(run),
        clock_(clock_plan(run, own)),
        fabric_(run.topology, run.config, own),
        connections_(run.workload, run.topology.hosts(), numbers) {}

  const RunInput& run_;
  Clock clock_;
  FabricState fabric_;
  Connections connections_;
};

}  // namespace weir
