#include "packet/links/fabric_state.h"

namespace weir {

FabricState::FabricState(const Topology& topology, const PacketConfig& config)
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
  std::uint64_t first_rate = 0;
  for (std::uint32_t l = 0; l < links(); ++l) {
    Link& link = this->link({l});
    const PortId port{l};
    senders_[l] = topology.node_of(port);
    if (topology.is_host(senders_[l])) link.set(Link::kFromHost);
    if (!topology.to(port).valid()) continue;
    const LinkProperties& properties = topology.link(port);
    receivers_[l] = topology.node_of(topology.to(port));
    const bool to_host = topology.is_host(receivers_[l]);
    link.set(Link::kConnected);
    if (to_host) link.set(Link::kToHost);
    else if (s.flow_control == FlowControl::credits) link.set(Link::kTakesCredits);
    // A buffered crossbar adds its own delay when the packet crosses.
    const Time inside = to_host ? Time{} : crossbar ? s.route_delay : s.route_delay + s.switch_delay;
    set_kind(link, {.ps_per_byte_q16 = properties.rate.ps_per_byte_q16(),
                    .latency = static_cast<std::uint32_t>((properties.delay + inside).ps),
                    .by_tail = to_host || s.switching == Switching::store_and_forward});
    if (first_rate == 0) first_rate = kind(link).ps_per_byte_q16;
    mixed_rates_ |= kind(link).ps_per_byte_q16 != first_rate;
    each_channel(port, [&](ChannelId c) {
      inputs_.set_return_delay(c, (properties.delay + s.credit_delay).ps);
      if (to_host) channel(c).set(Channel::kToHost);
    });
    if (to_host) continue;  // hosts take whatever comes: their credits are never touched
    if (properties.buffer > 0 && capacity_.empty()) capacity_.assign(links(), buffer_);
    if (properties.buffer > 0) capacity_[l] = static_cast<std::int32_t>(properties.buffer);
  }
  for (std::uint32_t c = 0; c < channels(); ++c) channel({c}).credits = capacity({c});
}

void FabricState::take_over(const FabricState& other, LinkId l) {
  LinkRecords::take_over(other, l);
  waits_[l.index] = other.waits_[l.index];
  each_channel(l, [&](ChannelId c) { outputs_[c.index] = other.outputs_[c.index]; });
}

}  // namespace weir
