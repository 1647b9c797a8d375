// Mizero et al. 2017 find roots and victims of congestion from port counters alone. Here that is held against what only
// the simulator knows: which flows got less than they asked for, on which way, and in which queues they stood.
//
// Truth. A hot flow is held back if its source could inject less than 97 % of what it asked for. The last link of its
// way that is at least 95 % busy and has a standing queue of two packets in the mean is its root (behind it, links may
// be just as busy, but nobody waits for them); the switch ports before that link are victims.
// Found. Twice: by weir's own rule (busy and waiting shares of ports, measure/congestion.h), and by the rules of
// algorithm 2: a port is a root if its congestion time, or next to a host its waiting time, is above a share of the
// time, and the ports that send into its switch are its victims if they wait for more than a share of the time.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "measure/congestion.h"
#include "measure/derive.h"
#include "network/routings/routings.h"
#include "reproduce/computations.h"

namespace weir::mizero {
namespace {

using PortSet = std::set<PortId>;

constexpr double kHeldBack = 0.97;
constexpr double kStandingQueue = 2 * 2048;  // bytes
constexpr double kCongestedShare = 0.953;  // T_C of experiment II: 8M ticks of 128 ns in 1.075 s
constexpr double kWaitShare = 0.816;       // T_W: 27.4M ticks of 32 ns in 1.075 s
constexpr std::uint32_t kGroups = 3;

struct Group {
  std::vector<std::uint32_t> hosts;
  std::uint32_t target = 0;
  double load = 0;  // of each host
};

struct Draw {
  std::vector<Group> groups;
  std::vector<std::uint32_t> cold;
  double cold_load = 0;
};

// Groups of 3 to 16 hosts that together ask for 0.3 to 3 times their target's link, so that some are no hot spots.
Draw draw(std::uint64_t run, std::uint32_t host_count) {
  RandomStream random(1, Purpose::placement, run);
  std::vector<std::uint32_t> hosts(host_count);
  for (std::uint32_t h = 0; h < host_count; ++h) hosts[h] = h;
  shuffle(hosts, random);
  Draw d;
  const auto take = [&] {
    const std::uint32_t host = hosts.back();
    hosts.pop_back();
    return host;
  };
  for (std::uint32_t g = 0; g < kGroups; ++g) {
    Group group;
    group.target = take();
    const std::uint64_t size = 3 + random.below(14);
    for (std::uint64_t i = 0; i < size; ++i) group.hosts.push_back(take());
    group.load = std::min(1.0, (0.3 + 2.7 * random.unit()) / static_cast<double>(size));
    d.groups.push_back(std::move(group));
  }
  d.cold = hosts;
  d.cold_load = 0.05 + 0.25 * random.unit();
  return d;
}

std::vector<Override> overrides(const Draw& d, std::uint64_t run) {
  const auto list = [](const auto& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); };
  std::vector<Override> all{{"seed", std::to_string(run + 1)},
                            {"traffic.cold.hosts", list(d.cold)},
                            {"traffic.cold.load", fmt::format("{:.4f}", d.cold_load)}};
  std::vector<std::uint32_t> targets;
  for (std::size_t g = 0; g < d.groups.size(); ++g) {
    const std::string key = fmt::format("traffic.hot{}.", g + 1);
    all.push_back({key + "hosts", list(d.groups[g].hosts)});
    all.push_back({key + "target", std::to_string(d.groups[g].target)});
    all.push_back({key + "load", fmt::format("{:.4f}", d.groups[g].load)});
    targets.push_back(d.groups[g].target);
  }
  all.push_back({"traffic.cold.avoid", list(targets)});
  return all;
}

struct Tree {
  PortSet roots, victims;
};

ClassId class_named(const Measurements& m, std::string_view name) {
  for (std::uint32_t i = 0; i < m.classes.size(); ++i)
    if (m.classes[i].name == name) return {i};
  throw InputError("no class " + std::string(name));
}

double share(Time part, const Measurements& m) { return part.seconds() / m.end.seconds(); }
bool of_switch(const Topology& t, PortId port) { return !t.is_host(t.node_of(port)); }

bool is_root(const Measurements& m, const PortResult& port) {
  return share(port.busy, m) >= kRootLoad && port.mean_output_bytes >= kStandingQueue;
}

Tree truth(const Outcome& outcome, const Draw& d) {
  const Measurements& m = outcome.measurements;
  const Topology& t = outcome.network->topology;
  Tree tree;
  for (std::size_t g = 0; g < d.groups.size(); ++g) {
    const ClassId hot = class_named(m, fmt::format("hot{}", g + 1));
    for (const std::uint32_t host : d.groups[g].hosts) {
      const double rate = static_cast<double>(t.link(t.host_port({host})).rate.bits_per_second);
      const double asked = d.groups[g].load * rate / 8 * m.end.seconds();
      if (static_cast<double>(host_of_class(m, {host}, hot)->injected_bytes) >= kHeldBack * asked) continue;
      const std::vector<PortId> links = default_path(t, outcome.network->routes, {host}, {d.groups[g].target});
      const auto last = std::find_if(links.rbegin(), links.rend(),
                                     [&](PortId p) { return is_root(m, m.ports[p.index]); });
      if (last == links.rend()) continue;
      if (of_switch(t, *last)) tree.roots.insert(*last);
      for (auto before = last + 1; before != links.rend(); ++before)
        if (of_switch(t, *before)) tree.victims.insert(*before);
    }
  }
  for (const PortId root : tree.roots) tree.victims.erase(root);
  return tree;
}

Tree found_by_load(const Outcome& outcome) {
  Tree tree;
  const Topology& t = outcome.network->topology;
  for (const CongestionRoot& root : find_congestion(outcome.measurements, t).roots) {
    tree.roots.insert(root.port);
    for (const CongestionVictim& victim : root.victims)
      if (of_switch(t, victim.port)) tree.victims.insert(victim.port);
  }
  for (const PortId root : tree.roots) tree.victims.erase(root);
  return tree;
}

Tree found_by_algorithm(const Outcome& outcome, double wait_share) {
  const Measurements& m = outcome.measurements;
  const Topology& t = outcome.network->topology;
  Tree tree;
  std::set<NodeId> congested;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const PortId port{p}, to = t.to(port);
    if (!of_switch(t, port) || !to.valid()) continue;
    const bool waits = t.is_host(t.node_of(to)) && share(m.ports[p].wait, m) > wait_share;
    if (!waits && share(m.ports[p].congested, m) <= kCongestedShare) continue;
    tree.roots.insert(port);
    congested.insert(t.node_of(port));
  }
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const PortId to = t.to({p});
    if (!of_switch(t, {p}) || !to.valid() || !congested.contains(t.node_of(to))) continue;
    if (share(m.ports[p].wait, m) > wait_share) tree.victims.insert({p});
  }
  for (const PortId root : tree.roots) tree.victims.erase(root);
  return tree;
}

// Those that send straight into the switch of a root: all that algorithm 2 looks for.
PortSet next_to_roots(const Topology& t, const Tree& tree) {
  std::set<NodeId> nodes;
  for (const PortId root : tree.roots) nodes.insert(t.node_of(root));
  PortSet near;
  for (const PortId victim : tree.victims)
    if (nodes.contains(t.node_of(t.to(victim)))) near.insert(victim);
  return near;
}

// Ports found, how many of them rightly so, and how many there really are.
Row row_of(std::size_t run, const char* rule, const char* what, Cell threshold, const PortSet& found,
           const PortSet& real) {
  const auto right = std::count_if(found.begin(), found.end(), [&](PortId port) { return real.contains(port); });
  return {cell(run), std::string(rule), std::string(what), std::move(threshold), std::int64_t{right},
          cell(found.size()), cell(real.size())};
}

}  // namespace

RowTable roots(const Work& work, Parameters& with) {
  const std::size_t runs = with.number("runs");
  constexpr double kThresholds[] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, kWaitShare, 0.9};
  std::vector<std::vector<Row>> rows(runs);
  work.parallel(runs, [&](std::size_t i) {
    const Draw d = draw(i, 64);
    const Outcome outcome = work.run(work.scenario("mizero2017/roots.toml", overrides(d, i)));
    const Tree is = truth(outcome, d), by_load = found_by_load(outcome);
    const PortSet near = next_to_roots(outcome.network->topology, is);
    rows[i] = {row_of(i, "load", "roots", {}, by_load.roots, is.roots),
               row_of(i, "load", "victims", {}, by_load.victims, is.victims)};
    for (const double threshold : kThresholds) {
      const Tree by_algorithm = found_by_algorithm(outcome, threshold);
      rows[i].push_back(row_of(i, "algorithm 2", "victims", threshold, by_algorithm.victims, near));
      if (threshold == kWaitShare)
        rows[i].push_back(row_of(i, "algorithm 2", "roots", threshold, by_algorithm.roots, is.roots));
    }
  });
  RowTable table{{"run", "rule", "what", "threshold", "right", "found", "real"}, {}};
  for (const std::vector<Row>& some : rows) table.rows.insert(table.rows.end(), some.begin(), some.end());
  return table;
}

}  // namespace weir::mizero
