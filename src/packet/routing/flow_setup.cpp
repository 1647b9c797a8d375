#include "packet/routing/flow_setup.h"

#include <algorithm>

#include "base/check.h"
#include "base/random.h"

namespace weir {

FlowRoutes::FlowRoutes(const FlowSetupConfig& config, const Topology& topology, const RouteTable& routes,
                       std::size_t connections, std::uint64_t seed)
    : config_(config),
      seed_(seed),
      routes_(&routes),
      selector_(topology, routes, config.horizontal),
      loads_(topology.ports()),
      cached_(topology.ports(), 0),
      slot_(connections, kNoSlot) {}

std::uint32_t FlowRoutes::take_record() {
  if (free_.empty()) {
    records_.emplace_back();
    return static_cast<std::uint32_t>(records_.size() - 1);
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  records_[slot] = {};
  return slot;
}

std::vector<FlowRoutes::Hop> FlowRoutes::hops_of(ConnectionId connection) const {
  std::vector<Hop> hops;
  for (std::uint32_t slot = slot_[connection.index]; slot != kNoSlot; slot = records_[slot].next)
    for (const Hop& hop : records_[slot].hops)
      if (hop.in != Hop::kNoPort) hops.push_back(hop);
  return hops;
}

void FlowRoutes::append(ConnectionId connection, std::uint32_t first, Hop added) {
  std::uint32_t slot = slot_[connection.index];
  if (slot == kNoSlot) slot = slot_[connection.index] = take_record();
  records_[slot].first = first;
  for (;;) {
    for (Hop& hop : records_[slot].hops)
      if (hop.in == Hop::kNoPort) {
        hop = added;
        return;
      }
    if (records_[slot].next == kNoSlot) {
      const std::uint32_t more = take_record();  // records may lie elsewhere afterwards
      records_[slot].next = more;
    }
    slot = records_[slot].next;
  }
}

void FlowRoutes::erase_route(ConnectionId connection) {
  for (std::uint32_t slot = slot_[connection.index]; slot != kNoSlot; slot = records_[slot].next) free_.push_back(slot);
  slot_[connection.index] = kNoSlot;
}

RouteStep FlowRoutes::set_up(ConnectionId connection, SwitchId s, PortId in, HostId source, HostId destination,
                             double weight, std::uint32_t first, HorizontalState& state) {
  const RouteStep usual = routes_->default_step(s, source, destination);
  const auto load = [this](PortId p) {
    const Load& l = loads_[p.index];
    return config_.by_weight ? l.weight : static_cast<double>(l.flows);
  };
  const auto draw = [&](std::uint64_t n) {  // for this flow at this switch: the same in any order of flows
    return RandomStream(seed_, Purpose::routing, std::uint64_t{connection.index} << 32 | s.index).below(n);
  };
  RouteStep out = config_.random_ties ? selector_.choose(s, source, destination, usual, state, load, draw)
                                      : selector_.choose(s, source, destination, usual, state, load);
  if (out != usual && cached_[in.index] >= config_.cache_entries) {
    ++found_full_;
    out = usual;
    state = {};
  }
  for (const Hop& hop : hops_of(connection))
    if (hop.in == in.index) fail(__FILE__, __LINE__, "the route of a flow runs in a circle");
  append(connection, first, {in.index & Hop::kNoPort, out != usual, out});
  if (out != usual) most_cached_ = std::max(most_cached_, ++cached_[in.index]);
  Load& l = loads_[out.port().index];
  ++l.flows;
  l.weight += weight;
  return out;
}

RouteStep FlowRoutes::tear_down(ConnectionId connection, PortId in, RouteStep usual, double weight) {
  std::vector<Hop> hops = hops_of(connection);
  const auto found = std::find_if(hops.begin(), hops.end(), [&](const Hop& h) { return h.in == in.index; });
  if (found == hops.end()) fail(__FILE__, __LINE__, "a tear-down packet has left the route of its flow");
  const Hop hop = *found;
  if (hop.cached) --cached_[in.index];
  Load& l = loads_[hop.out.port().index];
  WEIR_CHECK(l.flows > 0);
  --l.flows;
  l.weight = l.flows == 0 ? 0.0 : l.weight - weight;  // an idle port forgets what rounding left
  hops.erase(found);
  const std::uint32_t first = records_[slot_[connection.index]].first;
  erase_route(connection);
  for (const Hop& left : hops) append(connection, first, left);
  return hop.cached ? hop.out : usual;
}

std::vector<LinkId> FlowRoutes::links_of(ConnectionId connection) const {
  std::vector<LinkId> links;
  for (const Hop& hop : hops_of(connection)) links.push_back(hop.out.port());
  return links;
}

std::size_t FlowRoutes::bytes_of_state() const {
  return loads_.capacity() * sizeof(Load) + (cached_.capacity() + slot_.capacity()) * 4 +
         records_.capacity() * sizeof(Record);
}

FlowConnections::FlowConnections(const FlowSetupConfig& config, const Workload& workload, std::size_t hosts)
    : config_(config), hosts_(hosts) {
  for (std::uint32_t f = 0; f < workload.flows.size(); ++f) entries_.try_emplace(ConnectionId{f});
}

bool FlowConnections::take(HostId source, HostId destination, ConnectionId connection) {
  if (config_.connections == 0) return true;
  Pair& pair = pairs_[source.index * static_cast<std::uint64_t>(hosts_) + destination.index];
  if (pair.in_use < config_.connections) {
    ++pair.in_use;
    return true;
  }
  pair.waiting.push_back(connection);
  return false;
}

ConnectionId FlowConnections::give(HostId source, HostId destination) {
  if (config_.connections == 0) return kNoConnection;
  Pair& pair = pairs_[source.index * static_cast<std::uint64_t>(hosts_) + destination.index];
  if (pair.waiting.empty()) {
    --pair.in_use;
    return kNoConnection;
  }
  const ConnectionId next = pair.waiting.front();
  pair.waiting.erase(pair.waiting.begin());
  return next;
}

bool FlowConnections::starts_flow(Entry& entry, std::int64_t now) const {
  return entry.train.add(now, config_.idle) >= config_.train;
}

bool FlowConnections::due(ConnectionId connection, std::uint32_t arrived, SetupStep& step) {
  const auto found = awaited_.find(connection);
  if (found == awaited_.end() || found->second.second > arrived) return false;
  step = found->second.first;
  awaited_.erase(found);
  return true;
}

}  // namespace weir
