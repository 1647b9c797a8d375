// The fabrics weir can build, each from a plain parameter struct and the properties of its cables: host cables between
// a host and its switch, fabric cables between switches. What a scenario may write is in topology_kinds(); these
// functions know nothing of files, so that tests and benchmarks can call them directly. Impossible shapes are
// InputErrors.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "network/topology.h"

namespace weir {

struct Cables {
  LinkProperties host, fabric;
};

// Limits of size, so that a slip of the pen ends in a sentence and not in a machine without memory.
inline constexpr std::uint64_t kMostHosts = std::uint64_t{1} << 22;
inline constexpr std::uint64_t kMostPorts = std::uint64_t{1} << 24;
inline constexpr std::uint32_t kMostParallel = 4096;

// k-ary n-tree: k^n hosts, n levels of k^(n-1) switches. Level 0 is next to the hosts. A switch has k down ports (local
// 0..k-1) and, below the top level, k up ports (k..2k-1). With horizontal_width > 0 it is a modified tree: the k^l
// switches of one logical node at level l >= 1 form a chain with that many parallel cables between neighbours; after
// the vertical ports come the ports to the left neighbour, then those to the right one. Ports that would stay
// unconnected do not exist.
struct TreeShape {
  std::uint32_t k = 4;
  std::uint32_t n = 3;
  std::uint32_t horizontal_width = 0;
};
Topology k_ary_n_tree(TreeShape shape, LinkProperties host, LinkProperties fabric);

// Horizontal ports as a share of the ports of the plain tree, counted as the cost table of Zdornov & Birk 2009 counts
// them: 2 * width ports on every switch above the leaves, also at the ends of the chains where nothing is connected.
double port_overhead(std::uint32_t k, std::uint32_t n, std::uint32_t width);

// Unidirectional butterfly, k-ary n-fly: k^n hosts, n stages of k^(n-1) switches with k inputs and k outputs. Port i of
// a switch is input i and output i, which lead to different switches.
struct ButterflyShape {
  std::uint32_t k = 4;
  std::uint32_t n = 3;
};
Topology umin(ButterflyShape shape, LinkProperties host, LinkProperties fabric);

// Bidirectional perfect-shuffle MIN: hosts / k switches in each of n stages, k left ports (local 0..k-1) and, but for
// the last stage, k right ports (k..2k-1). hosts = 0 means k^n; fewer hosts need k and hosts to be powers of two.
struct ShuffleShape {
  std::uint32_t k = 4;
  std::uint32_t n = 3;
  std::uint32_t hosts = 0;
};
Topology bmin(ShuffleShape shape, LinkProperties host, LinkProperties fabric);

// Torus: switches on a grid whose rows are closed to rings, with `hosts` hosts at each switch. In a dimension of two,
// one cable joins the two switches.
struct TorusShape {
  std::vector<std::uint32_t> sizes;  // switches along each dimension
  std::uint32_t hosts = 1;
};
Topology torus(const TorusShape& shape, LinkProperties host, LinkProperties fabric);

// The same without the cables that close the rings.
Topology mesh(const TorusShape& shape, LinkProperties host, LinkProperties fabric);

// HyperX: switches on a grid, all switches of a row joined to each other.
struct HyperXShape {
  std::vector<std::uint32_t> sizes;  // switches along each dimension
  std::uint32_t hosts = 1;           // of a switch
};
Topology hyperx(const HyperXShape& shape, LinkProperties host, LinkProperties fabric);

// Leaves, and one or two levels of switches above (clos_plan.h). `between`: cables from each level but the top one up.
struct ClosShape;
Topology clos(const ClosShape& shape, LinkProperties host, const std::vector<LinkProperties>& between);

// Groups of switches that are joined to each other (dragonfly_plan.h).
struct DragonflyShape;
struct DragonflyPlusShape;
Topology dragonfly(const DragonflyShape& shape, LinkProperties host, LinkProperties local, LinkProperties global);
Topology dragonfly_plus(const DragonflyPlusShape& shape, LinkProperties host, LinkProperties local,
                        LinkProperties global);

// Two switches with hosts on both sides and `links` parallel cables between them.
struct TwoSwitchShape {
  std::uint32_t left = 4;
  std::uint32_t right = 4;
  std::uint32_t links = 1;
};
Topology two_switch(TwoSwitchShape shape, LinkProperties host, LinkProperties between);

// One switch.
Topology star(std::uint32_t hosts, LinkProperties host);

// Any graph, with parallel cables, mixed speeds, and ports that keep the labels of their source.
struct GraphSwitch {
  std::string name;
  std::uint32_t ports = 0;  // 0 = as many as there are cables
  SourcePosition where;
  NodeIdentity identity = {};
};
struct GraphHost {
  std::string name;
  SourcePosition where;
  NodeIdentity identity = {};
};
struct GraphEnd {
  std::string node;
  bool has_label = false;
  std::uint32_t label = 0;  // of the first of `count` cables; the others follow on
};
struct GraphCable {
  GraphEnd a, b;
  LinkProperties link;
  std::uint32_t count = 1;
  SourcePosition where;
};
struct GraphSpec {
  std::vector<GraphHost> hosts;
  std::vector<GraphSwitch> switches;
  std::vector<GraphCable> cables;
};
Topology graph(const GraphSpec& spec);

// The number of hosts k^n, or an InputError where k, n or the fabric with `ports_per_host` ports for each is
// impossible.
std::uint32_t checked_power(std::uint32_t k, std::uint32_t n, double ports_per_host, const char* what);

}  // namespace weir
