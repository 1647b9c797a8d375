// Random permutations and shifts.
#include "traffic/permutations.h"

#include <fmt/core.h>

namespace weir {

std::vector<HostId> random_partners(const std::vector<HostId>& group, bool allow_self, RandomStream& random) {
  if (group.size() < 2 && !allow_self) throw InputError("a permutation without fixed points needs at least two hosts");
  std::vector<HostId> partner;
  // Drawing the whole permutation again keeps all derangements equally likely; it takes e draws on average, whatever
  // the size.
  for (bool fixed_point = true; fixed_point;) {
    partner = group;
    shuffle(partner, random);
    fixed_point = false;
    for (std::size_t i = 0; i < group.size() && !allow_self; ++i) fixed_point |= partner[i] == group[i];
  }
  return partner;
}

std::vector<HostId> shifted_partners(const std::vector<HostId>& group, std::int64_t offset) {
  const auto size = static_cast<std::int64_t>(group.size());
  const std::int64_t step = ((offset % size) + size) % size;
  if (step == 0) {
    throw BadParameter("offset", fmt::format("offset: {} sends every one of the {} hosts to itself; use 1 to {}",
                                             offset, size, size - 1));
  }
  std::vector<HostId> partner(group.size());
  for (std::int64_t i = 0; i < size; ++i) {
    partner[static_cast<std::size_t>(i)] = group[static_cast<std::size_t>((i + step) % size)];
  }
  return partner;
}

namespace {

void add_pair_flow(Workload& workload, const FlowBasics& basics, HostId source, HostId destination,
                   RandomStream& start_random) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.bytes = basics.bytes;
  flow.start = basics.start;
  if (basics.spread.ps > 0) {
    flow.start.ps += static_cast<std::int64_t>(start_random.below(static_cast<std::uint64_t>(basics.spread.ps)));
  }
  flow.weight = basics.weight;
  flow.app = basics.app;
  flow.phase = basics.phase;
  flow.traffic_class = basics.traffic_class;
  flow.lane = basics.lane;
  workload.flows.push_back(flow);
}

}  // namespace

void add_pair_flows(Workload& workload, const FlowBasics& basics, const std::vector<HostId>& group,
                    const std::vector<HostId>& partner, RandomStream& start_random) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (partner[i] != group[i]) add_pair_flow(workload, basics, group[i], partner[i], start_random);
  }
}

void add_random_flows(Workload& workload, const RandomFlows& random_flows, RandomStream& destination_random,
                      RandomStream& start_random) {
  const std::vector<HostId>& group = random_flows.group;
  if (group.size() < 2) throw InputError("this pattern needs at least two hosts");
  if (random_flows.max_flows < random_flows.min_flows) {
    throw BadParameter("max_flows", fmt::format("max_flows: {} is less than min_flows, {}", random_flows.max_flows,
                                                random_flows.min_flows));
  }
  const std::uint64_t choices = random_flows.max_flows - random_flows.min_flows + 1ull;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::uint64_t flows = random_flows.min_flows + destination_random.below(choices);
    for (std::uint64_t k = 0; k < flows; ++k) {
      const std::uint64_t other = destination_random.below(group.size() - 1);
      add_pair_flow(workload, random_flows.basics, group[i], group[other < i ? other : other + 1], start_random);
    }
  }
}

std::vector<HostId> partner_table(const std::vector<HostId>& group, const std::vector<HostId>& partner,
                                  std::size_t hosts) {
  std::vector<HostId> table(hosts);
  for (std::size_t i = 0; i < group.size(); ++i) table[group[i].index] = partner[i];
  return table;
}

}  // namespace weir
