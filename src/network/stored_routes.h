// Collects a stored RouteTable entry by entry. Routings for large graphs would otherwise hold one vector per (switch,
// destination); here equal lists of ports share a group from the first moment, so the table is never larger than its
// result.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "network/route_table.h"

namespace weir {

class StoredRoutes {
 public:
  StoredRoutes(std::string name, std::size_t switches, std::size_t hosts);
  // Default first. Without a call there is no route.
  void set(SwitchId s, HostId destination, std::span<const PortId> candidates);
  RouteTable build() &&;

 private:
  RouteTable table_;
  std::map<std::vector<PortId>, std::uint16_t> group_of_;
  std::vector<PortId> key_;
};

}  // namespace weir
