// The SL-to-lane tables of a subnet, as packets meet them. A switch has one for each pair of input and output port, an
// adapter one for its port. The lane that traffic names in the scenario is its service level. Where nobody has written
// a table, a service level has the lane of its number.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "live/subnet.h"
#include "packet/scheme/hooks.h"

namespace weir::live {

class LaneMaps {
 public:
  LaneMaps(const Subnet& subnet, std::uint32_t lanes);

  // A tool has written tables of this node.
  void take_over(std::uint32_t node);

  // The lane on which a packet of this service level goes on; none: there is no such lane, and it is lost.
  Lane at_host(HostId host, Lane level) const { return hosts_[host.index].lanes[level.index]; }
  Lane at_switch(SwitchId s, PortId in, PortId out, Lane level) const {
    const std::vector<Map>& maps = switches_[s.index];
    return maps.empty() ? level : maps[map_of(subnet_.of(in), subnet_.of(out).port)][level.index];
  }
  // Service levels that leave a host by this lane take turns: the one after that which sent last is asked first.
  LaneList levels_on(HostId host, Lane lane) const;
  void sent(HostId host, Lane level) {
    AtHost& h = hosts_[host.index];
    h.last[h.lanes[level.index].index] = level;
  }

 private:
  using Map = std::array<Lane, kMaxLanes>;  // by service level
  struct AtHost {
    Map lanes = by_number();
    Map last = by_number();  // service level that sent last, by lane
  };

  static Map by_number();
  Map map_from(const Attribute& table) const;
  std::size_t map_of(NodePort in, std::uint32_t out) const { return in.port * subnet_.node(in).ports.size() + out; }

  const Subnet& subnet_;
  std::uint32_t lanes_;
  std::vector<AtHost> hosts_;
  std::vector<std::vector<Map>> switches_;  // by input and output port; empty: nobody has written any
};

}  // namespace weir::live
