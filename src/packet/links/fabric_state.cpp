#include "packet/links/fabric_state.h"

#include <algorithm>

namespace weir {
namespace {

// Does the host at the end of this link take packets in as fast as the link brings them?
bool takes_all(const Topology& topology, const AdapterConfig& adapter, NodeId host, Rate link) {
  const std::vector<HostId>& slow = adapter.receive_hosts;
  if (adapter.receive_rate.bits_per_second == 0 || link <= adapter.receive_rate) return true;
  return !slow.empty() && !std::binary_search(slow.begin(), slow.end(), topology.host(host));
}

}  // namespace

FabricState::FabricState(const Topology& topology, const PacketConfig& config, const Part& part)
    : LinkRecords(topology.ports(), config.switches.lanes, config.switches.organisation->crossbar),
      waits_(topology.ports()),
      outputs_(channels()),
      pauses_(config.switches.flow_control->by_credits ? 0 : channels()),
      senders_(topology.ports()),
      receivers_(topology.ports()),
      hosts_(static_cast<std::uint32_t>(topology.hosts())),
      unit_(config.switches.unit),
      size_counts_(unit_ == BufferUnit::packets ? 0 : -1),
      each_(unit_ == BufferUnit::packets ? 1 : 0) {
  const SwitchConfig& s = config.switches;
  const bool crossbar = s.organisation->crossbar;
  const bool credits = s.flow_control->by_credits;
  inputs_ = InputBuffers(channels(), s.release_at_head && !crossbar, crossbar, credits);
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
    begin_link(topology, config, port);
  }
}

void FabricState::begin_link(const Topology& topology, const PacketConfig& config, LinkId l) {
  Link& link = this->link(l);
  waits_[l.index] = {};
  if (topology.is_host(sender(l))) link.set(Link::kFromHost);
  if (topology.to(l).valid()) connect(link, topology, config, l);
  constexpr std::int32_t kUnlimited = std::int32_t{1} << 30;  // where receivers stop senders by other means
  each_channel(l, [&](ChannelId c) { channel(c).credits = link.is(Link::kTakesCredits) ? capacity(c) : kUnlimited; });
}

void FabricState::connect(Link& link, const Topology& topology, const PacketConfig& config, LinkId l) {
  const SwitchConfig& s = config.switches;
  const bool to_host = topology.is_host(receiver(l));
  const LinkProperties& properties = topology.link(l);
  link.set(Link::kConnected);
  const bool unlimited = to_host && takes_all(topology, config.adapter, receiver(l), properties.rate);
  if (to_host) link.set(Link::kToHost);
  if (!unlimited && s.flow_control->by_credits) link.set(Link::kTakesCredits);
  link.kind = number_of(kind_of_link(topology, s, l));
  if (!to_host && properties.buffer > 0) {  // hosts have one size of buffer
    if (capacity_.empty()) capacity_.assign(links(), buffer_);
    capacity_[l.index] = static_cast<std::int32_t>(properties.buffer);
  }
  each_channel(l, [&](ChannelId c) {
    inputs_.begin(c, (properties.delay + s.credit_delay).ps);
    if (!to_host) channel(c).leads_to = switch_of(receiver(l));
    if (unlimited) channel(c).set(Channel::kUnlimited);
  });
}

}  // namespace weir
