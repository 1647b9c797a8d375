// SAA in wide arithmetic, then one round of claims; see saa_m.h.
#include "flow/solvers/saa_m.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "flow/solvers/link_scales.h"

namespace weir {
namespace {

using wide::Fixed;
using wide::Pair;

void check_order(std::span<const std::uint32_t> order, std::size_t flows) {
  if (order.empty()) return;
  if (order.size() != flows)
    throw InputError(fmt::format("the order of claims names {} flows; there are {}", order.size(), flows));
  std::vector<bool> seen(flows, false);
  for (const std::uint32_t f : order) {
    if (f >= flows || seen[f])
      throw InputError(fmt::format("the order of claims must name every flow once; flow {} is {}", f,
                                   f >= flows ? "unknown" : "named twice"));
    seen[f] = true;
  }
}

// Time that each link needs for all of its load, in units of the scales.
std::vector<Pair> link_densities(const std::vector<WeighedLink>& links) {
  std::vector<Pair> density(links.size());
  for (std::size_t l = 0; l < links.size(); ++l)
    if (links[l].rising != 0)
      density[l] = wide::divide(wide::to_pair(links[l].rising), wide::to_pair(links[l].residual));
  return density;
}

// SAA's rate of every flow, rounded down, taken off the free capacity of its links.
std::vector<Fixed> guaranteed_rates(const RateProblem& problem, const LinkScales& scales,
                                    std::vector<WeighedLink>& links) {
  const std::vector<Pair> density = link_densities(links);
  const Incidence& incidence = *problem.incidence;
  std::vector<Fixed> rates(incidence.flows(), 0);
  for (std::size_t f = 0; f < rates.size(); ++f) {
    Pair largest;
    for (const std::uint32_t l : incidence.links_of(f))
      if (wide::less(largest, density[l])) largest = density[l];
    if (incidence.links_of(f).empty()) continue;
    rates[f] = wide::to_fixed(wide::divide({problem.weight_of(f) * scales.weight.units, 0}, largest));
    for (const std::uint32_t l : incidence.links_of(f)) links[l].residual -= rates[f];
  }
  return rates;
}

}  // namespace

RateSolution saa_m(const RateProblem& problem, std::span<const std::uint32_t> order) {
  check_problem(problem);
  const Incidence& incidence = *problem.incidence;
  check_order(order, incidence.flows());
  const LinkScales scales = LinkScales::of_flows(problem);
  std::vector<WeighedLink> links;
  scales.full_links(problem, links);
  for (std::size_t f = 0; f < incidence.flows(); ++f)
    for (const std::uint32_t l : incidence.links_of(f)) links[l].rising += scales.weight.fixed(problem.weight_of(f));
  const std::vector<Fixed> guaranteed = guaranteed_rates(problem, scales, links);

  RateSolution out;
  out.rate.assign(incidence.flows(), std::numeric_limits<double>::infinity());
  out.bottleneck.assign(incidence.flows(), kNoLink);
  for (std::size_t i = 0; i < incidence.flows(); ++i) {
    const std::size_t f = order.empty() ? i : order[i];
    const std::span<const std::uint32_t> path = incidence.links_of(f);
    if (path.empty()) continue;
    const std::uint32_t tightest = *std::min_element(path.begin(), path.end(), [&](std::uint32_t a, std::uint32_t b) {
      return links[a].residual < links[b].residual;
    });
    const Fixed claim = std::max<Fixed>(links[tightest].residual, 0);
    for (const std::uint32_t l : path) links[l].residual -= claim;
    out.rate[f] = wide::to_double(guaranteed[f] + claim) * scales.capacity.inverse;
    out.bottleneck[f] = tightest;
  }
  return out;
}

}  // namespace weir
