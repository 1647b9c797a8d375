// Ports, switches, hosts and sources of DFFA.
#include "control/rates/dffa.h"

#include <algorithm>

#include "base/check.h"

namespace weir {

DffaProtocol::DffaProtocol(const Topology& topology, std::span<const RateUnits> capacity,
                           std::span<const RatedFlow> flows)
    : topology_(topology),
      ports_(capacity.size()),
      elements_(topology.nodes()),
      originating_(topology.hosts()) {
  for (std::size_t p = 0; p < capacity.size(); ++p) ports_[p].capacity = ports_[p].left = capacity[p];
  for (std::uint32_t f = 0; f < flows.size(); ++f) place(f, flows[f]);
}

void DffaProtocol::place(std::uint32_t flow, const RatedFlow& what) {
  if (flow >= flows_.size()) flows_.resize(flow + 1), sources_.resize(flow + 1);
  flows_[flow] = what;
  sources_[flow] = {};
}

// ---- ports and switches ----

// A new round resets all links of an element. Each is reset when it is next looked at, which nobody can tell apart: the
// members of a link change only together with the round.
DffaPort& DffaProtocol::in_round(PortId p, std::uint32_t round) {
  DffaPort& port = ports_[p.index];
  if (port.round != round) {
    port.round = round;
    port.active = port.members;
    port.claimed = 0;
    port.left = port.capacity;
    port.share = {port.capacity, port.members};
  }
  return port;
}

void DffaProtocol::at_port(PortId p, RateMessage& m) {
  const NodeId node = topology_.node_of(p);
  DffaElement& element = elements_[node.index];
  if (m.request == RateRequest::start || m.request == RateRequest::end) {
    if (topology_.is_host(node)) return;  // announce() has counted the flow on the host's own link
    element.round = std::max(element.round + 1, m.round);
    m.round = element.round;
    RateWeight& members = ports_[p.index].members;
    WEIR_CHECK(m.request == RateRequest::start || members >= m.weight);
    m.request == RateRequest::start ? members += m.weight : members -= m.weight;
    return;
  }
  if (element.round < m.round) m.ok = false;
  if (element.round > m.round) m.stale = true;
  if (m.request == RateRequest::probe || element.round != m.round) return;
  DffaPort& port = in_round(p, m.round);
  if (m.request == RateRequest::update) {
    if (m.flagged && m.mark.reaches(port.share)) port.claimed += m.weight;
    WEIR_CHECK(port.claimed <= port.active);
    if (port.claimed == port.active) m.ok = false;
    m.least = least(m.least, port.share);
    return;
  }
  WEIR_CHECK(m.request == RateRequest::inactive && port.active >= m.weight);
  if (m.mark.reaches(port.share)) port.claimed -= m.weight;
  port.active -= m.weight;
  port.left -= m.mark.rate_of(m.weight);
  if (port.active == 0) return;
  const Share grown{port.left, port.active};
  if (port.share.reaches(grown)) return;
  port.share = grown;
  port.claimed = 0;
}

void DffaProtocol::flood(NodeId from, PortId except, std::uint32_t round, RateActions& out) {
  elements_[from.index].forwarded = round;
  for (std::uint32_t i = 0; i < topology_.port_count(from); ++i) {
    const PortId p = topology_.port(from, i);
    if (p != except && topology_.to(p).valid()) out.hops.push_back({p, {HopKind::round, round, 0, {}, {}}});
  }
}

void DffaProtocol::hop(PortId in, const HopMessage& message, RateActions& out) {
  const NodeId node = topology_.node_of(in);
  DffaElement& element = elements_[node.index];
  if (topology_.is_host(node)) {
    if (message.round > element.round) begin_round(node, message.round, out);
    return;
  }
  if (message.round < element.round || message.round == element.forwarded) return;
  element.round = message.round;
  flood(node, in, message.round, out);
}

// ---- hosts ----

// All flows of the host begin again. One whose packet is under way does so when it is back.
void DffaProtocol::begin_round(NodeId host, std::uint32_t round, RateActions& out) {
  elements_[host.index].round = round;
  for (const std::uint32_t flow : originating_[host.index])
    if (!sources_[flow].under_way) wait(flow, out);
}

void DffaProtocol::announce(std::uint32_t flow, RateRequest request, RateActions& out) {
  const NodeId host = topology_.node(flows_[flow].source);
  std::vector<std::uint32_t>& others = originating_[host.index];
  RateWeight& members = ports_[topology_.host_port(flows_[flow].source).index].members;
  if (request == RateRequest::end) {
    others.erase(std::find(others.begin(), others.end(), flow));
    members -= flows_[flow].weight;
  }
  begin_round(host, elements_[host.index].round + 1, out);
  if (request == RateRequest::start) {
    others.push_back(flow);
    members += flows_[flow].weight;
  }
  sources_[flow].state = State::joining;
  send(flow, request, false, out);
}

bool DffaProtocol::at_destination(std::uint32_t flow, RateMessage& m, RateActions& out) {
  if (m.request != RateRequest::start && m.request != RateRequest::end) return true;
  const NodeId host = topology_.node(flows_[flow].destination);
  begin_round(host, std::max(elements_[host.index].round + 1, m.round), out);
  flood(host, {}, elements_[host.index].round, out);
  return true;
}

// ---- sources ----

void DffaProtocol::start(std::uint32_t flow, RateActions& out) { announce(flow, RateRequest::start, out); }

void DffaProtocol::end(std::uint32_t flow, RateActions& out) {
  sources_[flow].ending = true;
  if (!sources_[flow].under_way) announce(flow, RateRequest::end, out);
}

void DffaProtocol::send(std::uint32_t flow, RateRequest request, bool raised, RateActions& out) {
  RateMessage message;
  message.request = request;
  message.round = elements_[flows_[flow].source.index].round;
  message.weight = flows_[flow].weight;
  message.mark = sources_[flow].share;
  message.flagged = raised;
  sources_[flow].under_way = true;
  out.sends.push_back({flow, message});
}

void DffaProtocol::wait(std::uint32_t flow, RateActions& out) {
  sources_[flow].state = State::waiting;
  send(flow, RateRequest::probe, false, out);
}

// The loop: claim the lowest share of the path, until one of its links is saturated.
void DffaProtocol::claim(std::uint32_t flow, const RateMessage& answer, RateActions& out) {
  Source& source = sources_[flow];
  if (!answer.ok) {
    source.state = State::leaving;
    return send(flow, RateRequest::inactive, false, out);
  }
  const bool raised = !source.share.reaches(answer.least);
  WEIR_CHECK(!(answer.least < source.share));
  if (raised) source.share = answer.least;
  send(flow, RateRequest::update, raised, out);
}

void DffaProtocol::returned(std::uint32_t flow, const RateMessage& m, RateActions& out) {
  Source& source = sources_[flow];
  source.under_way = false;
  if (m.request == RateRequest::end) {
    source.state = State::absent;
    out.rates.push_back({flow, 0});
    out.gone.push_back(flow);
    return;
  }
  if (source.ending) return announce(flow, RateRequest::end, out);
  if (m.request == RateRequest::start || m.round != elements_[flows_[flow].source.index].round) return wait(flow, out);
  if (m.stale) return;  // a later round is on its way to this host, and begins it anew
  if (source.state == State::waiting) {
    if (!m.ok) return wait(flow, out);
    source.share = Share::none();
    source.state = State::claiming;
    out.begun.push_back(flow);
    return send(flow, RateRequest::update, false, out);
  }
  if (source.state == State::claiming) return claim(flow, m, out);
  source.state = State::settled;
  out.rates.push_back({flow, source.share.rate_of(flows_[flow].weight)});
}

}  // namespace weir
