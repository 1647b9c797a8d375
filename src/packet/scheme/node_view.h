// What a hook sees of the engine and may ask it for: its own node, and what never changes. Nodes are executed apart
// from each other, perhaps by different threads; so nothing here reads or writes what belongs to another node. Views
// are small, and handed over by value; but nobody keeps the GlobalView.
//
//   View         what never changes, and the time
//   SwitchView   a switch: its queues and buffers, packets from here, timers of this switch
//   HostView     a host: its connections, packets from here, timers of this host
//   GlobalView   the whole fabric: for the start and the end of a run, and for a scheme's CentralPart (scheme_state.h)
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "packet/scheme/engine_view.h"

namespace weir {

// Test builds know at which node a hook is running, and let it touch nothing else; none: at all of them.
class AtWork {
 public:
  static void note(NodeId node) {
    if constexpr (kChecks) node_ = node;
  }
  static bool everywhere() { return !node_.valid(); }
  static bool at(NodeId node) { return node_ == node; }

 private:
  static inline thread_local NodeId node_;
};

class View {
 public:
  Time now() const { return engine_->now(); }
  const Topology& topology() const { return engine_->topology(); }
  const RouteTable& routes() const { return engine_->routes(); }
  const Workload& workload() const { return engine_->workload(); }
  const PacketConfig& config() const { return engine_->config(); }
  std::uint64_t seed() const { return engine_->seed(); }
  const Connections& connections() const { return engine_->connections(); }

  LinkId link_of(ChannelId c) const { return the_fabric().link_of(c); }
  ChannelId channel_of(LinkId l, Lane lane) const { return the_fabric().channel_of(l, lane); }
  std::uint32_t lanes() const { return the_fabric().lanes(); }
  // How long a link takes for so many bytes; the same for one byte, in 1/65536 ps.
  Time serialization(LinkId l, std::uint32_t bytes) const { return {the_fabric().kind(l).serialization(bytes)}; }
  std::uint64_t ps_per_byte_q16(LinkId l) const { return the_fabric().kind(l).ps_per_byte_q16; }
  // Buffers count in bytes or in packets: how much one holds, and what a packet takes of it.
  std::int32_t capacity(ChannelId in) const { return the_fabric().capacity(in); }
  std::int32_t output_capacity() const { return static_cast<std::int32_t>(config().switches.output_buffer); }
  std::int32_t cost(const Packet& p) const { return the_fabric().cost(p); }

  Packet new_packet(const NewPacket& n) const { return engine_->new_packet(n); }

 protected:
  View() = default;
  explicit View(EngineView& engine) : engine_(&engine) {}
  FabricState& the_fabric() const { return engine_->fabric(); }

  EngineView* engine_ = nullptr;
};

class NodeView : public View {
 public:
  NodeId node() const { return node_; }
  // For how long this link of the node has been idle with packets in front of it that lacked space at its far end.
  Time waited(LinkId out) const {
    const LinkWait& wait = engine_->fabric().wait(own(out));
    return {wait.total + (wait.since >= 0 ? now().ps - wait.since : 0)};
  }
  // on_host_timer() or on_switch_timer() is called at this node. Those of one instant go by number.
  void set_timer(Time at, std::uint32_t number = 0) { engine_->set_timer(at, node_, number); }

 protected:
  NodeView(EngineView& engine, NodeId node) : View(engine), node_(node) { AtWork::note(node); }
  LinkId own(LinkId out) const {
    WEIR_CHECK(the_fabric().sender(out) == node_);
    return out;
  }

  NodeId node_;
};

class SwitchView : public NodeView {
 public:
  SwitchView(EngineView& engine, NodeId here) : NodeView(engine, here) {}
  SwitchView(EngineView& engine, SwitchId here) : NodeView(engine, engine.topology().node(here)) {}
  SwitchId here() const { return topology().switch_of(node_); }

  // Occupancy of the input buffer behind a channel, and of the output buffer in front of it (organisation fifo_in_out)
  // or of the queue for the link (others), in the unit of the buffers.
  std::int32_t input_occupancy(ChannelId in) const { return engine_->input_occupancy(own_input(in)); }
  std::int32_t output_occupancy(ChannelId out) const { return engine_->output_occupancy(own_output(out)); }
  // Bytes that wait for the link.
  std::uint32_t queued(ChannelId out) const { return the_fabric().channel(own_output(out)).queued; }
  // Under credits: is there none, as far as is known here, for another packet like this one?
  bool lacks_credit(ChannelId out, const Packet& p) const {
    const Channel& c = the_fabric().channel(own_output(out));
    return !c.is(Channel::kUnlimited) && c.credits + the_fabric().inputs().returned_by(out, now().ps) < cost(p);
  }
  std::uint64_t sent_bytes(LinkId out) const { return the_fabric().link(own(out)).sent_bytes; }
  // Every packet that stands in the input buffer behind a channel and has not been sent on yet.
  void for_each_waiting(ChannelId in, const std::function<void(const Packet&)>& visit) const {
    engine_->for_each_waiting(own_input(in), visit);
  }

  // Sends a packet of the scheme's own, which takes its place in the queue of an output.
  void send(Packet& p) { engine_->send_from_switch(here(), p); }
  // Tells a host about congestion at n.origin, a port of this switch. Switches on the way may read it.
  void notify(HostId to, const Notification& n, std::uint32_t bytes, Lane lane, ConnectionId connection) {
    own(n.origin);
    engine_->notify(here(), to, n, bytes, lane, connection);
  }

 private:
  ChannelId own_output(ChannelId out) const {
    own(link_of(out));
    return out;
  }
  ChannelId own_input(ChannelId in) const {
    WEIR_CHECK(the_fabric().receiver(link_of(in)) == node_);
    return in;
  }
};

class HostView : public NodeView {
 public:
  HostView(EngineView& engine, HostId here) : NodeView(engine, {here.index}) {}
  HostId here() const { return {node_.index}; }

  LinkId link() const { return topology().host_port(here()); }
  // What a flow of this host has not sent yet.
  Bytes unsent(FlowId flow) const {
    WEIR_CHECK(workload().flows[flow].source == here());
    return engine_->unsent(flow);
  }

  // The gate of this connection, whose source is here, may be open now; lanes of this host may be open now.
  void wake(ConnectionId connection) {
    WEIR_CHECK(connections().source(connection) == here());
    engine_->wake(connection);
  }
  // Of a flow from here: until another one is set, rank() would say this, and gate() lets it go whenever lane_open()
  // does. So neither is asked. kUnranked takes it back.
  void set_rank(FlowId flow, double rank) {
    WEIR_CHECK(workload().flows[flow].source == here());
    engine_->ranks.set(flow, rank);
  }
  void offer() { engine_->offer(link()); }
  // Sends a packet of the scheme's own, before data of the same lane.
  void send(const Packet& p) { engine_->send_from_host(here(), p); }
  // After on_route_end() has said no: the route of a connection from here is not needed any more.
  void tear_down_route(ConnectionId connection, HostId destination) {
    engine_->tear_down_route(connection, here(), destination);
  }
};

class GlobalView : public View {
 public:
  explicit GlobalView(EngineView& engine) : View(engine) { AtWork::note({}); }
  GlobalView(const GlobalView&) = delete;
  GlobalView& operator=(const GlobalView&) = delete;

  HostView at(HostId host) const { return all_at(HostView(*engine_, host)); }
  SwitchView at(SwitchId node) const { return all_at(SwitchView(*engine_, node)); }
  const FabricState& fabric() const { return the_fabric(); }
  // The links behind the host's own that flow set-up has chosen for a connection whose route stands.
  std::vector<LinkId> route_links(ConnectionId connection) const { return engine_->route_links(connection); }

  // on_global_timer() is called, before the timers of nodes. Those of one instant go by entity, then by number.
  void set_timer(Time at, std::uint32_t entity, std::uint32_t number = 0) const {
    engine_->set_global_timer(at, entity, number);
  }
  // Sends a packet over one link, from the node that has the port to whoever is at the other end: a host gets it by
  // on_control(), a switch by on_switch_arrival(), which must return kNever.
  void send_over(PortId out, Packet& p) const { engine_->send_over(out, p); }
  // The lanes of a link send in this order from now on; an empty one: as the scenario says. Not with preemptive lanes.
  void set_lane_order(LinkId l, LaneOrder order) const {
    WEIR_CHECK(config().switches.priority == LanePriority::non_preemptive);
    engine_->set_lane_order(l, std::move(order));
  }
  // The run ends at this moment.
  void end_run() const { engine_->end_at(engine_->now(), Ending::finished); }
  // Verifies conservation of packets, credits and buffer space; aborts with a message when something is wrong.
  void audit() const { engine_->audit(); }

 protected:
  GlobalView() = default;

 private:
  template <class V> static V all_at(V view) {
    AtWork::note({});
    return view;
  }
};

}  // namespace weir
