// What lasting traffic asks for: from host to host, and of the links of hosts.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "network/topology.h"
#include "packet/config/config.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"

namespace weir {

// What flows of this payload take on the wire, for each byte of payload.
double bytes_on_wire_per_byte(const PacketFormat& format);

// In bytes per second on the wire.
class Demands {
 public:
  Demands(const Topology& topology, const Workload& workload, const PacketConfig& config);

  bool none() const { return list_.empty(); }
  // Of what their link carries.
  double sent_share(HostId host) const { return sent_[host.index] / rate_of(topology_.host_port(host)); }
  // Of what the host takes in, without what a hot spot sends there.
  double asked_share(HostId host) const { return (asked_[host.index] - aimed_[host.index]) / rate_into(host); }
  bool slow_receiver(HostId host) const { return slow_[host.index] > 0; }

  // visit(source, destination, rate): what can leave the source and enter the destination.
  template <class Visit>
  void each(const Visit& visit) const {
    for (const Demand& demand : list_)
      visit(demand.source, demand.destination,
            demand.rate * std::min(1.0, rate_of(topology_.host_port(demand.source)) / sent_[demand.source.index]) *
                std::min(1.0, rate_into(demand.destination) / asked_[demand.destination.index]));
  }

 private:
  struct Demand {
    HostId source, destination;
    double rate;
  };

  double rate_of(PortId port) const { return topology_.link(port).rate.bytes_per_second(); }
  double rate_into(HostId host) const {
    return slow_receiver(host) ? slow_[host.index] : rate_of(topology_.from(topology_.host_port(host)));
  }
  void find_slow_receivers(const AdapterConfig& adapter);
  double wire_rate(const Source& source) const;
  bool lasts(const Source& source) const;
  void add(const Demand& demand);
  void add_sources();
  void add_arriving();
  void add_listed_flows();
  // From each of these hosts to any of its destinations.
  void spread(const std::vector<ArrivingLoad::Sender>& senders, const DestinationChoice& to);

  const Topology& topology_;
  const Workload& workload_;
  const PacketFormat& format_;
  std::vector<double> sent_, asked_;  // by host
  std::vector<double> aimed_;         // at it by hot spots: part of what it is asked for
  std::vector<double> slow_;  // by host: at which its adapter takes in less than its link brings; 0: it does not
  std::vector<Demand> list_;
  RandomStream random_{1, Purpose::routing, 0};
};

}  // namespace weir
