// Subnet management: what nodes and ports are, and the tables that a manager writes.
#include <algorithm>
#include <cstring>

#include "live/agents/agents.h"
#include "live/port_speed.h"
#include "mad/smp_fields.h"

namespace weir::live {

namespace {

using mad::Field;
using mad::get;
using mad::Mad;
using mad::Method;
using mad::put;
namespace fields = mad::port_info;

constexpr std::uint32_t kVendor = 0x027765;
// Tools ask only devices of such kinds whether a link is FDR10.
constexpr std::uint32_t kSwitchOfFdr10 = 0xc738, kAdapterOfFdr10 = 0x1003;
constexpr std::uint32_t kLidsOfBlock = 64;
constexpr std::uint32_t kLinearBlocks = 0xc000 / kLidsOfBlock;

// What a manager may write, beside the state of the link.
constexpr Field kWritable[] = {
    fields::kManagementKey, fields::kGidPrefix, fields::kLid, fields::kMasterLid, fields::kKeyLease,
    fields::kWidthEnabled, fields::kDownDefault, fields::kKeyProtection, fields::kLmc, fields::kSpeedEnabled,
    fields::kNeighborMtu, fields::kMasterSl, fields::kInitType, fields::kHighLimit, fields::kStallCount,
    fields::kHeadOfQueueLife, fields::kOperationalLanes, fields::kEnforcement, fields::kKeyViolations,
    fields::kPartitionViolations, fields::kQueueKeyViolations, fields::kSubnetTimeout, fields::kPhysicalErrors,
    fields::kOverrunErrors, fields::kExtSpeedEnabled};

void copy_field(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, Field f) { put(to, f, get(from, f)); }

// As a device has its tables after power-on: the default partition, lanes in turn.
Attribute fresh_table(const Mad& m, std::uint32_t port, std::uint32_t lanes, std::uint64_t port_guid) {
  Attribute table{};
  switch (m.attribute()) {
    case mad::smp::kPartitionTable:
      if ((m.modifier() & 0xffff) == 0 && port != 0xffff) mad::put_bytes(table, 0, 2, 0xffff);
      break;
    case mad::smp::kLaneMap:
      for (std::uint32_t sl = 0; sl < mad::lane_map::kLevels; ++sl) put(table, mad::lane_map::of(sl), sl % lanes);
      break;
    case mad::smp::kGuidInfo:
      if (m.modifier() == 0) mad::put_bytes(table, 0, 8, port_guid);
      break;
    default: break;
  }
  return table;
}

}  // namespace

Answer SubnetAgent::answer(NodePort at, Mad& m) {
  const NodePort own{at.node, subnet_.node(at).is_switch ? 0 : at.port};
  const std::uint64_t key = get(subnet_.port(own).info, fields::kManagementKey);
  if (key != 0 && m.key() != key && m.is(Method::set)) return Answer::silence;
  const std::uint16_t status = m.is(Method::get) || m.is(Method::set) ? act(at, m) : mad::status::kBadMethod;
  m.set_status(status);
  m.set_method(Method::get_response);
  return Answer::reply;
}

std::uint16_t SubnetAgent::act(NodePort at, Mad& m) {
  const SubnetNode& node = subnet_.node(at);
  switch (m.attribute()) {
    case mad::smp::kNodeDescription: {
      if (m.is(Method::set)) return mad::status::kBadMethod;
      const auto data = m.data();
      std::fill(data.begin(), data.end(), std::uint8_t{0});
      std::memcpy(data.data(), node.description.data(), std::min(node.description.size(), data.size()));
      return mad::status::kOk;
    }
    case mad::smp::kNodeInfo: return node_info(at, m);
    case mad::smp::kSwitchInfo: return switch_info(at, m);
    case mad::smp::kPortInfo: return port_info(at, m);
    case mad::smp::kExtendedPortInfo: return extended_port_info(at, m);
    case mad::smp::kLinearTable: return linear_table(at, m);
    case mad::smp::kPartitionTable:
    case mad::smp::kLaneMap:
    case mad::smp::kLaneArbitration:
    case mad::smp::kMulticastTable:
    case mad::smp::kGuidInfo:
    case mad::smp::kLedInfo: return kept_table(at, m);
    default: return mad::status::kBadAttribute;
  }
}

std::uint16_t SubnetAgent::node_info(NodePort at, Mad& m) const {
  namespace f = mad::node_info;
  if (m.is(Method::set)) return mad::status::kBadMethod;
  const SubnetNode& node = subnet_.node(at);
  const auto data = m.data();
  std::fill(data.begin(), data.end(), std::uint8_t{0});
  put(data, f::kBaseVersion, 1);
  put(data, f::kClassVersion, 1);
  put(data, f::kType, node.is_switch ? f::kSwitch : f::kAdapter);
  put(data, f::kPorts, node.last_port());
  put(data, f::kSystemGuid, node.guid);
  put(data, f::kGuid, node.guid);
  const Topology& topology = subnet_.topology();
  const PortId link = subnet_.port(at).link;
  const bool host_port = !node.is_switch && link.valid();
  put(data, f::kPortGuid,
      host_port ? subnet_.identities().port_guid(topology.node_of(link)) : node.guid + (node.is_switch ? 0 : at.port));
  put(data, f::kPartitions, 32);
  put(data, f::kRevision, 1);
  put(data, f::kLocalPort, at.port);
  const bool fdr10 = std::ranges::any_of(node.ports, [&](const SubnetPort& p) { return carries_fdr10(p); });
  put(data, f::kVendor, fdr10 ? f::kMellanox : kVendor);
  if (fdr10) put(data, f::kDevice, node.is_switch ? kSwitchOfFdr10 : kAdapterOfFdr10);
  return mad::status::kOk;
}

std::uint16_t SubnetAgent::switch_info(NodePort at, Mad& m) {
  namespace f = mad::switch_info;
  SubnetNode& node = subnet_.node(at);
  if (!node.is_switch) return mad::status::kBadAttribute;
  const auto data = m.data();
  if (m.is(Method::set)) {
    for (const Field field : {f::kLinearTop, f::kDefaultPort, f::kDefaultPrimary, f::kDefaultOther, f::kLifeTime,
                              f::kOptimizedMapping, f::kMulticastTop, f::kEnforceIn, f::kEnforceOut, f::kFilterIn,
                              f::kFilterOut})
      copy_field(data, node.switch_info, field);
    if (get(data, f::kStateChange) != 0) put(node.switch_info, f::kStateChange, 0);
  }
  std::copy(node.switch_info.begin(), node.switch_info.end(), data.begin());
  return mad::status::kOk;
}

bool SubnetAgent::carries_fdr10(const SubnetPort& port) const {
  return port.link.valid() && shown_speed(subnet_.topology().link(port.link).rate).lane == LaneSpeed::fdr10;
}

// The modifier names the port of a switch; that of an adapter may be 0 for the one that was reached.
std::optional<NodePort> SubnetAgent::port_named(NodePort at, const Mad& m) const {
  const SubnetNode& node = subnet_.node(at);
  const std::uint32_t wanted = m.modifier() & 0xff;
  const NodePort port{at.node, node.is_switch || wanted != 0 ? wanted : at.port};
  if (port.port >= node.ports.size() || (!node.is_switch && port.port == 0)) return std::nullopt;
  return port;
}

// Speeds cannot be changed: what a manager writes is answered with what is.
std::uint16_t SubnetAgent::extended_port_info(NodePort at, Mad& m) const {
  const auto named = port_named(at, m);
  if (!named) return mad::status::kBadValue;
  const PortId link = subnet_.port(*named).link;
  const auto data = m.data();
  std::fill(data.begin(), data.end(), std::uint8_t{0});
  if (link.valid()) put_extended_speed(data, subnet_.topology().link(link).rate);
  return mad::status::kOk;
}

std::uint16_t SubnetAgent::port_info(NodePort at, Mad& m) {
  const auto named = port_named(at, m);
  if (!named) return mad::status::kBadValue;
  const NodePort port = *named;
  if (m.is(Method::set)) write_port(port, m.data());
  const Attribute& info = subnet_.port(port).info;
  std::copy(info.begin(), info.end(), m.data().begin());
  put(m.data(), fields::kLocalPort, at.port);
  return mad::status::kOk;
}

void SubnetAgent::write_port(NodePort at, std::span<const std::uint8_t> wanted) {
  Attribute& info = subnet_.port(at).info;
  for (const Field f : kWritable) copy_field(wanted, info, f);
  // An enabled width or speed of all ones means: all that is supported.
  if (get(info, fields::kWidthEnabled) == 0xff) put(info, fields::kWidthEnabled, get(info, fields::kWidthSupported));
  if (get(info, fields::kSpeedEnabled) == 0xf) put(info, fields::kSpeedEnabled, get(info, fields::kSpeedSupported));
  change_state(at, get(wanted, fields::kState), get(wanted, fields::kPhysicalState));
  subnet_.arbitration_changed.push_back(at);  // its limit
  ++subnet_.routes_version;
}

// A link that is told to be down trains again at once, unless its port is disabled.
void SubnetAgent::change_state(NodePort at, std::uint64_t state, std::uint64_t physical) {
  Attribute& info = subnet_.port(at).info;
  const bool itself = subnet_.node(at).is_switch && at.port == 0;
  if (itself || !subnet_.port(at).link.valid()) return;
  const auto note = [&](const std::vector<NodePort>& ports) {
    changed_.insert(changed_.end(), ports.begin(), ports.end());
  };
  if (physical == fields::kPhysicalDisabled || physical == fields::kPhysicalPolling) {
    put(info, fields::kPhysicalState, physical);
    return note(subnet_.retrain(at));
  }
  const std::uint8_t now = subnet_.state(at);
  if (state == fields::kArmed && now == fields::kInit) put(info, fields::kState, fields::kArmed);
  if (state == fields::kActive && now == fields::kArmed) put(info, fields::kState, fields::kActive);
  if (state != fields::kDown || now <= fields::kInit) return;
  for (const NodePort end : {at, *subnet_.peer(at)}) {
    put(subnet_.port(end).info, fields::kState, fields::kInit);
    if (subnet_.node(end).is_switch) changed_.push_back(end);
  }
}

std::uint16_t SubnetAgent::linear_table(NodePort at, Mad& m) {
  SubnetNode& node = subnet_.node(at);
  const std::uint32_t block = m.modifier();
  if (!node.is_switch) return mad::status::kBadAttribute;
  if (block >= kLinearBlocks) return mad::status::kBadValue;
  const auto data = m.data();
  const std::size_t first = std::size_t{block} * kLidsOfBlock;
  if (m.is(Method::set)) {
    if (node.forwarding.size() < first + kLidsOfBlock)
      node.forwarding.resize(first + kLidsOfBlock, SubnetNode::kNoPort);
    std::copy(data.begin(), data.end(), node.forwarding.begin() + static_cast<std::ptrdiff_t>(first));
    ++subnet_.routes_version;
  }
  for (std::uint32_t i = 0; i < kLidsOfBlock; ++i) data[i] = node.out_port(static_cast<std::uint32_t>(first) + i);
  return mad::status::kOk;
}

// Tables that are kept as they are written. Of an adapter each port has its own. Those of arbitration are kept by port:
// the modifier names the block, and the port of a switch. That of a lane map names input and output port of a switch.
std::uint16_t SubnetAgent::kept_table(NodePort at, Mad& m) {
  SubnetNode& node = subnet_.node(at);
  const bool arbitration = m.attribute() == mad::smp::kLaneArbitration;
  const std::uint32_t port = !node.is_switch ? at.port : arbitration ? m.modifier() & 0xffff : 0;
  const bool lane_map = m.attribute() == mad::smp::kLaneMap;
  if (arbitration && port >= node.ports.size()) return mad::status::kBadValue;
  if (lane_map && node.is_switch && std::max(m.modifier() >> 8, m.modifier() & 0xff) >= node.ports.size())
    return mad::status::kBadValue;
  const std::uint32_t modifier = arbitration ? m.modifier() & ~0xffffu : lane_map && !node.is_switch ? 0 : m.modifier();
  const std::uint64_t key = SubnetNode::table_key(m.attribute(), port, modifier);
  const auto data = m.data();
  if (m.is(Method::set)) {
    std::copy(data.begin(), data.end(), node.tables[key].begin());
    if (arbitration) {
      subnet_.arbitration_written = true;
      subnet_.arbitration_changed.push_back({at.node, port});
    }
    if (lane_map) subnet_.lane_maps_changed.push_back(at.node);
    return mad::status::kOk;
  }
  const auto found = node.tables.find(key);
  const PortId link = subnet_.port(at).link;
  const std::uint64_t guid =
      node.is_switch || !link.valid() ? node.guid : subnet_.identities().port_guid(subnet_.topology().node_of(link));
  const std::uint32_t lanes = 1u << (get(node.ports.back().info, fields::kLaneCapacity) - 1);
  const Attribute table = found == node.tables.end() ? fresh_table(m, port, lanes, guid) : found->second;
  std::copy(table.begin(), table.end(), data.begin());
  return mad::status::kOk;
}

}  // namespace weir::live
