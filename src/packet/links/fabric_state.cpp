#include "packet/links/fabric_state.h"

#include <bit>

namespace weir {

FabricState::FabricState(const Topology& topology, const PacketConfig& config)
    : links_(topology.ports()), waits_(topology.ports()), lanes_(config.switches.lanes), unit_(config.switches.unit) {
  lane_shift_ = static_cast<std::uint32_t>(std::bit_width(lanes_ - 1));
  channels_.resize(links_.size() << lane_shift_);
  outputs_.resize(channels_.size());
  receivers_.resize(links_.size());
  const SwitchConfig& s = config.switches;
  const bool crossbar = s.organisation == Organisation::fifo_in_out;
  inputs_ = InputGauges(channels_.size(), s.release_at_head && !crossbar, crossbar);
  buffer_ = static_cast<std::int32_t>(std::min<Bytes>(s.buffer, 1 << 30));
  header_ = static_cast<std::int32_t>(config.format.header);
  for (std::uint32_t l = 0; l < links_.size(); ++l) {
    Link& link = links_[l];
    const PortId port{l};
    link.sender = topology.node_of(port);
    if (topology.is_host(link.sender)) link.set(Link::kFromHost);
    if (!topology.to(port).valid()) continue;
    const LinkProperties& properties = topology.link(port);
    const PortId far = topology.to(port);
    link.set(Link::kConnected);
    if (s.switching == Switching::store_and_forward) link.set(Link::kByTail);
    link.ps_per_byte_q16 = properties.rate.ps_per_byte_q16();
    receivers_[l] = topology.node_of(far);
    link.latency = static_cast<std::uint32_t>(properties.delay.ps);
    if (topology.is_host(receivers_[l])) {
      link.set(Link::kToHost | Link::kByTail);
    } else {
      // A buffered crossbar adds its own delay when the packet crosses.
      link.latency += static_cast<std::uint32_t>((crossbar ? s.route_delay : s.route_delay + s.switch_delay).ps);
      if (s.flow_control == FlowControl::credits) link.set(Link::kTakesCredits);
    }
    each_channel(port, [&](ChannelId c) {
      channels_[c.index].return_delay = static_cast<std::uint32_t>((properties.delay + s.credit_delay).ps);
      if (link.is(Link::kToHost)) channels_[c.index].set(Channel::kToHost);
    });
    if (link.is(Link::kToHost)) continue;  // hosts take whatever comes: their credits are never touched
    if (properties.buffer > 0 && capacity_.empty()) capacity_.assign(links_.size(), buffer_);
    if (properties.buffer > 0) capacity_[l] = static_cast<std::int32_t>(properties.buffer);
  }
  for (const Link& link : links_)
    mixed_rates_ |= link.ps_per_byte_q16 != links_[0].ps_per_byte_q16 && link.is(Link::kConnected);
  for (std::uint32_t c = 0; c < channels_.size(); ++c) channels_[c].credits = capacity({c});
}

}  // namespace weir
