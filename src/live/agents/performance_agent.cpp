// Counters of ports, as the performance class shows and clears them.
#include <algorithm>

#include "live/agents/agents.h"

namespace weir::live {

namespace {

using mad::get;
using mad::Mad;
using mad::Method;
using mad::PortCounters;
using mad::put;

constexpr std::uint32_t kAllPorts = 0xff;
constexpr mad::Field kPortSelect{8, 8}, kSelect{16, 16};

std::uint64_t ticks(Time time, Time tick) {
  return static_cast<std::uint64_t>(time.ps / std::max<std::int64_t>(tick.ps, 1));
}
void put_32(std::span<std::uint8_t> data, mad::Field f, std::uint64_t value) {
  put(data, f, std::min<std::uint64_t>(value, 0xffffffffu));
}

std::uint16_t class_info(std::span<std::uint8_t> data) {
  namespace f = mad::class_port_info;
  std::fill(data.begin(), data.end(), std::uint8_t{0});
  put(data, f::kBaseVersion, 1);
  put(data, f::kClassVersion, 1);
  put(data, f::kCapabilities, f::kAllPortSelect | f::kExtendedWidth | f::kXmitWaitSupported);
  put(data, f::kCapabilities2, f::kExtendedErrors);
  put(data, f::kResponseTime, 18);
  return mad::status::kOk;
}

}  // namespace

Answer PerformanceAgent::answer(NodePort at, Mad& m) {
  const bool known = m.is(Method::get) || m.is(Method::set);
  m.set_status(known ? act(at, m) : mad::status::kBadMethod);
  m.set_method(Method::get_response);
  return Answer::reply;
}

PortCounters PerformanceAgent::show(NodePort at, Set set) const {
  const PortId link = subnet_.port(at).link;
  if (!link.valid()) return {};
  const auto found = bases_.find(link.index);
  const Base base = found == bases_.end() ? Base{} : found->second;
  const PortSample s = machine_.sample(link) - base.sample[set];
  return {.xmit_words = s.sent_bytes / 4,
          .rcv_words = s.rcv_bytes / 4,
          .xmit_packets = s.sent_packets,
          .rcv_packets = s.rcv_packets,
          .xmit_wait = ticks(s.waited, machine_.wait_tick(link)),
          .xmit_discards = s.discards,
          .relay_errors = s.relay_errors,
          .link_downed = subnet_.port(at).downed - base.downed[set],
          .xmit_congested = ticks(s.congested, machine_.congestion_tick()),
          .rcv_fecn = s.fecn,
          .rcv_becn = s.becn};
}

PortCounters PerformanceAgent::counters(NodePort at) const {
  PortCounters c = show(at, k64);
  c.xmit_congested = show(at, kCongestion).xmit_congested;
  const PortCounters marks = show(at, kMarks);
  c.rcv_fecn = marks.rcv_fecn;
  c.rcv_becn = marks.rcv_becn;
  return c;
}

PortCounters PerformanceAgent::sum(NodePort at, std::uint32_t selected, Set set) const {
  if (selected != kAllPorts) return show({at.node, selected}, set);
  PortCounters all;
  for (std::uint32_t p = 1; p < subnet_.node(at).ports.size(); ++p) {
    const PortCounters c = show({at.node, p}, set);
    all.xmit_words += c.xmit_words;
    all.rcv_words += c.rcv_words;
    all.xmit_packets += c.xmit_packets;
    all.rcv_packets += c.rcv_packets;
    all.xmit_wait += c.xmit_wait;
    all.xmit_discards += c.xmit_discards;
    all.relay_errors += c.relay_errors;
    all.link_downed += c.link_downed;
    all.xmit_congested += c.xmit_congested;
    all.rcv_fecn += c.rcv_fecn;
    all.rcv_becn += c.rcv_becn;
  }
  return all;
}

// Only what the request selects.
void PerformanceAgent::clear(NodePort at, Set set, const Mad& m) {
  const PortId link = subnet_.port(at).link;
  if (!link.valid()) return;
  Base& base = bases_[link.index];
  const PortSample now = machine_.sample(link);
  const auto select = static_cast<std::uint32_t>(get(m.data(), kSelect));
  const auto take = [&](bool chosen, auto PortSample::*counter) {
    if (chosen) base.sample[set].*counter = now.*counter;
  };
  namespace a = mad::port_counters;
  namespace b = mad::port_counters_ext;
  const auto select2 = static_cast<std::uint32_t>(get(m.data(), set == k32 ? a::kCounterSelect2 : b::kCounterSelect2));
  const auto has = [&](std::uint32_t of32, std::uint32_t of64) { return (select & (set == k32 ? of32 : of64)) != 0; };
  if (set == kCongestion) return take((select & 1) != 0, &PortSample::congested);
  if (set == kMarks) {
    take((select & 1) != 0, &PortSample::fecn);
    return take((select & 2) != 0, &PortSample::becn);
  }
  take(has(a::kSelXmitWords, b::kSelXmitWords), &PortSample::sent_bytes);
  take(has(a::kSelRcvWords, b::kSelRcvWords), &PortSample::rcv_bytes);
  take(has(a::kSelXmitPackets, b::kSelXmitPackets), &PortSample::sent_packets);
  take(has(a::kSelRcvPackets, b::kSelRcvPackets), &PortSample::rcv_packets);
  const bool in32 = set == k32;
  take(in32 ? (select & a::kSelXmitDiscards) != 0 : (select2 & b::kSel2XmitDiscards) != 0, &PortSample::discards);
  take(in32 ? (select & a::kSelRelayErrors) != 0 : (select2 & b::kSel2RelayErrors) != 0, &PortSample::relay_errors);
  take(in32 ? (select2 & a::kSel2XmitWait) != 0 : (select2 & b::kSel2XmitWait) != 0, &PortSample::waited);
  if (in32 ? (select & a::kSelLinkDowned) != 0 : (select2 & b::kSel2LinkDowned) != 0)
    base.downed[set] = subnet_.port(at).downed;
}

void PerformanceAgent::lane_counters(NodePort at, std::span<std::uint8_t> data, bool time) const {
  const PortId link = subnet_.port(at).link;
  for (std::uint32_t lane = 0; lane < std::min(machine_.lanes(), 15u) && link.valid(); ++lane) {
    const std::uint64_t value = ticks(machine_.lane_congested(link, lane), machine_.congestion_tick());
    if (time) put_32(data, mad::congestion_counters::lane_time(lane), value);
    else put(data, mad::congestion_counters::lane_count(lane), std::min<std::uint64_t>(value, 0xffff));
  }
}

std::uint16_t PerformanceAgent::act(NodePort at, Mad& m) {
  const auto data = m.data();
  if (m.attribute() == mad::kClassPortInfo) return class_info(data);
  const auto selected = static_cast<std::uint32_t>(get(data, kPortSelect));
  const std::uint32_t last = subnet_.node(at).last_port();
  if (selected != kAllPorts && (selected > last || (selected == 0 && !subnet_.node(at).is_switch)))
    return mad::status::kBadValue;
  const std::uint16_t attribute = m.attribute();
  const Set set = attribute == mad::perf::kPortCounters           ? k32
                  : attribute == mad::perf::kPortCountersExtended ? k64
                  : attribute == mad::perf::kReceivedMarks        ? kMarks
                                                                  : kCongestion;
  if (m.is(Method::set))
    for (std::uint32_t p = selected == kAllPorts ? 1 : selected; p <= (selected == kAllPorts ? last : selected); ++p)
      clear({at.node, p}, set, m);
  const PortCounters c = sum(at, selected, set);
  switch (attribute) {
    case mad::perf::kPortCounters: mad::encode_counters(c, data); return mad::status::kOk;
    case mad::perf::kPortCountersExtended: mad::encode_counters_extended(c, data); return mad::status::kOk;
    case mad::perf::kTransmitCongestion:
      put_32(data, mad::congestion_counters::kXmitTimeCong, c.xmit_congested);
      return mad::status::kOk;
    case mad::perf::kReceivedMarks:
      put_32(data, mad::congestion_counters::kRcvFecn, c.rcv_fecn);
      put_32(data, mad::congestion_counters::kRcvBecn, c.rcv_becn);
      return mad::status::kOk;
    case mad::perf::kLaneTransmitCongestion:
    case mad::perf::kLaneCongestion:
      if (selected != kAllPorts)
        lane_counters({at.node, selected}, data, attribute == mad::perf::kLaneTransmitCongestion);
      return mad::status::kOk;
    default: return mad::status::kBadAttribute;
  }
}

}  // namespace weir::live
