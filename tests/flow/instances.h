// Random rate problems for the tests: small ones for the exact reference, fabric-like ones for certificates.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "flow/solvers/problem.h"
#include "scale.h"

namespace weir::testing_flow {

inline bool small_counts() { return scaled_count(1, 0, 0) == 1; }

struct Instance {
  Incidence incidence;
  std::vector<double> capacity, weight, reserved, priority;
  std::vector<std::uint32_t> application;
  RateProblem problem() const { return {&incidence, capacity, weight, reserved, application, priority}; }
};

// Weights over four orders of magnitude, capacities over two, every few instances with small whole numbers so that ties
// occur.
inline Instance random_instance(std::uint64_t number, std::size_t most_links = 8, std::size_t most_flows = 12) {
  RandomStream random(20, Purpose::test, number);
  Instance out;
  const std::size_t links = 1 + random.below(most_links), flows = 1 + random.below(most_flows);
  const bool whole = number % 4 == 0, unit = number % 16 == 0;
  const auto draw = [&](double decades) {
    if (unit) return 1.0;
    return whole ? 1.0 + static_cast<double>(random.below(3)) : std::pow(10.0, decades * random.unit());
  };
  RowList paths;
  std::vector<std::uint32_t> all(links);
  for (std::uint32_t l = 0; l < links; ++l) all[l] = l;
  const std::size_t apps = 1 + random.below(4);
  for (std::size_t f = 0; f < flows; ++f) {
    shuffle(all, random);
    paths.add_row({all.data(), 1 + random.below(std::min<std::size_t>(links, 4))});
    out.weight.push_back(draw(4));
    out.application.push_back(static_cast<std::uint32_t>(random.below(apps)));
  }
  for (std::size_t l = 0; l < links; ++l) {
    out.capacity.push_back(draw(2));
    out.reserved.push_back(number % 3 == 0 ? 0.5 * random.unit() : 0.0);
  }
  for (std::size_t a = 0; a < apps; ++a) out.priority.push_back(std::ldexp(1.0, static_cast<int>(random.below(6)) - 3));
  if (unit) out.weight.clear();
  out.incidence = Incidence(links, std::move(paths));
  return out;
}

// A 3-level tree of radix k, links as [host up, leaf up, middle up, middle down, leaf down, host down], way up by
// destination.
inline RowList tree_paths(std::uint32_t k, std::uint32_t flows_per_host, std::uint64_t seed) {
  const std::uint32_t hosts = k * k * k;
  RandomStream random(seed, Purpose::test, k);
  RowList paths;
  for (std::uint32_t h = 0; h < hosts; ++h)
    for (std::uint32_t i = 0; i < flows_per_host; ++i) {
      const auto d = static_cast<std::uint32_t>(random.below(hosts));
      const std::uint32_t leaf = h / k, pod = leaf / k, to_leaf = d / k, to_pod = to_leaf / k;
      paths.push(h);
      if (leaf != to_leaf) {
        paths.push(hosts + leaf * k + d % k);
        if (pod != to_pod) {
          paths.push(2 * hosts + (pod * k + d % k) * k + to_leaf % k);
          paths.push(3 * hosts + (to_pod * k + d % k) * k + to_leaf % k);
        }
        paths.push(4 * hosts + to_leaf * k + d % k);
      }
      paths.push(5 * hosts + d);
      paths.close_row();
    }
  return paths;
}

inline Instance tree_instance(std::uint32_t k, std::uint32_t flows_per_host, bool weighted, std::uint64_t seed = 1) {
  Instance out;
  out.incidence = Incidence(6 * k * k * k, tree_paths(k, flows_per_host, seed));
  out.capacity.assign(out.incidence.links(), 1.0);
  RandomStream random(seed, Purpose::test, 1000 + k);
  for (std::size_t f = 0; f < out.incidence.flows(); ++f) {
    if (weighted) out.weight.push_back(std::pow(10.0, 4 * random.unit()));
    out.application.push_back(static_cast<std::uint32_t>(random.below(32)));
  }
  return out;
}

}  // namespace weir::testing_flow
