#include "packet/routing/route_choices.h"

namespace weir {
namespace {

constexpr ParamSpec kFlowletParams[] = {
    {"flowlet_gap", ParamType::time, "10us", "after a gap longer than this, a flow may take another path", 0, 1},
    {"flowlet_entries", ParamType::integer, "1024",
     "entries in a switch's table of flowlets; flows that share an entry share their path", 1, 1 << 20},
};

std::any read_flowlets(const ComponentRequest& request, SwitchConfig&) {
  const Section& section = request.section;
  return FlowletConfig{section.time("flowlet_gap"), static_cast<std::uint32_t>(section.integer("flowlet_entries"))};
}

}  // namespace

constinit const RouteChoiceKind Flowlets::kKind{.spec = {.name = "flowlet",
                                                         .help = "at random, and again after each gap in the flow",
                                                         .params = kFlowletParams,
                                                         .read = read_flowlets},
                                                .spreads = true};

}  // namespace weir
