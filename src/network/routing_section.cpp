// Reads [routing] and calls that routing. Errors get the place where the routing was chosen.
#include <optional>
#include <string>

#include "base/error.h"
#include "network/network.h"
#include "network/routings.h"
#include "scenario/suggest.h"

namespace weir {

namespace {

UpDigits read_up(const Section& section) {
  const std::string& up = section.text("up");
  if (up == "source") return UpDigits::source;
  return up == "hash" ? UpDigits::hash : UpDigits::destination;
}

std::optional<SwitchId> read_root(const Section& section, const Topology& topology) {
  if (!section.has("root")) return std::nullopt;
  const std::string& name = section.text("root");
  std::vector<std::string_view> names;
  for (std::uint32_t s = 0; s < topology.switches(); ++s) {
    names.push_back(topology.name(topology.node(SwitchId{s})));
    if (names.back() == name) return SwitchId{s};
  }
  if (names.size() > 20) names.resize(20);
  section.refuse("root", "there is no switch named " + name + suggestion(name, names, "switches are"));
}

Detours read_detours(const Section& section) {
  const std::string& detours = section.text("detours");
  if (detours == "none") return Detours::none;
  return detours == "all" ? Detours::all : Detours::two_way;
}

RouteTable build_kind(const Section& section, const Topology& topology) {
  if (section.kind == "auto") {
    if (topology.shape() == Shape::torus) return dimension_order_routes(topology);
    return topology.has_levels() ? digit_routes(topology) : up_down_routes(topology);
  }
  if (section.kind == "dor") return dimension_order_routes(topology, section.text("lanes") == "dateline");
  if (section.kind == "digits") return digit_routes(topology, read_up(section));
  if (section.kind == "shortest-paths")
    return shortest_path_routes(topology, read_detours(section));
  if (section.kind == "min-hop") return min_hop_routes(topology, section.flag("spread"));
  if (section.kind == "up-down")
    return up_down_routes(topology, {read_root(section, topology), section.flag("spread")});
  throw InputError("unknown routing " + section.kind);
}

}  // namespace

RouteTable build_routes(const Scenario& scenario, const Topology& topology) {
  const Section& section = scenario.section("routing");
  try {
    return build_kind(section, topology);
  } catch (const InputError& e) {
    if (!e.where().file.empty()) throw;
    throw InputError(section.kind_where, e.what());
  }
}

}  // namespace weir
