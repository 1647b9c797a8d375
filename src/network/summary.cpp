// Counts what there is, and follows default paths: all of them where that is quick, a fixed sample otherwise.
#include "network/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "network/hops.h"
#include "network/routings/routings.h"

namespace weir {

namespace {

void count_links(const Topology& t, TopologySummary& summary) {
  std::map<Rate, std::size_t, std::greater<>> rates;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const PortId to = t.to({p});
    if (!to.valid()) continue;
    ++summary.link_directions;
    const bool is_second_half = t.from({p}) == to && to.index < p;
    if (is_second_half) continue;
    const bool has_host = t.is_host(t.node_of({p})) || t.is_host(t.node_of(to));
    ++(has_host ? summary.host_cables : summary.switch_cables);
    ++rates[t.link({p}).rate];
  }
  for (const auto& [rate, cables] : rates) summary.rates.push_back({rate, cables});
}

void count_switch_ports(const Topology& t, TopologySummary& summary) {
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const std::uint32_t ports = t.port_count(t.node(SwitchId{s}));
    summary.fewest_switch_ports = s == 0 ? ports : std::min(summary.fewest_switch_ports, ports);
    summary.most_switch_ports = std::max(summary.most_switch_ports, ports);
    if (has_no_cable(t, {s})) ++summary.switches_without_cables;
  }
}

void measure_levels(const Topology& t, TopologySummary& summary) {
  if (!t.has_levels()) return;
  summary.levels = t.stages();
  std::vector<double> up(t.stages(), 0.0);
  double hosts = 0;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const PortId to = t.to({p});
    if (!to.valid()) continue;
    const int from_level = t.level(t.node_of({p}));
    const double rate = static_cast<double>(t.link({p}).rate.bits_per_second);
    if (from_level < 0) hosts += rate;
    else if (t.level(t.node_of(to)) == from_level + 1) up[static_cast<std::size_t>(from_level)] += rate;
  }
  up.pop_back();
  for (double rate : up) summary.capacity_ratio.push_back(rate / hosts);
}

void find_narrowest_cut(const Topology& t, TopologySummary& summary) {
  std::vector<double> hosts(t.switches(), 0.0), cables(t.switches(), 0.0);
  double all = 0;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const SwitchId to = next_switch(t, {p});
    if (!to.valid()) continue;
    const NodeId from = t.node_of({p});
    const auto rate = static_cast<double>(t.link({p}).rate.bits_per_second);
    if (t.is_host(from)) {
      hosts[to.index] += rate;
      all += rate;
    } else if (t.switch_of(from) != to) {
      cables[t.switch_of(from).index] += rate;
    }
  }
  std::size_t switches = 0;
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    if (hosts[s] == 0) continue;
    ++switches;
    const TopologySummary::Cut cut{{s}, cables[s], std::min(hosts[s], all - hosts[s]), 0};
    if (cut.sent == 0) continue;
    if (!summary.narrowest || cut.carried * summary.narrowest->sent < summary.narrowest->carried * cut.sent)
      summary.narrowest = cut;
  }
  if (summary.narrowest) summary.narrowest->switches = switches;
}

void measure_paths(const Topology& t, const RouteTable& routes, std::uint64_t most_pairs, TopologySummary& summary) {
  const auto hosts = static_cast<std::uint32_t>(t.hosts());
  std::uint64_t total = 0;
  const auto follow = [&](std::uint32_t a, std::uint32_t b) {
    const auto crossed = static_cast<std::uint32_t>(default_path(t, routes, {a}, {b}).size() - 1);
    summary.longest_path = std::max(summary.longest_path, crossed);
    total += crossed;
    ++summary.pairs;
  };
  summary.all_pairs = std::uint64_t{hosts} * hosts <= most_pairs;
  if (summary.all_pairs) {
    for (std::uint32_t a = 0; a < hosts; ++a) {
      for (std::uint32_t b = 0; b < hosts; ++b) {
        if (a != b) follow(a, b);
      }
    }
  } else {
    RandomStream random(1, Purpose::routing, 0);
    for (std::uint64_t i = 0; i < most_pairs; ++i) {
      const auto a = static_cast<std::uint32_t>(random.below(hosts));
      follow(a, static_cast<std::uint32_t>((a + 1 + random.below(hosts - 1)) % hosts));
    }
  }
  if (summary.pairs > 0) summary.mean_path = static_cast<double>(total) / static_cast<double>(summary.pairs);
}

}  // namespace

std::string capacity_text(double share) {
  return fmt::format("{:.2f} times what all hosts can send{}", share,
                     share < 0.999 ? fmt::format(" (oversubscribed, {:.3g} to 1)", 1 / share) : "");
}

std::string leaf_capacity_text(const Topology& topology, const std::vector<bool>& leaves) {
  std::vector<double> up(topology.switches(), 0.0), hosts(topology.switches(), 0.0);
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    const SwitchId to = next_switch(topology, {p});
    if (!to.valid()) continue;
    const NodeId from = topology.node_of({p});
    const auto rate = static_cast<double>(topology.link({p}).rate.bits_per_second);
    if (topology.is_host(from)) hosts[to.index] += rate;
    else if (const SwitchId leaf = topology.switch_of(from); leaves[leaf.index] && !leaves[to.index])
      up[leaf.index] += rate;
  }
  std::vector<std::pair<double, std::uint32_t>> ratios;  // of leaves with hosts
  for (std::uint32_t s = 0; s < leaves.size(); ++s)
    if (leaves[s] && hosts[s] > 0) ratios.emplace_back(up[s] / hosts[s], s);
  if (ratios.empty()) return "";
  std::sort(ratios.begin(), ratios.end());
  const auto [worst, where] = ratios.front();
  const double usual = ratios[ratios.size() / 2].first;
  if (ratios.back().first - worst < 0.005) return "";
  const auto with_ratio = [](double share) {
    return fmt::format("{:.2f}{}", share, share < 0.999 ? fmt::format(" ({:.3g} to 1)", 1 / share) : "");
  };
  if (with_ratio(usual) == with_ratio(worst)) return "";
  return fmt::format(". A typical leaf: {} for its own hosts. The worst leaf, {}: {}", with_ratio(usual),
                     topology.name(topology.node(SwitchId{where})), with_ratio(worst));
}

TopologySummary topology_summary(const Topology& topology, const RouteTable& routes, std::uint64_t most_pairs) {
  TopologySummary summary;
  summary.hosts = topology.hosts();
  summary.switches = topology.switches();
  count_links(topology, summary);
  count_switch_ports(topology, summary);
  measure_levels(topology, summary);
  if (!topology.has_levels()) find_narrowest_cut(topology, summary);
  measure_paths(topology, routes, most_pairs, summary);
  return summary;
}

}  // namespace weir
