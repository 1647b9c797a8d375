// Traffic, fabrics and routes of the flow-level experiments.
#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "network/routings/routings.h"
#include "reproduce/zdornov/traffic.h"

namespace weir::zdornov {
namespace {

void add_permutation(const std::vector<std::uint32_t>& group, RandomStream& random, std::vector<FlowPair>& flows) {
  std::vector<std::uint32_t> partner = group;
  shuffle(partner, random);
  for (std::size_t i = 0; i < group.size(); ++i)
    if (group[i] != partner[i]) flows.push_back({{group[i]}, {partner[i]}});
}

}  // namespace

std::vector<std::uint32_t> zero_to(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

Wired::Wired(TreeShape shape) : topology(k_ary_n_tree(shape, kLink, kLink)), routes(digit_routes(topology)) {}

std::vector<FlowPair> random_permutations(std::size_t hosts, std::uint32_t count, std::uint64_t seed,
                                          std::uint64_t run) {
  RandomStream random(seed, Purpose::permutation, run);
  std::vector<FlowPair> flows;
  flows.reserve(hosts * count);
  for (std::uint32_t i = 0; i < count; ++i) add_permutation(zero_to(hosts), random, flows);
  return flows;
}

std::vector<FlowPair> independent_flows(std::size_t hosts, std::uint32_t max_flows, std::uint64_t seed,
                                        std::uint64_t run, FlowCount how_many) {
  RandomStream random(seed, Purpose::destination, run);
  std::vector<FlowPair> flows;
  for (std::uint32_t h = 0; h < hosts; ++h) {
    const std::uint64_t count = how_many == FlowCount::exactly ? max_flows : 1 + random.below(max_flows);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto other = static_cast<std::uint32_t>(random.below(hosts - 1));
      flows.push_back({{h}, {other < h ? other : other + 1}});
    }
  }
  return flows;
}

ApplicationTraffic application_traffic(std::size_t hosts, std::uint32_t apps, std::uint32_t frag_coeff,
                                       std::uint64_t seed, std::uint64_t run) {
  const std::size_t share = hosts / apps;
  if (frag_coeff == 0 || share % frag_coeff != 0)
    throw InputError("the fragmentation must divide the number of hosts of an application");
  const std::size_t group = share / frag_coeff;
  std::vector<std::uint32_t> owner(static_cast<std::size_t>(apps) * frag_coeff);
  for (std::size_t g = 0; g < owner.size(); ++g) owner[g] = static_cast<std::uint32_t>(g / frag_coeff);
  RandomStream placement(seed, Purpose::placement, run);
  shuffle(owner, placement);

  ApplicationTraffic out;
  RandomStream random(seed, Purpose::permutation, run);
  for (std::uint32_t a = 0; a < apps; ++a) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t h = 0; h < share * apps; ++h)
      if (owner[h / group] == a) members.push_back(h);
    const std::uint64_t count = 1 + random.below(5);
    for (std::uint64_t i = 0; i < count; ++i) add_permutation(members, random, out.flows);
    out.application.resize(out.flows.size(), a);
  }
  return out;
}

RowList route(FlowRouter& router, const std::vector<FlowPair>& flows, std::uint64_t seed, std::uint64_t run) {
  RandomStream random(seed, Purpose::start, run);
  router.restart(random.next());
  std::vector<std::uint32_t> order = zero_to(flows.size());
  shuffle(order, random);
  // Set up in `order`, then brought into the order of the flows.
  RowList set_up, paths;
  std::vector<std::uint32_t> row(flows.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const FlowPair& flow = flows[order[i]];
    router.set_up(flow.source, flow.destination, 1.0, set_up.items);
    set_up.close_row();
    row[order[i]] = i;
  }
  paths.items.reserve(set_up.items.size());
  for (const std::uint32_t r : row) paths.add_row(set_up[r]);
  return paths;
}

}  // namespace weir::zdornov
