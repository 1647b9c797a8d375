// Small fabrics and helpers that the tests of this layer share.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "error_of.h"
#include "network/fabric/fabric.h"
#include "network/network.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir::testing {

inline constexpr LinkProperties kLink{Rate{8'000'000'000}, Time{1000}, 0};
inline constexpr Cables kLinks{kLink, kLink};

inline Topology tree(std::uint32_t k, std::uint32_t n, std::uint32_t width = 0) {
  return k_ary_n_tree({k, n, width}, kLink, kLink);
}

// The switches that a packet from a to b crosses.
inline std::size_t switches_between(const Topology& t, const RouteTable& routes, std::uint32_t a, std::uint32_t b) {
  return default_path(t, routes, {a}, {b}).size() - 1;
}

// A graph from edges between switches 0..n-1, one host (or `hosts_each`) on every switch.
inline GraphSpec switch_graph(std::uint32_t n, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                              std::uint32_t hosts_each = 1) {
  GraphSpec spec;
  for (std::uint32_t s = 0; s < n; ++s) {
    spec.switches.push_back({"S" + std::to_string(s), 0, {}});
    for (std::uint32_t i = 0; i < hosts_each; ++i) {
      const std::string name = "H" + std::to_string(s * hosts_each + i);
      spec.hosts.push_back({name, {}});
      spec.cables.push_back({{name}, {"S" + std::to_string(s)}, kLink, 1, {}});
    }
  }
  for (const auto& [a, b] : edges)
    spec.cables.push_back({{"S" + std::to_string(a)}, {"S" + std::to_string(b)}, kLink, 1, {}});
  return spec;
}

}  // namespace weir::testing
