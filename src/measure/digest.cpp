// See digest.h.
#include "measure/digest.h"

namespace weir {

RunDigest digest(const Measurements& m, const Topology& topology) {
  RunDigest d;
  d.congestion = find_congestion(m, topology);
  d.event = find_event(m, d.congestion);
  d.fairness = fairness(m);
  d.apps = apps(m);
  const std::vector<bool> aggressive = aggressors(m, d.event);
  for (std::uint32_t c = 0; c < m.classes.size(); ++c) {
    ClassDigest one;
    one.summary = summarize(m, ClassId{c});
    if (d.event) one.impact = impact_of(m, {c}, *d.event);
    one.fairness = fairness(m, ClassId{c});
    one.aggressor = aggressive[c];
    d.classes.push_back(std::move(one));
  }
  return d;
}

}  // namespace weir
