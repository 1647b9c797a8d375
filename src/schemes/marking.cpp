#include "schemes/marking.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "packet/arbitration.h"
#include "packet/packet_engine.h"
#include "schemes/marking_family.h"

namespace weir {
namespace marking {
namespace {

template <class Enum, std::size_t N>
Enum choose(const Section& section, std::string_view key, const std::string_view (&names)[N], Enum otherwise) {
  if (!section.knows(key)) return otherwise;
  const auto* found = std::find(std::begin(names), std::end(names), section.text(key));
  return static_cast<Enum>(found - std::begin(names));
}

bool has(const Section& section, std::string_view key) { return section.knows(key) && section.has(key); }
void refuse_idle(const Section& section, std::string_view key, bool has_effect, const std::string& belongs_to) {
  if (!has_effect && section.given(key))
    section.refuse(key, fmt::format("`{}` has no effect here; it belongs to {}", key, belongs_to));
}

Bytes largest_payload(const PacketRun& run) {
  Bytes largest = run.config.format.max_payload();
  for (const SourceGroup& group : run.workload.groups)
    for (const SizeShare& size : group.sizes) largest = std::max(largest, size.payload);
  return largest;
}

std::int32_t largest_cost(const PacketRun& run) {
  const Bytes payload = largest_payload(run);
  switch (run.config.switches.unit) {
    case BufferUnit::packets: return 1;
    case BufferUnit::payload_bytes: return static_cast<std::int32_t>(payload);
    case BufferUnit::packet_bytes: break;
  }
  return static_cast<std::int32_t>(payload + run.config.format.header);
}

double threshold(const Section& section, std::string_view key, double otherwise, bool used, bool at_or_above) {
  const double share = has(section, key) ? section.number(key) : otherwise;
  if (used && !at_or_above && share >= 1)
    section.refuse(key, "no occupancy is ever above 100 % of the buffer: give less, or comparison = \"at-or-above\"");
  return share;
}

DetectionConfig read_detection(const PacketRun& run, const Section& section, Detection otherwise) {
  DetectionConfig d;
  d.kind = choose(section, "detection", marking_params::kDetections, otherwise);
  d.at_or_above = section.text("comparison") == "at-or-above";
  d.count_arriving = section.flag("count_arriving");
  d.largest_cost = largest_cost(run);
  const bool at_input = d.kind != Detection::none && d.kind != Detection::opm;
  const bool at_output = d.kind == Detection::opm || d.kind == Detection::iopm || d.kind == Detection::mvpm;
  d.input_full = d.kind == Detection::rpm && !has(section, "input_threshold");
  d.input_threshold = threshold(section, "input_threshold", 0.66, at_input && !d.input_full, d.at_or_above);
  d.output_threshold =
      threshold(section, "output_threshold", d.kind == Detection::opm ? 0.9 : 0.33, at_output, d.at_or_above);
  refuse_idle(section, "input_threshold", at_input, "detection at inputs: \"ipm\", \"rpm\", \"iopm\" or \"mvpm\"");
  refuse_idle(section, "output_threshold", at_output, "detection at outputs: \"opm\", \"iopm\" or \"mvpm\"");
  const SwitchConfig& switches = run.config.switches;
  if (d.kind == Detection::rpm && switches.choice != RouteChoice::fixed)
    throw InputError(
        section.kind_where.file.empty() ? section.where : section.kind_where,
        "rpm counts packets by the output they will take when they arrive: it needs routing.choice = \"fixed\"");
  if (at_output && switches.organisation != Organisation::fifo_in_out && switches.unit != BufferUnit::packet_bytes)
    section.refuse("output_threshold",
                   "queues for a link are measured in bytes of whole packets: set switch.buffer_counts = "
                   "\"packet-bytes\", or organisation = \"fifo-in-out\", which has output buffers");
  return d;
}

// The most hosts that send to one and the same destination by design: not those that draw it at random. A host with
// many messages is one sender.
std::uint32_t hot_spot_degree(const PacketRun& run) {
  std::vector<std::uint32_t> senders(run.topology.hosts(), 0);
  std::set<std::pair<HostId, HostId>> pairs;
  for (const Flow& flow : run.workload.flows)
    if (pairs.emplace(flow.source, flow.destination).second) ++senders[flow.destination.index];
  for (const Source& source : run.workload.sources) {
    const SourceGroup& group = run.workload.groups[source.group];
    if (group.rule == DestinationRule::fixed) ++senders[group.targets.front().index];
    if (group.rule == DestinationRule::table) ++senders[group.targets[source.host.index].index];
  }
  return std::max(1u, *std::max_element(senders.begin(), senders.end()));
}

Time default_slot(const PacketRun& run, const Section& section, DelayKind delay, const RoundTrip& trip) {
  if (delay != DelayKind::table) return trip.shortest;
  const std::int64_t degree =
      has(section, "hot_spot_degree") ? section.integer("hot_spot_degree") : hot_spot_degree(run);
  return trip.packet_time * degree / std::max<std::int64_t>(1, largest_radix(run.topology));
}

CorrectionConfig read_correction(const PacketRun& run, const Section& section, const RoundTrip& trip, WindowKind window,
                                 DelayKind delay) {
  CorrectionConfig c;
  c.window = choose(section, "window", marking_params::kWindows, window);
  if (section.knows("delay")) {  // its choices are a part of all for some presets
    const auto* found =
        std::find(std::begin(marking_params::kDelays), std::end(marking_params::kDelays), section.text("delay"));
    delay = static_cast<DelayKind>(found - std::begin(marking_params::kDelays));
  }
  c.delay = delay;
  c.recovery = choose(section, "recovery", marking_params::kRecoveries, c.recovery);
  c.wait_from = choose(section, "wait_from", marking_params::kWaits, c.wait_from);
  c.empty_queue = choose(section, "empty_queue", marking_params::kEmptyQueues, c.empty_queue);
  refuse_idle(section, "empty_queue", c.recovery == Recovery::immediate, "recovery = \"immediate\"");
  c.largest_window = has(section, "window_packets") ? static_cast<std::uint32_t>(section.integer("window_packets"))
                                                    : trip.whole_window;
  c.slot = has(section, "slot") ? section.time("slot") : default_slot(run, section, delay, trip);
  c.factor = has(section, "factor") ? static_cast<std::uint32_t>(section.integer("factor")) : trip.radix;
  c.limit = has(section, "limit") ? static_cast<std::uint32_t>(section.integer("limit")) : trip.stages;
  if (section.knows("rate_factor")) c.rate_factor = section.number("rate_factor");
  if (section.knows("least_rate")) c.least_rate = section.number("least_rate");
  const bool rate_control = c.in_packet_times(), slots = delay == DelayKind::slots, table = delay == DelayKind::table;
  refuse_idle(section, "window_packets", c.window != WindowKind::none, "window = \"static\" or \"dynamic\"");
  refuse_idle(section, "slot", slots || table, "delay = \"slots\" or \"table\"");
  refuse_idle(section, "factor", slots, "delay = \"slots\"");
  refuse_idle(section, "limit", slots, "delay = \"slots\"");
  refuse_idle(section, "hot_spot_degree", table && !section.given("slot"), "delay = \"table\" without a `slot`");
  refuse_idle(section, "rate_factor", delay == DelayKind::aimd || delay == DelayKind::fimd,
              "delay = \"aimd\" or \"fimd\"");
  refuse_idle(section, "least_rate", rate_control, "delay = \"aimd\", \"fimd\" or \"lipd\"");
  refuse_idle(section, "wait_from", delay != DelayKind::none, "a delay");
  return c;
}

}  // namespace

MarkingConfig marking_config(const PacketRun& run, const Section& scheme, MarkingPreset preset) {
  struct Parts {
    Detection detection;
    WindowKind window;
    DelayKind delay;
  };
  static constexpr Parts kParts[] = {{Detection::mvpm, WindowKind::dynamic, DelayKind::slots},
                                     {Detection::mvpm, WindowKind::dynamic, DelayKind::slots},
                                     {Detection::iopm, WindowKind::dynamic, DelayKind::slots},
                                     {Detection::rpm, WindowKind::fixed, DelayKind::lipd},
                                     {Detection::opm, WindowKind::none, DelayKind::table}};
  const Parts& parts = kParts[static_cast<int>(preset)];
  MarkingConfig config;
  config.trip = round_trip(run);
  config.detection = read_detection(run, scheme, parts.detection);
  config.correction = read_correction(run, scheme, config.trip, parts.window, parts.delay);
  config.messages = !run.workload.flows.empty();
  return config;
}

}  // namespace marking

namespace {

using Preset = marking::MarkingPreset;

Measurements run_preset(const PacketRun& run, const Section& scheme, Preset preset) {
  return run_packets(run, marking::MarkingFamily(marking_config(run, scheme, preset)));
}

}  // namespace

Measurements run_marking(const PacketRun& run, const Section& s) { return run_preset(run, s, Preset::free); }
Measurements run_mvcm(const PacketRun& run, const Section& s) { return run_preset(run, s, Preset::mvcm); }
Measurements run_iocm(const PacketRun& run, const Section& s) { return run_preset(run, s, Preset::iocm); }
Measurements run_renato(const PacketRun& run, const Section& s) { return run_preset(run, s, Preset::renato); }
Measurements run_pfister(const PacketRun& run, const Section& s) { return run_preset(run, s, Preset::pfister); }

}  // namespace weir
