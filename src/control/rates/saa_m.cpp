// Both halves of SAA-M: ports and sources.
#include "control/rates/saa_m.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace weir {

SaaMProtocol::SaaMProtocol(std::span<const RateUnits> capacity, std::span<const RatedFlow> flows,
                           SaaMSettings settings)
    : ports_(capacity.size()), settings_(settings) {
  for (std::size_t p = 0; p < capacity.size(); ++p) ports_[p].capacity = ports_[p].free = capacity[p];
  for (std::uint32_t f = 0; f < flows.size(); ++f) place(f, flows[f]);
}

void SaaMProtocol::place(std::uint32_t flow, const RatedFlow& what) {
  for (std::uint32_t f = static_cast<std::uint32_t>(flows_.size()); f <= flow; ++f) {
    flows_.emplace_back();
    sources_.emplace_back().draws = RandomStream(settings_.seed, Purpose::backoff, f);
  }
  flows_[flow] = what;
  const RandomStream draws =
      what.stream ? RandomStream(settings_.seed, Purpose::backoff, *what.stream) : sources_[flow].draws;
  sources_[flow] = {0, 0, false, false, draws};
}

void SaaMProtocol::set_capacity(PortId p, RateUnits capacity) {
  SaaMPort& port = ports_[p.index];
  port.free += capacity - port.capacity;
  port.capacity = capacity;
}

void SaaMProtocol::at_port(PortId p, RateMessage& m) {
  SaaMPort& port = ports_[p.index];
  switch (m.request) {
    case RateRequest::start:
      port.weight += m.weight;
      m.least = least(m.least, {port.capacity, port.weight});
      break;
    case RateRequest::end:
      WEIR_CHECK(port.weight >= m.weight);
      port.weight -= m.weight;
      port.free += m.amount;
      break;
    case RateRequest::probe:
      m.least = least(m.least, {port.capacity, port.weight});
      m.amount = std::min(m.amount, port.claimable());
      if (port.free < 0) m.mark = least(m.mark, {port.capacity, port.weight});
      break;
    case RateRequest::update:
      port.free -= m.amount;
      if (m.flagged) port.reserved -= m.amount;
      break;
    case RateRequest::reserve:
      port.reserved += m.amount;
      if (port.free - port.reserved < 0) m.ok = false;
      break;
    case RateRequest::cancel:
      port.reserved -= m.amount;
      break;
    default:
      fail(__FILE__, __LINE__, "not a packet of SAA-M");
  }
  WEIR_CHECK(port.reserved >= 0);
}

void SaaMProtocol::send(std::uint32_t flow, RateRequest request, RateUnits amount, bool reserved, RateActions& out) {
  RateMessage message;
  message.request = request;
  message.weight = flows_[flow].weight;
  message.amount = amount;
  message.flagged = reserved;
  sources_[flow].under_way = true;
  out.sends.push_back({flow, message});
}

void SaaMProtocol::start(std::uint32_t flow, RateActions& out) { send(flow, RateRequest::start, 0, false, out); }

void SaaMProtocol::end(std::uint32_t flow, RateActions& out) {
  Source& source = sources_[flow];
  source.ending = true;
  if (!source.under_way) send(flow, RateRequest::end, source.rate, false, out);
}

void SaaMProtocol::change_rate(std::uint32_t flow, RateUnits by, bool reserved, RateActions& out) {
  sources_[flow].rate += by;
  out.rates.push_back({flow, sources_[flow].rate});
  send(flow, RateRequest::update, by, reserved, out);
}

void SaaMProtocol::back_off(std::uint32_t flow, RateActions& out) {
  Source& source = sources_[flow];
  const std::int64_t longest = settings_.backoff.ps << std::min(source.failures, settings_.doublings);
  ++source.failures;
  out.timers.push_back(
      {flow, {static_cast<std::int64_t>(source.draws.below(static_cast<std::uint64_t>(longest) + 1))}});
}

// What a probe has found: below the share of SAA, on an oversubscribed link, or free capacity; in this order.
void SaaMProtocol::react(std::uint32_t flow, const RateMessage& probe, RateActions& out) {
  Source& source = sources_[flow];
  const RateWeight weight = flows_[flow].weight;
  const RateUnits guaranteed = probe.least.rate_of(weight);
  if (source.rate < guaranteed) return change_rate(flow, guaranteed - source.rate, false, out);
  if (!probe.mark.is_infinite()) {
    const RateUnits allowed = probe.mark.rate_of(weight);
    if (allowed < source.rate) return change_rate(flow, allowed - source.rate, false, out);
  } else if (probe.amount > 0) {
    return send(flow, RateRequest::reserve, probe.amount, false, out);
  }
  source.failures = 0;
  out.timers.push_back({flow, settings_.period});
}

void SaaMProtocol::returned(std::uint32_t flow, const RateMessage& m, RateActions& out) {
  Source& source = sources_[flow];
  source.under_way = false;
  if (m.request == RateRequest::end) {
    out.rates.push_back({flow, 0});
    out.gone.push_back(flow);
    return;
  }
  if (m.request == RateRequest::reserve) {
    if (m.ok && !source.ending) return change_rate(flow, m.amount, true, out);
    return send(flow, RateRequest::cancel, m.amount, false, out);
  }
  if (source.ending) return send(flow, RateRequest::end, source.rate, false, out);
  switch (m.request) {
    case RateRequest::start: return change_rate(flow, m.least.rate_of(flows_[flow].weight), false, out);
    case RateRequest::cancel: return back_off(flow, out);
    case RateRequest::probe: return react(flow, m, out);
    default: break;  // an update: look again at once, more may have become free or have been lost
  }
  timer(flow, out);
}

void SaaMProtocol::timer(std::uint32_t flow, RateActions& out) {
  const Source& source = sources_[flow];
  if (source.ending) return;
  // Free capacity is a minimum over the path, and starts above all.
  send(flow, RateRequest::probe, std::numeric_limits<RateUnits>::max(), false, out);
}

}  // namespace weir
