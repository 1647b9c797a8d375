// The routings, each from plain options. What a scenario may write is in routing_kinds(). All of them refuse a
// fabric in which a host cannot be reached, and a topology they are not made for.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/route_table.h"
#include "network/topology.h"

namespace weir {

// Which digits choose the way up in a bidirectional MIN. In trees it is always the destination's.
enum class UpDigits { destination, source, hash };

// Digit arithmetic for trees and multistage networks; nothing is stored per pair. Horizontal links of modified trees
// are left to adaptive flow routing.
RouteTable digit_routes(const Topology& topology, UpDigits up = UpDigits::destination);

// For every destination a directed graph of link directions without cycles, over which any choice at any switch arrives
// (Minkenberg et al. 2009, section III). Candidates are ordered by distance, then port number. `detours` adds ways that
// do not start towards the destination.
enum class Detours { none, all, two_way };
RouteTable shortest_path_routes(const Topology& topology, Detours detours = Detours::all);

// One port per destination on a path with the fewest switches. The lowest port wins ties; with `spread`, the one that
// the destinations before load least (every host counted as sending to every other).
RouteTable min_hop_routes(const Topology& topology, bool spread = false);

// Up*/down*: switches are ordered by distance from a root, and no path goes up after it went down, so the routes cannot
// deadlock. Without a root, the top level of a tree or bidirectional MIN, also of a graph that is a tree by its cables
// (tree_levels.h), else the switch nearest to all others.
struct UpDownOptions {
  std::optional<SwitchId> root;
  bool spread = true;
  bool alternatives = false;  // all equally short ways are candidates, not only the chosen one
};
RouteTable up_down_routes(const Topology& topology, UpDownOptions options = {});

// Place of every switch in the up*/down* order, 0 first: a direction from a later to an earlier switch goes up.
std::vector<std::uint32_t> up_down_order(const Topology& topology, std::optional<SwitchId> root);

// Dimension order for a torus, with two lanes that cut each ring at its dateline (dimension_order.h), or without lanes,
// where rings of four and more can deadlock; for a mesh and a HyperX. `detours`: with lanes for them.
RouteTable dimension_order_routes(const Topology& topology, bool dateline = true, bool detours = false);
RouteTable hyperx_routes(const Topology& topology, bool detours = false);

// The shortest ways of a leaf-spine or Clos fabric, up and then down: all ways up, and all cables of a bundle.
RouteTable clos_routes(const Topology& topology);
// The shortest ways of a dragonfly or dragonfly+, on as many lanes as they need, or with lanes for detours over a third
// group.
RouteTable dragonfly_routes(const Topology& topology, bool detours = false);
RouteTable dragonfly_plus_routes(const Topology& topology, bool detours = false);

// One port per destination, from the forwarding tables of a real subnet. What a dump lacks is an error, or gets the
// first of the shortest ways.
struct ForwardingDump;
enum class Gaps : std::uint8_t { refuse, min_hop };
RouteTable forwarding_routes(const Topology& topology, const ForwardingDump& dump, Gaps gaps = Gaps::refuse);

// The link directions from a to b by default ports: the host's own first, the one that enters b last. Never more than
// one visit per switch: a routing that loops is a programming error and aborts.
std::vector<PortId> default_path(const Topology& topology, const RouteTable& routes, HostId a, HostId b);
// The same as steps; the host's own keeps the lane.
std::vector<RouteStep> default_path_steps(const Topology& topology, const RouteTable& routes, HostId a, HostId b);

}  // namespace weir
