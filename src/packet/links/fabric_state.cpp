#include "packet/links/fabric_state.h"

namespace weir {

FabricState::FabricState(const Topology& topology, const PacketConfig& config, const Part& part)
    : LinkRecords(topology.ports(), config.switches.lanes, config.switches.organisation == Organisation::fifo_in_out),
      waits_(topology.ports()),
      outputs_(channels()),
      senders_(topology.ports()),
      receivers_(topology.ports()),
      unit_(config.switches.unit) {
  const SwitchConfig& s = config.switches;
  const bool crossbar = s.organisation == Organisation::fifo_in_out;
  inputs_ = InputBuffers(channels(), s.release_at_head && !crossbar, crossbar);
  buffer_ = static_cast<std::int32_t>(std::min<Bytes>(s.buffer, 1 << 30));
  header_ = static_cast<std::int32_t>(config.format.header);
  for (std::uint32_t l = 0; l < links(); ++l) {
    const PortId port{l};
    senders_[l] = topology.node_of(port);
    const bool connected = topology.to(port).valid();
    if (connected) receivers_[l] = topology.node_of(topology.to(port));
    if (!part.owns(senders_[l]) && !(connected && part.owns(receivers_[l]))) continue;
    used_.add(l);
    begin(port);
    begin_link(topology, s, port);
  }
}

void FabricState::begin_link(const Topology& topology, const SwitchConfig& s, LinkId l) {
  Link& link = this->link(l);
  waits_[l.index] = {};
  if (topology.is_host(sender(l))) link.set(Link::kFromHost);
  if (topology.to(l).valid()) connect(link, topology, s, l);
  each_channel(l, [&](ChannelId c) { channel(c).credits = capacity(c); });
}

void FabricState::connect(Link& link, const Topology& topology, const SwitchConfig& s, LinkId l) {
  const bool to_host = topology.is_host(receiver(l));
  const LinkProperties& properties = topology.link(l);
  link.set(Link::kConnected);
  if (to_host) link.set(Link::kToHost);
  else if (s.flow_control == FlowControl::credits) link.set(Link::kTakesCredits);
  link.kind = number_of(kind_of_link(topology, s, l));
  if (!to_host && properties.buffer > 0) {  // hosts take whatever comes: their credits are never touched
    if (capacity_.empty()) capacity_.assign(links(), buffer_);
    capacity_[l.index] = static_cast<std::int32_t>(properties.buffer);
  }
  each_channel(l, [&](ChannelId c) {
    inputs_.begin(c, (properties.delay + s.credit_delay).ps);
    if (to_host) channel(c).set(Channel::kToHost);
  });
}

}  // namespace weir
