// One sweep over the links for W_l, one over the flows for W_f; see saa.h.
#include "flow/solvers/saa.h"

#include <limits>

#include "flow/solvers/wide.h"

namespace weir {
namespace {

void link_densities(const RateProblem& problem, std::vector<double>& density) {
  const RowList& rows = problem.incidence->by_link();
  density.resize(rows.rows());
  for (std::size_t l = 0; l < density.size(); ++l) {
    const std::uint32_t begin = rows.start[l], end = rows.start[l + 1];
    if (begin == end) {
      density[l] = 0;
      continue;
    }
    double weight = end - begin;
    if (!problem.weight.empty()) {
      wide::Sum sum;
      for (std::uint32_t i = begin; i < end; ++i) sum.add(problem.weight[rows.items[i]]);
      weight = sum.value();
    }
    density[l] = weight / problem.usable(l);
  }
}

}  // namespace

void saa(const RateProblem& problem, std::vector<double>& density, RateSolution& out) {
  check_problem(problem);
  link_densities(problem, density);
  const RowList& rows = problem.incidence->by_flow();
  const std::size_t flows = rows.rows();
  out.rate.resize(flows);
  out.bottleneck.resize(flows);
  out.app_rate.clear();
  out.levels = 0;
  for (std::size_t f = 0; f < flows; ++f) {
    double largest = 0;
    std::uint32_t bottleneck = kNoLink;
    for (std::uint32_t i = rows.start[f]; i < rows.start[f + 1]; ++i) {
      const std::uint32_t l = rows.items[i];
      const bool larger = density[l] > largest;
      largest = larger ? density[l] : largest;
      bottleneck = larger ? l : bottleneck;
    }
    out.rate[f] = largest > 0 ? problem.weight_of(f) / largest : std::numeric_limits<double>::infinity();
    out.bottleneck[f] = bottleneck;
  }
}

RateSolution saa(const RateProblem& problem) {
  std::vector<double> density;
  RateSolution out;
  saa(problem, density, out);
  return out;
}

}  // namespace weir
