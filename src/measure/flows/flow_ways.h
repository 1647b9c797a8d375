// The way that a flow takes: the default route, or one of several by a hash (ECMP). Where packets of one flow take
// several ways, it has none; the default route then stands for all of them where a length is needed.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "network/ecmp.h"
#include "network/route_table.h"
#include "network/topology.h"

namespace weir {

class FlowWays {
 public:
  // `choice`: as a scenario names it in routing.choice.
  FlowWays(const Topology& topology, const RouteTable& routes, std::string_view choice = "fixed",
           std::uint64_t seed = 0)
      : topology_(topology), routes_(routes), seed_(seed), hashed_(choice == "ecmp"),
        known_(choice == "ecmp" || choice == "fixed") {}

  bool known() const { return known_; }  // every flow has one way

  // visit(port) for every link from source to destination, which differ, until it returns false.
  template <class Visit>
  void each_link(FlowId flow, HostId source, HostId destination, const Visit& visit) {
    const std::uint64_t word = hashed_ ? ecmp_flow_word(seed_, source, destination, flow.index) : 0;
    PortId port = topology_.host_port(source);
    while (visit(port)) {
      const NodeId node = topology_.node_of(topology_.to(port));
      if (topology_.is_host(node)) return;
      const SwitchId s = topology_.switch_of(node);
      port = hashed_ ? ecmp_pick(routes_.candidates(s, source, destination, scratch_), s, word).port()
                     : routes_.default_port(s, source, destination);
    }
  }

 private:
  const Topology& topology_;
  const RouteTable& routes_;
  std::uint64_t seed_;
  bool hashed_, known_;
  std::vector<RouteStep> scratch_;
};

}  // namespace weir
