// Two switches: the smallest fabric in which congestion at one destination can hurt packets that go elsewhere.
#include <string>

#include "network/topologies.h"

namespace weir {

Topology two_switch(TwoSwitchShape shape, LinkProperties host, LinkProperties between) {
  const std::uint64_t hosts = std::uint64_t{shape.left} + shape.right;
  if (hosts > kMostHosts)
    throw InputError(std::to_string(hosts) + " hosts are more than the " + std::to_string(kMostHosts) +
                     " that weir builds");
  if (shape.links > kMostParallel)
    throw InputError(std::to_string(shape.links) + " links between two switches are more than the " +
                     std::to_string(kMostParallel) + " that weir builds");
  if (shape.left == 0 || shape.right == 0 || shape.links == 0)
    throw InputError("a two-switch network needs hosts on both sides and at least one link between the switches");
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < hosts; ++h) builder.add_host("H" + std::to_string(h));
  const SwitchId left = builder.add_switch("S0", shape.left + shape.links, 0, 0);
  const SwitchId right = builder.add_switch("S1", shape.right + shape.links, 0, 1);
  for (std::uint32_t h = 0; h < shape.left; ++h) builder.connect(builder.at(HostId{h}), builder.at(left, h), host);
  for (std::uint32_t h = 0; h < shape.right; ++h)
    builder.connect(builder.at(HostId{shape.left + h}), builder.at(right, h), host);
  for (std::uint32_t i = 0; i < shape.links; ++i)
    builder.connect(builder.at(left, shape.left + i), builder.at(right, shape.right + i), between);
  return std::move(builder).build();
}

}  // namespace weir
