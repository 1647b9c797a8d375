// Where the switches of a leaf-spine or three-tier Clos fabric stand, and which ports lead where: what the builder and
// the routing agree on.
//
// Level 0 are the leaves. A switch of level l > 0 leads down to `down[l]` switches, each by `bundle[l - 1]` parallel
// cables; below the top, a switch of level l leads up to `up[l]` switches. A switch has a *subtree*, the hosts below
// it, and a *replica*, its number among the switches of this level with the same hosts. Switches are numbered level by
// level, and within a level subtree by subtree. Ports: those to the children, child by child, then those to the
// parents.
//
// Hosts are numbered leaf by leaf; in a rail-optimised fabric server by server, and accelerator i of a server is at
// leaf i of its unit.
#pragma once
#include <cstdint>
#include <vector>

#include "network/topology.h"

namespace weir {

struct ClosShape {
  std::vector<std::uint32_t> down;    // by level; at level 0 the hosts of a leaf
  std::vector<std::uint32_t> up;      // by level but the top one
  std::vector<std::uint32_t> bundle;  // the same
  std::uint32_t rails = 1;            // leaves that the accelerators of a server are spread over
};

class ClosPlan {
 public:
  explicit ClosPlan(ClosShape shape) : shape_(std::move(shape)) {
    const auto n = levels();
    leaves_below_.assign(n, 1);
    for (std::uint32_t l = 1; l < n; ++l) leaves_below_[l] = leaves_below_[l - 1] * shape_.down[l];
    replicas_.assign(n, 1);
    for (std::uint32_t l = 1; l < n; ++l) replicas_[l] = replicas_[l - 1] * shape_.up[l - 1];
    first_.assign(1, 0);
    for (std::uint32_t l = 0; l < n; ++l) first_.push_back(first_[l] + leaves() / leaves_below_[l] * replicas_[l]);
  }
  explicit ClosPlan(const Topology& t) : ClosPlan(decoded({t.sizes().begin(), t.sizes().end()})) {}

  // As Topology::sizes() keeps it.
  std::vector<std::uint32_t> encoded() const {
    std::vector<std::uint32_t> words{levels(), shape_.rails};
    words.insert(words.end(), shape_.down.begin(), shape_.down.end());
    words.insert(words.end(), shape_.up.begin(), shape_.up.end());
    words.insert(words.end(), shape_.bundle.begin(), shape_.bundle.end());
    return words;
  }

  const ClosShape& shape() const { return shape_; }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(shape_.down.size()); }
  std::uint32_t leaves() const { return leaves_below_.back(); }
  std::uint32_t hosts() const { return leaves() * shape_.down[0]; }
  std::uint32_t switches() const { return first_.back(); }
  std::uint32_t switches_at(std::uint32_t level) const { return first_[level + 1] - first_[level]; }
  std::uint32_t rails() const { return shape_.rails; }
  std::uint32_t up(std::uint32_t level) const { return shape_.up[level]; }
  std::uint32_t down(std::uint32_t level) const { return shape_.down[level]; }
  std::uint32_t bundle(std::uint32_t level) const { return shape_.bundle[level]; }  // towards the level above
  std::uint32_t replicas(std::uint32_t level) const { return replicas_[level]; }
  std::uint32_t down_ports(std::uint32_t level) const {
    return shape_.down[level] * (level == 0 ? 1 : shape_.bundle[level - 1]);
  }
  std::uint32_t up_ports(std::uint32_t level) const {
    return level + 1 == levels() ? 0 : shape_.up[level] * shape_.bundle[level];
  }

  struct Place {
    std::uint32_t level, subtree, replica;
  };
  Place place(SwitchId s) const {
    std::uint32_t level = 0;
    while (s.index >= first_[level + 1]) ++level;
    const std::uint32_t in_level = s.index - first_[level];
    return {level, in_level / replicas_[level], in_level % replicas_[level]};
  }
  SwitchId at(Place p) const { return {first_[p.level] + p.subtree * replicas_[p.level] + p.replica}; }
  Place parent(Place p, std::uint32_t j) const {
    return {p.level + 1, p.subtree / shape_.down[p.level + 1], p.replica * shape_.up[p.level] + j};
  }
  Place child(Place p, std::uint32_t j) const {
    return {p.level - 1, p.subtree * shape_.down[p.level] + j, p.replica / shape_.up[p.level - 1]};
  }
  // Which child of its parents this switch is.
  std::uint32_t child_number(Place p) const { return p.subtree % shape_.down[p.level + 1]; }

  std::uint32_t leaf_of(HostId h) const {
    return h.index / shape_.rails / shape_.down[0] * shape_.rails + h.index % shape_.rails;
  }
  std::uint32_t port_of(HostId h) const { return h.index / shape_.rails % shape_.down[0]; }
  std::uint32_t leaves_below(std::uint32_t level) const { return leaves_below_[level]; }
  // The subtree of a level in which a leaf lies, and the child of that level's switches that leads to it.
  std::uint32_t subtree(std::uint32_t level, std::uint32_t leaf) const { return leaf / leaves_below_[level]; }
  std::uint32_t child_towards(std::uint32_t level, std::uint32_t leaf) const {
    return leaf / leaves_below_[level - 1] % shape_.down[level];
  }

 private:
  static ClosShape decoded(const std::vector<std::uint32_t>& words) {
    const std::uint32_t n = words[0];
    const auto part = [&](std::uint32_t from, std::uint32_t count) {
      return std::vector<std::uint32_t>(words.begin() + from, words.begin() + from + count);
    };
    return {part(2, n), part(2 + n, n - 1), part(1 + 2 * n, n - 1), words[1]};
  }

  ClosShape shape_;
  std::vector<std::uint32_t> leaves_below_, replicas_, first_;  // by level
};

}  // namespace weir
