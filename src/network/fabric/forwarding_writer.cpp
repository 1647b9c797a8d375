// Writes routes the way `ibroute` prints forwarding tables, one after the other, as `dump_lfts` does.
#include <fmt/format.h>

#include "base/error.h"
#include "network/fabric/forwarding_dump.h"
#include "network/fabric/identities.h"

namespace weir {

std::string write_forwarding(const Topology& topology, const RouteTable& routes) {
  if (routes.is_up_by_source() || routes.changes_lanes())
    throw InputError("these routes depend on the source or on lanes, but forwarding tables have one port per "
                     "destination");
  const Identities names(topology);
  const std::vector<std::uint32_t> lids = complete_lids(topology);
  std::uint32_t highest = 0;
  for (const std::uint32_t lid : lids) highest = std::max(highest, lid);
  if (highest > kLastUnicastLid)
    throw InputError(fmt::format("a subnet has LIDs up to {:#x}; this one would need {:#x}", kLastUnicastLid, highest));
  std::string text;
  for (std::uint32_t s = 0; s < topology.switches(); ++s) {
    const NodeId node = topology.node(SwitchId{s});
    text += fmt::format("Unicast lids [0x0-{:#x}] of switch Lid {} guid {:#018x} ({}):\n  Lid  Out   Destination\n"
                        "       Port     Info \n",
                        highest, lids[node.index], names.guid(node), topology.name(node));
    std::uint32_t entries = 1;
    const auto info = [&](NodeId n, const char* kind) {
      return fmt::format("({} portguid {:#018x}: '{}')", kind, names.port_guid(n), topology.name(n));
    };
    for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
      if (!routes.reachable({s}, {h})) continue;
      const PortId out = routes.default_port({s}, {h}, {h});
      text += fmt::format("{:#06x} {:03} : {}\n", lids[h], names.number(out), info({h}, "Channel Adapter"));
      ++entries;
    }
    text += fmt::format("{:#06x} 000 : {}\n{} valid lids dumped \n", lids[node.index], info(node, "Switch"), entries);
  }
  return text;
}

}  // namespace weir
