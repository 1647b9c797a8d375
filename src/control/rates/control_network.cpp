// The clockwork behind control_network.h.
#include "control/rates/control_network.h"

#include <algorithm>

#include "base/check.h"

namespace weir {

void ControlNetwork::Paths::add(std::span<const PortId> path) {
  ports.insert(ports.end(), path.begin(), path.end());
  start.push_back(static_cast<std::uint32_t>(ports.size()));
}

ControlNetwork::ControlNetwork(const Topology& topology, const Paths& out, const Paths& back, RateProtocol& protocol,
                               ControlTiming timing)
    : topology_(topology), out_(out), back_(back), protocol_(protocol), timing_(timing), links_(topology.ports()),
      records_(out.start.size() - 1) {
  for (std::uint32_t p = 0; p < links_.size(); ++p) {
    if (!topology.to({p}).valid()) continue;
    const LinkProperties& properties = topology.link({p});
    Link& link = links_[p];
    link.delay = properties.delay;
    link.control = properties.rate.time_for(timing.control.bytes);
    link.broadcast = properties.rate.time_for(timing.broadcast.bytes);
    link.spread = properties.rate.time_for(timing.spread.bytes);
    link.gather = properties.rate.time_for(timing.gather.bytes);
    link.draws = RandomStream(timing.seed, Purpose::jitter, p);
  }
}

void ControlNetwork::push(Time at, EventKind kind, std::uint32_t entity, std::uint32_t packet, std::uint32_t serial) {
  events_.push_back({at.ps, static_cast<std::uint64_t>(kind) << 32 | entity, serial, packet});
  std::push_heap(events_.begin(), events_.end(), Later{});
}

bool ControlNetwork::run_until(Time until) {
  while (!events_.empty() && events_.front().time <= until.ps) step();
  return !events_.empty();
}

void ControlNetwork::step() {
  std::pop_heap(events_.begin(), events_.end(), Later{});
  const Event event = events_.back();
  events_.pop_back();
  now_ = {event.time};
  handle(event);
}

void ControlNetwork::handle(const Event& event) {
  const auto entity = static_cast<std::uint32_t>(event.order);
  switch (static_cast<EventKind>(event.order >> 32)) {
    case EventKind::at_port: {  // on its way out, routed; the port's processor takes it in turn
      Link& link = links_[entity];
      link.handles_until = std::max(now_, link.handles_until) + timing_.control.processing;
      return push(link.handles_until, EventKind::handled, entity, event.packet, event.serial);
    }
    case EventKind::handled:
      protocol_.at_port({entity}, pool_[event.packet].message);
      return forward(event.packet, {entity});
    case EventKind::onward:
      return forward(event.packet, {entity});
    case EventKind::at_host:
      return arrived(event.packet);
    case EventKind::at_input: {
      Time& until = links_[topology_.from({entity}).index].reads_until;
      until = std::max(now_, until) + kind_of(hop_pool_[event.packet].message.kind).processing;
      return push(until, EventKind::at_node, entity, event.packet, event.serial);
    }
    case EventKind::at_node: {
      const HopMessage message = hop_pool_[event.packet].message;
      hop_unused_.push_back(event.packet);
      protocol_.hop({entity}, message, actions_);
      return act();
    }
    case EventKind::timer: protocol_.timer(entity, actions_); return act();
    case EventKind::start: protocol_.start(entity, actions_); return act();
    case EventKind::end: protocol_.end(entity, actions_); return act();
  }
}

void ControlNetwork::act() {
  for (const RateActions::NewRate& r : actions_.rates) {
    FlowRecord& record = records_[r.flow];
    record.rate = r.rate;
    record.rate_set = now_;
    record.sent_for_rate = record.sent;
  }
  for (const std::uint32_t f : actions_.begun) records_[f].begun = now_;
  for (const RateActions::Timer& t : actions_.timers) push(now_ + t.after, EventKind::timer, t.flow, 0);
  for (const RateActions::Send& s : actions_.sends) send(s);
  for (const RateActions::Hop& h : actions_.hops) send_hop(h);
  actions_.clear();
}

void ControlNetwork::send(const RateActions::Send& s) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(pool_.size()));
    pool_.emplace_back();
  }
  const std::uint32_t index = unused_.back();
  unused_.pop_back();
  pool_[index] = {s.message, s.flow, 0, serials_++, false, now_};
  ++packets_;
  ++records_[s.flow].sent;
  const PortId port = out_.of(s.flow).front();
  protocol_.at_port(port, pool_[index].message);
  forward(index, port);
}

Time ControlNetwork::transmit(PortId port, Time duration) {
  Link& link = links_[port.index];
  ++hops_;
  link.sends_until = std::max(now_, link.sends_until) + duration;
  Time arrival = link.sends_until + link.delay;
  if (timing_.jitter.ps > 0) {
    const double u = link.draws.unit();
    arrival += {static_cast<std::int64_t>(static_cast<double>(timing_.jitter.ps) * u * u * u * u)};
  }
  return arrival;
}

// Sends a control packet over the next link of its path.
void ControlNetwork::forward(std::uint32_t index, PortId port) {
  Packet& packet = pool_[index];
  const std::span<const PortId> path = path_of(packet);
  const Time arrival = transmit(port, links_[port.index].control);
  if (++packet.leg == path.size()) return push(arrival, EventKind::at_host, packet.flow, index, packet.serial);
  const PortId next = path[packet.leg];
  push(arrival + timing_.routing, packet.returning ? EventKind::onward : EventKind::at_port, next.index, index,
       packet.serial);
}

// A control packet has come to the end of its way: it turns back, or it is home.
void ControlNetwork::arrived(std::uint32_t index) {
  const std::uint32_t flow = pool_[index].flow;
  if (!pool_[index].returning && protocol_.at_destination(flow, pool_[index].message, actions_)) {
    pool_[index].returning = true;
    pool_[index].leg = 0;
    forward(index, back_.of(flow).front());
    return act();
  }
  const Packet packet = pool_[index];
  unused_.push_back(index);
  if (packet.returning) {
    longest_ = std::max(longest_, now_ - packet.sent);
    protocol_.returned(flow, packet.message, actions_);
  }
  act();
}

const ControlTiming::Kind& ControlNetwork::kind_of(HopKind kind) const {
  switch (kind) {
    case HopKind::round: return timing_.broadcast;
    case HopKind::rates_answer:
    case HopKind::set_answer: return timing_.gather;
    default: return timing_.spread;
  }
}

Time ControlNetwork::duration(const Link& link, HopKind kind) const {
  switch (kind) {
    case HopKind::round: return link.broadcast;
    case HopKind::rates_answer:
    case HopKind::set_answer: return link.gather;
    default: return link.spread;
  }
}

void ControlNetwork::send_hop(const RateActions::Hop& h) {
  const PortId in = topology_.to(h.out);
  const Time arrival = transmit(h.out, duration(links_[h.out.index], h.message.kind));
  if (hop_unused_.empty()) {
    hop_unused_.push_back(static_cast<std::uint32_t>(hop_pool_.size()));
    hop_pool_.emplace_back();
  }
  const std::uint32_t index = hop_unused_.back();
  hop_unused_.pop_back();
  hop_pool_[index] = {h.message, serials_++};
  if (topology_.is_host(topology_.node_of(in)))
    return push(arrival, EventKind::at_node, in.index, index, hop_pool_[index].serial);
  push(arrival + timing_.routing, EventKind::at_input, in.index, index, hop_pool_[index].serial);
}

void ControlNetwork::restart_counts() {
  for (FlowRecord& record : records_) record.sent = record.sent_for_rate = 0;
}

}  // namespace weir
