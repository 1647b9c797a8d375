#include "packet/flow_control/stall.h"

#include <algorithm>

namespace weir {

std::vector<std::uint32_t> find_deadlock(const Standstill& still) {
  std::uint32_t channels = 0;
  for (const std::uint32_t channel : still.blocked) channels = std::max(channels, channel + 1);
  for (const WaitEdge& edge : still.edges) channels = std::max({channels, edge.buffer + 1, edge.output + 1});
  std::vector<bool> stuck(channels, false), waits(channels, false), moves(channels, false);
  for (const std::uint32_t channel : still.blocked) stuck[channel] = true;
  std::vector<std::uint32_t> start(channels + 1, 0);  // of the buffers that wait for each stuck output
  for (const WaitEdge& edge : still.edges) {
    if (!stuck[edge.buffer]) continue;
    waits[edge.buffer] = true;
    if (stuck[edge.output]) ++start[edge.output + 1];
    else moves[edge.buffer] = true;
  }
  for (std::uint32_t c = 0; c < channels; ++c) start[c + 1] += start[c];
  std::vector<std::uint32_t> waited_by(start[channels]), next = start;
  for (const WaitEdge& edge : still.edges)
    if (stuck[edge.buffer] && stuck[edge.output]) waited_by[next[edge.output]++] = edge.buffer;

  std::vector<std::uint32_t> movable;
  for (const std::uint32_t channel : still.blocked)
    if (moves[channel] || !waits[channel]) movable.push_back(channel);  // nothing stands there: space is on its way
  while (!movable.empty()) {
    const std::uint32_t channel = movable.back();
    movable.pop_back();
    if (!stuck[channel]) continue;
    stuck[channel] = false;
    for (std::uint32_t i = start[channel]; i < start[channel + 1]; ++i)
      if (stuck[waited_by[i]]) movable.push_back(waited_by[i]);
  }
  const auto first = std::find(stuck.begin(), stuck.end(), true);
  if (first == stuck.end()) return {};

  // Every stuck channel waits for a stuck one: following the smallest leads into a cycle.
  std::vector<std::uint32_t> smallest(channels, channels);
  for (const WaitEdge& edge : still.edges) smallest[edge.buffer] = std::min(smallest[edge.buffer], edge.output);
  std::vector<std::uint32_t> walk;
  std::vector<std::size_t> seen(channels, channels);
  auto at = static_cast<std::uint32_t>(first - stuck.begin());
  while (seen[at] == channels) {
    seen[at] = walk.size();
    walk.push_back(at);
    at = smallest[at];
  }
  return {walk.begin() + static_cast<std::ptrdiff_t>(seen[at]), walk.end()};
}

}  // namespace weir
