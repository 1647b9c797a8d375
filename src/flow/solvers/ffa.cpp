// Flows are the claimants of the progressive filling; see ffa.h for the problem.
#include "flow/solvers/ffa.h"

#include <algorithm>
#include <limits>

#include "flow/solvers/filling.h"
#include "flow/solvers/link_scales.h"

namespace weir {
namespace {

class FlowClaims {
 public:
  FlowClaims(const RateProblem& problem, const LinkScales& scales, FillScratch& scratch, RateSolution& out)
      : problem_(problem),
        incidence_(*problem.incidence),
        scales_(scales),
        rising_(scratch.rising),
        stopped_(scratch.stopped),
        out_(out) {
    stopped_.assign(incidence_.flows() / 64 + 1, 0);
  }

  void stop(std::uint32_t link, wide::Pair level, std::vector<CountedLink>& links) {
    find_rising(link, links);
    const wide::Fixed share = CountedLink::pack(wide::to_fixed(level), 1);
    for (const std::uint32_t f : rising_) {
      note(f, link, level);
      for (const std::uint32_t l : incidence_.links_of(f)) links[l].packed -= share;
    }
  }
  void stop(std::uint32_t link, wide::Pair level, std::vector<WeighedLink>& links) {
    find_rising(link, links);
    for (const std::uint32_t f : rising_) {
      const double units = problem_.weight[f] * scales_.weight.units;
      const wide::Pair rate = wide::multiply(level, units);
      note(f, link, rate);
      const wide::Fixed share = wide::to_fixed(rate), weight = wide::to_fixed({units, 0});
      for (const std::uint32_t l : incidence_.links_of(f)) {
        links[l].residual -= share;
        links[l].rising -= weight;
      }
    }
  }

 private:
  void note(std::uint32_t f, std::uint32_t link, wide::Pair rate) {
    out_.rate[f] = rate.hi * scales_.capacity.inverse;
    out_.bottleneck[f] = link;
    if (!out_.rate_rest.empty()) out_.rate_rest[f] = rate.lo * scales_.capacity.inverse;
  }
  // The flows on the link that have not stopped. What they point to is scattered over memory: going through them step
  // by step, and asking for all of the next step's memory in each, hides most of the waiting.
  template <class Link>
  void find_rising(std::uint32_t link, const std::vector<Link>& links) {
    const RowList& rows = incidence_.by_flow();
    rising_.clear();
    for (const std::uint32_t f : incidence_.flows_of(link)) {
      std::uint64_t& word = stopped_[f / 64];
      const std::uint64_t bit = std::uint64_t{1} << (f % 64);
      if ((word & bit) != 0) continue;
      word |= bit;  // also keeps a flow that crosses the link twice from being found twice
      rising_.push_back(f);
      __builtin_prefetch(&rows.start[f]);
    }
    for (const std::uint32_t f : rising_) __builtin_prefetch(rows.items.data() + rows.start[f]);
    for (const std::uint32_t f : rising_)
      for (const std::uint32_t l : incidence_.links_of(f)) __builtin_prefetch(&links[l], 1);
  }

  const RateProblem& problem_;
  const Incidence& incidence_;
  const LinkScales& scales_;
  std::vector<std::uint32_t>& rising_;
  std::vector<std::uint64_t>& stopped_;
  RateSolution& out_;
};

std::uint32_t fill_counted(const RateProblem& problem, FillScratch& scratch, RateSolution& out) {
  const LinkScales scales = LinkScales::of_equal_flows(problem, CountedLink::kResidualBits);
  const RowList& rows = problem.incidence->by_link();
  scratch.counted.assign(rows.rows(), CountedLink{});
  for (std::size_t l = 0; l < rows.rows(); ++l) {
    const std::uint32_t count = rows.start[l + 1] - rows.start[l];
    if (count > 0) scratch.counted[l].packed = CountedLink::pack(scales.usable(problem, l), count);
  }
  return fill_progressively(scratch.counted, scratch.queue, FlowClaims(problem, scales, scratch, out));
}

std::uint32_t fill_weighed(const RateProblem& problem, FillScratch& scratch, RateSolution& out) {
  const LinkScales scales = LinkScales::of_flows(problem);
  scales.full_links(problem, scratch.weighed);
  for (std::size_t f = 0; f < problem.incidence->flows(); ++f) {
    const wide::Fixed weight = scales.weight.fixed(problem.weight[f]);
    for (const std::uint32_t l : problem.incidence->links_of(f)) scratch.weighed[l].rising += weight;
  }
  FlowClaims claims(problem, scales, scratch, out);
  const auto smallest = std::min_element(problem.weight.begin(), problem.weight.end());
  if (smallest != problem.weight.end() && far_apart(scratch.weighed, scales.weight.fixed(*smallest)))
    return fill_exactly(scratch.weighed, claims);
  return fill_progressively(scratch.weighed, scratch.queue, claims);
}

}  // namespace

void ffa(const RateProblem& problem, FillScratch& scratch, RateSolution& out) {
  check_problem(problem);
  out.rate.assign(problem.incidence->flows(), std::numeric_limits<double>::infinity());
  out.bottleneck.assign(problem.incidence->flows(), kNoLink);
  out.rate_rest.assign(problem.capacity_rest.empty() ? 0 : problem.incidence->flows(), 0.0);
  out.app_rate.clear();
  out.levels = problem.weight.empty() ? fill_counted(problem, scratch, out) : fill_weighed(problem, scratch, out);
}

RateSolution ffa(const RateProblem& problem) {
  FillScratch scratch;
  RateSolution out;
  ffa(problem, scratch, out);
  return out;
}

}  // namespace weir
