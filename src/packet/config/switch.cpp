// [switch]: buffers, crossbar, flow control, lanes.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text_cursor.h"
#include "packet/config/component_keys.h"
#include "packet/config/sections.h"
#include "packet/config/switch_presets.h"

namespace weir {
namespace {

constexpr std::string_view kArbitrations[] = {"fcfs", "round-robin", "oldest-first"};
constexpr std::string_view kSwitchings[] = {"cut-through", "store-and-forward"};
constexpr std::string_view kPriorities[] = {"non-preemptive", "preemptive"};
constexpr std::string_view kUnits[] = {"packet-bytes", "payload-bytes", "packets"};
constexpr std::string_view kReleases[] = {"tail", "head"};

// Of keys for the buffer of each input, which have no effect where the inputs share a memory.
Condition with_own_buffers(bool of_size) {
  const auto shares = [](const FlowControlKind& kind) { return !kind.memory_key.empty(); };
  static const auto kSharing = config::names_where<FlowControlKind>(shares);
  static const std::string kWhy = fmt::format("with flow_control = \"{}\" the inputs of a switch share its memory",
                                              fmt::join(kSharing, "\" or \""));
  static const std::string kWayOut = fmt::format("{}; take it out, or set `{}`", kWhy,
                                                 component_named<FlowControlKind>(kSharing.front()).memory_key);
  return config::with_components("flow_control", config::names_where<FlowControlKind>(std::not_fn(shares)),
                                 of_size ? kWayOut : kWhy);
}

Condition without_crossbar() {
  const auto crosses = [](const OrganisationKind& kind) { return kind.crossbar; };
  static const std::string kWhy =
      fmt::format("with organisation = \"{}\" a packet leaves its input when it has crossed",
                  fmt::join(config::names_where<OrganisationKind>(crosses), "\" or \""));
  return config::with_components("organisation", config::names_where<OrganisationKind>(std::not_fn(crosses)), kWhy);
}

}  // namespace

std::vector<ParamSpec> switch_params() {
  static const config::ComponentKeys kOrganisations("organisation", config::specs_of_components<OrganisationKind>());
  static const config::ComponentKeys kFlowControls("flow_control", config::specs_of_components<FlowControlKind>());
  const Condition own_size = with_own_buffers(true);
  std::vector<ParamSpec> all{
      {"preset", ParamType::choice, kUnset,
       "model of a real switch: sets delays, `buffer` and `shared_buffer` unless they are given; docs/fabrics.md lists "
       "the figures and their sources. Default for a fabric imported from a subnet: the preset that fits its fastest "
       "link",
       0, 0, switch_preset_names()},
      kOrganisations.choice(),
      {"arbitration", ParamType::choice, "fcfs", "which waiting packet an output serves next", 0, 0, kArbitrations},
      kFlowControls.choice(),
      {"switching", ParamType::choice, "cut-through", "virtual cut-through or store-and-forward", 0, 0, kSwitchings},
      ParamSpec{"buffer", ParamType::bytes, kUnset,
                "input buffer per port and lane; default: room for 8 of the largest packets", 1, 1e12}
          .applying(own_size),
      ParamSpec{"buffer_packets", ParamType::integer, kUnset, "the same as a number of packets of any size", 1,
                1e9}
          .applying(unless_given({"buffer"}))
          .applying(own_size),
      {"buffer_counts", ParamType::choice, "packet-bytes",
       "what counts in a buffer: whole packets, payload only, or slots of one packet", 0, 0, kUnits},
      {"route_delay", ParamType::time, "1ns", "time of the routing decision", 0, 1},
      {"switch_delay", ParamType::time, "1ns", "time to cross the switch", 0, 1},
      {"credit_delay", ParamType::time, "0ns", "added to the link's delay when released space is reported to the "
                                               "sender; with pfc: how long a sender goes on after it has received a "
                                               "PAUSE frame, or waits after it may resume", 0, 1},
      ParamSpec{"release", ParamType::choice, "tail",
                "a slot is free when the packet's tail has left, or when its head leaves", 0, 0, kReleases}
          .applying(without_crossbar())
          .applying(with_own_buffers(false)),
      {"lanes", ParamType::integer, "1", "virtual lanes, or priorities; the higher number goes first, unless "
                                         "`lane_weights` or `vlarb_low` is given",
       1, kMaxLanes},
      ParamSpec{"lane_weights", ParamType::numbers, kUnset,
                "lanes share a link by weight (Ethernet's ETS): one number per lane, lane 0 first; a lane of weight 0 "
                "keeps strict priority over those that share",
                0, 1e6}
          .applying(when("priority", {"non-preemptive"})),
      ParamSpec{"vlarb_high", ParamType::text, kUnset,
                "InfiniBand's arbitration of lanes, written as in opensm.conf: the high-priority table, `lane:weight, "
                "...`. Lanes take turns; each sends its weight times 64 bytes, by whole packets; the same lane may "
                "have several entries; weight 0: skipped"}
          .applying(when("priority", {"non-preemptive"}))
          .applying(unless_given({"lane_weights"})),
      ParamSpec{"vlarb_low", ParamType::text, kUnset,
                "the low-priority table, whose lanes send when none of the high-priority table can, or its limit is "
                "reached"}
          .applying(when("priority", {"non-preemptive"}))
          .applying(unless_given({"lane_weights"})),
      ParamSpec{"vlarb_high_limit", ParamType::integer, "0",
                "units of 4 KiB of high-priority packets after which a low-priority packet may go; 0: after each "
                "packet, 255: never",
                0, LaneTables::kNoLimit}
          .applying(when_given({"vlarb_high"})),
      {"priority", ParamType::choice, "non-preemptive",
       "preemptive: packets of lanes from `express_from` up interrupt packets of lower lanes, which resume "
       "afterwards", 0, 0,
       kPriorities},
      ParamSpec{"express_from", ParamType::integer, kUnset,
                "the lowest lane that interrupts those below it; default: the highest lane alone", 1, kMaxLanes - 1}
          .applying(when("priority", {"preemptive"})),
  };
  const auto delays = std::find_if(all.begin(), all.end(), [](auto& p) { return p.name == "route_delay"; });
  all.insert(delays, kOrganisations.of_components().begin(), kOrganisations.of_components().end());
  all.insert(all.end(), kFlowControls.of_components().begin(), kFlowControls.of_components().end());
  return all;
}

std::span<const OtherWord> other_words_for_switches() {
  static constexpr std::string_view kPfc = "choose priority flow control with flow_control = \"pfc\"";
  static constexpr std::string_view kEcn = "switches mark under the scheme `dcqcn`: kmin, kmax and pmax are its keys";
  static constexpr std::string_view kPriority =
      "a priority or traffic class is a lane: `lanes` is the number of lanes, `lane` in [[traffic]] chooses one";
  static constexpr std::string_view kAlpha =
      "did you mean `pfc_alpha` (a multiple of the shared memory that is left)? An exponent, as in SONiC's dynamic_th, "
      "must be written out: 0.125 for -3";
  static constexpr std::string_view kWatchdog =
      "there is no watchdog; a result names what stands still, deadlocks and pause storms";
  static constexpr std::string_view kTables =
      "InfiniBand's arbitration tables are vlarb_high, vlarb_low and vlarb_high_limit";
  static constexpr std::string_view kThreshold =
      "a sender is stopped at pause_stop (flow_control = \"pause\"), or by the shared memory that is left, times "
      "pfc_alpha (\"pfc\")";
  static constexpr std::string_view kResume =
      "a sender may resume at pause_go (flow_control = \"pause\"), or pfc_resume below its threshold (\"pfc\")";
  static constexpr std::string_view kMemory =
      "set `shared_buffer` for all ports together (flow_control = \"pfc\"), otherwise `buffer` for each input";
  static constexpr OtherWord kWords[] = {
      {"pfc", kPfc},
      {"ecn", kEcn},
      {"red", kEcn},
      {"wred", kEcn},
      {"ets", "lanes share a link by lane_weights"},
      {"dwrr", "lanes share a link by lane_weights"},
      {"weights", "lanes share a link by lane_weights"},
      {"vlarb", kTables},
      {"high_limit", kTables},
      {"headroom", "it is set by `pfc_headroom`, or left above `pause_stop`; `weir headroom` calculates it"},
      {"alpha", "did you mean `pfc_alpha`?"},
      {"dynamic_threshold", kAlpha},
      {"dynamic_th", kAlpha},
      {"ecn_threshold", kEcn},
      {"ecn_min", kEcn},
      {"ecn_max", kEcn},
      {"wred_min", kEcn},
      {"wred_max", kEcn},
      {"red_min", kEcn},
      {"red_max", kEcn},
      {"min_threshold", kEcn},
      {"max_threshold", kEcn},
      {"cnp_dscp", "the lane (priority) of CNPs is cnp_lane in [scheme]"},
      {"pfc_prio", kPriority},
      {"watchdog", kWatchdog},
      {"xoff", kThreshold},
      {"pfc_xoff", kThreshold},
      {"pfc_threshold", kThreshold},
      {"pause_threshold", kThreshold},
      {"xon", kResume},
      {"pfc_xon", kResume},
      {"pfc_priority", kPriority},
      {"pfc_priorities", kPriority},
      {"pfc_watchdog", kWatchdog},
      {"ecn_kmin", kEcn},
      {"ecn_kmax", kEcn},
      {"kmin", kEcn},
      {"kmax", kEcn},
      {"pmax", kEcn},
      {"lossless", "links never lose a packet; flow_control says what keeps them so: credits, pause or pfc"},
      {"shared_memory", kMemory},
      {"memory", kMemory},
      {"buffer_size", kMemory},
      {"priorities", "a priority is a lane: lanes = 8"},
      {"queues", "a queue of an output is a lane: lanes = 8"},
      {"vls", "a virtual lane is a lane: lanes = 8"},
      {"tc", kPriority},
      {"cos", kPriority},
      {"dscp", kPriority},
      {"mtu", "the size of packets is `payload` in [packet]; `header` comes on top"},
      {"latency", "it is the sum of `route_delay` and `switch_delay`"},
      {"delay", "it is the sum of `route_delay` and `switch_delay`"},
  };
  return kWords;
}

namespace config {
namespace {

void read_buffers(const Section& section, const LargestPackets& sizes, SwitchConfig& c) {
  const Bytes largest = sizes.any();
  if (section.has("buffer_packets")) {
    if (section.given("buffer_counts") && c.unit != BufferUnit::packets)
      section.refuse("buffer_counts",
                     "`buffer_packets` counts packets; leave `buffer_counts` out or set it to \"packets\"");
    c.unit = BufferUnit::packets;
    c.buffer = section.integer("buffer_packets");
  } else {
    const Bytes unit = c.unit == BufferUnit::payload_bytes ? std::max(sizes.payload, sizes.ack) : largest;
    if (section.has("buffer")) {
      c.buffer = section.bytes("buffer");
      if (c.buffer < unit)
        section.refuse("buffer",
                       fmt::format("a buffer of {} B cannot hold the largest packet of {} B", c.buffer, unit));
      if (c.unit == BufferUnit::packets) c.buffer = c.buffer / largest;
    } else {
      c.buffer = c.unit == BufferUnit::packets ? 8 : 8 * unit;
    }
  }
}

void read_organisation(const ComponentRequest& request, SwitchConfig& c) {
  constexpr Bytes kUnlimited = 1 << 30;  // more than a run ever fills
  c.output_buffer = c.buffer;
  c.organisation = read_component(chosen_component<OrganisationKind>(request.section, "organisation"), request, c);
  c.buffer = std::min(c.buffer, kUnlimited);
  c.output_buffer = std::min(c.output_buffer, kUnlimited);
}

void check_blocks(const Section& section, const SwitchConfig& c) {
  const std::uint32_t n = c.blocks.size();
  if (c.lanes % n == 0) return;
  const std::string needs = fmt::format("to avoid deadlock, the routing needs {} lanes on every link", n);
  if (c.lanes < n)
    section.refuse("lanes",
                   fmt::format("{}: set lanes = {} (or routing.kind = \"up-down\", which needs one)", needs, n));
  section.refuse("lanes", fmt::format("{}, and each further priority needs as many: of {} lanes, {} would be unused; "
                                      "set lanes = {}",
                                      needs, c.lanes, c.lanes % n, c.lanes - c.lanes % n));
}

void read_express_lanes(const Section& section, SwitchConfig& c) {
  if (c.lanes == c.blocks.size())
    section.refuse("priority",
                   c.blocks.size() == 1
                       ? "preemption needs a second lane: set lanes = 2"
                       : fmt::format("preemption needs a second block of lanes: set lanes = {}", 2 * c.blocks.size()));
  c.express_from =
      section.has("express_from") ? static_cast<std::uint32_t>(section.integer("express_from")) : c.highest_start();
  if (c.express_from >= c.lanes)
    section.refuse("express_from",
                   fmt::format("lane {} does not exist: `lanes` is {}", c.express_from, c.lanes));
  check_lane(section, "express_from", c.express_from, c);
}

LaneOrder read_lane_weights(const Section& section, const LargestPackets& sizes, std::uint32_t lanes) {
  const std::vector<double>& weights = section.at("lane_weights").numbers;
  if (weights.size() != lanes)
    section.refuse("lane_weights", fmt::format("{} weights for {} lanes: give one per lane, lane 0 first",
                                               weights.size(), lanes));
  const double least = least_weight(weights);
  if (least == 0)
    section.refuse("lane_weights", "no lane has a weight above 0: leave the key out for strict priority");
  for (const double weight : weights)
    if (weight > 1000 * least)
      section.refuse("lane_weights", "the largest weight may be at most 1000 times the smallest");
  return order_by_weight(weights, sizes.packet);
}

// "0:4,1:64"
LaneTables::Table read_lane_table(const Section& section, std::string_view key, std::uint32_t lanes) {
  LaneTables::Table table;
  if (!section.has(key)) return table;
  TextCursor cursor(section.text(key));
  const auto refuse = [&](const std::string& why) {
    section.refuse(key, why + "; write lane:weight, ... as in \"0:64, 1:128\", weights from 0 to 255");
  };
  do {
    cursor.skip_blanks();
    const auto lane = cursor.take_number<std::uint32_t>();
    const bool pair = lane && cursor.take(":");
    const auto weight = pair ? cursor.take_number<std::uint32_t>() : std::nullopt;
    if (!weight) refuse(fmt::format("entry {} is not a lane and its weight", table.size() + 1));
    if (*lane >= lanes) refuse(fmt::format("lane {} does not exist: `lanes` is {}", *lane, lanes));
    if (*weight > LaneTables::kMostWeight) refuse(fmt::format("a weight of {} is too large", *weight));
    table.push_back({*lane, *weight});
    cursor.skip_blanks();
  } while (cursor.take(","));
  if (!cursor.at_end()) refuse(fmt::format("`{}` is not expected", cursor.rest()));
  if (table.size() > LaneTables::kMostEntries)
    refuse(fmt::format("{} entries are more than a table has ({})", table.size(), LaneTables::kMostEntries));
  return table;
}

LaneTables read_lane_tables(const Section& section, std::uint32_t lanes) {
  const LaneTables tables{read_lane_table(section, "vlarb_high", lanes), read_lane_table(section, "vlarb_low", lanes),
                          static_cast<std::uint32_t>(section.integer("vlarb_high_limit"))};
  const std::string_view key = section.has("vlarb_low") ? "vlarb_low" : "vlarb_high";
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const auto serves = [&](const LaneTables::Entry& entry) { return entry.lane == lane && entry.weight > 0; };
    if (std::none_of(tables.high.begin(), tables.high.end(), serves) &&
        std::none_of(tables.low.begin(), tables.low.end(), serves))
      section.refuse(key, fmt::format("lane {} has no weight in any table, and could never send", lane));
  }
  return tables;
}

void read_lane_order(const Section& section, const LargestPackets& sizes, SwitchConfig& c) {
  if (section.has("lane_weights")) c.lane_order = read_lane_weights(section, sizes, c.lanes);
  if (!section.has("vlarb_high") && !section.has("vlarb_low")) return;
  c.lane_tables = read_lane_tables(section, c.lanes);
  c.lane_order = order_by_tables(c.lane_tables, c.lanes);
}

}  // namespace

SwitchConfig read_switch(const ComponentRequest& request, LaneBlocks blocks) {
  const Section& section = request.section;
  SwitchConfig c;
  c.arbitration = section.choice<Arbitration>("arbitration");
  c.switching = section.choice<Switching>("switching");
  c.priority = section.choice<LanePriority>("priority");
  c.unit = section.choice<BufferUnit>("buffer_counts");
  c.lanes = static_cast<std::uint32_t>(section.integer("lanes"));
  c.blocks = blocks;
  check_blocks(section, c);
  c.route_delay = section.time("route_delay");
  c.switch_delay = section.time("switch_delay");
  c.credit_delay = section.time("credit_delay");
  c.release_at_head = section.chooses("release", "head");
  read_buffers(section, request.largest, c);
  read_organisation(request, c);
  read_lane_order(section, request.largest, c);
  c.flow_control = read_component(chosen_component<FlowControlKind>(section, "flow_control"), request, c);
  if (c.priority == LanePriority::preemptive) read_express_lanes(section, c);
  return c;
}

}  // namespace config
}  // namespace weir
