#include "network/fabric/irregularities.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "network/fabric/link_speed.h"
#include "network/hops.h"
#include "network/summary.h"

namespace weir {

namespace {

constexpr std::size_t kMostNamed = 6;

// How often each number occurs, and the one that occurs most often (the larger one of two).
class Counts {
 public:
  void add(std::uint32_t number) { ++times_[number]; }
  bool has(std::uint32_t number) const { return times_.contains(number); }
  bool is_even() const { return times_.size() <= 1; }
  std::uint32_t usual() const {
    std::uint32_t best = 0;
    std::size_t most = 0;
    for (const auto& [number, times] : times_) {
      if (times >= most) std::tie(best, most) = std::tuple(number, times);
    }
    return best;
  }
  std::string text() const {  // "5 with 24, 1 with 22, 1 without"
    std::string result;
    for (auto i = times_.rbegin(); i != times_.rend(); ++i)
      result += fmt::format("{}{} {}", result.empty() ? "" : ", ", i->second,
                            i->first == 0 ? "without" : fmt::format("with {}", i->first));
    return result;
  }

 private:
  std::map<std::uint32_t, std::size_t> times_;
};

// The first few of a list by name.
class Names {
 public:
  void add(const std::string& name) {
    if (++count_ <= kMostNamed) text_ += (text_.empty() ? "" : ", ") + name;
  }
  std::size_t count() const { return count_; }
  std::string text() const { return text_ + (count_ > kMostNamed ? ", ..." : ""); }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

class Inspector {
 public:
  Inspector(const Topology& t, const TreeLevels& tree, const std::map<Rate, std::size_t>& guessed = {})
      : t_(t), tree_(tree), guessed_(guessed) {
    for (std::uint32_t p = 0; p < t.ports(); ++p) look_at({p});
  }

  std::vector<std::string> levels() const {
    std::vector<std::string> lines;
    Counts leaf_hosts;
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      if (tree_.level[s] == 0) leaf_hosts.add(tree_.hosts[s]);
    }
    std::string switches;
    for (std::uint32_t level = 0; level < tree_.levels; ++level)
      switches += fmt::format("{}{}", level == 0 ? "" : ", ",
                              std::count(tree_.level.begin(), tree_.level.end(), level));
    lines.push_back(fmt::format("{} level{} of switches, from the leaves up: {}", tree_.levels,
                                tree_.levels == 1 ? "" : "s", switches));
    lines.push_back(fmt::format("leaf switches by number of hosts: {}{}", leaf_hosts.text(),
                                leaf_hosts.has(0) ? " (cabled like leaves)" : ""));
    for (std::uint32_t level = 0; level + 1 < tree_.levels; ++level) {
      const double up = up_rate_.contains(level) ? up_rate_.at(level) : 0;
      lines.push_back(fmt::format("level {}{} to {}: capacity {}{}", level, level == 0 ? " (leaves)" : "", level + 1,
                                  capacity_text(up / host_rate_),
                                  level == 0 ? leaf_capacity_text(t_, leaves()) : ""));
    }
    return lines;
  }

  std::vector<std::string> odd() {
    mixed_speeds();
    parallel_cables();
    if (tree_.is_tree && tree_.levels > 1) tree_oddities();
    loops();
    without_cables();
    return std::move(lines_);
  }

 private:
  std::vector<bool> leaves() const {
    std::vector<bool> is_leaf;
    for (const std::uint32_t level : tree_.level) is_leaf.push_back(level == 0);
    return is_leaf;
  }

  // Cables of one kind: to hosts (level -1), or between two levels.
  struct Group {
    std::map<Rate, std::size_t> rates;
    std::map<std::pair<SwitchId, SwitchId>, std::uint32_t> pairs;
  };
  using Key = std::pair<int, int>;

  int level(SwitchId s) const { return tree_.is_tree ? static_cast<int>(tree_.level[s.index]) : 0; }
  const std::string& name(SwitchId s) const { return t_.name(t_.node(s)); }

  void look_at(PortId p) {
    const PortId to = t_.to(p);
    if (!to.valid()) return;
    const auto rate = static_cast<double>(t_.link(p).rate.bits_per_second);
    const NodeId here = t_.node_of(p), there = t_.node_of(to);
    if (t_.is_host(here)) {
      host_rate_ += rate;
      if (!t_.is_host(there)) ++groups_[{-1, level(t_.switch_of(there))}].rates[t_.link(p).rate];
      return;
    }
    if (t_.is_host(there)) return;
    const SwitchId a = t_.switch_of(here), b = t_.switch_of(there);
    if (level(b) == level(a) + 1) up_rate_[tree_.level[a.index]] += rate;
    if (a == b) {
      ++loops_;
      return;
    }
    const bool is_first_half = t_.from(p) != to || p < to;
    if (!is_first_half) return;
    Group& group = groups_[{std::min(level(a), level(b)), std::max(level(a), level(b))}];
    ++group.rates[t_.link(p).rate];
    ++group.pairs[{std::min(a, b), std::max(a, b)}];
  }

  std::string cables_of(Key key) const {
    if (key.first < 0) return tree_.is_tree && key.second > 0 ? "cables to hosts above the leaves" : "cables to hosts";
    if (!tree_.is_tree || tree_.levels == 1) return "cables between switches";
    return fmt::format("cables between levels {} and {}", key.first, key.second);
  }

  std::string rate_text(Rate rate) const {
    const auto speed = guessed_.contains(rate) ? std::nullopt : link_speed_of(rate);
    return fmt::format("{:.3g} Gb/s", static_cast<double>(rate.bits_per_second) / 1e9) +
           (speed ? " (" + speed->text() + ")" : "");
  }

  void mixed_speeds() {
    for (const auto& [key, group] : groups_) {
      if (group.rates.size() < 2) continue;
      std::string list;
      for (auto i = group.rates.rbegin(); i != group.rates.rend(); ++i)
        list += fmt::format("{}{} at {}", list.empty() ? "" : ", ", i->second, rate_text(i->first));
      lines_.push_back(fmt::format("mixed speeds of {}: {}", cables_of(key), list));
    }
  }

  void parallel_cables() {
    for (const auto& [key, group] : groups_) {
      Counts counts;
      for (const auto& [pair, count] : group.pairs) counts.add(count);
      if (counts.is_even()) continue;
      Names names;
      for (const auto& [pair, count] : group.pairs) {
        if (count != counts.usual()) names.add(fmt::format("{} - {}: {}", name(pair.first), name(pair.second), count));
      }
      lines_.push_back(fmt::format("unequal numbers of parallel {}: usually {}, but {} {} another number ({})",
                                   cables_of(key), counts.usual(), names.count(),
                                   names.count() == 1 ? "pair has" : "pairs have", names.text()));
    }
  }

  void tree_oddities() {
    Counts hosts;
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      if (tree_.level[s] == 0) hosts.add(tree_.hosts[s]);
    }
    Names half, high;
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      const std::uint32_t n = tree_.hosts[s];
      if (tree_.level[s] == 0 && 2 * n <= hosts.usual()) half.add(fmt::format("{}: {}", name({s}), n));
      if (tree_.level[s] > 0 && n > 0) high.add(fmt::format("{}: {} {}", name({s}), n, n == 1 ? "host" : "hosts"));
    }
    if (half.count() > 0)
      lines_.push_back(fmt::format("half-populated leaf switches: {} with at most half of the usual {} hosts ({})",
                                   half.count(), hosts.usual(), half.text()));
    if (high.count() > 0)
      lines_.push_back(fmt::format("switches with hosts above the leaf level: {} ({})", high.count(), high.text()));
    for (std::uint32_t l = 0; l < tree_.levels; ++l) uneven_links(l);
  }

  // Switches of one level should have equally many cables up and down.
  void uneven_links(std::uint32_t l) {
    for (const bool up : {true, false}) {
      if (up ? l + 1 == tree_.levels : l == 0) continue;
      const std::uint32_t other = up ? l + 1 : l - 1;
      std::map<SwitchId, std::uint32_t> cables;
      for (std::uint32_t s = 0; s < t_.switches(); ++s) {
        if (tree_.level[s] == l) cables[{s}] = count_cables({s}, other);
      }
      Counts counts;
      for (const auto& [s, count] : cables) counts.add(count);
      if (counts.is_even()) continue;
      Names names;
      for (const auto& [s, count] : cables) {
        if (count != counts.usual()) names.add(fmt::format("{}: {}", name(s), count));
      }
      lines_.push_back(fmt::format("unequal numbers of {}links on level {}: usually {}, but {} {} another number ({})",
                                   up ? "up" : "down", l, counts.usual(), names.count(),
                                   names.count() == 1 ? "switch has" : "switches have", names.text()));
    }
    std::size_t level_cables = 0;
    for (const auto& [key, group] : groups_) {
      if (key == Key(static_cast<int>(l), static_cast<int>(l)))
        for (const auto& [rate, count] : group.rates) level_cables += count;
    }
    if (level_cables > 0)
      lines_.push_back(fmt::format("{} {} between switches of level {}", level_cables,
                                   level_cables == 1 ? "cable" : "cables", l));
  }

  std::uint32_t count_cables(SwitchId s, std::uint32_t other_level) const {
    std::uint32_t count = 0;
    const NodeId node = t_.node(s);
    for (std::uint32_t i = 0; i < t_.port_count(node); ++i) {
      const SwitchId next = next_switch(t_, t_.port(node, i));
      if (next.valid() && tree_.level[next.index] == other_level) ++count;
    }
    return count;
  }

  void loops() {
    if (loops_ > 0) lines_.push_back(fmt::format("{} link directions lead back to their own switch", loops_));
  }

  void without_cables() {
    Names names;
    for (std::uint32_t s = 0; s < t_.switches(); ++s)
      if (has_no_cable(t_, {s})) names.add(name({s}));
    if (names.count() > 0)
      lines_.push_back(fmt::format("switches without a cable: {} ({})", names.count(), names.text()));
  }

  const Topology& t_;
  const TreeLevels& tree_;
  std::map<Rate, std::size_t> guessed_;
  std::map<Key, Group> groups_;
  std::map<std::uint32_t, double> up_rate_;
  double host_rate_ = 0;
  std::size_t loops_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> describe_levels(const Topology& topology, const TreeLevels& tree) {
  return tree.is_tree ? Inspector(topology, tree).levels() : std::vector<std::string>{};
}

std::vector<std::string> irregularities(const Topology& topology, const TreeLevels& tree,
                                        const std::map<Rate, std::size_t>& guessed) {
  return Inspector(topology, tree, guessed).odd();
}

}  // namespace weir
