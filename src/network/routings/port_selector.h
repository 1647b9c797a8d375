// The port selector unit (PSU) of adaptive flow routing: which of the allowed steps a new flow takes at a switch, given
// a load per port. On the way up a tree all up ports are allowed; on the way down a modified tree a flow may move
// sideways (choosers.h); on any other fabric the candidates of the route table are. The default port wins ties, unless
// the caller wants another one to. Both engines use it, each with loads and route caches of its own.
#pragma once
#include <vector>

#include "base/error.h"
#include "network/route_table.h"
#include "network/routings/choosers.h"
#include "network/topology.h"

namespace weir {

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

  // `usual` is the default step. `first_up(range)` says which port of an ascending flow wins ties. `state` is what the
  // set-up packet carries; it is brought up to date.
  template <class Load, class FirstUp>
  RouteStep choose(SwitchId s, HostId source, HostId destination, RouteStep usual, HorizontalState& state, Load&& load,
                   FirstUp&& first_up) {
    const RouteStep out = select(s, source, destination, usual, state, load, first_up);
    if (out == usual) state = {};  // on to the next level, where sideways movement starts anew
    return out;
  }
  template <class Load>
  RouteStep choose(SwitchId s, HostId source, HostId destination, RouteStep usual, HorizontalState& state,
                   Load&& load) {
    return choose(s, source, destination, usual, state, load, [&](PortRange) { return usual.port(); });
  }

 private:
  template <class Load, class FirstUp>
  RouteStep select(SwitchId s, HostId source, HostId destination, RouteStep usual, HorizontalState& state, Load& load,
                   FirstUp& first_up) {
    if (tree_.empty()) {
      RouteStep best = usual;
      for (const RouteStep step : routes_->candidates(s, source, destination, scratch_))
        if (load(step.port()) < load(best.port())) best = step;
      return best;
    }
    const PortRange up = tree_.front().up(s);
    if (up.contains(usual.port())) return least_loaded(first_up(up), up, load);
    return choose_descent(tree_.front(), s, usual.port(), policy_, state, load);
  }

  const RouteTable* routes_ = nullptr;
  HorizontalPolicy policy_;
  std::vector<TreeStructure> tree_;  // one, or none where the fabric is not a tree
  std::vector<RouteStep> scratch_;
};

}  // namespace weir
