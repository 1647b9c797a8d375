// HyperX: switches on a grid of any number of dimensions, all switches of a row joined to each other. One dimension is
// a full mesh, two make a flattened butterfly, and sizes of 2 a hypercube.
#include <string>
#include <utility>

#include "network/topologies/hyperx_plan.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

namespace weir {

namespace {

FabricSize size_of(const HyperXShape& shape) {
  double switches = 1, ports = shape.hosts;
  for (const std::uint32_t size : shape.sizes) {
    switches *= size;
    ports += size - 1.0;
  }
  return {counted(switches * shape.hosts), counted(switches), counted(switches * (shape.hosts + ports)),
          counted(ports)};
}

void check_hyperx(const HyperXShape& shape) {
  if (shape.sizes.empty()) throw InputError("a hyperx needs a size for each dimension, as in sizes = [8, 8]");
  for (const std::uint32_t size : shape.sizes)
    if (size < 2) throw InputError("a hyperx needs a size of at least 2 in every dimension");
  if (shape.hosts == 0) throw InputError("a hyperx needs at least one host at each switch");
  const FabricSize size = size_of(shape);
  if (size.hosts > kMostHosts)
    throw InputError("this hyperx has more than " + std::to_string(kMostHosts) + " hosts, the most that weir builds");
  if (size.ports > kMostPorts)
    throw InputError("this hyperx has more than " + std::to_string(kMostPorts) + " ports, the most that weir builds");
}

std::string switch_name(const HyperXPlan& plan, SwitchId s) {
  std::string name = "S";
  for (std::uint32_t i = 0; i < plan.dimensions(); ++i)
    name += (i == 0 ? "" : ".") + std::to_string(plan.coordinate(s, i));
  return name;
}

}  // namespace

Topology hyperx(const HyperXShape& shape, LinkProperties host, LinkProperties fabric) {
  check_hyperx(shape);
  const HyperXPlan plan(shape.sizes, shape.hosts);
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < plan.switches() * shape.hosts; ++h) builder.add_host("H" + std::to_string(h));
  for (std::uint32_t s = 0; s < plan.switches(); ++s) builder.add_switch(switch_name(plan, {s}), plan.ports(), 0, s);
  for (std::uint32_t h = 0; h < plan.switches() * shape.hosts; ++h)
    builder.connect(builder.at(HostId{h}), builder.at(SwitchId{h / shape.hosts}, h % shape.hosts), host);
  for (std::uint32_t s = 0; s < plan.switches(); ++s) {
    for (std::uint32_t i = 0; i < plan.dimensions(); ++i) {
      const std::uint32_t x = plan.coordinate({s}, i);
      for (std::uint32_t y = x + 1; y < plan.size(i); ++y)
        builder.connect(builder.at(SwitchId{s}, plan.port(i, x, y)),
                        builder.at(plan.moved({s}, i, y), plan.port(i, y, x)), fabric);
    }
  }
  builder.set_shape(Shape::hyperx, 0, 0);
  builder.set_sizes(shape.sizes);
  return std::move(builder).build();
}

namespace {

constexpr ParamSpec kHyperXParams[] = {
    {"sizes", ParamType::integers, "[4, 4]", "switches along each dimension", 2, 4096},
    {"hosts", ParamType::integer, "4", "hosts at each switch", 1, 4096},
};

HyperXShape hyperx_shape(const Section& s) {
  HyperXShape shape{{}, static_cast<std::uint32_t>(s.integer("hosts"))};
  for (const std::int64_t size : s.at("sizes").integers) shape.sizes.push_back(static_cast<std::uint32_t>(size));
  return shape;
}

}  // namespace

extern const TopologyKind hyperx_topology{
    {"hyperx", "grid of switches in any number of dimensions; all switches of a row are connected to each other",
     kHyperXParams,
     "[topology]\nkind = \"hyperx\"\nsizes = [4, 4]\nhosts = 4\n"},
    [](const TopologyRequest& r) { return hyperx(hyperx_shape(r.section), r.cables.host, r.cables.fabric); },
    [](const Section& s) { return size_of(hyperx_shape(s)); }};

}  // namespace weir
