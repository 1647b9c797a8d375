// Can the routes deadlock? In a lossless network packets that hold one channel and wait for the next can wait in a
// circle. That is impossible when the channel dependency graph has no cycle: vertices are link directions, and there is
// an edge from a to b when some packet that arrives over a may leave over b. Whoever fears a circle wants to see it, so
// a cycle is named, and a short one.
#include "network/deadlock.h"

#include <algorithm>
#include <bit>

#include "network/hops.h"

namespace weir {

namespace {

// Successors of every channel as bits over the ports of the switch it leads to.
class Dependency {
 public:
  explicit Dependency(const Topology& topology) : t_(topology), start_(topology.ports() + 1, 0) {
    for (std::uint32_t p = 0; p < t_.ports(); ++p) {
      const SwitchId next = next_switch(t_, {p});
      const std::uint32_t ports = next.valid() ? t_.port_count(t_.node(next)) : 0;
      start_[p + 1] = start_[p] + (ports + 63) / 64;
    }
    bits_.assign(start_.back(), 0);
  }

  void add(PortId channel, std::span<const std::uint64_t> leaving) {
    std::uint64_t* word = bits_.data() + start_[channel.index];
    for (std::uint64_t w : leaving) *word++ |= w;
  }

  template <class Visit>
  void for_each_next(PortId channel, Visit visit) const {
    if (start_[channel.index] == start_[channel.index + 1]) return;
    const std::uint32_t base = t_.first_port(t_.node(next_switch(t_, channel))).index;
    for (std::uint32_t i = 0; start_[channel.index] + i < start_[channel.index + 1]; ++i) {
      for (std::uint64_t w = bits_[start_[channel.index] + i]; w != 0; w &= w - 1)
        visit(PortId{base + 64 * i + static_cast<std::uint32_t>(std::countr_zero(w))});
    }
  }

  std::size_t channels() const { return t_.ports(); }

 private:
  const Topology& t_;
  std::vector<std::size_t> start_;
  std::vector<std::uint64_t> bits_;
};

// Walks one destination after another through the switches its packets can reach.
class Collector {
 public:
  Collector(const Topology& topology, const RouteTable& routes, Dependencies which)
      : t_(topology),
        routes_(routes),
        which_(which),
        reached_(topology.switches(), kFar),
        leaving_at_(topology.switches()) {}

  void collect(HostId destination, Dependency& graph) {
    queue_.clear();
    used_.clear();
    leaving_.clear();
    for (std::uint32_t h = 0; h < t_.hosts(); ++h) {
      if (h != destination.index) arrive(t_.host_port({h}), destination);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) leave(queue_[i], destination);
    for (PortId channel : used_) {
      const SwitchId s = next_switch(t_, channel);
      const std::size_t words = (t_.port_count(t_.node(s)) + 63) / 64;
      graph.add(channel, {leaving_.data() + leaving_at_[s.index], words});
    }
  }

 private:
  void arrive(PortId channel, HostId destination) {
    const SwitchId s = next_switch(t_, channel);
    if (!s.valid()) return;
    if (!t_.is_host(t_.node_of(channel))) used_.push_back(channel);
    if (reached_[s.index] == destination.index) return;
    reached_[s.index] = destination.index;
    queue_.push_back(s);
  }

  void leave(SwitchId s, HostId destination) {
    const NodeId node = t_.node(s);
    const std::uint32_t base = t_.first_port(node).index;
    leaving_at_[s.index] = leaving_.size();
    leaving_.resize(leaving_.size() + (t_.port_count(node) + 63) / 64, 0);
    const std::span<const PortId> all = routes_.candidates(s, {0}, destination, scratch_);
    // Where the source chooses the way up, all ways up are possible by default too.
    const bool only_first = which_ == Dependencies::default_ports && !routes_.is_up_by_source();
    for (PortId out : all.first(only_first ? std::min<std::size_t>(1, all.size()) : all.size())) {
      const std::uint32_t local = out.index - base;
      leaving_[leaving_at_[s.index] + local / 64] |= std::uint64_t{1} << local % 64;
      arrive(out, destination);
    }
  }

  const Topology& t_;
  const RouteTable& routes_;
  Dependencies which_;
  std::vector<std::uint32_t> reached_;   // last destination that reached the switch
  std::vector<std::size_t> leaving_at_;  // place of its bits in leaving_
  std::vector<SwitchId> queue_;
  std::vector<PortId> used_;
  std::vector<std::uint64_t> leaving_;
  std::vector<PortId> scratch_;
};

// What remains when channels that nothing leads to are taken away again and again. Empty: no cycle. Otherwise every
// remaining channel has one remaining before it.
std::vector<bool> without_sources(const Dependency& graph) {
  const auto channels = static_cast<std::uint32_t>(graph.channels());
  std::vector<std::uint32_t> incoming(channels, 0);
  for (std::uint32_t c = 0; c < channels; ++c) graph.for_each_next({c}, [&](PortId next) { ++incoming[next.index]; });
  std::vector<PortId> stack;
  for (std::uint32_t c = 0; c < channels; ++c) {
    if (incoming[c] == 0) stack.push_back({c});
  }
  std::vector<bool> remains(channels, true);
  while (!stack.empty()) {
    const PortId channel = stack.back();
    stack.pop_back();
    remains[channel.index] = false;
    graph.for_each_next(channel, [&](PortId next) {
      if (--incoming[next.index] == 0) stack.push_back(next);
    });
  }
  return remains;
}

// Backwards from any remaining channel one must come to a channel for the second time: it lies on a cycle.
PortId channel_on_a_cycle(const Dependency& graph, const std::vector<bool>& remains) {
  std::vector<PortId> before(remains.size());
  PortId here;
  for (std::uint32_t c = 0; c < remains.size(); ++c) {
    if (!remains[c]) continue;
    here = {c};
    graph.for_each_next(here, [&](PortId next) {
      if (!before[next.index].valid()) before[next.index] = {c};
    });
  }
  std::vector<bool> visited(remains.size(), false);
  for (; !visited[here.index]; here = before[here.index]) visited[here.index] = true;
  return here;
}

// The shortest cycle through `start`, from `start` on.
std::vector<PortId> shortest_cycle_through(const Dependency& graph, PortId start) {
  std::vector<PortId> before(graph.channels());
  std::vector<PortId> queue{start};
  for (std::size_t i = 0; i < queue.size() && !before[start.index].valid(); ++i) {
    graph.for_each_next(queue[i], [&](PortId next) {
      if (before[next.index].valid()) return;
      before[next.index] = queue[i];
      queue.push_back(next);
    });
  }
  std::vector<PortId> cycle{start};
  for (PortId c = before[start.index]; c != start; c = before[c.index]) cycle.push_back(c);
  std::reverse(cycle.begin() + 1, cycle.end());
  return cycle;
}

std::vector<PortId> short_cycle(const Dependency& graph, const std::vector<bool>& remains) {
  std::vector<PortId> best = shortest_cycle_through(graph, channel_on_a_cycle(graph, remains));
  const std::vector<PortId> first = best;
  for (PortId c : first) {
    std::vector<PortId> other = shortest_cycle_through(graph, c);
    if (other.size() < best.size()) best = std::move(other);
  }
  std::rotate(best.begin(), std::min_element(best.begin(), best.end()), best.end());
  return best;
}

}  // namespace

bool ranks_prove_no_cycle(const Topology& t, const RouteTable& routes) {
  if (!routes.is_computed()) return false;
  const std::span<const DigitRule> rules = routes.rules();
  int sense_down = 0;  // +1 or -1: how the level changes along down ports; up ports change it the other way
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const DigitRule& rule = rules[s];
    const NodeId node = t.node(SwitchId{s});
    const std::uint32_t window = rule.digit_mask << rule.down_shift;
    for (std::uint32_t digit = 0; digit < t.arity(); ++digit) {
      const SwitchId next = next_switch(t, {rule.down_base + digit});
      if (!next.valid()) continue;
      const int step = t.level(t.node(next)) - t.level(node);
      if (step == 0 || (sense_down != 0 && (step > 0) != (sense_down > 0))) return false;
      sense_down = step;
      const DigitRule& there = rules[next.index];
      const std::uint32_t known = rule.must_match | window;
      const std::uint32_t value = (rule.coordinate & ~window) | digit << rule.down_shift;
      if ((there.must_match & ~known) != 0 || ((value ^ there.coordinate) & there.must_match) != 0) return false;
    }
  }
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    for (std::uint32_t up = 0; up < rules[s].up_count; ++up) {
      const SwitchId next = next_switch(t, {rules[s].up_base + up});
      const int step = next.valid() ? t.level(t.node(next)) - t.level(t.node(SwitchId{s})) : 0;
      if (step == 0 || (step > 0) == (sense_down > 0)) return false;
    }
  }
  return true;
}

DeadlockVerdict search_cycle(const Topology& topology, const RouteTable& routes, Dependencies which) {
  Dependency graph(topology);
  Collector collector(topology, routes, which);
  for (std::uint32_t d = 0; d < topology.hosts(); ++d) collector.collect({d}, graph);
  const std::vector<bool> remains = without_sources(graph);
  if (std::find(remains.begin(), remains.end(), true) == remains.end()) return {};
  return {false, short_cycle(graph, remains)};
}

DeadlockVerdict check_deadlock(const Topology& topology, const RouteTable& routes, Dependencies which) {
  if (ranks_prove_no_cycle(topology, routes)) return {};
  return search_cycle(topology, routes, which);
}

std::string DeadlockVerdict::text(const Topology& topology) const {
  if (free) return "free of deadlock";
  std::string line;
  for (PortId p : cycle) line += topology.port_name(p) + " -> ";
  return line + topology.port_name(cycle.front());
}

}  // namespace weir
