// Least-loaded choice among equal ports; see the header for what load means.
#include "network/routings/port_chooser.h"

#include "network/hops.h"

namespace weir {

PortChooser::PortChooser(const Topology& topology, bool spread)
    : topology_(topology), spread_(spread), hosts_at_(topology.switches(), 0), load_(topology.ports(), 0) {
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    const SwitchId entry = next_switch(topology, topology.host_port({h}));
    if (entry.valid()) ++hosts_at_[entry.index];
  }
}

void PortChooser::start_destination(HostId destination) {
  demand_ = hosts_at_;
  const SwitchId entry = next_switch(topology_, topology_.host_port(destination));
  if (entry.valid()) --demand_[entry.index];
}

PortId PortChooser::choose(SwitchId s, std::span<const PortId> equals) {
  PortId best = equals[0];
  if (!spread_) return best;
  for (PortId p : equals) {
    if (load_[p.index] < load_[best.index]) best = p;
  }
  load_[best.index] += demand_[s.index];
  const SwitchId next = next_switch(topology_, best);
  if (next.valid()) demand_[next.index] += demand_[s.index];
  return best;
}

}  // namespace weir
