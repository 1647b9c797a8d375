#include "packet/config/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "network/host_names.h"
#include "packet/config/sections.h"
#include "packet/config/switch_presets.h"
#include "packet/packet.h"
#include "traffic/packet_format.h"

namespace weir {

using namespace config;

namespace {

LargestPackets largest_packets(const Scenario& scenario, const PacketFormat& format, const Workload& workload) {
  const Section& section = scenario.section("packet");
  LargestPackets largest{format.max_payload(), 0, format.ack};
  for (const SourceGroup& group : workload.groups)
    for (const SizeShare& size : group.sizes) largest.payload = std::max(largest.payload, size.payload);
  largest.packet = largest.payload + format.header;
  if (largest.packet > kMaxPacketBytes)
    section.refuse("payload", fmt::format("the largest packet has {} B with its header; at most {} B are possible",
                                          largest.packet, kMaxPacketBytes));
  if (format.ack > kMaxPacketBytes)
    section.refuse("ack", fmt::format("an acknowledgement may have at most {} B", kMaxPacketBytes));
  return largest;
}

// Delays and packet times are kept in 32 bits where every hop reads them. A packet that takes no time at all would
// overtake others, and sources that send such packets would never let the clock go on.
void check_links(const Scenario& scenario, const Topology& topology, const SwitchConfig& c) {
  constexpr Time kMost{4'000'000'000};
  constexpr Rate kSlowest{100'000}, kFastest{16'000'000'000'000};
  static_assert(kFastest.time_for(1).ps == 1);
  const Section& link = scenario.section("link");
  const Time inside = std::max(c.route_delay + c.switch_delay, c.credit_delay);
  if (inside > kMost)
    scenario.section("switch").refuse("route_delay", "the delays of a switch may add up to 4 ms at most");
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    if (!topology.to({p}).valid()) continue;
    const LinkProperties& cable = topology.link({p});
    if (cable.delay + inside > kMost)
      link.refuse("delay", fmt::format("{}: the delay of a link and those of a switch may add up to 4 ms at most",
                                       topology.port_name({p})));
    if (cable.rate < kSlowest)
      link.refuse("rate",
                  fmt::format("{}: the packet engine needs links of 100 kb/s or more", topology.port_name({p})));
    if (kFastest < cable.rate)
      link.refuse("rate", fmt::format("{}: the packet engine needs links of 16 Tb/s or less", topology.port_name({p})));
  }
}

// The routing moves packets about within a block of lanes: they start on its first one.
std::string inside_a_block(std::uint32_t lane, const SwitchConfig& switches) {
  if (switches.blocks.first({lane}).index == lane) return {};
  return fmt::format(
      "no packet starts on lane {}: the routing uses lanes in blocks of {}, and packets start on the "
      "first of a block, such as {}",
      lane, switches.blocks.size(), switches.blocks.first({lane}).index);
}

std::string too_few_lanes(const std::string& who, std::uint32_t lane, const SwitchConfig& switches) {
  return fmt::format("{} uses lane {}, but links have only {}; set switch.lanes = {}", who, lane,
                     switches.lanes == 1 ? "lane 0" : fmt::format("lanes 0 to {}", switches.lanes - 1), lane + 1);
}

void check_traffic_lanes(const Scenario& scenario, const Workload& workload, const SwitchConfig& switches) {
  const Section& section = scenario.section("switch");
  for (const Flow& flow : workload.flows) {
    if (flow.lane >= switches.lanes)
      section.refuse("lanes", too_few_lanes("traffic", flow.lane, switches));
    check_lane(section, "lanes", flow.lane, switches);
  }
  for (const SourceGroup& group : workload.groups) {
    if (group.lane >= switches.lanes)
      section.refuse("lanes", too_few_lanes(fmt::format("traffic `{}`", group.name), group.lane, switches));
    check_lane(section, "lanes", group.lane, switches);
  }
}

}  // namespace

void check_lane(const Section& section, std::string_view key, std::uint32_t lane, const SwitchConfig& switches) {
  if (lane >= switches.lanes)
    section.refuse(key,
                   fmt::format("lane {} does not exist: the switches have {} (switch.lanes)", lane, switches.lanes));
  if (const std::string inside = inside_a_block(lane, switches); !inside.empty()) section.refuse(key, inside);
}

PacketConfig packet_config(const Scenario& scenario, const Topology& topology, const Workload& workload,
                           LaneBlocks blocks) {
  PacketConfig config;
  config.format = packet_format(scenario);
  const LargestPackets largest = largest_packets(scenario, config.format, workload);
  Section switches = with_preset(scenario.section("switch"), switch_preset(scenario, topology));
  switches.calculated = std::make_shared<CalculatedValues>();
  config.switches = read_switch({switches, topology, workload, largest}, blocks);
  config.switch_values = std::move(*switches.calculated);
  check_links(scenario, topology, config.switches);
  const Section& routing = scenario.section("routing");
  config.switches.choice = read_component(chosen_component<RouteChoiceKind>(routing, "choice"),
                                     {routing, topology, workload, largest}, config.switches);
  config.adapter = read_adapter(with_host_numbers(scenario.section("adapter"), topology), topology, config.switches,
                                workload, largest.packet);
  config.run = read_run(scenario.section("run"), workload);
  config.measure = read_measure(scenario.section("measure"), config.run, topology);
  check_traffic_lanes(scenario, workload, config.switches);
  return config;
}

}  // namespace weir
