#include "live/lane_maps.h"

#include "mad/smp_fields.h"

namespace weir::live {

LaneMaps::LaneMaps(const Subnet& subnet, std::uint32_t lanes)
    : subnet_(subnet), lanes_(lanes), hosts_(subnet.topology().hosts()), switches_(subnet.topology().switches()) {}

LaneMaps::Map LaneMaps::by_number() {
  Map map;
  for (std::uint32_t level = 0; level < kMaxLanes; ++level) map[level] = {level};
  return map;
}

LaneMaps::Map LaneMaps::map_from(const Attribute& table) const {
  Map map;
  for (std::uint32_t level = 0; level < kMaxLanes; ++level) {
    const auto lane = static_cast<std::uint32_t>(mad::get(table, mad::lane_map::of(level)));
    map[level] = lane < lanes_ ? Lane{lane} : Lane{};
  }
  return map;
}

void LaneMaps::take_over(std::uint32_t n) {
  const SubnetNode& node = subnet_.nodes()[n];
  std::vector<Map>* maps = node.is_switch ? &switches_[node.topology_switch.index] : nullptr;
  if (maps != nullptr && maps->empty()) maps->assign(node.ports.size() * node.ports.size(), by_number());
  const auto from = node.tables.lower_bound(SubnetNode::table_key(mad::smp::kLaneMap, 0, 0));
  const auto to = node.tables.lower_bound(SubnetNode::table_key(mad::smp::kLaneMap + 1, 0, 0));
  for (auto t = from; t != to; ++t) {
    const auto port = static_cast<std::uint32_t>(t->first >> 32 & 0xffff);
    const auto modifier = static_cast<std::uint32_t>(t->first);
    if (maps != nullptr) (*maps)[map_of({n, modifier >> 8}, modifier & 0xff)] = map_from(t->second);
    else if (const PortId link = node.ports[port].link; link.valid())
      hosts_[subnet_.topology().host(subnet_.topology().node_of(link)).index].lanes = map_from(t->second);
  }
}

LaneList LaneMaps::levels_on(HostId host, Lane lane) const {
  const AtHost& h = hosts_[host.index];
  LaneList levels;
  for (std::uint32_t i = 1; i <= lanes_; ++i) {
    const Lane level{(h.last[lane.index].index + i) % lanes_};
    if (h.lanes[level.index] == lane) levels.add(level);
  }
  return levels;
}

}  // namespace weir::live
