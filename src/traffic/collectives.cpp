// Incast, all-to-all and phased applications, all built from flows with dependencies.
#include "traffic/collectives.h"

#include <fmt/core.h>

#include "base/memory.h"

namespace weir {

namespace {

// All-to-all grows with the square of the group. A wrong group size should end in a sentence, not in an exhausted
// machine.
constexpr std::uint64_t kMaxFlows = 50'000'000;

void refuse_too_many(std::uint64_t flows) {
  if (flows <= kMaxFlows)
    return need_memory(static_cast<double>(flows) * 2 * sizeof(Flow), fmt::format("a list of {} flows", flows),
                       "Use fewer hosts or phases");
  throw InputError(
      fmt::format("this pattern makes {} flows, but at most {} are possible ({:.1f} GB of memory would be needed); use "
                  "fewer hosts or phases",
                  flows, kMaxFlows, static_cast<double>(flows) * sizeof(Flow) * 1e-9));
}

void refuse_single_host(const std::vector<HostId>& group) {
  if (group.size() < 2) throw InputError("this pattern needs at least two hosts");
}

}  // namespace

void add_incast(Workload& workload, const FlowBasics& basics, const std::vector<HostId>& senders, HostId target,
                RandomStream& start_random) {
  add_pair_flows(workload, basics, senders, std::vector<HostId>(senders.size(), target), start_random);
}

void add_all_to_all(Workload& workload, const FlowBasics& basics, const std::vector<HostId>& group, AllToAllOrder order,
                    RandomStream& start_random) {
  refuse_single_host(group);
  const auto size = static_cast<std::uint32_t>(group.size());
  refuse_too_many(workload.flows.size() + static_cast<std::uint64_t>(size) * (size - 1));
  const auto first = static_cast<std::uint32_t>(workload.flows.size());
  FlowBasics later = basics;
  if (order == AllToAllOrder::shifted) later.start = later.spread = Time{};
  for (std::uint32_t step = 1; step < size; ++step) {
    add_pair_flows(workload, step == 1 ? basics : later, group, shifted_partners(group, step), start_random);
  }
  if (order == AllToAllOrder::at_once) return;
  for (std::uint32_t f = first + size; f < workload.flows.size(); ++f) workload.flows[FlowId{f}].after = {f - size};
}

void add_phases(Workload& workload, const PhasedApplication& application, RandomStream& permutation_random,
                RandomStream& start_random) {
  const std::vector<HostId>& group = application.group;
  refuse_single_host(group);
  FlowBasics basics = application.basics;
  for (std::uint32_t phase = 0; phase < application.phases; ++phase) {
    basics.phase = phase;
    basics.start = phase == 0 ? application.basics.start : Time{};
    refuse_too_many(workload.flows.size() + static_cast<std::uint64_t>(group.size()) * application.count);
    switch (application.exchanges[phase % application.exchanges.size()]) {
      case Exchange::permutation:
        for (std::uint32_t i = 0; i < application.count; ++i) {
          add_pair_flows(workload, basics, group, random_partners(group, false, permutation_random), start_random);
        }
        break;
      case Exchange::shift:
        add_pair_flows(workload, basics, group, shifted_partners(group, application.offset), start_random);
        break;
      case Exchange::all_to_all:
        add_all_to_all(workload, basics, group, application.order, start_random);
        break;
    }
  }
}

}  // namespace weir
