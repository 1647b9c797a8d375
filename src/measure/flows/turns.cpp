#include "measure/flows/turns.h"

#include <algorithm>

namespace weir {

std::vector<bool> classes_of_flows(const Measurements& m) {
  std::vector<std::uint64_t> delivered(m.classes.size(), 0);
  for (const FlowResult& flow : m.flows)
    delivered[flow.traffic_class.index] += static_cast<std::uint64_t>(flow.delivered);
  std::vector<bool> result;
  for (std::size_t c = 0; c < m.classes.size(); ++c) result.push_back(delivered[c] >= m.classes[c].received_bytes);
  return result;
}

FlowTurns::FlowTurns(const Measurements& m, FlowWays& ways) {
  known_ = ways.known() && !m.flows.empty() && std::ranges::all_of(classes_of_flows(m), [](bool all) { return all; });
  if (!known_) return;
  for (std::uint32_t f = 0; f < m.flows.size(); ++f) {
    const FlowResult& flow = m.flows[f];
    if (flow.start == kNever || flow.source == flow.destination) continue;
    // Where packets take all ways, links do not come in order: every output of a switch that the flow reaches counts.
    ways.each_turn({f}, flow.source, flow.destination, [&](PortId in, PortId out) { pairs_.insert(pair_of(in, out)); });
  }
}

}  // namespace weir
