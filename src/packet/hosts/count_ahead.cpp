#include "packet/hosts/count_ahead.h"

#include <algorithm>
#include <cmath>

#include "packet/links/promises.h"

namespace weir {
namespace {

// More packets than all sources will make before the end: the mean, and twelve standard deviations of it.
double most_packets(const RunInput& run) {
  const double seconds = static_cast<double>(run.config.run.duration.ps) * 1e-12;
  double mean = 0;
  for (const Source& source : run.workload.sources)
    mean += std::min(static_cast<double>(source.packets), 1 + source.packets_per_second * seconds);
  return mean + 12 * std::sqrt(mean);
}

// Does traffic wait for other traffic, or flows for their last byte?
bool traffic_waits_for_none(const Workload& workload) {
  return workload.flows.empty() && workload.triggers.empty() &&
         std::all_of(workload.groups.begin(), workload.groups.end(),
                     [](const SourceGroup& group) { return group.activity.after_received == 0; });
}

}  // namespace

bool backlog_cannot_end(const RunInput& run) {
  return run.config.run.until == Until::duration &&
         most_packets(run) < static_cast<double>(run.config.run.max_backlog);
}

bool hosts_count_ahead(const RunInput& run, const SchemeTraits& scheme) {
  const PacketConfig& c = run.config;
  return run.shortcuts && scheme.none && run.live == nullptr && c.measure.watch.empty() && !c.adapter.acks &&
         c.adapter.receive_rate.bits_per_second == 0 && c.switches.priority != LanePriority::preemptive &&
         !c.switches.choice->sets_up && c.switches.choice->keeps_order && !lands_at_once(run) &&
         traffic_waits_for_none(run.workload) && run.routes_proven && backlog_cannot_end(run);
}

}  // namespace weir
