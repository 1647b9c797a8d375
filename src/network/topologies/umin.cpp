// Unidirectional butterfly, the k-ary n-fly of Ferrer 2012. Between stages s and s+1 the line number exchanges digit
// n-1-s with digit 0, so that the output taken at stage s ends up as digit n-1-s: every packet sorts itself by its
// destination's digits from the top, and every path crosses exactly n switches.
#include <cmath>
#include <string>

#include "network/digits.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

namespace weir {

Topology umin(ButterflyShape shape, LinkProperties host, LinkProperties fabric) {
  const std::uint32_t k = shape.k;
  const std::uint32_t n = shape.n;
  const std::uint32_t lines = checked_power(k, n, n + 1.0, "umin");
  const std::uint32_t per_stage = lines / k;
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < lines; ++h) builder.add_host("H" + std::to_string(h));
  for (std::uint32_t s = 0; s < n; ++s) {
    for (std::uint32_t p = 0; p < per_stage; ++p)
      builder.add_switch("S" + std::to_string(s) + "." + std::to_string(p), k, static_cast<int>(s), p);
  }
  const auto end = [&](std::uint32_t stage, std::uint32_t line) {
    return builder.at(SwitchId{stage * per_stage + line / k}, line % k);
  };
  for (std::uint32_t h = 0; h < lines; ++h) {
    builder.connect_one_way(builder.at(HostId{h}), end(0, h), host);
    builder.connect_one_way(end(n - 1, h), builder.at(HostId{h}), host);
  }
  for (std::uint32_t s = 0; s + 1 < n; ++s) {
    for (std::uint32_t line = 0; line < lines; ++line) {
      const std::uint32_t low = digit(line, k, 0);
      const std::uint32_t high = digit(line, k, n - 1 - s);
      const std::uint32_t next = with_digit(with_digit(line, k, 0, high), k, n - 1 - s, low);
      builder.connect_one_way(end(s, line), end(s + 1, next), fabric);
    }
  }
  builder.set_shape(Shape::unidirectional_min, k, n);
  return std::move(builder).build();
}

namespace {

constexpr ParamSpec kUminParams[] = {
    {"k", ParamType::integer, "4", "inputs and outputs of a switch", 2, 4096},
    {"n", ParamType::integer, "3", "stages; there are k^n hosts", 1, 22},
};

}  // namespace

extern const TopologyKind umin_topology{
    {"umin", "unidirectional butterfly, the k-ary n-fly", kUminParams,
     "[topology]\nkind = \"umin\"\nk = 4\nn = 4\n"},
    [](const TopologyRequest& r) { return umin({r.count("k"), r.count("n")}, r.cables.host, r.cables.fabric); },
    [](const Section& s) {
      const auto k = static_cast<double>(s.integer("k")), n = static_cast<double>(s.integer("n"));
      return size_of_stages(std::pow(k, n), k, n, k, k);
    }};

}  // namespace weir
