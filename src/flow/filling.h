// Progressive filling, the core of FFA and AFA. Claimants (flows, or whole applications) raise their normalised rates
// together until a link is full; the claimants on it stop at that level, and the others go on.
//
// A link's own level (residual capacity / weight of those still rising) never falls while others stop, so the links
// wait in a monotone queue under a lower bound of their level. The link that comes out first with an up-to-date level
// *is* saturated, by construction: nobody asks whether a residual equals zero. Residuals and weights are exact
// fixed-point sums (wide.h). Cost: every incidence is subtracted once and every link is looked at once per time it
// comes out of the queue, which is at most once more than claimants stop on it: O(incidences x queue) with a queue step
// of a few sequential moves.
#pragma once
#include <cstdint>
#include <vector>

#include "flow/radix_heap.h"
#include "flow/wide.h"

namespace weir {

struct LinkFill {
  wide::Fixed residual = 0;
  wide::Fixed rising = 0;  // weight of the claimants that have not stopped; 0 exactly when there are none
};

// Working memory of a solver, for those who solve again and again.
struct FillScratch {
  std::vector<LinkFill> links;
  RadixHeap queue;
  std::vector<std::uint32_t> rising;  // claimants found on the link at hand
};

// Claims: `stop(link, level, links)` stops every rising claimant on `link` at `level` (a ratio of fixed-point units)
// and takes their shares and weights off all the links they use. Returns the number of distinct levels.
template <class Claims>
std::uint32_t fill_progressively(std::vector<LinkFill>& links, RadixHeap& queue, Claims&& claims) {
  queue.clear();
  const auto level_of = [](const LinkFill& l) { return wide::to_double(l.residual) / wide::to_double(l.rising); };
  for (std::uint32_t l = 0; l < links.size(); ++l)
    if (links[l].rising != 0) queue.push(level_of(links[l]), l);

  std::uint32_t levels = 0;
  double last = 0;
  while (!queue.empty()) {
    const RadixHeap::Entry next = queue.pop([&](std::uint32_t l) { __builtin_prefetch(&links[l]); });
    const LinkFill& link = links[next.item];
    if (link.rising == 0) continue;
    const double bound = level_of(link);
    if (bound > next.key) {
      queue.push(bound, next.item);
      continue;
    }
    const wide::Pair level = wide::divide(wide::to_pair(link.residual), wide::to_pair(link.rising));
    if (level.hi > last * (1 + 1e-12)) {
      ++levels;
      last = level.hi;
    }
    claims.stop(next.item, level, links);
  }
  return levels;
}

}  // namespace weir
