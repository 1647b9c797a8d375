// Elements, leader and sources of DAFA.
#include "control/rates/dafa.h"

#include <algorithm>

#include "base/check.h"
#include "base/error.h"

namespace weir {

DafaProtocol::DafaProtocol(const Topology& topology, std::span<const RateUnits> capacity,
                           std::span<const RatedFlow> flows, NodeId leader, std::size_t apps)
    : topology_(topology),
      apps_(apps),
      leader_(leader),
      ports_(capacity.size()),
      elements_(topology.nodes()),
      originating_(topology.hosts()) {
  for (const RatedFlow& flow : flows) apps_ = std::max<std::size_t>(apps_, flow.app + 1u);
  if (apps_ > kMostApplications)
    throw InputError("distributed AFA serves at most " + std::to_string(kMostApplications) + " applications; " +
                     std::to_string(apps_) + " were given: calculate the rates exactly instead");
  weights_.resize(ports_.size() * apps_);
  unanswered_.resize(apps_, 0);
  for (std::size_t p = 0; p < capacity.size(); ++p) ports_[p].capacity = ports_[p].left = capacity[p];
  for (std::uint32_t f = 0; f < flows.size(); ++f) place(f, flows[f]);
  span_tree();
}

void DafaProtocol::place(std::uint32_t flow, const RatedFlow& what) {
  if (flow >= flows_.size()) flows_.resize(flow + 1), sources_.resize(flow + 1);
  flows_[flow] = what;
  sources_[flow] = {};
}

// The way of triggers to the leader, and the distance of the farthest element.
void DafaProtocol::span_tree() {
  to_leader_.assign(topology_.nodes(), PortId{});
  std::vector<std::uint32_t> distance(topology_.nodes(), 0);
  std::vector<bool> found(topology_.nodes(), false);
  std::vector<NodeId> order{leader_};
  found[leader_.index] = true;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::uint32_t local = 0; local < topology_.port_count(order[i]); ++local) {
      const PortId p = topology_.port(order[i], local), far = topology_.to(p);
      if (!far.valid() && !topology_.from(p).valid()) continue;
      if (!far.valid() || topology_.to(far) != p)
        throw InputError("distributed AFA needs links that go both ways; " + topology_.port_name(p) + " does not");
      const NodeId next = topology_.node_of(far);
      if (found[next.index]) continue;
      found[next.index] = true;
      to_leader_[next.index] = far;
      distance[next.index] = distance[order[i].index] + 1;
      farthest_ = std::max(farthest_, distance[next.index]);
      order.push_back(next);
    }
  if (order.size() != topology_.nodes())
    throw InputError("distributed AFA needs a connected fabric; " + topology_.name(leader_) + " reaches " +
                     std::to_string(order.size()) + " of " + std::to_string(topology_.nodes()) + " nodes");
}

// ---- ports ----

DafaPort& DafaProtocol::in_round(PortId p, std::uint32_t round) {
  DafaPort& port = ports_[p.index];
  if (port.round != round) {
    port.round = round;
    port.left = port.capacity;
    port.active = 0;
    for (std::uint32_t a = 0; a < apps_; ++a) {
      weight(p, a).active = weight(p, a).members;
      port.active += weight(p, a).members;
    }
  }
  return port;
}

void DafaProtocol::at_port(PortId p, RateMessage& m) {
  RateWeight& members = weight(p, m.app).members;
  if (m.request == RateRequest::start) members += m.weight;
  if (m.request == RateRequest::end) {
    WEIR_CHECK(members >= m.weight);
    members -= m.weight;
  }
}

void DafaProtocol::work_on(PortId p, const HopMessage& wave, HopMessage& gathered) {
  DafaPort& port = in_round(p, wave.round);
  if (wave.kind == HopKind::collect_rates) {
    wave.apps.for_each([&](std::uint32_t app) {
      RateWeight& active = weight(p, app).active;
      port.active -= active;
      port.left -= wave.level.rate_of(active);
      active = 0;
    });
    if (port.active > 0) gathered.level = least(gathered.level, {port.left, port.active});
  } else if (port.active > 0 && wave.level.reaches({port.left, port.active})) {
    for (std::uint32_t a = 0; a < apps_; ++a)
      if (weight(p, a).active > 0) gathered.apps.insert(a);
  }
}

// ---- elements ----

// The links of an element are those that leave it.
void DafaProtocol::work(NodeId node, const HopMessage& wave) {
  HopMessage& gathered = elements_[node.index].gathered;
  gathered = {wave.kind == HopKind::collect_rates ? HopKind::rates_answer : HopKind::set_answer, wave.round, wave.step,
              Share::infinite(), {}};
  for (std::uint32_t i = 0; i < topology_.port_count(node); ++i)
    if (topology_.to(topology_.port(node, i)).valid()) work_on(topology_.port(node, i), wave, gathered);
}

void DafaProtocol::join(NodeId node, PortId parent, const HopMessage& wave, RateActions& out) {
  Element& element = elements_[node.index];
  element.round = wave.round;
  element.step = wave.step;
  element.parent = parent;
  element.missing = 0;
  if (wave.kind != HopKind::done) work(node, wave);
  if (topology_.is_host(node)) learn(topology_.host(node), wave, out);
  for (std::uint32_t i = 0; i < topology_.port_count(node); ++i) {
    const PortId p = topology_.port(node, i);
    if (p == parent || !topology_.to(p).valid()) continue;
    out.hops.push_back({p, wave});
    ++element.missing;
  }
  if (element.missing == 0 && wave.kind != HopKind::done) {
    element.missing = 1;
    heard(node, out);
  }
}

// One neighbour more has been heard from; after the last one the answer goes on towards the leader.
void DafaProtocol::heard(NodeId node, RateActions& out) {
  Element& element = elements_[node.index];
  WEIR_CHECK(element.missing > 0);
  if (--element.missing > 0) return;
  if (node == leader_) return completed(out);
  out.hops.push_back({element.parent, element.gathered});
}

void DafaProtocol::hop(PortId in, const HopMessage& m, RateActions& out) {
  const NodeId node = topology_.node_of(in);
  Element& element = elements_[node.index];
  if (m.kind == HopKind::trigger) {
    if (node == leader_) return begin(out);
    out.hops.push_back({to_leader_[node.index], m});
    return;
  }
  if (m.round < element.round) return;
  if (m.round > element.round) element.step = 0;
  const bool answer = m.kind == HopKind::rates_answer || m.kind == HopKind::set_answer;
  WEIR_CHECK(m.round == element.round || !answer);
  if (!answer && m.step > element.step) return join(node, in, m, out);
  if (m.kind == HopKind::done) return;
  WEIR_CHECK(m.step == element.step);  // a wave ends before the next one begins
  if (answer) {
    element.gathered.level = least(element.gathered.level, m.level);
    element.gathered.apps.add(m.apps);
  }
  heard(node, out);
}

void DafaProtocol::learn(HostId host, const HopMessage& wave, RateActions& out) {
  if (wave.kind == HopKind::set_rate) return;
  for (const std::uint32_t f : originating_[host.index]) {
    Source& source = sources_[f];
    if (source.ending) continue;
    if (wave.kind == HopKind::collect_rates) {
      if (wave.apps.contains(flows_[f].app)) source.share = wave.level;
      continue;
    }
    // An application may have announced more flows since this round began; the next one serves them.
    const RateUnits rate = source.share.rate_of(flows_[f].weight);
    if (rate == source.rate) continue;
    source.rate = rate;
    out.rates.push_back({f, rate});
  }
}

// ---- leader ----

void DafaProtocol::begin(RateActions& out) {
  Element& element = elements_[leader_.index];
  ++element.round;
  element.step = 0;
  iterations_ = 0;
  done_ = false;
  next_wave(HopKind::collect_rates, Share::none(), {}, out);
}

void DafaProtocol::next_wave(HopKind kind, const Share& level, const AppSet& apps, RateActions& out) {
  const Element& element = elements_[leader_.index];
  join(leader_, {}, {kind, element.round, element.step + 1, level, apps}, out);
}

void DafaProtocol::completed(RateActions& out) {
  const HopMessage gathered = elements_[leader_.index].gathered;
  if (gathered.kind == HopKind::set_answer) {
    WEIR_CHECK(!gathered.apps.empty());  // at least the link that set the level
    return next_wave(HopKind::collect_rates, level_, gathered.apps, out);
  }
  if (gathered.level.is_infinite()) {
    done_ = true;
    return next_wave(HopKind::done, Share::none(), {}, out);
  }
  ++iterations_;
  level_ = gathered.level;
  next_wave(HopKind::set_rate, level_, {}, out);
}

// ---- sources ----

void DafaProtocol::announce(std::uint32_t flow, RateRequest request, RateActions& out) {
  RateMessage message;
  message.request = request;
  message.weight = flows_[flow].weight;
  message.app = static_cast<std::uint16_t>(flows_[flow].app);
  sources_[flow].under_way = true;
  ++unanswered_[flows_[flow].app];
  out.sends.push_back({flow, message});
}

void DafaProtocol::start(std::uint32_t flow, RateActions& out) {
  originating_[flows_[flow].source.index].push_back(flow);
  announce(flow, RateRequest::start, out);
}

void DafaProtocol::end(std::uint32_t flow, RateActions& out) {
  sources_[flow].ending = true;
  if (!sources_[flow].under_way) announce(flow, RateRequest::end, out);
}

void DafaProtocol::returned(std::uint32_t flow, const RateMessage& m, RateActions& out) {
  Source& source = sources_[flow];
  source.under_way = false;
  if (m.request == RateRequest::end) {
    std::erase(originating_[flows_[flow].source.index], flow);
    out.rates.push_back({flow, 0});
    out.gone.push_back(flow);
  } else if (source.ending) {
    --unanswered_[flows_[flow].app];
    return announce(flow, RateRequest::end, out);
  }
  // The barrier of the application: the last answer releases the trigger.
  if (--unanswered_[flows_[flow].app] > 0) return;
  out.hops.push_back({topology_.host_port(flows_[flow].source), {HopKind::trigger, 0, 0, {}, {}}});
}

}  // namespace weir
