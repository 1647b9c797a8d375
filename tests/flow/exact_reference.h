// The rate algorithms as a textbook would write them, in exact rational arithmetic: slow, obvious, and sharing no code
// with the solvers. Used on small instances only.
#pragma once
#include <gmpxx.h>

#include <vector>

#include "flow/solvers/problem.h"

namespace weir::exact {

struct Instance {
  std::vector<std::vector<std::uint32_t>> paths;
  std::vector<mpq_class> capacity, weight;
  std::vector<std::uint32_t> application;
};

inline Instance instance_of(const RateProblem& p, bool with_priorities) {
  Instance out;
  for (std::size_t f = 0; f < p.incidence->flows(); ++f) {
    const auto path = p.incidence->links_of(f);
    out.paths.emplace_back(path.begin(), path.end());
    out.weight.emplace_back(with_priorities ? p.prioritised_weight(f) : p.weight_of(f));
    out.application.push_back(p.application.empty() ? 0 : p.application[f]);
  }
  for (std::size_t l = 0; l < p.incidence->links(); ++l) out.capacity.emplace_back(p.usable(l));
  return out;
}

inline std::vector<mpq_class> link_sums(const Instance& i, const std::vector<mpq_class>& value) {
  std::vector<mpq_class> sums(i.capacity.size(), 0);
  for (std::size_t f = 0; f < i.paths.size(); ++f)
    for (const std::uint32_t l : i.paths[f]) sums[l] += value[f];
  return sums;
}

inline std::vector<mpq_class> saa(const Instance& i) {
  const std::vector<mpq_class> weights = link_sums(i, i.weight);
  std::vector<mpq_class> rates;
  for (std::size_t f = 0; f < i.paths.size(); ++f) {
    mpq_class longest = 0;
    for (const std::uint32_t l : i.paths[f]) {
      const mpq_class time = weights[l] / i.capacity[l];
      if (time > longest) longest = time;
    }
    rates.push_back(i.weight[f] / longest);
  }
  return rates;
}

inline std::vector<mpq_class> saa_m(const Instance& i, const std::vector<std::uint32_t>& order) {
  std::vector<mpq_class> rates = saa(i);
  for (const std::uint32_t f : order) {
    const std::vector<mpq_class> load = link_sums(i, rates);
    mpq_class free = -1;
    for (const std::uint32_t l : i.paths[f]) {
      const mpq_class here = i.capacity[l] - load[l];
      if (free < 0 || here < free) free = here;
    }
    rates[f] += free;
  }
  return rates;
}

// Raises all active normalised rates together until a link is full; then stops whoever crosses a full link: the flow
// alone, or the flow with its whole application.
inline std::vector<mpq_class> max_min(const Instance& i, bool by_application) {
  const std::size_t flows = i.paths.size(), links = i.capacity.size();
  std::vector<mpq_class> level(flows, 0), rates(flows, 0);
  std::vector<bool> active(flows, true);
  for (std::size_t left = flows; left > 0;) {
    std::vector<mpq_class> rising(links, 0), residual = i.capacity;
    for (std::size_t f = 0; f < flows; ++f)
      for (const std::uint32_t l : i.paths[f]) {
        residual[l] -= rates[f];
        if (active[f]) rising[l] += i.weight[f];
      }
    mpq_class step = -1;
    for (std::size_t l = 0; l < links; ++l)
      if (rising[l] > 0 && (step < 0 || residual[l] / rising[l] < step)) step = residual[l] / rising[l];
    for (std::size_t f = 0; f < flows; ++f)
      if (active[f]) rates[f] += step * i.weight[f];
    std::vector<bool> stops(flows, false), app_stops(flows, false);
    for (std::size_t f = 0; f < flows; ++f)
      for (const std::uint32_t l : i.paths[f])
        if (active[f] && residual[l] == step * rising[l]) stops[f] = app_stops[i.application[f]] = true;
    for (std::size_t f = 0; f < flows; ++f)
      if (active[f] && (stops[f] || (by_application && app_stops[i.application[f]]))) {
        active[f] = false;
        --left;
      }
  }
  return rates;
}

}  // namespace weir::exact
