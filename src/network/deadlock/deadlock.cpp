// Can the routes deadlock? In a lossless network packets that hold one channel and wait for the next can wait in a
// circle. That is impossible when the channel dependency graph (channel_dependencies.h) has no cycle. Whoever fears a
// circle wants to see it, so a cycle is named, and a short one.
#include "network/deadlock/deadlock.h"

#include <algorithm>

#include "network/deadlock/channel_dependencies.h"
#include "network/routings/dimension_order.h"
#include "network/topologies/torus_plan.h"

namespace weir {

namespace {

// What remains when channels that nothing leads to are taken away again and again. Empty: no cycle. Otherwise every
// remaining channel has one remaining before it.
std::vector<bool> without_sources(const ChannelDependencies& graph) {
  const auto channels = static_cast<std::uint32_t>(graph.channels());
  std::vector<std::uint32_t> incoming(channels, 0);
  for (std::uint32_t c = 0; c < channels; ++c)
    graph.for_each_next({c}, [&](RouteChannelId next) { ++incoming[next.index]; });
  std::vector<RouteChannelId> stack;
  for (std::uint32_t c = 0; c < channels; ++c) {
    if (incoming[c] == 0) stack.push_back({c});
  }
  std::vector<bool> remains(channels, true);
  while (!stack.empty()) {
    const RouteChannelId channel = stack.back();
    stack.pop_back();
    remains[channel.index] = false;
    graph.for_each_next(channel, [&](RouteChannelId next) {
      if (--incoming[next.index] == 0) stack.push_back(next);
    });
  }
  return remains;
}

// Backwards from any remaining channel one must come to a channel for the second time: it lies on a cycle.
RouteChannelId channel_on_a_cycle(const ChannelDependencies& graph, const std::vector<bool>& remains) {
  std::vector<RouteChannelId> before(remains.size());
  RouteChannelId here;
  for (std::uint32_t c = 0; c < remains.size(); ++c) {
    if (!remains[c]) continue;
    here = {c};
    graph.for_each_next(here, [&](RouteChannelId next) {
      if (!before[next.index].valid()) before[next.index] = {c};
    });
  }
  std::vector<bool> visited(remains.size(), false);
  for (; !visited[here.index]; here = before[here.index]) visited[here.index] = true;
  return here;
}

// The shortest cycle through `start`, from `start` on.
std::vector<RouteChannelId> shortest_cycle_through(const ChannelDependencies& graph, RouteChannelId start) {
  std::vector<RouteChannelId> before(graph.channels());
  std::vector<RouteChannelId> queue{start};
  for (std::size_t i = 0; i < queue.size() && !before[start.index].valid(); ++i) {
    graph.for_each_next(queue[i], [&](RouteChannelId next) {
      if (before[next.index].valid()) return;
      before[next.index] = queue[i];
      queue.push_back(next);
    });
  }
  std::vector<RouteChannelId> cycle{start};
  for (RouteChannelId c = before[start.index]; c != start; c = before[c.index]) cycle.push_back(c);
  std::reverse(cycle.begin() + 1, cycle.end());
  return cycle;
}

std::vector<RouteChannelId> short_cycle(const ChannelDependencies& graph, const std::vector<bool>& remains) {
  std::vector<RouteChannelId> best = shortest_cycle_through(graph, channel_on_a_cycle(graph, remains));
  const std::vector<RouteChannelId> first = best;
  for (RouteChannelId c : first) {
    std::vector<RouteChannelId> other = shortest_cycle_through(graph, c);
    if (other.size() < best.size()) best = std::move(other);
  }
  std::rotate(best.begin(), std::min_element(best.begin(), best.end()), best.end());
  return best;
}

}  // namespace

std::optional<int> descent_by_ranks(const Topology& t, const RouteTable& routes) {
  const std::span<const DigitRule> rules = routes.rules();
  if (rules.empty()) return {};
  int sense_down = 0;  // +1 or -1: how the level changes along down ports; up ports change it the other way
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const DigitRule& rule = rules[s];
    const NodeId node = t.node(SwitchId{s});
    const std::uint32_t window = rule.digit_mask << rule.down_shift;
    for (std::uint32_t digit = 0; digit < t.arity(); ++digit) {
      const SwitchId next = next_switch(t, {rule.down_base + digit});
      if (!next.valid()) continue;
      const int step = t.level(t.node(next)) - t.level(node);
      if (step == 0 || (sense_down != 0 && (step > 0) != (sense_down > 0))) return {};
      sense_down = step;
      const DigitRule& there = rules[next.index];
      const std::uint32_t known = rule.must_match | window;
      const std::uint32_t value = (rule.coordinate & ~window) | digit << rule.down_shift;
      if ((there.must_match & ~known) != 0 || ((value ^ there.coordinate) & there.must_match) != 0) return {};
    }
  }
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    for (std::uint32_t up = 0; up < rules[s].up_count; ++up) {
      const SwitchId next = next_switch(t, {rules[s].up_base + up});
      const int step = next.valid() ? t.level(t.node(next)) - t.level(t.node(SwitchId{s})) : 0;
      if (step == 0 || (step > 0) == (sense_down > 0)) return {};
    }
  }
  return sense_down;
}

bool ranks_prove_no_cycle(const Topology& t, const RouteTable& routes) {
  return descent_by_ranks(t, routes).has_value();
}

DeadlockVerdict search_cycle(const Topology& topology, const RouteTable& routes, Dependencies which) {
  const ChannelDependencies graph(topology, routes, which);
  const std::vector<bool> remains = without_sources(graph);
  if (std::find(remains.begin(), remains.end(), true) == remains.end()) return {};
  DeadlockVerdict verdict{false, {}, graph.lanes() > 1};
  for (const RouteChannelId c : short_cycle(graph, remains)) verdict.cycle.push_back(graph.channel_of(c));
  return verdict;
}

// Dimensions are corrected in their order, so a cycle could only lie within one ring and one sense of it. Two lanes cut
// every ring; without them, packets go two hops on from every place of a ring of five and more, and all of it is a
// cycle. Nobody goes on in rings of two and three; in one of four, that depends on how ties are shared out.
std::optional<DeadlockVerdict> verdict_by_rings(const Topology& t, const RouteTable& routes) {
  const auto* order = dynamic_cast<const DimensionOrder*>(routes.structure());
  if (order == nullptr) return {};
  if (order->proves_no_cycle()) return DeadlockVerdict{};
  if (order->midpoints() > 0) return {};
  const TorusPlan plan(t);
  std::optional<std::uint32_t> ring;  // the shortest
  bool clear = true;
  for (std::uint32_t i = 0; i < plan.dimensions(); ++i) {
    clear = clear && plan.size(i) < 4;
    if (plan.size(i) > 4 && (!ring || plan.size(i) < plan.size(*ring))) ring = i;
  }
  if (clear) return DeadlockVerdict{};
  if (!ring) return {};
  DeadlockVerdict verdict{false, {}, false};
  SwitchId s{0};
  for (std::uint32_t x = 0; x < plan.size(*ring); ++x, s = plan.above(s, *ring))
    verdict.cycle.push_back({t.port(t.node(s), plan.up_port(*ring))});
  return verdict;
}

DeadlockVerdict check_deadlock(const Topology& topology, const RouteTable& routes, Dependencies which) {
  if (ranks_prove_no_cycle(topology, routes)) return {};
  if (routes.structure() != nullptr && routes.structure()->proves_no_cycle()) return {};
  if (auto verdict = verdict_by_rings(topology, routes)) return *verdict;
  return search_cycle(topology, routes, which);
}

std::string DeadlockVerdict::text(const Topology& topology) const {
  if (free) return "free of deadlock";
  const auto name = [&](RouteChannel c) {
    return topology.port_name(c.port) + (names_lanes ? " lane " + std::to_string(c.lane.index) : "");
  };
  std::string line;
  for (const RouteChannel c : cycle) line += name(c) + ", ";
  return line + name(cycle.front()) + " (each waits for the next)";
}

}  // namespace weir
