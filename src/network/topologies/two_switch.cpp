// Two switches: the smallest fabric in which congestion at one destination can hurt packets that go elsewhere.
#include <string>

#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

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

namespace {

constexpr ParamSpec kTwoSwitchParams[] = {
    {"left", ParamType::integer, "4", "hosts at the first switch", 1, 1000000},
    {"right", ParamType::integer, "4", "hosts at the second switch", 1, 1000000},
    {"links", ParamType::integer, "1", "parallel links between the switches", 1, 4096},
    {"middle_rate", ParamType::rate, kUnset,
     "rate of the links between the switches; link.rate if absent, and with the same limits in a run", 1, 1e15},
    {"middle_delay", ParamType::time, kUnset,
     "delay of the links between the switches; link.delay if absent, and with the same limits in a run", 0, 1},
};

Topology configure_two_switch(const TopologyRequest& r) {
  LinkProperties middle = r.cables.fabric;
  if (r.section.has("middle_rate")) middle.rate = r.section.rate("middle_rate");
  if (r.section.has("middle_delay")) middle.delay = r.section.time("middle_delay");
  return two_switch({r.count("left"), r.count("right"), r.count("links")}, r.cables.host, middle);
}

FabricSize size_of_two_switch(const Section& s) {
  const auto hosts = static_cast<std::uint64_t>(s.integer("left") + s.integer("right"));
  const auto links = static_cast<std::uint64_t>(s.integer("links"));
  return {hosts, 2, 2 * hosts + 2 * links, hosts + links};
}

}  // namespace

extern const TopologyKind two_switch_topology{
    {"two-switch", "two switches with hosts on both sides", kTwoSwitchParams,
     "[topology]\nkind = \"two-switch\"\nleft = 4\nright = 2\nlinks = 1\nmiddle_rate = \"10Gbps\"\n"},
    configure_two_switch,
    size_of_two_switch};

}  // namespace weir
