// Congestion control: keys, settings of switches, their ports and adapters, tables, the log, the time.
#include <algorithm>

#include "live/agents/agents.h"
#include "mad/congestion.h"

namespace weir::live {

namespace {

using mad::get;
using mad::Mad;
using mad::Method;
using mad::put;

constexpr Time kTimeStampUnit{1'024'000};
constexpr std::size_t kElementBytes = 4;

std::uint32_t stamp(Time now) { return static_cast<std::uint32_t>(now / kTimeStampUnit); }

}  // namespace

// A key that was set protects what can be written, and what can be read if the protect bit is set.
Answer CongestionAgent::answer(NodePort at, Mad& m) {
  NodeCongestion& c = subnet_.node(at).congestion;
  const bool guarded = m.is(Method::set) || c.protect;
  if (c.key != 0 && m.key() != c.key && guarded && m.attribute() != mad::kClassPortInfo) {
    if (c.violations < 0xffff) ++c.violations;
    return Answer::silence;
  }
  const bool known = m.is(Method::get) || m.is(Method::set);
  m.set_status(known ? act(at, m) : mad::status::kBadMethod);
  m.set_method(Method::get_response);
  return Answer::reply;
}

std::uint16_t CongestionAgent::act(NodePort at, Mad& m) {
  const auto data = m.data();
  switch (m.attribute()) {
    case mad::kClassPortInfo:
      std::fill(data.begin(), data.end(), std::uint8_t{0});
      put(data, {0, 8}, 1);
      put(data, {8, 8}, mad::kCongestionVersion);
      put(data, {59, 5}, 18);
      return mad::status::kOk;
    case mad::cc::kCongestionInfo:
      if (m.is(Method::set)) return mad::status::kBadMethod;
      std::fill(data.begin(), data.end(), std::uint8_t{0});
      put(data, mad::congestion_info::kTableCapacity, subnet_.node(at).is_switch ? 0 : kTableBlocks);
      return mad::status::kOk;
    case mad::cc::kKeyInfo: return key_info(subnet_.node(at).congestion, m);
    case mad::cc::kCongestionLog: return log(at, m);
    case mad::cc::kSwitchSetting: return switch_setting(at, m);
    case mad::cc::kSwitchPortSetting: return port_settings(at, m);
    case mad::cc::kAdapterSetting: return adapter_setting(at, m);
    case mad::cc::kTable: return table(at, m);
    case mad::cc::kTimeStamp:
      put(data, {0, 32}, stamp(machine_.now()));
      return mad::status::kOk;
    default: return mad::status::kBadAttribute;
  }
}

std::uint16_t CongestionAgent::key_info(NodeCongestion& c, Mad& m) const {
  namespace f = mad::congestion_key;
  const auto data = m.data();
  if (m.is(Method::set)) {
    c.key = get(data, f::kKey);
    c.protect = get(data, f::kProtect) != 0;
    c.lease = static_cast<std::uint16_t>(get(data, f::kLease));
    c.violations = static_cast<std::uint16_t>(get(data, f::kViolations));
  }
  put(data, f::kKey, c.key);
  put(data, f::kProtect, c.protect);
  put(data, f::kLease, c.lease);
  put(data, f::kViolations, c.violations);
  return mad::status::kOk;
}

std::uint16_t CongestionAgent::switch_setting(NodePort at, Mad& m) {
  SubnetNode& node = subnet_.node(at);
  if (!node.is_switch) return mad::status::kBadAttribute;
  if (m.is(Method::set)) {
    mad::decode(m.data(), node.congestion.of_switch);
    subnet_.congestion_changed.push_back(at.node);
  }
  mad::encode(node.congestion.of_switch, m.data());
  return mad::status::kOk;
}

// A block has 32 ports, by OpenSM's header. There is room for 48, and ibccquery looks at so many: those behind the
// block are shown, too, and taken where they are marked valid.
std::uint16_t CongestionAgent::port_settings(NodePort at, Mad& m) {
  SubnetNode& node = subnet_.node(at);
  if (!node.is_switch) return mad::status::kBadAttribute;
  const auto data = m.data();
  auto& ports = node.congestion.ports;
  const std::size_t first = std::size_t{m.modifier() & 0xff} * mad::kPortsOfBlock;
  if (first >= ports.size()) return mad::status::kBadValue;
  const std::size_t elements = std::min(data.size() / kElementBytes, ports.size() - first);
  for (std::size_t i = 0; i < elements && m.is(Method::set); ++i) {
    mad::SwitchPortCongestion wanted;
    mad::decode(data.subspan(i * kElementBytes, kElementBytes), wanted);
    if (i < mad::kPortsOfBlock || wanted.valid) ports[first + i] = wanted;
  }
  if (m.is(Method::set)) subnet_.congestion_changed.push_back(at.node);
  std::fill(data.begin(), data.end(), std::uint8_t{0});
  for (std::size_t i = 0; i < elements; ++i)
    mad::encode(ports[first + i], data.subspan(i * kElementBytes, kElementBytes));
  return mad::status::kOk;
}

std::uint16_t CongestionAgent::adapter_setting(NodePort at, Mad& m) {
  SubnetNode& node = subnet_.node(at);
  if (node.is_switch) return mad::status::kBadAttribute;
  NodeCongestion::Adapter& adapter = node.congestion.adapters[at.port];
  if (m.is(Method::set)) {
    mad::decode(m.data(), adapter.setting);
    subnet_.congestion_changed.push_back(at.node);
  }
  mad::encode(adapter.setting, m.data());
  return mad::status::kOk;
}

std::uint16_t CongestionAgent::table(NodePort at, Mad& m) {
  SubnetNode& node = subnet_.node(at);
  if (node.is_switch) return mad::status::kBadAttribute;
  const std::uint32_t block = m.modifier();
  if (block >= kTableBlocks) return mad::status::kBadValue;
  NodeCongestion::Adapter& adapter = node.congestion.adapters[at.port];
  const std::size_t first = std::size_t{block} * mad::kEntriesOfBlock;
  mad::TableBlock b;
  if (m.is(Method::set)) {
    mad::decode(m.data(), b);
    if (b.limit >= kTableBlocks * mad::kEntriesOfBlock) return mad::status::kBadValue;
    adapter.limit = b.limit;
    if (adapter.table.size() < first + b.entries.size()) adapter.table.resize(first + b.entries.size(), 0);
    std::copy(b.entries.begin(), b.entries.end(), adapter.table.begin() + static_cast<std::ptrdiff_t>(first));
    subnet_.congestion_changed.push_back(at.node);
  }
  b = {};
  b.limit = adapter.limit;
  for (std::size_t i = 0; i < b.entries.size() && first + i < adapter.table.size(); ++i)
    b.entries[i] = adapter.table[first + i];
  mad::encode(b, m.data());
  return mad::status::kOk;
}

// Which ports of a switch have marked, or how many answers to marks an adapter has got, and the last of them. Queue
// pairs have no numbers here.
std::uint16_t CongestionAgent::log(NodePort at, Mad& m) const {
  namespace f = mad::congestion_log;
  if (m.is(Method::set)) return mad::status::kBadMethod;
  const SubnetNode& node = subnet_.node(at);
  const auto data = m.data();
  std::fill(data.begin(), data.end(), std::uint8_t{0});
  put(data, f::kType, node.is_switch ? f::kOfSwitch : f::kOfAdapter);
  std::uint64_t events = 0;
  for (std::uint32_t p = 1; p < node.ports.size(); ++p) {
    if (!node.ports[p].link.valid()) continue;
    const PortSample s = machine_.sample(node.ports[p].link);
    events += node.is_switch ? s.marked : p == at.port ? s.becn : 0;
    if (node.is_switch && s.marked > 0 && p < 256)
      data[f::kPortMapAt + 31 - p / 8] |= static_cast<std::uint8_t>(1u << p % 8);
  }
  put(data, node.is_switch ? f::kSwitchEvents : f::kAdapterEvents, std::min<std::uint64_t>(events, 0xffff));
  put(data, node.is_switch ? f::kSwitchTime : f::kAdapterTime, stamp(machine_.now()));
  log_events(at, data);
  return mad::status::kOk;
}

void CongestionAgent::log_events(NodePort at, std::span<std::uint8_t> data) const {
  namespace f = mad::congestion_log;
  const SubnetNode& node = subnet_.node(at);
  const Topology& t = subnet_.topology();
  if (!node.is_switch && !subnet_.port(at).link.valid()) return;
  const NodeId of = node.is_switch ? t.node(node.topology_switch) : t.node_of(subnet_.port(at).link);
  const auto lid = [&](HostId host) { return subnet_.lid(subnet_.of(host)); };
  std::size_t n = 0;
  std::uint16_t levels = 0;
  for (const MarkEvent& e : machine_.mark_events(of)) {
    if (n >= (node.is_switch ? f::kMostSwitchEvents : f::kMostAdapterEvents)) break;
    const std::size_t from = node.is_switch ? f::kSwitchEventsAt + n * f::kSwitchEventBytes
                                            : f::kAdapterEventsAt + n * f::kAdapterEventBytes;
    const auto entry = data.subspan(from, node.is_switch ? f::kSwitchEventBytes : f::kAdapterEventBytes);
    if (node.is_switch) {
      put(entry, f::kEventSource, lid(e.source));
      put(entry, f::kEventDestination, lid(e.destination));
    } else {
      put(entry, f::kEventOwnLid, lid(e.source));
      put(entry, f::kEventRemoteLid, lid(e.destination));
      levels = static_cast<std::uint16_t>(levels | 1u << e.lane.index);
    }
    put(entry, node.is_switch ? f::kEventLevel : f::kEventOwnLevel, e.lane.index);
    put(entry, node.is_switch ? f::kEventTime : f::kAdapterEventTime, stamp(e.at));
    ++n;
  }
  if (!node.is_switch) put(data, f::kAdapterMap, levels);
}

}  // namespace weir::live
