// Units are powers of two, so scaling itself never rounds; the sum of all crossings of all flows bounds every link's
// weight.
#include "flow/solvers/link_scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace weir {
namespace {

struct Range {
  double smallest = std::numeric_limits<double>::infinity();
  double bound = 0;  // no sum gets above this

  // The smallest must keep the 53 bits of a double in a sum of `bits` bits.
  void refuse_if_too_wide(const char* what, int bits = wide::Scale::kBits) const {
    if (!(bound > 0) || smallest / bound >= std::ldexp(1.0, 53 - bits)) return;
    throw InputError(fmt::format(
        "{} differ too much to be summed exactly: the smallest is {:g} and they add up to, or reach, {:g}; keep "
        "them within a factor of 10^{}",
        what, smallest, bound, static_cast<int>((bits - 53) * 0.30103)));
  }
};

Range capacity_range(const RateProblem& p) {
  Range range;
  const std::vector<std::uint32_t>& start = p.incidence->by_link().start;
  for (std::size_t l = 0; l < p.incidence->links(); ++l) {
    if (start[l] == start[l + 1]) continue;
    const double c = p.usable(l);
    range.smallest = std::min(range.smallest, c);
    range.bound = std::max(range.bound, c);
  }
  return range;
}

template <class WeightOf>
LinkScales scales(const RateProblem& p, bool all_ones, WeightOf weight_of) {
  const Range capacity = capacity_range(p);
  Range weight;
  if (all_ones) {
    weight = {1.0, static_cast<double>(p.incidence->size())};
  } else {
    const std::vector<std::uint32_t>& start = p.incidence->by_flow().start;
    for (std::size_t f = 0; f < p.incidence->flows(); ++f) {
      const double w = weight_of(f);
      weight.smallest = std::min(weight.smallest, w);
      weight.bound += w * static_cast<double>(start[f + 1] - start[f]);
    }
  }
  capacity.refuse_if_too_wide("capacities");
  weight.refuse_if_too_wide("weights");
  // The smallest weight's share of the smallest link must keep more bits than a certificate asks for.
  if (capacity.bound > 0 && weight.bound > 0 &&
      capacity.smallest / capacity.bound * (weight.smallest / weight.bound) < std::ldexp(1.0, 34 - wide::Scale::kBits))
    throw InputError(fmt::format(
        "capacities and weights together differ too much to be summed exactly: capacities from {:g} to {:g}, weights "
        "from {:g} up to a sum of {:g}",
        capacity.smallest, capacity.bound, weight.smallest, weight.bound));
  return {wide::Scale::for_largest(weight.bound), wide::Scale::for_largest(capacity.bound)};
}

}  // namespace

LinkScales LinkScales::of_flows(const RateProblem& p) {
  return scales(p, p.weight.empty(), [&](std::size_t f) { return p.weight[f]; });
}

LinkScales LinkScales::of_equal_flows(const RateProblem& p, int capacity_bits) {
  const Range capacity = capacity_range(p);
  capacity.refuse_if_too_wide("capacities", capacity_bits);
  return {{}, wide::Scale::for_largest(capacity.bound, capacity_bits)};
}

LinkScales LinkScales::of_applications(const RateProblem& p) {
  return scales(p, p.weight.empty() && p.priority.empty(), [&](std::size_t f) { return p.prioritised_weight(f); });
}

void LinkScales::full_links(const RateProblem& p, std::vector<WeighedLink>& links) const {
  links.assign(p.incidence->links(), WeighedLink{});
  const std::vector<std::uint32_t>& start = p.incidence->by_link().start;
  for (std::size_t l = 0; l < links.size(); ++l)
    if (start[l] != start[l + 1]) links[l].residual = usable(p, l);
}

}  // namespace weir
