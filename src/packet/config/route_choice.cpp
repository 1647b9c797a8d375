// Common keys of [routing]: which of the allowed steps a switch takes.
#include "network/network.h"
#include "packet/config/component_keys.h"
#include "packet/config/sections.h"

namespace weir {
namespace {

std::string about_order() {
  const auto keeps = [](const RouteChoiceKind& kind) { return kind.keeps_order; };
  return ". All choices except " + config::enumerated(config::names_where<RouteChoiceKind>(keeps)) +
         " can reorder packets";
}

}  // namespace

std::vector<ParamSpec> route_choice_params() {
  static const config::ComponentKeys kChoices("choice", config::specs_of_components<RouteChoiceKind>(),
                                         "how a switch chooses among the allowed ports. ", about_order());
  std::vector<ParamSpec> all{kChoices.choice().hinting(
      "adaptive routing is \"live-queue\" for each packet, \"flowlet\" after each gap in a flow")};
  all.insert(all.end(), kChoices.of_components().begin(), kChoices.of_components().end());
  return all;
}

RouteTable routes_of(const Scenario& scenario, const Topology& topology) {
  const bool detours = chosen_component<RouteChoiceKind>(scenario.section("routing"), "choice").detours;
  return build_routes(scenario, topology, detours);
}

}  // namespace weir
