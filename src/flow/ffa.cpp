// Flows are the claimants of the progressive filling; see ffa.h for the problem.
#include "flow/ffa.h"

#include <algorithm>
#include <limits>

#include "flow/filling.h"
#include "flow/link_scales.h"

namespace weir {
namespace {

class FlowClaims {
 public:
  FlowClaims(const RateProblem& problem, const LinkScales& scales, std::vector<std::uint32_t>& rising,
             RateSolution& out)
      : problem_(problem), incidence_(*problem.incidence), scales_(scales), rising_(rising), out_(out) {}

  void stop(std::uint32_t link, wide::Pair level, std::vector<LinkFill>& links) {
    find_rising(link, links);
    if (problem_.weight.empty()) {  // all flows that stop here get the same share
      const Share share = share_of(scales_.weight.units, level);
      for (const std::uint32_t f : rising_) take(f, share, links);
    } else {
      for (const std::uint32_t f : rising_) take(f, share_of(problem_.weight[f] * scales_.weight.units, level), links);
    }
  }

 private:
  struct Share {
    wide::Fixed rate, weight;
    double value;
  };

  Share share_of(double weight_units, wide::Pair level) const {
    const wide::Pair rate = wide::multiply(level, weight_units);
    return {wide::to_fixed(rate), wide::to_fixed({weight_units, 0}), rate.hi * scales_.capacity.inverse};
  }
  // The flows on the link that have not stopped. Their path's links are scattered over memory: asking for them here
  // hides most of the waiting.
  void find_rising(std::uint32_t link, const std::vector<LinkFill>& links) {
    rising_.clear();
    const RowList& rows = incidence_.by_flow();
    for (const std::uint32_t f : incidence_.flows_of(link)) {
      __builtin_prefetch(&out_.bottleneck[f], 1);
      __builtin_prefetch(&rows.start[f]);
    }
    for (const std::uint32_t f : incidence_.flows_of(link)) {
      if (out_.bottleneck[f] != kNoLink) continue;
      out_.bottleneck[f] = link;  // also keeps a flow that crosses the link twice from being found twice
      rising_.push_back(f);
      __builtin_prefetch(rows.items.data() + rows.start[f]);
    }
    for (const std::uint32_t f : rising_)
      for (const std::uint32_t l : incidence_.links_of(f)) __builtin_prefetch(&links[l], 1);
  }
  void take(std::uint32_t f, const Share& share, std::vector<LinkFill>& links) {
    out_.rate[f] = share.value;
    for (const std::uint32_t l : incidence_.links_of(f)) {
      links[l].residual -= share.rate;
      links[l].rising -= share.weight;
    }
  }

  const RateProblem& problem_;
  const Incidence& incidence_;
  const LinkScales& scales_;
  std::vector<std::uint32_t>& rising_;
  RateSolution& out_;
};

void add_weights(const RateProblem& problem, const LinkScales& scales, std::vector<LinkFill>& links) {
  const Incidence& incidence = *problem.incidence;
  if (problem.weight.empty()) {
    const wide::Fixed unit = scales.weight.fixed(1.0);
    const std::vector<std::uint32_t>& start = incidence.by_link().start;
    for (std::size_t l = 0; l < links.size(); ++l) links[l].rising = unit * (start[l + 1] - start[l]);
    return;
  }
  for (std::size_t f = 0; f < incidence.flows(); ++f) {
    const wide::Fixed weight = scales.weight.fixed(problem.weight[f]);
    for (const std::uint32_t l : incidence.links_of(f)) links[l].rising += weight;
  }
}

}  // namespace

void ffa(const RateProblem& problem, FillScratch& scratch, RateSolution& out) {
  check_problem(problem);
  const Incidence& incidence = *problem.incidence;
  out.rate.assign(incidence.flows(), std::numeric_limits<double>::infinity());
  out.bottleneck.assign(incidence.flows(), kNoLink);
  out.app_rate.clear();

  const LinkScales scales = LinkScales::of_flows(problem);
  scales.full_links(problem, scratch.links);
  add_weights(problem, scales, scratch.links);
  out.levels = fill_progressively(scratch.links, scratch.queue, FlowClaims(problem, scales, scratch.rising, out));
}

RateSolution ffa(const RateProblem& problem) {
  FillScratch scratch;
  RateSolution out;
  ffa(problem, scratch, out);
  return out;
}

}  // namespace weir
