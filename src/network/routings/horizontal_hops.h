// Horizontal hops of flows in modified k-ary n-trees: which are allowed, and which is taken, given a load per port.
#pragma once
#include <cstdint>
#include <limits>

#include "network/topologies/tree_structure.h"

namespace weir {

// Horizontal hops on the way down a modified k-ary n-tree. ForcedDir(i): away from the nearer end of the logical node.
// FreeDir(i): whichever side is better at the first hop of a level. At most i hops per level; the direction is kept
// within a level.
struct HorizontalPolicy {
  enum class Direction : std::uint8_t { none, forced, free };
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();
  Direction direction = Direction::none;
  std::uint32_t most_hops = kUnlimited;
};

// What the set-up packet of a flow knows about its horizontal movement at the present level. Starts anew at each level.
struct HorizontalState {
  enum class Heading : std::uint8_t { undecided, left, right };
  Heading heading = Heading::undecided;
  std::uint32_t hops = 0;
};

namespace detail {

// Takes over the least loaded port of the group if it is strictly better than the best so far.
template <class Load, class Value>
bool improve(PortRange group, Load& load, PortId& best, Value& least) {
  bool found = false;
  for (std::uint32_t i = 0; i < group.count; ++i) {
    const auto here = load(group[i]);
    if (here < least) {
      least = here;
      best = group[i];
      found = true;
    }
  }
  return found;
}

}  // namespace detail

// The port by which a descending flow leaves switch `s`: `down`, unless a horizontal port that the policy allows is
// strictly better. Of two equally good sides the left one is taken, or the right one. Updates `state` when it answers
// with a horizontal port.
template <class Load>
PortId choose_descent(const TreeStructure& tree, SwitchId s, PortId down, HorizontalPolicy policy,
                      HorizontalState& state, Load&& load, bool rather_right = false) {
  using Direction = HorizontalPolicy::Direction;
  using Heading = HorizontalState::Heading;
  if (policy.direction == Direction::none || tree.width() == 0 || state.hops >= policy.most_hops) return down;
  bool left = state.heading == Heading::left, right = state.heading == Heading::right;
  if (state.heading == Heading::undecided) {
    const bool in_left_half = 2 * tree.place_in_node(s) + 1 < tree.node_size(tree.level(s));
    left = policy.direction == Direction::free || !in_left_half;
    right = policy.direction == Direction::free || in_left_half;
  }
  PortId best = down;
  auto least = load(down);
  Heading heading = Heading::undecided;
  const auto try_left = [&] {
    if (left && detail::improve(tree.left(s), load, best, least)) heading = Heading::left;
  };
  if (!rather_right) try_left();
  if (right && detail::improve(tree.right(s), load, best, least)) heading = Heading::right;
  if (rather_right) try_left();
  if (heading == Heading::undecided) return down;
  state.heading = heading;
  ++state.hops;
  return best;
}

}  // namespace weir
