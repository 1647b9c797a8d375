// Both halves of distributed SAA: ports and sources.
#include "control/rates/saa.h"

#include "base/check.h"

namespace weir {

SaaProtocol::SaaProtocol(std::span<const RateUnits> capacity, std::span<const RatedFlow> flows, SaaSettings settings)
    : ports_(capacity.size()), settings_(settings) {
  for (std::size_t p = 0; p < capacity.size(); ++p) ports_[p].capacity = capacity[p];
  for (std::uint32_t f = 0; f < flows.size(); ++f) place(f, flows[f]);
}

void SaaProtocol::place(std::uint32_t flow, const RatedFlow& what) {
  if (flow >= flows_.size()) flows_.resize(flow + 1), sources_.resize(flow + 1);
  flows_[flow] = what;
  sources_[flow] = {};
}

void SaaProtocol::at_port(PortId p, RateMessage& message) {
  SaaPort& port = ports_[p.index];
  if (message.request == RateRequest::start) port.weight += message.weight;
  if (message.request == RateRequest::end) {
    WEIR_CHECK(port.weight >= message.weight);
    port.weight -= message.weight;
    return;
  }
  message.least = least(message.least, {port.capacity, port.weight});
}

bool SaaProtocol::at_destination(std::uint32_t, RateMessage& message, RateActions&) {
  return message.request != RateRequest::carried || !(message.least == message.mark);
}

RateMessage SaaProtocol::message(std::uint32_t flow, RateRequest request) const {
  RateMessage m;
  m.request = request;
  m.weight = flows_[flow].weight;
  m.mark = sources_[flow].known;
  return m;
}

void SaaProtocol::send(std::uint32_t flow, RateRequest request, RateActions& out) {
  if (request != RateRequest::carried) sources_[flow].under_way = true;
  out.sends.push_back({flow, message(flow, request)});
}

bool SaaProtocol::carry(std::uint32_t flow, RateMessage& m) const {
  if (!settings_.piggy_backed || sources_[flow].ending || sources_[flow].known.is_infinite()) return false;
  m = message(flow, RateRequest::carried);
  return true;
}

void SaaProtocol::start(std::uint32_t flow, RateActions& out) { send(flow, RateRequest::start, out); }

void SaaProtocol::end(std::uint32_t flow, RateActions& out) {
  Source& source = sources_[flow];
  source.ending = true;
  if (!source.under_way) send(flow, RateRequest::end, out);
}

void SaaProtocol::learn(std::uint32_t flow, const Share& share, RateActions& out) {
  Source& source = sources_[flow];
  if (source.known == share) return;
  source.known = share;
  out.rates.push_back({flow, share.rate_of(flows_[flow].weight)});
}

void SaaProtocol::returned(std::uint32_t flow, const RateMessage& message, RateActions& out) {
  Source& source = sources_[flow];
  if (message.request == RateRequest::carried) {  // rides on data, beside which control packets may be under way
    if (!source.ending) learn(flow, message.least, out);
    return;
  }
  source.under_way = false;
  if (message.request == RateRequest::end) {
    out.rates.push_back({flow, 0});
    out.gone.push_back(flow);
    return;
  }
  if (source.ending) return send(flow, RateRequest::end, out);
  learn(flow, message.least, out);
  if (settings_.period != kNever) out.timers.push_back({flow, settings_.period});
}

void SaaProtocol::timer(std::uint32_t flow, RateActions& out) {
  Source& source = sources_[flow];
  if (source.ending) return;
  send(flow, settings_.piggy_backed ? RateRequest::carried : RateRequest::probe, out);
  if (settings_.piggy_backed) out.timers.push_back({flow, settings_.period});
}

}  // namespace weir
