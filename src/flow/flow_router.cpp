// A walk from host to host, one choice per switch; see the header.
#include "flow/flow_router.h"

#include <algorithm>

#include "base/check.h"
#include "base/error.h"

namespace weir {

FlowRouter::FlowRouter(const Topology& topology, const RouteTable& routes, FlowRoutingPolicy policy, std::uint64_t seed)
    : topology_(&topology),
      routes_(&routes),
      policy_(policy),
      selector_(topology, routes, policy.horizontal),
      loads_(topology.ports()),
      cached_(topology.ports(), 0) {
  restart(seed);
}

void FlowRouter::set_up(HostId source, HostId destination, double weight, std::vector<std::uint32_t>& path) {
  if (source == destination) return;
  PortId out = topology_->host_port(source);
  HorizontalState state;
  const std::size_t first = path.size();
  while (true) {
    count(out, weight);
    path.push_back(out.index);
    if (path.size() - first > topology_->switches() + 1) fail(__FILE__, __LINE__, "a route does not end");
    const PortId in = topology_->to(out);
    const NodeId here = topology_->node_of(in);
    if (topology_->is_host(here)) return;
    const SwitchId s = topology_->switch_of(here);
    const PortId usual = routes_->default_port(s, source, destination);
    const bool free_choice = policy_.adaptive && cached_[in.index] < policy_.cache_entries;
    if (!free_choice) state = {};
    out = free_choice ? choose(s, source, destination, usual, state) : usual;
    if (out != usual) ++cached_[in.index];
  }
}

PortId FlowRouter::choose(SwitchId s, HostId source, HostId destination, PortId usual, HorizontalState& state) {
  const auto load = [this](PortId p) { return measured(p); };
  if (policy_.ties == FlowRoutingPolicy::Ties::default_port)
    return selector_.choose(s, source, destination, usual, state, load).port();
  const auto draw = [&](std::uint64_t n) { return draws_[s.index].below(n); };
  return selector_.choose(s, source, destination, usual, state, load, draw).port();
}

void FlowRouter::count(PortId p, double weight) {
  Load& load = loads_[p.index];
  ++load.flows;
  load.weight += weight;
}

void FlowRouter::tear_down(HostId source, HostId destination, double weight, std::span<const std::uint32_t> path) {
  PortId in;
  for (const std::uint32_t index : path) {
    const PortId out{index};
    const NodeId here = topology_->node_of(out);
    if (!topology_->is_host(here) && routes_->default_port(topology_->switch_of(here), source, destination) != out)
      --cached_[in.index];
    Load& load = loads_[index];
    WEIR_CHECK(load.flows > 0);
    --load.flows;
    load.weight = load.flows == 0 ? 0.0 : load.weight - weight;  // an idle link forgets what rounding left
    in = topology_->to(out);
  }
}

void FlowRouter::restart(std::uint64_t seed) {
  std::fill(loads_.begin(), loads_.end(), Load{});
  std::fill(cached_.begin(), cached_.end(), 0u);
  draws_.clear();
  for (std::uint32_t s = 0; s < topology_->switches(); ++s) draws_.emplace_back(seed, Purpose::routing, s);
}

}  // namespace weir
