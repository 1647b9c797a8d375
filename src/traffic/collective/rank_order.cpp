#include "traffic/collective/rank_order.h"

#include <fmt/core.h>

#include "base/random.h"

namespace weir {

std::vector<HostId> rank_order(const TrafficSection& entry, const PatternContext& context) {
  const Section& section = *entry.section;
  if (section.chooses("mapping", "random")) {
    std::vector<HostId> hosts = entry.hosts;
    RandomStream random = context.random(Purpose::placement, entry, 1);
    shuffle(hosts, random);
    return hosts;
  }
  std::vector<HostId> hosts = entry.listed.empty() ? entry.hosts : entry.listed;
  if (section.chooses("mapping", "by-rail")) {
    const auto rails = static_cast<std::size_t>(section.integer("rails"));
    if (hosts.size() % rails != 0)
      section.refuse("rails",
                     fmt::format("{} hosts are no whole number of servers with {} accelerators", hosts.size(), rails));
    std::vector<HostId> by_rail;
    for (std::size_t rail = 0; rail < rails; ++rail)
      for (std::size_t i = rail; i < hosts.size(); i += rails) by_rail.push_back(hosts[i]);
    hosts = std::move(by_rail);
  }
  return hosts;
}

}  // namespace weir
