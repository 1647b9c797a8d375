// The packet engine behind a served subnet: InfiniBand congestion control whose settings, and routes, are those that
// tools have written. A timer that belongs to no node hands over to the session, which serves datagrams while
// everything stands still; what was written takes effect before time goes on.
//
// A forwarding table that changes under traffic can send packets round in circles, or nowhere: a packet without a port
// to leave by, and one that has crossed too many switches, is lost and counted. What stands in the queue of a link that
// goes down leaves it still.
#pragma once
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "live/lane_maps.h"
#include "live/machine.h"
#include "live/session.h"
#include "live/subnet.h"
#include "schemes/infiniband/infiniband.h"

namespace weir::live {

class LiveScheme final : public CcaFamily, public Machine {
 public:
  static constexpr bool kReorders = true;  // routes change under way

  LiveScheme(CcaSettings cca, Subnet& subnet);
  void serve_with(Session& session) { session_ = &session; }

  // ---- hooks ----
  void on_start(const GlobalView& all) override;
  void on_global_timer(const GlobalView& all, std::uint32_t entity, std::uint32_t number) override;
  void on_end(const GlobalView& all) override;
  Time gate(HostView here, ConnectionId connection, Packet& p) override;
  LaneList traffic_on(HostView here, Lane lane) const override { return lane_maps_.levels_on(here.here(), lane); }
  void on_inject(HostView here, Packet& p) override;
  Time on_switch_arrival(SwitchView here, ChannelId in, Packet& p) override;
  RouteStep choose_step(SwitchView here, Packet& p, RouteStep step) override;
  void on_delivery(HostView here, Packet& p) override;
  void on_ack(HostView here, Packet& p) override;
  void on_notification(HostView here, Packet& p) override;
  void on_departure(SwitchView here, ChannelId channel, Packet& p) override;
  void report(Measurements& m) const override;
  const SourceSettings& source_settings(HostId host, Lane lane) const override;
  Lane first_lane(HostId host, Lane level) const override;

  // ---- what the agents read ----
  Time now() const override { return central_.now(); }
  PortSample sample(PortId port) const override;
  Time lane_congested(PortId port, std::uint32_t lane) const override;
  std::uint32_t lanes() const override { return central_.lanes(); }
  const char* without_arbitration() const override;
  std::vector<MarkEvent> mark_events(NodeId node) const override;
  Time wait_tick(PortId port) const override { return central_.serialization(port, kWaitTickBytes); }
  Time congestion_tick() const override { return settings.congestion_tick; }

 private:
  struct Received {
    std::uint64_t bytes = 0, packets = 0, no_way = 0, discards = 0;
  };
  void take_over_routes();
  void take_over_congestion();
  void take_over_arbitration();
  void take_over_lane_maps();
  void configure_switch(const SubnetNode& node);
  void configure_adapter(NodePort at, const NodeCongestion::Adapter& adapter);
  void count(const View& here, const Packet& p);
  void note(NodeId node, const MarkEvent& event);
  bool may_send(HostId from, HostId to) const { return ready_[from.index] && ready_[to.index]; }
  Lane level_of(const View& here, const Packet& p) const;
  PortId input_of(const View& here, ChannelId in) const { return here.topology().to(here.link_of(in)); }
  std::uint32_t kept(SourceSettings s);

  CentralPart central_{*this, "a served fabric has one clock for all its nodes"};
  Subnet& subnet_;
  Session* session_ = nullptr;
  std::uint64_t routes_version_ = ~std::uint64_t{0};
  std::vector<PortId> table_;       // [switch][destination]; invalid: none
  std::vector<bool> ready_;         // by host: its port is active and has a LID
  std::map<ConnectionId, std::pair<HostId, HostId>> closed_;  // connections that wait until both ends are ready
  LaneMaps lane_maps_;
  std::vector<Received> received_;  // by port
  std::map<NodeId, std::deque<MarkEvent>> mark_events_;
  std::vector<SourceSettings> sources_;            // all that differ
  std::vector<std::uint32_t> source_of_;           // [host][service level], index of sources_
  std::uint64_t without_way_ = 0, went_round_ = 0;
};

// What ibccquery shows before anybody has written anything.
void show_settings(Subnet& subnet, const CcaSettings& cca, std::uint32_t lanes);

}  // namespace weir::live
