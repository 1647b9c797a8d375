// Bidirectional perfect-shuffle multistage networks (Ferrer 2012). In coordinates of the first stage, stage s replaces
// the digit that lies s digits below the top (stage 0: the lowest digit); with powers of two the line number may have
// fewer bits than the stages could replace, as in the 512-host network of five stages with k = 4: the last stage
// overlaps the first.
#include <bit>
#include <cmath>
#include <string>

#include "base/error.h"
#include "network/digits.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

namespace weir {

namespace {

std::uint32_t checked_hosts(const ShuffleShape& shape) {
  if (shape.hosts == 0) return checked_power(shape.k, shape.n, 2.0 * shape.n, "bmin");
  const auto refuse = [&](const std::string& what) {
    throw InputError("a bmin of " + std::to_string(shape.hosts) + " hosts with k = " + std::to_string(shape.k) + " " +
                     what);
  };
  if (shape.k < 2) refuse("is impossible: k must be at least 2");
  if (shape.hosts > kMostHosts) refuse("is larger than the " + std::to_string(kMostHosts) + " hosts that weir builds");
  std::uint64_t covered = shape.k;
  std::uint32_t stages = 1;
  for (; covered < shape.hosts; ++stages) covered *= shape.k;
  const bool powers_of_two = std::has_single_bit(shape.k) && std::has_single_bit(shape.hosts);
  if (shape.hosts < shape.k || (covered != shape.hosts && !powers_of_two))
    refuse("is impossible: hosts must be a power of k; or hosts and k must both be powers of two, with hosts >= k");
  if (stages != shape.n) refuse("needs n = " + std::to_string(stages) + " stages, not " + std::to_string(shape.n));
  if (2ull * stages * shape.hosts > kMostPorts)
    refuse("has more than " + std::to_string(kMostPorts) + " ports, the most that weir builds");
  return shape.hosts;
}

}  // namespace

Topology bmin(ShuffleShape shape, LinkProperties host, LinkProperties fabric) {
  const std::uint32_t k = shape.k;
  const std::uint32_t n = shape.n;
  const std::uint32_t lines = checked_hosts(shape);
  const std::uint32_t per_stage = lines / k;
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < lines; ++h) builder.add_host("H" + std::to_string(h));
  for (std::uint32_t s = 0; s < n; ++s) {
    for (std::uint32_t p = 0; p < per_stage; ++p)
      builder.add_switch("S" + std::to_string(s) + "." + std::to_string(p), s + 1 < n ? 2 * k : k, static_cast<int>(s),
                         p);
  }
  const auto at = [&](std::uint32_t stage, std::uint32_t line) { return SwitchId{stage * per_stage + line / k}; };
  for (std::uint32_t h = 0; h < lines; ++h) builder.connect(builder.at(HostId{h}), builder.at(at(0, h), h % k), host);
  for (std::uint32_t s = 0; s + 1 < n; ++s) {
    for (std::uint32_t line = 0; line < lines; ++line) {
      const std::uint32_t next = shuffled(line, k, lines);
      builder.connect(builder.at(at(s, line), k + line % k), builder.at(at(s + 1, next), next % k), fabric);
    }
  }
  builder.set_shape(Shape::bidirectional_min, k, n);
  return std::move(builder).build();
}

namespace {

constexpr ParamSpec kBminParams[] = {
    {"k", ParamType::integer, "4", "left ports of a switch, and right ports before the last stage", 2, 4096},
    {"n", ParamType::integer, "3", "stages", 1, 22},
    {"hosts", ParamType::integer, kUnset,
     "number of hosts; default: k^n. A smaller number is allowed if k and hosts are powers of two (for example 512 "
     "with k = 4 and n = 5)",
     2, 4194304},
};

Topology configure_bmin(const TopologyRequest& r) {
  return bmin({r.count("k"), r.count("n"), r.section.has("hosts") ? r.count("hosts") : 0}, r.cables.host,
              r.cables.fabric);
}

FabricSize size_of_bmin(const Section& s) {
  const auto k = static_cast<double>(s.integer("k")), n = static_cast<double>(s.integer("n"));
  const double hosts = s.has("hosts") ? static_cast<double>(s.integer("hosts")) : std::pow(k, n);
  return size_of_stages(hosts, k, n, 2 * k, k);
}

}  // namespace

extern const TopologyKind bmin_topology{
    {"bmin", "bidirectional perfect-shuffle multistage network", kBminParams,
     "[topology]\nkind = \"bmin\"\nk = 4\nn = 5\nhosts = 512\n"},
    configure_bmin,
    size_of_bmin};

}  // namespace weir
