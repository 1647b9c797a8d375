// What a scheme sees of the engine, and what it may ask for.
#pragma once
#include <functional>
#include <vector>

#include "packet/clock.h"
#include "packet/connections.h"
#include "packet/fabric_state.h"
#include "packet/notification.h"
#include "packet/packet.h"
#include "packet/packet_run.h"
#include "packet/recorder.h"

namespace weir {

// A packet to be made.
struct NewPacket {
  PacketKind kind = PacketKind::data;
  HostId from, to;
  std::uint32_t bytes = 0;
  Lane lane{0};
  ConnectionId connection = {};
};

class EngineView {
 public:
  virtual ~EngineView() = default;

  Time now() const { return clock_.now(); }
  const Topology& topology() const { return run_.topology; }
  const RouteTable& routes() const { return run_.routes; }
  const Workload& workload() const { return run_.workload; }
  const PacketConfig& config() const { return run_.config; }
  std::uint64_t seed() const { return run_.seed; }
  FabricState& fabric() { return fabric_; }
  Connections& connections() { return connections_; }
  virtual Bytes unsent(FlowId flow) const = 0;

  // Occupancy of the input buffer behind a channel, and of the output buffer in front of it (organisation fifo_in_out)
  // or of the queue for the link (others), in the unit of the buffers.
  std::int32_t input_occupancy(ChannelId c) const { return fabric_.inputs().occupied(c, clock_.ps(), leaves_later()); }
  virtual std::int32_t output_occupancy(ChannelId c) = 0;
  std::int32_t output_capacity() const { return static_cast<std::int32_t>(config().switches.output_buffer); }
  // Every packet that stands in the input buffer behind a channel and has not been sent on yet.
  virtual void for_each_waiting(ChannelId in, const std::function<void(const Packet&)>& visit) = 0;

  void set_timer(Time at, std::uint32_t entity, std::uint32_t aux = 0) {
    clock_.at(at, EventKind::timer, entity, aux);
  }
  // The gate of this connection may be open now; this host's lanes may be open now.
  virtual void wake(ConnectionId connection) = 0;
  virtual void offer_host(HostId host) = 0;

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
  // Sends a packet of the scheme's own. From a host it goes before data of the same lane; from a switch it takes its
  // place in the output's queue.
  virtual void send_from_host(HostId from, const Packet& p) = 0;
  virtual void send_from_switch(SwitchId from, Packet& p) = 0;
  // Over one link, from the node that has the port to whoever is at the other end: a host gets it by on_control(), a
  // switch by on_switch_arrival(), which must return kNever.
  virtual void send_over(PortId out, Packet& p) = 0;
  // Tells a host about congestion at n.origin, a port of `from`. Switches on the way may read it.
  virtual void notify(SwitchId from, HostId to, const Notification& n, std::uint32_t bytes, Lane lane,
                      ConnectionId connection) = 0;

  // The links behind the host's own that flow set-up has chosen for a connection whose route stands.
  virtual std::vector<LinkId> route_links(ConnectionId connection) const = 0;
  virtual void tear_down_route(ConnectionId connection, HostId source, HostId destination) = 0;

  // Verifies conservation of packets, credits and buffer space; aborts with a message when something is wrong.
  virtual void audit() = 0;

 protected:
  // In a buffered crossbar, transfers end after packets have landed: for those that land, what leaves at this very
  // instant has not left yet.
  bool leaves_later() const {
    return config().switches.organisation == Organisation::fifo_in_out && clock_.before(EventKind::crossbar_free);
  }

  EngineView(const PacketRun& run, const Part& part, Connections::Need numbers)
      : run_(run),
        clock_(clock_plan(run, part)),
        fabric_(run.topology, run.config),
        connections_(run.workload, run.topology.hosts(), numbers) {}

  const PacketRun& run_;
  Clock clock_;
  FabricState fabric_;
  Connections connections_;
};

}  // namespace weir
