#include "packet/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "packet/packet.h"
#include "scenario/quantity.h"

namespace weir {
namespace {

constexpr std::string_view kOrganisations[] = {"voq-input", "fifo-in-out", "output-queued"};
constexpr std::string_view kArbitrations[] = {"fcfs", "round-robin", "oldest-first"};
constexpr std::string_view kFlowControls[] = {"credits", "pause"};
constexpr std::string_view kSwitchings[] = {"cut-through", "store-and-forward"};
constexpr std::string_view kPriorities[] = {"non-preemptive", "preemptive"};
constexpr std::string_view kUnits[] = {"packet-bytes", "payload-bytes", "packets"};
constexpr std::string_view kReleases[] = {"tail", "head"};
constexpr std::string_view kChoices[] = {"fixed", "live-queue", "snooping", "flow-setup"};
constexpr std::string_view kSnoopTimings[] = {"restart", "once", "each"};
constexpr std::string_view kSnoopReturns[] = {"random", "default"};
constexpr std::string_view kSetupSideways[] = {"auto", "none", "forced", "free"};
constexpr std::string_view kSetupMeasures[] = {"flows", "weight"};
constexpr std::string_view kAdapters[] = {"fifo", "per-destination", "modulo", "shared", "per-flow", "auto"};
constexpr std::string_view kServices[] = {"round-robin", "oldest-first"};
constexpr std::string_view kUntils[] = {"auto", "duration", "flows", "class"};

template <class Enum, std::size_t N>
Enum choose(const Section& section, std::string_view key, const std::string_view (&names)[N]) {
  const std::string& text = section.text(key);
  const auto* found = std::find(std::begin(names), std::end(names), text);
  return static_cast<Enum>(found - std::begin(names));
}

}  // namespace

std::vector<ParamSpec> switch_params() {
  return {
      {"organisation", ParamType::choice, "voq-input",
       "voq-input: one shared buffer per input, virtual output queues, infinite speedup; fifo-in-out: FIFO buffers at "
       "inputs "
       "and outputs around a crossbar of finite speedup; output-queued: packets queue at their output, memory "
       "accounted "
       "per input so that PAUSE can stop one input",
       0, 0, kOrganisations},
      {"arbitration", ParamType::choice, "fcfs", "which waiting packet an output serves next", 0, 0, kArbitrations},
      {"flow_control", ParamType::choice, "credits", "credits, or PAUSE (stop and go by thresholds)", 0, 0,
       kFlowControls},
      {"switching", ParamType::choice, "cut-through", "virtual cut-through or store-and-forward", 0, 0, kSwitchings},
      {"buffer", ParamType::bytes, kUnset, "input buffer per port and lane; default: room for 8 of the largest packets",
       1, 1e12},
      {"buffer_packets", ParamType::integer, kUnset,
       "the same counted in packets, whatever their size (instead of `buffer`)", 1, 1e9},
      {"buffer_counts", ParamType::choice, "packet-bytes",
       "what occupies a buffer: whole packets, payload only, or slots of one packet", 0, 0, kUnits},
      {"output_buffer", ParamType::bytes, kUnset,
       "output buffer per port and lane (fifo-in-out); default: same as `buffer`", 1, 1e12},
      {"speedup", ParamType::number, "2", "crossbar rate over link rate (fifo-in-out)", 1, 1000},
      {"route_delay", ParamType::time, "1ns", "routing decision", 0, 1},
      {"switch_delay", ParamType::time, "1ns", "crossing the switch", 0, 1},
      {"credit_delay", ParamType::time, "0ns", "added to the link's delay when released space is reported back", 0, 1},
      {"release", ParamType::choice, "tail", "a slot is free when the packet's tail has left, or when its head leaves",
       0, 0, kReleases},
      {"lanes", ParamType::integer, "1", "virtual lanes; the higher number has priority", 1, kMaxLanes},
      {"priority", ParamType::choice, "non-preemptive",
       "may a packet of the lanes from `express_from` on interrupt one of a lower lane, which resumes afterwards", 0,
       0, kPriorities},
      {"express_from", ParamType::integer, kUnset,
       "the lowest lane that interrupts those below it (preemptive); default: the highest lane alone", 1,
       kMaxLanes - 1},
      {"pause_stop", ParamType::bytes, kUnset,
       "occupancy that stops the sender (PAUSE); default: as high as the headroom allows", 0, 1e12},
      {"pause_go", ParamType::bytes, kUnset,
       "occupancy at which it may go on; default: one largest packet below the stop", 0, 1e12},
  };
}

std::vector<ParamSpec> route_choice_params() {
  return {
      {"choice", ParamType::choice, "fixed",
       "fixed: the default port; live-queue: per packet, the allowed port with the shortest queue; snooping: the first "
       "allowed port behind which no notification has told of congestion (both reorder packets); flow-setup: a set-up "
       "packet picks the least loaded allowed ports for a whole flow, which keeps them until it is torn down (in "
       "order)",
       0, 0, kChoices},
      {"snoop_timer", ParamType::time, "250ms", "an entry about remote congestion expires after this (snooping)", 1e-9,
       1e6},
      {"snoop_timing", ParamType::choice, "restart",
       "restart: every update restarts that timer; once: it starts when the entry is marked and runs to its end; each: "
       "every update starts one more, and the first to end resets the entry",
       0, 0, kSnoopTimings},
      {"snoop_queue", ParamType::bytes, "16500B",
       "congestion of a switch's own queue is over below this length (snooping)", 0, 1e12},
      {"snoop_return", ParamType::choice, "random",
       "notifications travel back by a random allowed port, so that all ways learn of the congestion, or by the "
       "default one",
       0, 0, kSnoopReturns},
      {"setup_sideways", ParamType::choice, "auto",
       "horizontal hops on the way down a modified tree (flow-setup): forced away from the nearer end of the logical "
       "node, to the free choice of side, or none; auto: forced on modified trees, none elsewhere",
       0, 0, kSetupSideways},
      {"setup_hops", ParamType::integer, "8", "horizontal hops per level at most", 0, 1e6},
      {"setup_cache", ParamType::integer, kUnset,
       "entries in the route cache of an input port; a flow that finds it full takes the default port. Default: "
       "unlimited",
       0, 1e9},
      {"setup_measure", ParamType::choice, "flows", "what makes a port loaded: the number or the weight of its flows",
       0, 0, kSetupMeasures},
      {"setup_bytes", ParamType::bytes, "40B", "size of set-up, tear-down and acknowledging packets", 1, 65535},
      {"setup_lane", ParamType::integer, kUnset, "their lane; default: the highest", 0, kMaxLanes - 1},
      {"setup_connections", ParamType::integer, "0",
       "flows between two hosts at a time; a further one waits for a tear-down. 0: no limit", 0, 1e6},
      {"setup_train", ParamType::integer, "2",
       "random traffic: a pair of hosts becomes a flow with this many packets in a row; before, default ports", 1, 1e6},
      {"setup_idle", ParamType::time, "20us",
       "the longest gap between such packets; without a packet for this long, the flow ends", 1e-9, 1e3}};
}

std::vector<ParamSpec> adapter_params() {
  return {
      {"organisation", ParamType::choice, "auto",
       "fifo: one queue; per-destination: a queue per destination; modulo: destination modulo `queues`; shared: one "
       "memory, "
       "oldest allowed packet first; per-flow: a queue per flow; auto: per-flow where the traffic has flows, otherwise "
       "fifo",
       0, 0, kAdapters},
      {"service", ParamType::choice, "round-robin", "order among queues that may send", 0, 0, kServices},
      {"queues", ParamType::integer, "16", "number of queues (modulo)", 1, 1e6},
      {"memory", ParamType::bytes, kUnset,
       "adapter memory per host; packets beyond it wait in the host. Default: unlimited", 1, 1e12},
      {"queue_limit", ParamType::bytes, kUnset,
       "an open-loop source makes no packet for a queue that holds this much, so that an overloaded one does not grow; "
       "default: unlimited",
       1, 1e12},
      {"acks", ParamType::flag, "false", "acknowledge every data packet even where the scheme does not need it"},
      {"ack_lane", ParamType::integer, "0", "lane of acknowledgements and notifications", 0, kMaxLanes - 1},
  };
}

std::vector<ParamSpec> run_params() {
  return {
      {"until", ParamType::choice, "auto",
       "what ends the run: a duration, all finite flows complete, or all packets of `class` delivered; auto: the "
       "duration if "
       "one is given, otherwise the flows",
       0, 0, kUntils},
      {"duration", ParamType::time, kUnset, "simulated time", 0, 1e6},
      {"class", ParamType::text, kUnset, "the class that must be delivered (until = class)"},
      {"settle", ParamType::time, "0s", "keep running this long after the end condition", 0, 1e6},
      {"max_time", ParamType::time, kUnset, "give up at this simulated time", 0, 1e6},
      {"max_backlog", ParamType::integer, "20000000", "give up when so many packets wait at the hosts", 1, 2e9},
      {"warmup", ParamType::time, "0s", "rates and shares are taken after this time", 0, 1e6},
  };
}

std::vector<ParamSpec> measure_params() {
  return {
      {"bin", ParamType::time, kUnset,
       "width of a bin of the time series, of which there are at most 1000000; default: grows with the run, so that "
       "there are at most `max_bins`",
       0, 1e6},
      {"max_bins", ParamType::integer, "2000",
       "bins of the time series at most, where their width grows with the run; has no effect, and is refused, with a "
       "`bin`",
       2, 1e6},
      {"frames", ParamType::integer, kUnset,
       "snapshots of the whole fabric kept for the report; 0 = none. Default: 64, and fewer in fabrics of more than "
       "262144 ports",
       0, 100000},
      {"max_rows", ParamType::integer, "100000",
       "rows of the tables of ports, hosts and victims at most; where there are more, those that waited longest or "
       "carried the most are kept",
       1, 1e9},
      {"watch", ParamType::texts, kUnset,
       "ports whose rate and queue are kept as time series, with the receivers' resequencing buffer: \"S7:4\", or a "
       "host's name"},
      {"watch_bin", ParamType::time, "1ms", "width of the bins of these series, of which there are at most 1000000",
       1e-9, 1e6},
  };
}

Bytes pause_headroom(const LinkProperties& link, Bytes largest_packet, Time extra_delay) {
  // The stop travels one link delay; until it arrives the sender goes on at full rate, then finishes the packet it has
  // begun; what it sent during the last link delay is still on the wire.
  const Time open = link.delay * 2 + extra_delay;
  const auto per_byte = link.rate.ps_per_byte_q16();
  const auto in_flight = static_cast<Bytes>((static_cast<unsigned __int128>(open.ps) << 16) / per_byte) + 1;
  return in_flight + 2 * largest_packet;
}

namespace {

// The largest packets that this traffic can make: sources may have sizes of their own.
struct Largest {
  Bytes payload = 0, packet = 0, ack = 0;
  Bytes any() const { return std::max(packet, ack); }
};

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

void read_buffers(const Section& section, const Largest& sizes, SwitchConfig& c) {
  const Bytes largest = sizes.any();
  if (section.given("buffer") && section.given("buffer_packets"))
    section.refuse("buffer_packets", "give either `buffer` or `buffer_packets`, not both");
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

void read_crossbar(const Section& section, const Largest& sizes, SwitchConfig& c) {
  const Bytes largest = sizes.any();
  const bool crossbar = c.organisation == Organisation::fifo_in_out;
  for (const auto* key : {"output_buffer", "speedup"})
    if (!crossbar && section.given(key))
      section.refuse(key, fmt::format("`{}` has no effect with organisation \"{}\"; it belongs to \"fifo-in-out\"", key,
                                      section.text("organisation")));
  if (crossbar && section.given("release"))
    section.refuse("release",
                   "has no effect with organisation \"fifo-in-out\": a packet leaves its input when it has crossed");
  c.output_buffer = c.buffer;
  if (crossbar && section.has("output_buffer")) {
    c.output_buffer = section.bytes("output_buffer");
    if (c.unit == BufferUnit::packets) c.output_buffer /= largest;
    if (c.output_buffer < (c.unit == BufferUnit::packets ? 1 : largest))
      section.refuse("output_buffer", fmt::format("an output buffer must hold the largest packet of {} B", largest));
  }
  if (c.organisation == Organisation::output_queued && c.arbitration != Arbitration::fcfs)
    section.refuse("arbitration", "an output-queued switch serves first come, first served: use \"fcfs\"");

  constexpr Bytes kUnlimited = 1 << 30;  // more than a run ever fills
  c.buffer = std::min(c.buffer, kUnlimited);
  c.output_buffer = std::min(c.output_buffer, kUnlimited);
}

void read_flow_control(const Section& section, const Largest& sizes, const Topology& topology, SwitchConfig& c) {
  const Bytes largest = sizes.any();
  if (c.flow_control == FlowControl::pause) {
    if (c.unit != BufferUnit::packet_bytes)
      section.refuse("buffer_counts", "PAUSE works on bytes: use \"packet-bytes\"");
    Bytes headroom = 0;
    for (std::uint32_t p = 0; p < topology.ports(); ++p)
      if (topology.to({p}).valid())
        headroom = std::max(headroom, pause_headroom(topology.link({p}), largest,
                                                     c.credit_delay + c.route_delay + c.switch_delay));
    if (c.buffer < headroom + largest)
      section.refuse("buffer",
                     fmt::format("PAUSE needs {} B of headroom for what is in flight and one packet below it: make the "
                                 "buffer at least {} B",
                                 headroom, headroom + largest));
    c.pause_stop = section.has("pause_stop") ? section.bytes("pause_stop") : c.buffer - headroom;
    if (c.pause_stop + headroom > c.buffer)
      section.refuse("pause_stop", fmt::format("a stop at {} B leaves {} B, but {} B can still arrive: at most {} B",
                                               c.pause_stop, c.buffer - c.pause_stop, headroom, c.buffer - headroom));
    c.pause_go = section.has("pause_go") ? section.bytes("pause_go") : std::max<Bytes>(0, c.pause_stop - largest);
    if (c.pause_go > c.pause_stop)
      section.refuse("pause_go", fmt::format("must not be above the stop threshold of {} B", c.pause_stop));
  } else {
    for (const auto* key : {"pause_stop", "pause_go"})
      if (section.given(key)) section.refuse(key, "has no effect with credits; set flow_control = \"pause\"");
  }
}

SwitchConfig read_switch(const Section& section, const Largest& sizes, const Topology& topology) {
  SwitchConfig c;
  c.organisation = choose<Organisation>(section, "organisation", kOrganisations);
  c.arbitration = choose<Arbitration>(section, "arbitration", kArbitrations);
  c.flow_control = choose<FlowControl>(section, "flow_control", kFlowControls);
  c.switching = choose<Switching>(section, "switching", kSwitchings);
  c.priority = choose<LanePriority>(section, "priority", kPriorities);
  c.unit = choose<BufferUnit>(section, "buffer_counts", kUnits);
  c.lanes = static_cast<std::uint32_t>(section.integer("lanes"));
  c.route_delay = section.time("route_delay");
  c.switch_delay = section.time("switch_delay");
  c.credit_delay = section.time("credit_delay");
  c.release_at_head = section.text("release") == "head";
  c.speedup = section.number("speedup");
  read_buffers(section, sizes, c);
  read_crossbar(section, sizes, c);
  read_flow_control(section, sizes, topology, c);
  if (c.priority == LanePriority::preemptive && c.lanes == 1)
    section.refuse("priority", "preemption needs a second lane: set lanes = 2");
  if (c.priority != LanePriority::preemptive && section.given("express_from"))
    section.refuse("express_from", "has no effect without priority = \"preemptive\"");
  if (c.priority == LanePriority::preemptive)
    c.express_from = section.has("express_from") ? static_cast<std::uint32_t>(section.integer("express_from"))
                                                 : c.lanes - 1;
  if (c.priority == LanePriority::preemptive && c.express_from >= c.lanes)
    section.refuse("express_from",
                   fmt::format("lane {} does not exist: there are {} (lanes)", c.express_from, c.lanes));
  return c;
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
  if (c.ack_lane >= switches.lanes)
    section.refuse("ack_lane", fmt::format("lane {} does not exist: the switches have {} (switch.lanes)", c.ack_lane,
                                           switches.lanes));
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
  c.lane = section.has("setup_lane") ? static_cast<std::uint32_t>(section.integer("setup_lane")) : switches.lanes - 1;
  if (c.lane >= switches.lanes)
    section.refuse("setup_lane",
                   fmt::format("lane {} does not exist: the switches have {} (switch.lanes)", c.lane, switches.lanes));
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

}  // namespace

PacketConfig packet_config(const Scenario& scenario, const Topology& topology, const Workload& workload) {
  PacketConfig config;
  config.format = packet_format(scenario);
  const Largest largest = largest_packets(scenario, config.format, workload);
  config.switches = read_switch(scenario.section("switch"), largest, topology);
  check_links(scenario, topology, config.switches);
  const Section& routing = scenario.section("routing");
  config.switches.choice = choose<RouteChoice>(routing, "choice", kChoices);
  config.switches.snoop = read_snooping(routing, config.switches.choice, topology);
  config.switches.setup = read_setup(routing, config.switches, topology, workload, largest.any());
  config.adapter = read_adapter(scenario.section("adapter"), config.switches, workload, largest.packet);
  config.run = read_run(scenario.section("run"), workload);
  config.measure = read_measure(scenario.section("measure"), config.run, topology);
  for (const Flow& flow : workload.flows)
    if (flow.lane >= config.switches.lanes)
      scenario.section("switch").refuse("lanes", fmt::format("traffic uses lane {}, but there are {} lanes", flow.lane,
                                                             config.switches.lanes));
  for (const SourceGroup& group : workload.groups)
    if (group.lane >= config.switches.lanes)
      scenario.section("switch").refuse("lanes", fmt::format("traffic `{}` uses lane {}, but there are {} lanes",
                                                             group.name, group.lane, config.switches.lanes));
  return config;
}

}  // namespace weir
