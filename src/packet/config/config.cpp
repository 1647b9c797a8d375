#include "packet/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "packet/config/config_choices.h"
#include "packet/packet.h"
#include "scenario/quantity.h"

namespace weir {

using namespace config;

namespace {

Largest largest_packets(const Scenario& scenario, const PacketFormat& format, const Workload& workload) {
  const Section& section = scenario.section("packet");
  Largest largest{format.max_payload(), 0, format.ack};
  for (const SourceGroup& group : workload.groups)
    for (const SizeShare& size : group.sizes) largest.payload = std::max(largest.payload, size.payload);
  largest.packet = largest.payload + format.header;
  if (largest.packet > kMaxPacketBytes)
    section.refuse("payload", fmt::format("a packet of {} B with its header; at most {} B are possible", largest.packet,
                                          kMaxPacketBytes));
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
      link.refuse("rate",
                  fmt::format("{}: the packet engine needs links of 16 Tb/s or less", topology.port_name({p})));
  }
}

AdapterConfig read_adapter(const Section& section, const SwitchConfig& switches, const Workload& workload,
                           Bytes largest) {
  AdapterConfig c;
  if (section.text("organisation") == "auto") {
    c.organisation = workload.flows.empty() ? AdapterOrganisation::fifo : AdapterOrganisation::per_flow;
  } else {
    c.organisation = choose<AdapterOrganisation>(section, "organisation", kAdapters);
  }
  c.service = choose<AdapterService>(section, "service", kServices);
  if (c.organisation == AdapterOrganisation::shared) c.service = AdapterService::oldest_first;
  if (c.organisation != AdapterOrganisation::modulo && section.given("queues"))
    section.refuse("queues", "has no effect here; it belongs to organisation = \"modulo\"");
  c.queues = static_cast<std::uint32_t>(section.integer("queues"));
  c.memory = section.has("memory") ? section.bytes("memory") : 0;
  if (c.memory > 0 && c.memory < largest)
    section.refuse("memory",
                   fmt::format("{} B of adapter memory cannot hold the largest packet of {} B", c.memory, largest));
  c.queue_limit = section.has("queue_limit") ? section.bytes("queue_limit") : 0;
  if (c.queue_limit > 0 && c.queue_limit < largest)
    section.refuse("queue_limit",
                   fmt::format("a queue of {} B cannot hold the largest packet of {} B", c.queue_limit, largest));
  // Nothing leaves a queue within an instant, so each of them would have to be made, and refused, one by one.
  constexpr std::uint64_t kMostAtOnce = 10'000'000;
  for (const Source& source : workload.sources)
    if (c.queue_limit > 0 && std::isinf(source.packets_per_second) && source.packets > kMostAtOnce)
      section.refuse("queue_limit",
                     fmt::format("a burst of {} packets at one instant would find its queue full: give at most {} "
                                 "packets, or leave queue_limit out",
                                 source.packets, kMostAtOnce));
  c.acks = section.flag("acks");
  c.ack_lane = static_cast<std::uint32_t>(section.integer("ack_lane"));
  check_lane(section, "ack_lane", c.ack_lane, switches);
  return c;
}

bool never_ends(const Workload& workload, const std::string& name) {
  const auto concerns = [&](ClassId c) { return workload.classes[c.index].name == name; };
  for (const Flow& flow : workload.flows)
    if (flow.bytes == kEndless && concerns(flow.traffic_class)) return true;
  return std::any_of(workload.sources.begin(), workload.sources.end(), [&](const Source& source) {
    const SourceGroup& group = workload.groups[source.group];
    return concerns(group.traffic_class) && group.activity.stop == kNever &&
           source.packets == std::numeric_limits<std::uint64_t>::max();
  });
}

RunConfig read_run(const Section& section, const Workload& workload) {
  RunConfig c;
  const bool has_duration = section.has("duration");
  const std::string& until = section.text("until");
  const bool finite_flows = std::any_of(workload.flows.begin(), workload.flows.end(),
                                        [](const Flow& f) { return f.bytes != kEndless; });
  if (until == "duration" || (until == "auto" && has_duration)) {
    if (!has_duration) section.refuse("until", "until = \"duration\" needs a `duration`, for instance \"1ms\"");
    c.until = Until::duration;
    c.duration = section.time("duration");
  } else if (until == "class") {
    c.until = Until::traffic_class;
    if (!section.has("class")) section.refuse("until", "until = \"class\" needs `class`, the name of a traffic class");
    c.until_class = section.text("class");
    const bool known = std::any_of(workload.classes.begin(), workload.classes.end(),
                                   [&](const ClassInfo& info) { return info.name == c.until_class; });
    if (!known) {
      std::string names;
      for (const ClassInfo& info : workload.classes) names += (names.empty() ? "" : ", ") + info.name;
      section.refuse("class", fmt::format("no traffic of class `{}`; there are: {}", c.until_class, names));
    }
    if (!section.has("max_time") && never_ends(workload, c.until_class))
      section.refuse("class",
                     fmt::format("class `{}` never ends: limit its traffic (packets, bytes, stop) or give max_time",
                                 c.until_class));
  } else {
    c.until = Until::flows;
    if (!finite_flows)
      section.refuse("until",
                     "nothing in this traffic ever completes: give a `duration`, for instance duration = \"1ms\"");
  }
  if (c.until != Until::duration && has_duration && section.given("duration"))
    section.refuse("duration", "has no effect with this `until`; use max_time to bound the run");
  if (c.until != Until::traffic_class && section.given("class"))
    section.refuse("class", "class has no effect without until = \"class\"; write that, or leave `class` out");
  c.settle = section.time("settle");
  c.max_time = section.has("max_time") ? section.time("max_time") : kNever;
  c.max_backlog = static_cast<std::uint64_t>(section.integer("max_backlog"));
  c.warmup = section.time("warmup");
  if (c.until == Until::duration && c.warmup >= c.duration)
    section.refuse("warmup", "the warm-up must be shorter than the run");
  return c;
}

SnoopConfig read_snooping(const Section& section, RouteChoice choice, const Topology& topology) {
  const bool on = choice == RouteChoice::snooping;
  for (const auto* key : {"snoop_timer", "snoop_timing", "snoop_queue", "snoop_return"})
    if (!on && section.given(key)) section.refuse(key, "has no effect without choice = \"snooping\"");
  if (on && topology.shape() == Shape::unidirectional_min)
    section.refuse("choice",
                   "snooping needs links in both directions: notifications travel back the way that data came");
  return {section.time("snoop_timer"), choose<SnoopTiming>(section, "snoop_timing", kSnoopTimings),
          section.bytes("snoop_queue"), section.text("snoop_return") == "default"};
}

HorizontalPolicy read_sideways(const Section& section, const Topology& topology) {
  using Direction = HorizontalPolicy::Direction;
  const std::string& text = section.text("setup_sideways");
  const bool modified = topology.shape() == Shape::tree && topology.horizontal_width() > 0;
  const bool asked = text == "forced" || text == "free";
  if (asked && !modified)
    section.refuse("setup_sideways", "needs horizontal links: topology kind \"modified-k-ary-n-tree\"");
  const bool off = text == "none" || !modified;
  if (off && section.given("setup_hops"))
    section.refuse("setup_hops", "has no effect: flows make no horizontal hops here (setup_sideways)");
  return {off ? Direction::none : text == "free" ? Direction::free : Direction::forced,
          static_cast<std::uint32_t>(section.integer("setup_hops"))};
}

FlowSetupConfig read_setup(const Section& section, const SwitchConfig& switches, const Topology& topology,
                           const Workload& workload, Bytes largest) {
  FlowSetupConfig c;
  if (switches.choice != RouteChoice::flow_setup) {
    for (const auto* key : {"setup_sideways", "setup_hops", "setup_cache", "setup_measure", "setup_bytes", "setup_lane",
                            "setup_connections", "setup_train", "setup_idle"})
      if (section.given(key))
        section.refuse(key, fmt::format("{} has no effect without choice = \"flow-setup\"", key));
    return c;
  }
  for (const auto* key : {"setup_train", "setup_idle"})
    if (workload.sources.empty() && section.given(key))
      section.refuse(key, fmt::format("{} has no effect here: all traffic consists of flows", key));
  c.horizontal = read_sideways(section, topology);
  c.cache_entries =
      section.has("setup_cache") ? static_cast<std::uint32_t>(section.integer("setup_cache")) : 0xffffffffu;
  c.by_weight = section.text("setup_measure") == "weight";
  c.bytes = static_cast<std::uint32_t>(section.bytes("setup_bytes"));
  if (c.bytes > largest)
    section.refuse("setup_bytes", fmt::format("buffers are made for packets of {} B at most", largest));
  c.lane = section.has("setup_lane") ? static_cast<std::uint32_t>(section.integer("setup_lane"))
                                     : switches.highest_start();
  check_lane(section, "setup_lane", c.lane, switches);
  c.connections = static_cast<std::uint32_t>(section.integer("setup_connections"));
  c.train = static_cast<std::uint32_t>(section.integer("setup_train"));
  c.idle = section.time("setup_idle");
  return c;
}

// "S7:4" is a port, "H1" the only port of a host.
std::vector<PortId> read_watch(const Section& section, const Topology& topology) {
  std::vector<PortId> ports;
  if (!section.has("watch")) return ports;
  for (const std::string& name : section.at("watch").texts) {
    const std::size_t before = ports.size();
    for (std::uint32_t p = 0; p < topology.ports(); ++p) {
      const NodeId node = topology.node_of({p});
      if (topology.port_name({p}) != name && !(topology.is_host(node) && topology.name(node) == name)) continue;
      if (std::find(ports.begin(), ports.end(), PortId{p}) != ports.end())
        section.refuse("watch", fmt::format("port {} is named twice; once is enough", topology.port_name({p})));
      ports.push_back({p});
    }
    if (ports.size() == before)
      section.refuse("watch", fmt::format("there is no port or host named `{}`; ports are named like `{}`", name,
                                          topology.port_name(topology.from(topology.host_port({0})))));
  }
  return ports;
}

// A width that is given stays as it is, so too many bins are refused: each becomes a row in the result.
Time read_width(const Section& section, std::string_view key, const RunConfig& run) {
  const Time width = section.has(key) ? section.time(key) : Time{};
  if (width.ps == 0 || run.until != Until::duration) return width;
  const std::int64_t count = (run.duration.ps - 1) / width.ps + 1;
  if (count > kMostFixedBins)
    section.refuse(key, fmt::format("{} = {} makes {} bins in a run of {}, and {} are possible: give {} or more, or "
                                    "leave `{}` out",
                                    key, to_text(width), count, to_text(run.duration), kMostFixedBins,
                                    to_text(Time{(run.duration.ps - 1) / kMostFixedBins + 1}), key));
  return width;
}

MeasureConfig read_measure(const Section& section, const RunConfig& run, const Topology& topology) {
  MeasureConfig c;
  c.bin = read_width(section, "bin", run);
  c.bin_where = section.at("bin").where;
  if (c.bin.ps > 0 && section.given("max_bins"))
    section.refuse("max_bins", "max_bins has no effect with a given `bin`; leave one of them out");
  c.max_bins = static_cast<std::uint32_t>(section.integer("max_bins"));
  // Three bytes per port and frame, in memory and in the result.
  constexpr std::size_t kMostCells = std::size_t{1} << 24;
  const std::size_t fitting = std::clamp<std::size_t>(kMostCells / std::max<std::size_t>(1, topology.ports()), 2, 64);
  c.frames = static_cast<std::uint32_t>(section.has("frames") ? section.integer("frames") : std::int64_t(fitting));
  c.watch = read_watch(section, topology);
  c.watch_bin = c.watch.empty() ? section.time("watch_bin") : read_width(section, "watch_bin", run);
  c.watch_where = section.at("watch_bin").where;
  return c;
}

// The routing moves packets about within a block of lanes: they start on its first one.
std::string inside_a_block(std::uint32_t lane, const SwitchConfig& switches) {
  if (switches.blocks.first({lane}).index == lane) return {};
  return fmt::format("no packet starts on lane {}: the routing uses lanes in blocks of {}, and packets start on the "
                     "first of a block, such as {}",
                     lane, switches.blocks.size(), switches.blocks.first({lane}).index);
}

void check_traffic_lanes(const Scenario& scenario, const Workload& workload, const SwitchConfig& switches) {
  const Section& section = scenario.section("switch");
  for (const Flow& flow : workload.flows) {
    if (flow.lane >= switches.lanes)
      section.refuse("lanes", fmt::format("traffic uses lane {}, but there are {} lanes", flow.lane, switches.lanes));
    check_lane(section, "lanes", flow.lane, switches);
  }
  for (const SourceGroup& group : workload.groups) {
    if (group.lane >= switches.lanes)
      section.refuse("lanes", fmt::format("traffic `{}` uses lane {}, but there are {} lanes", group.name, group.lane,
                                          switches.lanes));
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
  const Largest largest = largest_packets(scenario, config.format, workload);
  config.switches = read_switch(scenario.section("switch"), largest, topology, blocks);
  check_links(scenario, topology, config.switches);
  const Section& routing = scenario.section("routing");
  config.switches.choice = choose<RouteChoice>(routing, "choice", kChoices);
  config.switches.snoop = read_snooping(routing, config.switches.choice, topology);
  config.switches.setup = read_setup(routing, config.switches, topology, workload, largest.any());
  config.adapter = read_adapter(scenario.section("adapter"), config.switches, workload, largest.packet);
  config.run = read_run(scenario.section("run"), workload);
  config.measure = read_measure(scenario.section("measure"), config.run, topology);
  check_traffic_lanes(scenario, workload, config.switches);
  return config;
}

}  // namespace weir
