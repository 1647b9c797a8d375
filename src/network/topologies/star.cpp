// One switch with hosts: the fabric of queueing theory, where every formula can be checked by hand.
#include <string>

#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

namespace weir {

Topology star(std::uint32_t hosts, LinkProperties host) {
  if (hosts < 2 || hosts > kMostHosts)
    throw InputError("a star needs 2 to " + std::to_string(kMostHosts) + " hosts, not " + std::to_string(hosts));
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < hosts; ++h) builder.add_host("H" + std::to_string(h));
  const SwitchId centre = builder.add_switch("S0", hosts);
  for (std::uint32_t h = 0; h < hosts; ++h) builder.connect(builder.at(HostId{h}), builder.at(centre, h), host);
  return std::move(builder).build();
}

namespace {

constexpr ParamSpec kStarParams[] = {
    {"hosts", ParamType::integer, "8", "hosts at the switch", 2, 1000000},
};

}  // namespace

extern const TopologyKind star_topology{
    {"star", "one switch with all hosts", kStarParams, "[topology]\nkind = \"star\"\nhosts = 16\n"},
    [](const TopologyRequest& r) { return star(r.count("hosts"), r.cables.host); },
    [](const Section& s) {
      const auto hosts = static_cast<std::uint64_t>(s.integer("hosts"));
      return FabricSize{hosts, 1, 2 * hosts, hosts};
    }};

}  // namespace weir
