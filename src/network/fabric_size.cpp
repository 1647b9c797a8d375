// Sizes of fabrics by arithmetic. Shapes that cannot be built are not this file's business: they come out large or as
// nothing, and the builders refuse them.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "network/network.h"
#include "network/topologies.h"

namespace weir {
namespace {

// As far as it can be counted: what is larger is refused anyway.
std::uint64_t counted(double value) { return static_cast<std::uint64_t>(std::min(value, 1e18)); }

// n stages of hosts / k switches; `ports` of a switch but in the last stage, and `last` there.
FabricSize stages(double hosts, double k, double n, double ports, double last) {
  const double per_stage = hosts / k;
  return {counted(hosts), counted(n * per_stage), counted(hosts + per_stage * ((n - 1) * ports + last)),
          counted(std::max(ports, last))};
}

// "x3" among the words behind a link's ends.
double parallel(const std::vector<std::string>& row) {
  for (std::size_t i = 2; i < row.size(); ++i)
    if (row[i].starts_with('x'))
      return std::clamp(std::strtod(row[i].c_str() + 1, nullptr), 1.0, double{kMostParallel});
  return 1;
}

}  // namespace

FabricSize fabric_size(const Section& s) {
  const auto number = [&](const char* key) { return static_cast<double>(s.integer(key)); };
  if (s.kind == "star") return {counted(number("hosts")), 1, counted(2 * number("hosts")), counted(number("hosts"))};
  if (s.kind == "torus") {
    double switches = 1;
    for (const auto size : s.at("sizes").integers) switches *= static_cast<double>(size);
    const double ports = number("hosts") + 2 * static_cast<double>(s.at("sizes").integers.size());
    return {counted(switches * number("hosts")), counted(switches), counted(switches * (number("hosts") + ports)),
            counted(ports)};
  }
  if (s.kind == "two-switch") {
    const double hosts = number("left") + number("right"), links = number("links");
    return {counted(hosts), 2, counted(2 * hosts + 2 * links), counted(hosts + links)};
  }
  if (s.kind == "graph") {
    double cables = 0;
    for (const std::vector<std::string>& row : s.at("links").rows) cables += parallel(row);
    return {s.at("hosts").texts.size(), s.at("switches").texts.size(), counted(2 * cables), counted(cables)};
  }
  if (!s.knows("k")) return {};
  const double k = number("k"), n = number("n"), hosts = std::pow(k, n);
  if (s.kind == "umin") return stages(hosts, k, n, k, k);
  if (s.kind == "bmin") return stages(s.has("hosts") ? number("hosts") : hosts, k, n, 2 * k, k);
  const double sides = s.knows("width") ? 2 * number("width") : 0;
  return stages(hosts, k, n, 2 * k + sides, k + sides);
}

FabricSize fabric_size(const Topology& topology) {
  FabricSize size{topology.hosts(), topology.switches(), topology.ports(), 0};
  for (std::uint32_t s = 0; s < size.switches; ++s)
    size.radix = std::max<std::uint64_t>(size.radix, topology.port_count(topology.node(SwitchId{s})));
  return size;
}

}  // namespace weir
