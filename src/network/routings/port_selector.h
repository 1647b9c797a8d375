// The port selector unit (PSU) of adaptive flow routing: which of the allowed steps a new flow takes at a switch, given
// a load per port. On the way up a tree all up ports are allowed; on the way down a modified tree a flow may move
// sideways (horizontal_hops.h); on any other fabric the candidates of the route table are. The default port wins ties;
// in a tree, the caller may have chance decide on the way up, and on the way down between the two sides.
// Both engines use it, each with loads and route caches of its own.
#pragma once
#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "network/route_table.h"
#include "network/routings/horizontal_hops.h"
#include "network/topology.h"

namespace weir {

// The least loaded port of a group. Ties: the port `first` wins, then those after it, counted round the group. With the
// default port as `first`, static priority decides ties; with a port drawn at random, chance does. `load(port)` is any
// ordered number.
template <class Load>
PortId least_loaded(PortId first, PortRange group, Load&& load) {
  PortId best = first;
  auto least = load(first);
  std::uint32_t at = first.index - group.first.index;
  for (std::uint32_t i = 1; i < group.count; ++i) {
    at = at + 1 == group.count ? 0 : at + 1;
    const auto here = load(group[at]);
    if (here < least) {
      least = here;
      best = group[at];
    }
  }
  return best;
}

class PortSelector {
 public:
  PortSelector() = default;
  // The tables must outlive the selector. Horizontal movement on anything but a modified tree is an InputError.
  PortSelector(const Topology& topology, const RouteTable& routes, HorizontalPolicy policy)
      : routes_(&routes), policy_(policy) {
    const bool is_tree = topology.shape() == Shape::tree && routes.is_computed();
    if (is_tree) tree_.emplace_back(topology);
    const bool sideways = policy.direction != HorizontalPolicy::Direction::none;
    if (sideways && (!is_tree || topology.horizontal_width() == 0))
      throw InputError(
          "horizontal hops need a modified k-ary n-tree with digit routing and a horizontal width of 1 or more");
  }

  // `usual` is the default step. `draw`: nothing, or draw(n) gives a random number below n, and chance decides ties.
  // `state` is what the set-up packet carries; it is brought up to date.
  template <class Load, class Draw = std::nullptr_t>
  RouteStep choose(SwitchId s, HostId source, HostId destination, RouteStep usual, HorizontalState& state, Load&& load,
                   Draw&& draw = nullptr) {
    const RouteStep out = select(s, source, destination, usual, state, load, draw);
    if (out == usual) state = {};  // on to the next level, where sideways movement starts anew
    return out;
  }

 private:
  template <class Load, class Draw>
  RouteStep select(SwitchId s, HostId source, HostId destination, RouteStep usual, HorizontalState& state, Load& load,
                   Draw& draw) {
    if (tree_.empty()) {
      RouteStep best = usual;
      for (const RouteStep step : routes_->candidates(s, source, destination, scratch_))
        if (load(step.port()) < load(best.port())) best = step;
      return best;
    }
    const PortRange up = tree_.front().up(s);
    const bool ascends = up.contains(usual.port());
    PortId first = usual.port();
    bool rather_right = false;
    if constexpr (!std::is_null_pointer_v<std::remove_cvref_t<Draw>>) {
      if (ascends) first = up[static_cast<std::uint32_t>(draw(up.count))];
      else if (policy_.direction == HorizontalPolicy::Direction::free) rather_right = draw(2) == 1;
    }
    if (ascends) return least_loaded(first, up, load);
    return choose_descent(tree_.front(), s, usual.port(), policy_, state, load, rather_right);
  }

  const RouteTable* routes_ = nullptr;
  HorizontalPolicy policy_;
  std::vector<TreeStructure> tree_;  // one, or none where the fabric is not a tree
  std::vector<RouteStep> scratch_;
};

}  // namespace weir
