#include "packet/stall.h"

#include <algorithm>
#include <map>
#include <set>

namespace weir {

std::vector<std::uint32_t> find_deadlock(const Standstill& still) {
  std::set<std::uint32_t> stuck(still.blocked.begin(), still.blocked.end());
  std::map<std::uint32_t, std::vector<std::uint32_t>> waits_for, waited_by;
  for (const WaitEdge& edge : still.edges) {
    waits_for[edge.buffer].push_back(edge.output);
    waited_by[edge.output].push_back(edge.buffer);
  }
  std::vector<std::uint32_t> movable;
  const auto frees = [&](std::uint32_t channel) {
    const auto found = waits_for.find(channel);
    if (found == waits_for.end()) return true;  // nothing stands there: space is on its way back
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](std::uint32_t output) { return !stuck.contains(output); });
  };
  for (const std::uint32_t channel : still.blocked)
    if (frees(channel)) movable.push_back(channel);
  while (!movable.empty()) {
    const std::uint32_t channel = movable.back();
    movable.pop_back();
    if (stuck.erase(channel) == 0) continue;
    for (const std::uint32_t buffer : waited_by[channel])
      if (stuck.contains(buffer)) movable.push_back(buffer);
  }
  if (stuck.empty()) return {};

  // Every stuck channel waits for a stuck one: following the smallest leads into a cycle.
  std::vector<std::uint32_t> walk;
  std::map<std::uint32_t, std::size_t> seen;
  std::uint32_t at = *stuck.begin();
  while (!seen.contains(at)) {
    seen[at] = walk.size();
    walk.push_back(at);
    const auto& next = waits_for[at];
    at = *std::min_element(next.begin(), next.end());
  }
  return {walk.begin() + static_cast<std::ptrdiff_t>(seen[at]), walk.end()};
}

}  // namespace weir
