// Bad problems are refused once, before any solver looks at them.
#include "flow/solvers/problem.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "base/error.h"

namespace weir {
namespace {

void expect_size(std::string_view what, std::size_t size, std::size_t wanted, bool may_be_empty) {
  if (size == wanted || (may_be_empty && size == 0)) return;
  throw InputError(fmt::format("{} values of {} were given where {} are needed", size, what, wanted));
}

void expect_positive(std::string_view what, std::string_view of, std::size_t index, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError(fmt::format("{} of {} {} is {}; it must be a positive number", what, of, index, value));
}

}  // namespace

void check_problem(const RateProblem& p) {
  const Incidence& incidence = *p.incidence;
  expect_size("capacity", p.capacity.size(), incidence.links(), false);
  expect_size("weight", p.weight.size(), incidence.flows(), true);
  expect_size("reserved fraction", p.reserved.size(), incidence.links(), true);
  expect_size("capacity rest", p.capacity_rest.size(), incidence.links(), true);
  expect_size("application", p.application.size(), incidence.flows(), true);
  const std::vector<std::uint32_t>& start = incidence.by_link().start;
  for (std::size_t l = 0; l < incidence.links(); ++l) {
    if (start[l] == start[l + 1]) continue;
    expect_positive("capacity", "link", l, p.capacity[l]);
    if (!p.reserved.empty() && !(p.reserved[l] >= 0 && p.reserved[l] < 1))
      throw InputError(
          fmt::format("reserved fraction of link {} is {}; it must be at least 0 and below 1", l, p.reserved[l]));
  }
  for (std::size_t f = 0; f < p.weight.size(); ++f) expect_positive("weight", "flow", f, p.weight[f]);
  for (std::size_t a = 0; a < p.priority.size(); ++a) expect_positive("priority", "application", a, p.priority[a]);
  if (!p.priority.empty())
    for (std::size_t f = 0; f < p.application.size(); ++f)
      if (p.application[f] >= p.priority.size())
        throw InputError(fmt::format("flow {} belongs to application {}, but there are only {} priorities", f,
                                     p.application[f], p.priority.size()));
}

}  // namespace weir
