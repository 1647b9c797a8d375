#include "packet/hosts/resting.h"

#include "packet/hosts/count_ahead.h"
#include "packet/hosts/send_lists.h"

namespace weir {

bool sources_may_rest(const RunInput& run, const SchemeTraits& scheme) {
  return run.sources_rest && !scheme.has(Hook::on_queued) &&
         !run.workload.sources.empty() &&
         kept_of_waiting(run.config, run.workload, run.topology.hosts()) == Kept::nothing && backlog_cannot_end(run);
}

bool may_draw_itself(const SourceGroup& group, HostId host) {
  switch (group.rule) {
    case DestinationRule::uniform: return group.include_self;
    case DestinationRule::fixed: return group.targets.front() == host;
    case DestinationRule::table: return group.targets[host.index] == host;
  }
  return true;
}

RestingSources::RestingSources(const Workload& workload, std::size_t hosts, bool may_rest) {
  if (!may_rest) return;
  next_.resize(workload.sources.size());
  for (Time& next : next_) next = kNever;
  of_host_.resize(hosts);
  first_ = first_sources(workload, hosts);
}

}  // namespace weir
