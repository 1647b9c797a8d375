// One switch with hosts: the fabric of queueing theory, where every formula can be checked by hand.
#include <string>

#include "network/topologies.h"

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

}  // namespace weir
