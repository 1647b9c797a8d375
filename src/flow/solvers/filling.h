// Progressive filling, the core of FFA and AFA. Claimants (flows, or whole applications) raise their normalised rates
// together until a link is full; the claimants on it stop at that level, and the others go on.
//
// A link's own level (residual capacity / weight of those still rising) never falls while others stop, so the links
// wait in a monotone queue under a lower bound of their level. The link that comes out first with an up-to-date level
// *is* saturated, by construction: nobody asks whether a residual equals zero. Residuals and weights are exact
// fixed-point sums (wide.h). Cost: every incidence is subtracted once, and a link is looked at once each time it comes
// out of the queue, which is at most once more than claimants stop on it: O(incidences x queue) with a queue step of a
// few moves.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

#include "flow/solvers/radix_heap.h"
#include "flow/solvers/wide.h"

namespace weir {

// What is left of a link, and the weight of the claimants that still rise on it (0 exactly when there are none).
struct WeighedLink {
  wide::Fixed residual = 0;
  wide::Fixed rising = 0;

  bool has_rising() const { return rising != 0; }
  double level() const { return wide::to_double(residual) / wide::to_double(rising); }
  wide::Pair exact_level() const { return wide::divide(wide::to_pair(residual), wide::to_pair(rising)); }
};

// The same where all weights are equal: the number of rising claimants in the lowest 32 bits, the residual above them.
// Half the memory, and one subtraction takes a claimant and its share away: what large fabrics wait for is memory.
struct CountedLink {
  wide::Fixed packed = 0;

  static constexpr int kResidualBits = 92;
  static wide::Fixed pack(wide::Fixed residual, std::uint32_t count) {
    return static_cast<wide::Fixed>(static_cast<unsigned __int128>(residual) << 32) + count;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(packed); }
  bool has_rising() const { return count() != 0; }
  double level() const { return wide::to_double(packed >> 32) / count(); }
  wide::Pair exact_level() const {
    return wide::divide(wide::to_pair(packed >> 32), {static_cast<double>(count()), 0});
  }
};

// Working memory of a solver, for those who solve again and again.
struct FillScratch {
  std::vector<WeighedLink> weighed;
  std::vector<CountedLink> counted;
  RadixHeap queue;
  std::vector<std::uint32_t> rising;   // claimants found on the link at hand
  std::vector<std::uint64_t> stopped;  // one bit per claimant
};

// Claims: `stop(link, level, links)` stops every rising claimant on `link` at `level` (a ratio of fixed-point units)
// and takes their shares and weights off all the links they use. Returns the number of distinct levels.
template <class Link, class Claims>
std::uint32_t fill_progressively(std::vector<Link>& links, RadixHeap& queue, Claims&& claims) {
  double lowest = std::numeric_limits<double>::max();
  for (const Link& l : links)
    if (l.has_rising()) lowest = std::min(lowest, l.level());
  queue.restart(lowest);
  for (std::uint32_t l = 0; l < links.size(); ++l)
    if (links[l].has_rising()) queue.push(links[l].level(), l);

  std::uint32_t levels = 0;
  double last = 0;
  while (!queue.empty()) {
    const RadixHeap::Entry next = queue.pop([&](std::uint32_t l) { __builtin_prefetch(&links[l]); });
    const Link& link = links[next.item];
    if (!link.has_rising()) continue;
    const double bound = link.level();
    if (bound > next.key) {
      queue.push(bound, next.item);
      continue;
    }
    const wide::Pair level = link.exact_level();
    if (level.hi > last * (1 + 1e-12)) {
      ++levels;
      last = level.hi;
    }
    claims.stop(next.item, level, links);
  }
  return levels;
}

// Is a claimant's share of some link so small that the rounding of the queue's keys would show in it? The queue cannot
// tell levels apart that agree in 53 bits, and one taken too early takes so much from those that stop later.
inline bool far_apart(const std::vector<WeighedLink>& links, wide::Fixed smallest_weight) {
  constexpr int kBits = 24;  // 53 - 24 bits are left, which is what a certificate asks for
  wide::Fixed heaviest = 0;
  for (const WeighedLink& link : links) heaviest = std::max(heaviest, link.rising);
  return smallest_weight < heaviest >> kBits;
}

// The same answer where claimants are far apart: links come in the order of their exact levels.
template <class Claims>
std::uint32_t fill_exactly(std::vector<WeighedLink>& links, Claims&& claims) {
  struct LinkAt {
    wide::Pair level;
    std::uint32_t link;
  };
  const auto after = [](const LinkAt& a, const LinkAt& b) {
    return wide::less(b.level, a.level) || (!wide::less(a.level, b.level) && b.link < a.link);
  };
  std::priority_queue<LinkAt, std::vector<LinkAt>, decltype(after)> queue(after);
  for (std::uint32_t l = 0; l < links.size(); ++l)
    if (links[l].has_rising()) queue.push({links[l].exact_level(), l});

  std::uint32_t levels = 0;
  double last = 0;
  while (!queue.empty()) {
    const LinkAt next = queue.top();
    queue.pop();
    if (!links[next.link].has_rising()) continue;
    const wide::Pair level = links[next.link].exact_level();
    if (wide::less(next.level, level)) {
      queue.push({level, next.link});
      continue;
    }
    if (level.hi > last * (1 + 1e-12)) {
      ++levels;
      last = level.hi;
    }
    claims.stop(next.link, level, links);
  }
  return levels;
}

}  // namespace weir
