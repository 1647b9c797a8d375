// Tori and meshes: switches on a grid of any number of dimensions; a torus closes each dimension to rings.
#include <string>
#include <utility>

#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"
#include "network/topologies/torus_plan.h"

namespace weir {

namespace {

void check_grid(const TorusShape& shape, const std::string& kind) {
  std::string name = "a " + kind + " of ";
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) name += (i == 0 ? "" : " x ") + std::to_string(shape.sizes[i]);
  if (shape.sizes.empty()) throw InputError("a " + kind + " needs a size for each dimension, as in sizes = [8, 8]");
  if (shape.hosts == 0) throw InputError(name + " needs at least one host at each switch");
  double hosts = shape.hosts;
  for (const std::uint32_t size : shape.sizes) {
    if (size < 2) throw InputError(name + " is impossible: every dimension needs a size of at least 2");
    hosts *= size;
  }
  const auto refuse = [&](std::uint64_t most, const char* what) {
    throw InputError(name + " with " + std::to_string(shape.hosts) + " hosts at each switch has more than " +
                     std::to_string(most) + " " + what + ", the most that weir builds");
  };
  if (hosts > static_cast<double>(kMostHosts)) refuse(kMostHosts, "hosts");
  const double at_switch = static_cast<double>(shape.hosts) + 2 * static_cast<double>(shape.sizes.size());
  if (hosts + hosts / shape.hosts * at_switch > static_cast<double>(kMostPorts)) refuse(kMostPorts, "ports");
}

std::string switch_name(const TorusPlan& plan, SwitchId s) {
  std::string name = "S";
  for (std::uint32_t i = 0; i < plan.dimensions(); ++i)
    name += (i == 0 ? "" : ".") + std::to_string(plan.coordinate(s, i));
  return name;
}

Topology grid(const TorusShape& shape, bool wraps, LinkProperties host, LinkProperties fabric) {
  check_grid(shape, wraps ? "torus" : "mesh");
  const TorusPlan plan(shape.sizes, shape.hosts);
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < plan.switches() * shape.hosts; ++h) builder.add_host("H" + std::to_string(h));
  for (std::uint32_t s = 0; s < plan.switches(); ++s) builder.add_switch(switch_name(plan, {s}), plan.ports(), 0, s);
  for (std::uint32_t h = 0; h < plan.switches() * shape.hosts; ++h)
    builder.connect(builder.at(HostId{h}), builder.at(SwitchId{h / shape.hosts}, h % shape.hosts), host);
  for (std::uint32_t s = 0; s < plan.switches(); ++s) {
    for (std::uint32_t i = 0; i < plan.dimensions(); ++i) {
      const bool closes = plan.coordinate({s}, i) + 1 == plan.size(i);
      if (closes && (!wraps || plan.size(i) == 2)) continue;  // two are joined by one cable, which is there
      builder.connect(builder.at(SwitchId{s}, plan.up_port(i)),
                      builder.at(plan.above({s}, i), plan.down_port(i)), fabric);
    }
  }
  builder.set_shape(wraps ? Shape::torus : Shape::mesh, 0, 0);
  builder.set_sizes(shape.sizes);
  return std::move(builder).build();
}

}  // namespace

Topology torus(const TorusShape& shape, LinkProperties host, LinkProperties fabric) {
  return grid(shape, true, host, fabric);
}
Topology mesh(const TorusShape& shape, LinkProperties host, LinkProperties fabric) {
  return grid(shape, false, host, fabric);
}

namespace {

constexpr ParamSpec kTorusParams[] = {
    {"sizes", ParamType::integers, "[8, 8]", "switches along each dimension; in a dimension of two switches, one cable "
                                             "connects them", 2,
     4096},
    {"hosts", ParamType::integer, "1", "hosts at each switch", 1, 4096},
};

TorusShape shape_of(const TopologyRequest& r) {
  TorusShape shape{{}, r.count("hosts")};
  for (const std::int64_t size : r.section.at("sizes").integers)
    shape.sizes.push_back(static_cast<std::uint32_t>(size));
  return shape;
}

FabricSize size_of_torus(const Section& s) {
  const auto hosts = static_cast<double>(s.integer("hosts"));
  double switches = 1;
  for (const std::int64_t size : s.at("sizes").integers) switches *= static_cast<double>(size);
  const double ports = hosts + 2 * static_cast<double>(s.at("sizes").integers.size());
  return {counted(switches * hosts), counted(switches), counted(switches * (hosts + ports)), counted(ports)};
}

}  // namespace

extern const TopologyKind torus_topology{
    {"torus", "grid of switches in any number of dimensions, with wrap-around cables; needs switch.lanes = 2",
     kTorusParams, "[topology]\nkind = \"torus\"\nsizes = [4, 4, 8]\nhosts = 2\n"},
    [](const TopologyRequest& r) { return torus(shape_of(r), r.cables.host, r.cables.fabric); },
    size_of_torus};

extern const TopologyKind mesh_topology{
    {"mesh", "grid of switches in any number of dimensions, without wrap-around cables", kTorusParams,
     "[topology]\nkind = \"mesh\"\nsizes = [4, 4]\n"},
    [](const TopologyRequest& r) { return mesh(shape_of(r), r.cables.host, r.cables.fabric); },
    size_of_torus};

}  // namespace weir
