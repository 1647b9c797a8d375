#include "measure/digest.h"

#include "measure/flows/root_traffic.h"
#include "measure/flows/turns.h"

namespace weir {

RunDigest digest(const Measurements& m, const Topology& topology, const DigestOptions& options) {
  RunDigest d;
  const FlowTurns turns = options.ways != nullptr ? FlowTurns(m, *options.ways) : FlowTurns();
  d.congestion = find_congestion(m, topology, RootRule::all_full, turns.known() ? &turns : nullptr);
  find_root_traffic(d.congestion, m, topology, options.ways);
  d.fairness = fairness(m);
  d.apps = apps(m);
  if (options.ways != nullptr) d.flow_roles = flow_roles(d.congestion, m, *options.ways, options.lanes);
  const auto* roles = options.ways != nullptr && options.ways->known() ? &d.flow_roles : nullptr;
  d.slowdown = slowdown(m, {}, options.size_bins, roles);
  for (std::uint32_t c = 0; c < m.classes.size(); ++c) {
    ClassDigest one;
    one.summary = summarize(m, ClassId{c});
    one.fairness = fairness(m, ClassId{c});
    one.slowdown = slowdown(m, ClassId{c}, options.size_bins, roles);
    d.classes.push_back(std::move(one));
  }
  set_event(d, m, find_event(m));
  return d;
}

void set_event(RunDigest& digest, const Measurements& m, const std::optional<Event>& event) {
  digest.event = event;
  const std::vector<bool> aggressive = aggressors(m, event);
  for (std::uint32_t c = 0; c < m.classes.size(); ++c) {
    digest.classes[c].impact = event ? impact_of(m, {c}, *event) : std::nullopt;
    digest.classes[c].aggressor = aggressive[c];
    if (event) digest.classes[c].summary.latency_growth.reset();
  }
}

}  // namespace weir
