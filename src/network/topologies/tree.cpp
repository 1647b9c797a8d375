// k-ary n-trees and modified k-ary n-trees (Zdornov & Birk 2009, sections 6.1 and 6.2). A switch at level l has digits
// w_0..w_{n-2}, position = sum of w_i k^i. Switches of levels l and l+1 are joined when they agree in all digits but
// w_l; down port c of the upper one leads to the child with w_l = c, up port u of the lower one to the parent with w_l
// = u. So digits w_0..w_{l-1} are free: they name the k^l switches of one logical node, which all lead down to the same
// hosts.
#include <cmath>
#include <string>

#include "network/digits.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

namespace weir {

namespace {

class TreeBuilder {
 public:
  TreeBuilder(TreeShape shape, LinkProperties host, LinkProperties fabric)
      : k_(shape.k), n_(shape.n), width_(shape.horizontal_width), host_(host), fabric_(fabric) {
    hosts_ = checked_power(k_, n_, 2.0 * n_ * (1 + port_overhead(k_, n_, width_)), "tree");
    per_level_ = hosts_ / k_;
  }

  Topology build() && {
    add_nodes();
    for (std::uint32_t h = 0; h < hosts_; ++h)
      builder_.connect(builder_.at(HostId{h}), builder_.at(at(0, h / k_), h % k_), host_);
    for (std::uint32_t l = 0; l + 1 < n_; ++l) connect_upwards(l);
    for (std::uint32_t l = 1; l < n_ && width_ > 0; ++l) connect_chains(l);
    builder_.set_shape(Shape::tree, k_, n_, width_);
    return std::move(builder_).build();
  }

 private:
  SwitchId at(std::uint32_t level, std::uint32_t position) const { return {level * per_level_ + position}; }
  std::uint32_t vertical_ports(std::uint32_t level) const { return level + 1 < n_ ? 2 * k_ : k_; }
  std::uint32_t place_in_chain(std::uint32_t level, std::uint32_t position) const {
    return position % power(k_, level);
  }
  bool has_left(std::uint32_t level, std::uint32_t position) const { return place_in_chain(level, position) > 0; }
  bool has_right(std::uint32_t level, std::uint32_t position) const {
    return place_in_chain(level, position) + 1 < power(k_, level);
  }

  void add_nodes() {
    for (std::uint32_t h = 0; h < hosts_; ++h) builder_.add_host("H" + std::to_string(h));
    for (std::uint32_t l = 0; l < n_; ++l) {
      for (std::uint32_t p = 0; p < per_level_; ++p) {
        const std::uint32_t sides =
            static_cast<std::uint32_t>(has_left(l, p)) + static_cast<std::uint32_t>(has_right(l, p));
        builder_.add_switch("S" + std::to_string(l) + "." + std::to_string(p), vertical_ports(l) + sides * width_,
                            static_cast<int>(l), p);
      }
    }
  }

  void connect_upwards(std::uint32_t l) {
    for (std::uint32_t p = 0; p < per_level_; ++p) {
      for (std::uint32_t up = 0; up < k_; ++up) {
        const std::uint32_t parent = with_digit(p, k_, l, up);
        builder_.connect(builder_.at(at(l, p), k_ + up), builder_.at(at(l + 1, parent), digit(p, k_, l)), fabric_);
      }
    }
  }

  void connect_chains(std::uint32_t l) {
    for (std::uint32_t p = 0; p < per_level_; ++p) {
      if (!has_right(l, p)) continue;
      const std::uint32_t right = vertical_ports(l) + (has_left(l, p) ? width_ : 0);
      for (std::uint32_t i = 0; i < width_; ++i)
        builder_.connect(builder_.at(at(l, p), right + i), builder_.at(at(l, p + 1), vertical_ports(l) + i), fabric_);
    }
  }

  std::uint32_t k_, n_, width_, hosts_ = 0, per_level_ = 0;
  LinkProperties host_, fabric_;
  TopologyBuilder builder_;
};

}  // namespace

Topology k_ary_n_tree(TreeShape shape, LinkProperties host, LinkProperties fabric) {
  return TreeBuilder(shape, host, fabric).build();
}

double port_overhead(std::uint32_t k, std::uint32_t n, std::uint32_t width) {
  return 2.0 * width * (n - 1.0) / ((2.0 * n - 1.0) * k);
}

namespace {

constexpr ParamSpec kTreeParams[] = {
    {"k", ParamType::integer, "4", "down ports of a switch, and up ports below the top level", 2, 4096},
    {"n", ParamType::integer, "3", "levels of switches; there are k^n hosts", 1, 22},
};
constexpr ParamSpec kModifiedTreeParams[] = {
    kTreeParams[0],
    kTreeParams[1],
    {"width", ParamType::integer, "2", "parallel links between neighbours of one logical node", 1, 64},
};

Topology configure_tree(const TopologyRequest& r) {
  const std::uint32_t width = r.section.knows("width") ? r.count("width") : 0;
  return k_ary_n_tree({r.count("k"), r.count("n"), width}, r.cables.host, r.cables.fabric);
}

FabricSize size_of_tree(const Section& s) {
  const auto k = static_cast<double>(s.integer("k")), n = static_cast<double>(s.integer("n"));
  const double sides = s.knows("width") ? 2 * static_cast<double>(s.integer("width")) : 0;
  return size_of_stages(std::pow(k, n), k, n, 2 * k + sides, k + sides);
}

}  // namespace

extern const TopologyKind k_ary_n_tree_topology{
    {"k-ary-n-tree", "fat tree: k^n hosts, n levels of k^(n-1) switches with 2k ports", kTreeParams,
     "[topology]\nkind = \"k-ary-n-tree\"\nk = 16\nn = 3\n"},
    configure_tree,
    size_of_tree};

extern const TopologyKind modified_tree_topology{
    {"modified-k-ary-n-tree",
     "fat tree in which horizontal links join switches of a level (a logical node) into a chain", kModifiedTreeParams,
     "[topology]\nkind = \"modified-k-ary-n-tree\"\nk = 16\nn = 3\nwidth = 2\n"},
    configure_tree,
    size_of_tree};

}  // namespace weir
