// Sizes of fabrics by arithmetic.
#include <algorithm>

#include "network/topologies/topology_kind.h"

namespace weir {

std::uint64_t counted(double value) { return static_cast<std::uint64_t>(std::min(value, 1e18)); }

FabricSize size_of_stages(double hosts, double k, double n, double ports, double last) {
  const double per_stage = hosts / k;
  return {counted(hosts), counted(n * per_stage), counted(hosts + per_stage * ((n - 1) * ports + last)),
          counted(std::max(ports, last))};
}

FabricSize fabric_size(const Topology& topology) {
  FabricSize size{topology.hosts(), topology.switches(), topology.ports(), 0};
  for (std::uint32_t s = 0; s < size.switches; ++s)
    size.radix = std::max<std::uint64_t>(size.radix, topology.port_count(topology.node(SwitchId{s})));
  return size;
}

}  // namespace weir
