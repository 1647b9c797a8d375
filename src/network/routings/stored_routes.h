// Collects a stored RouteTable entry by entry. Routings for large graphs would otherwise hold one vector per (switch,
// destination); here equal lists of steps share a group from the first moment, so the table is never larger than its
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
  // `lanes`: how many the steps use, as a block.
  StoredRoutes(std::string name, std::size_t switches, std::size_t hosts, std::uint32_t lanes = 1);
  // Default first. Without a call there is no route.
  void set(SwitchId s, HostId destination, std::span<const RouteStep> candidates);
  void set(SwitchId s, HostId destination, RouteStep only) { set(s, destination, {&only, 1}); }
  RouteTable build() &&;

 private:
  RouteTable table_;
  std::map<std::vector<RouteStep>, std::uint16_t> group_of_;
  std::vector<RouteStep> key_;
};

}  // namespace weir
