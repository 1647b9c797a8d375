// Rate problems from files, and their answers as text: what `weir rates` reads and writes. Whatever cannot be meant (an
// unknown link, a weight or capacity that is not positive, a path with a loop) is refused with file and line.
//
// links.csv   link,capacity[,reserved]      capacity: a number in any unit, or a rate such as 10Gbps (then rates are
//                                           in bit/s); reserved: share kept for other traffic, 0.1 or 10%
// paths.csv   id,path[,weight][,app]        path: names of links in order, separated by blanks; app: any name
// flows.csv   src,dst[,weight][,app][,id]   with a topology: hosts by name or number; other columns of flow lists are
//                                           allowed and not looked at
// apps.csv    app,priority
// Answers: flow,app,rate,normalised_rate,bottleneck (one line per flow), or the same as JSON with totals.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "flow/flow_router.h"
#include "flow/solvers/solve.h"

namespace weir {

struct RateInput {
  std::vector<std::string> link_names, flow_names, app_names;
  std::vector<double> capacity, reserved, weight, priority;
  std::vector<std::uint32_t> application;
  Incidence incidence;
  bool in_bits = true;  // rates are in bit/s, not in a unit that only the user knows

  RateProblem problem() const { return {&incidence, capacity, weight, reserved, application, priority}; }
};

struct NamedText {
  std::string file;  // for messages
  std::string_view text;
};

RateInput read_links_and_paths(const NamedText& links, const NamedText& paths);
// Routes the flows in the order of the file; link names are those of the sending ports, capacities in bit/s.
RateInput read_flows(const NamedText& flows, const Topology& topology, const RouteTable& routes,
                     const FlowRoutingPolicy& policy, std::uint64_t seed, double reserved = 0);
void read_priorities(const NamedText& apps, RateInput& input);

std::string rates_to_csv(const RateInput& input, const RateSolution& solution);
std::string rates_to_json(RateAlgorithm algorithm, const RateInput& input, const RateSolution& solution);

}  // namespace weir
