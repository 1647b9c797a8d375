#include "network/topologies/tree_levels.h"

#include <algorithm>
#include <bit>
#include <set>

#include "network/hops.h"

namespace weir {

namespace {

constexpr std::size_t kFewestToCompare = 3;  // with fewer switches nothing can be called usual
constexpr std::uint64_t kMostBits = std::uint64_t{1} << 32;

std::vector<std::uint32_t> count_hosts(const Topology& t) {
  std::vector<std::uint32_t> hosts(t.switches(), 0);
  for (std::uint32_t h = 0; h < t.hosts(); ++h) {
    const SwitchId s = next_switch(t, t.host_port({h}));
    if (s.valid()) ++hosts[s.index];
  }
  return hosts;
}

std::vector<bool> find_leaves(const Topology& t, const std::vector<std::uint32_t>& hosts) {
  std::vector<std::uint32_t> counts;
  for (std::uint32_t h : hosts) {
    if (h > 0) counts.push_back(h);
  }
  std::sort(counts.begin(), counts.end());
  const std::uint32_t usual = counts.size() < kFewestToCompare ? 0 : counts[counts.size() / 2];
  std::vector<bool> is_leaf(hosts.size());
  for (std::size_t s = 0; s < hosts.size(); ++s) is_leaf[s] = hosts[s] > 0 && 4 * std::uint64_t{hosts[s]} >= usual;
  const std::vector<bool> populated = is_leaf;
  for (std::uint32_t s = 0; s < hosts.size(); ++s) {
    if (hosts[s] == 0 || populated[s]) continue;
    bool all_leaves = true;
    for_each_neighbour(t, {s}, [&](SwitchId next) { all_leaves = all_leaves && populated[next.index]; });
    is_leaf[s] = !all_leaves;
  }
  return is_leaf;
}

std::vector<std::uint32_t> distances(const Topology& t, const std::vector<bool>& is_leaf) {
  std::vector<std::uint32_t> level(t.switches(), kFar);
  std::vector<SwitchId> queue;
  for (std::uint32_t s = 0; s < level.size(); ++s) {
    if (!is_leaf[s]) continue;
    level[s] = 0;
    queue.push_back({s});
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for_each_neighbour(t, queue[i], [&](SwitchId next) {
      if (level[next.index] != kFar) return;
      level[next.index] = level[queue[i].index] + 1;
      queue.push_back(next);
    });
  }
  return level;
}

// A switch without hosts, cabled to other switches exactly as some leaf is, is a leaf that waits for its hosts. True if
// there was one.
bool add_empty_leaves(const Topology& t, const std::vector<std::uint32_t>& level, std::vector<bool>& is_leaf) {
  const auto neighbours = [&](std::uint32_t s) {
    std::vector<SwitchId> list;
    for_each_neighbour(t, {s}, [&](SwitchId next) { list.push_back(next); });
    std::sort(list.begin(), list.end());
    return list;
  };
  std::set<std::vector<SwitchId>> of_leaves;
  for (std::uint32_t s = 0; s < level.size(); ++s) {
    if (is_leaf[s]) of_leaves.insert(neighbours(s));
  }
  bool found = false;
  for (std::uint32_t s = 0; s < level.size(); ++s) {
    if (level[s] < 2 || level[s] == kFar || !of_leaves.contains(neighbours(s))) continue;
    is_leaf[s] = true;
    found = true;
  }
  return found;
}

// For every switch the set of switches with hosts that it reaches: down only, then up first.
class Reach {
 public:
  Reach(const Topology& t, const TreeLevels& tree) : t_(t), tree_(tree) {
    for (std::uint32_t h : tree.hosts) targets_ += h > 0;
    words_ = (targets_ + 63) / 64;
  }

  bool is_too_large() const { return std::uint64_t{words_} * 64 * tree_.level.size() > kMostBits; }

  bool connects_all() {
    bits_.assign(words_ * tree_.level.size(), 0);
    std::size_t target = 0;
    for (std::size_t s = 0; s < tree_.level.size(); ++s) {
      if (tree_.hosts[s] == 0) continue;
      bits_[s * words_ + target / 64] |= std::uint64_t{1} << target % 64;
      ++target;
    }
    for (std::uint32_t level = 1; level < tree_.levels; ++level) collect(level, level - 1);
    for (std::uint32_t level = tree_.levels - 1; level-- > 0;) collect(level, level + 1);
    for (std::size_t s = 0; s < tree_.level.size(); ++s) {
      if (tree_.hosts[s] > 0 && count(s) != targets_) return false;
    }
    return true;
  }

 private:
  void collect(std::uint32_t level, std::uint32_t from) {
    for (std::uint32_t s = 0; s < tree_.level.size(); ++s) {
      if (tree_.level[s] != level) continue;
      for_each_neighbour(t_, {s}, [&](SwitchId next) {
        if (tree_.level[next.index] != from) return;
        for (std::size_t w = 0; w < words_; ++w) bits_[s * words_ + w] |= bits_[next.index * words_ + w];
      });
    }
  }
  std::size_t count(std::size_t s) const {
    std::size_t total = 0;
    for (std::size_t w = 0; w < words_; ++w) total += static_cast<std::size_t>(std::popcount(bits_[s * words_ + w]));
    return total;
  }

  const Topology& t_;
  const TreeLevels& tree_;
  std::size_t targets_ = 0, words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

TreeLevels tree_levels(const Topology& topology) {
  TreeLevels tree;
  tree.hosts = count_hosts(topology);
  std::vector<bool> is_leaf = find_leaves(topology, tree.hosts);
  tree.level = distances(topology, is_leaf);
  if (add_empty_leaves(topology, tree.level, is_leaf)) tree.level = distances(topology, is_leaf);
  for (std::uint32_t s = 0; s < tree.level.size(); ++s) {
    if (has_no_cable(topology, {s})) continue;
    if (tree.level[s] == kFar) return tree;
    tree.levels = std::max(tree.levels, tree.level[s] + 1);
  }
  if (tree.levels == 0 || !is_full_duplex(topology)) return tree;
  Reach reach(topology, tree);
  tree.is_tree = !reach.is_too_large() && reach.connects_all();
  return tree;
}

}  // namespace weir
