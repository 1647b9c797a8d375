// The ways that a flow takes, where they are known.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "measure/flows/ways_taken.h"
#include "measure/measurements.h"
#include "network/ecmp.h"
#include "network/route_table.h"
#include "network/topology.h"

namespace weir {

class FlowWays {
 public:
  // `flows`: those whose ways are asked for; they may be hashed as others are.
  FlowWays(const Topology& topology, const RouteTable& routes, WaysTaken taken = WaysTaken::by_default,
           std::uint64_t seed = 0, std::span<const FlowResult> flows = {})
      : topology_(topology), routes_(routes), flows_(flows), seed_(seed), hashed_(taken == WaysTaken::by_hash),
        all_(taken == WaysTaken::all), known_(taken != WaysTaken::unknown) {}

  bool known() const { return known_; }

  // visit(port) for every link from source to destination, which differ, until it returns false; along one way they
  // come in order.
  template <class Visit>
  void each_link(FlowId flow, HostId source, HostId destination, const Visit& visit) {
    if (all_) return each_of_all(source, destination, visit);
    const std::uint64_t word = hashed_ ? ecmp_flow_word(seed_, source, destination, number_of(flow)) : 0;
    PortId port = topology_.host_port(source);
    while (visit(port)) {
      const NodeId node = topology_.node_of(topology_.to(port));
      if (topology_.is_host(node)) return;
      const SwitchId s = topology_.switch_of(node);
      port = hashed_ ? ecmp_pick(routes_.candidates(s, source, destination, scratch_), s, word).port()
                     : routes_.default_port(s, source, destination);
    }
  }

  // visit(in, out) for every switch under way: the link that leads to it, and the one that leads on.
  template <class Visit>
  void each_turn(FlowId flow, HostId source, HostId destination, const Visit& visit) {
    if (all_) {
      std::vector<PortId> links;
      each_of_all(source, destination, [&](PortId port) {
        links.push_back(port);
        return true;
      });
      for (const PortId in : links)
        for (const PortId out : links)
          if (topology_.node_of(topology_.to(in)) == topology_.node_of(out)) visit(in, out);
      return;
    }
    PortId before;
    each_link(flow, source, destination, [&](PortId port) {
      if (before.valid()) visit(before, port);
      before = port;
      return true;
    });
  }

 private:
  std::uint32_t number_of(FlowId flow) const {
    const FlowId other = flow.index < flows_.size() ? flows_[flow.index].hashed_as : FlowId{};
    return other.valid() ? other.index : flow.index;
  }
  template <class Visit>
  void each_of_all(HostId source, HostId destination, const Visit& visit) {
    reached_.assign(topology_.switches(), false);
    to_visit_.assign(1, topology_.host_port(source));
    while (!to_visit_.empty()) {
      const PortId port = to_visit_.back();
      to_visit_.pop_back();
      if (!visit(port)) return;
      const NodeId node = topology_.node_of(topology_.to(port));
      if (topology_.is_host(node)) continue;
      const SwitchId s = topology_.switch_of(node);
      if (reached_[s.index]) continue;
      reached_[s.index] = true;
      for (const RouteStep step : routes_.candidates(s, source, destination, scratch_))
        to_visit_.push_back(step.port());
    }
  }

  const Topology& topology_;
  const RouteTable& routes_;
  std::span<const FlowResult> flows_;
  std::uint64_t seed_;
  bool hashed_, all_, known_;
  std::vector<RouteStep> scratch_;
  std::vector<bool> reached_;     // by switch
  std::vector<PortId> to_visit_;
};

}  // namespace weir
