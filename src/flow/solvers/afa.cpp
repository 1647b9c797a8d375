// Applications are the claimants of the progressive filling; see afa.h for the problem.
#include "flow/solvers/afa.h"

#include <algorithm>
#include <limits>

#include "flow/solvers/filling.h"
#include "flow/solvers/link_scales.h"

namespace weir {
namespace {

using wide::Fixed;
using wide::Pair;

std::size_t count_applications(const RateProblem& problem) {
  if (!problem.priority.empty()) return problem.priority.size();
  if (problem.application.empty()) return problem.incidence->flows() == 0 ? 0 : 1;
  return 1 + static_cast<std::size_t>(*std::max_element(problem.application.begin(), problem.application.end()));
}

// Flows by application, ascending within each.
RowList flows_by_application(const RateProblem& problem, std::size_t apps) {
  RowList rows;
  const std::size_t flows = problem.incidence->flows();
  const auto app_of = [&](std::size_t f) { return problem.application.empty() ? 0 : problem.application[f]; };
  rows.start.assign(apps + 1, 0);
  for (std::size_t f = 0; f < flows; ++f) ++rows.start[app_of(f) + 1];
  for (std::size_t a = 0; a < apps; ++a) rows.start[a + 1] += rows.start[a];
  rows.items.resize(flows);
  std::vector<std::uint32_t> next(rows.start.begin(), rows.start.end() - 1);
  for (std::size_t f = 0; f < flows; ++f) rows.items[next[app_of(f)]++] = static_cast<std::uint32_t>(f);
  return rows;
}

// The links of every application, each once, and the application's weight on it.
struct AppLinks {
  RowList links;
  std::vector<Fixed> weight;  // parallel to links.items
};

AppLinks sum_per_link(const RateProblem& problem, const LinkScales& scales, const RowList& members) {
  AppLinks out;
  const Incidence& incidence = *problem.incidence;
  constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> place(incidence.links(), kUnseen);  // valid if it lies in the row being written
  for (std::size_t a = 0; a < members.rows(); ++a) {
    const std::size_t row = out.weight.size();
    for (const std::uint32_t f : members[a]) {
      const Fixed weight = scales.weight.fixed(problem.prioritised_weight(f));
      for (const std::uint32_t l : incidence.links_of(f)) {
        if (place[l] == kUnseen || place[l] < row) {
          place[l] = out.weight.size();
          out.links.push(l);
          out.weight.push_back(0);
        }
        out.weight[place[l]] += weight;
      }
    }
    out.links.close_row();
  }
  return out;
}

class AppClaims {
 public:
  AppClaims(const AppLinks& apps, const Incidence& users)
      : level(apps.links.rows()), bottleneck(apps.links.rows(), kNoLink), apps_(apps), users_(users) {}

  void stop(std::uint32_t link, Pair at, std::vector<WeighedLink>& links) {
    for (const std::uint32_t a : users_.flows_of(link)) {
      if (bottleneck[a] != kNoLink) continue;
      bottleneck[a] = link;
      level[a] = at;
      for (std::uint32_t i = apps_.links.start[a]; i < apps_.links.start[a + 1]; ++i) {
        WeighedLink& l = links[apps_.links.items[i]];
        l.residual -= wide::to_fixed(wide::multiply(at, wide::to_pair(apps_.weight[i])));
        l.rising -= apps_.weight[i];
      }
    }
  }

  std::vector<Pair> level;  // per application, in units of the scales
  std::vector<std::uint32_t> bottleneck;

 private:
  const AppLinks& apps_;
  const Incidence& users_;  // an application in the role of a flow
};

}  // namespace

RateSolution afa(const RateProblem& problem) {
  check_problem(problem);
  const Incidence& incidence = *problem.incidence;
  const LinkScales scales = LinkScales::of_applications(problem);
  const RowList members = flows_by_application(problem, count_applications(problem));
  const AppLinks apps = sum_per_link(problem, scales, members);
  const Incidence users(incidence.links(), apps.links);

  FillScratch scratch;
  scales.full_links(problem, scratch.weighed);
  for (std::size_t i = 0; i < apps.weight.size(); ++i) scratch.weighed[apps.links.items[i]].rising += apps.weight[i];
  AppClaims claims(apps, users);

  RateSolution out;
  const auto smallest = std::min_element(apps.weight.begin(), apps.weight.end());
  out.levels = smallest != apps.weight.end() && far_apart(scratch.weighed, *smallest)
                   ? fill_exactly(scratch.weighed, claims)
                   : fill_progressively(scratch.weighed, scratch.queue, claims);
  out.rate.assign(incidence.flows(), std::numeric_limits<double>::infinity());
  out.bottleneck.assign(incidence.flows(), kNoLink);
  out.app_rate.assign(members.rows(), std::numeric_limits<double>::infinity());
  for (std::size_t a = 0; a < members.rows(); ++a) {
    if (claims.bottleneck[a] == kNoLink) continue;
    const Pair one = wide::multiply(claims.level[a], scales.weight.units);
    out.app_rate[a] = one.hi * scales.capacity.inverse;
    for (const std::uint32_t f : members[a]) {
      out.rate[f] = wide::multiply(one, problem.prioritised_weight(f)).hi * scales.capacity.inverse;
      out.bottleneck[f] = claims.bottleneck[a];
    }
  }
  return out;
}

}  // namespace weir
