#include "schemes/marking/marking.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "packet/packet_engine.h"
#include "packet/switches/arbitration.h"
#include "schemes/given_or.h"
#include "schemes/marking/marking_family.h"
#include "schemes/packet_scheme.h"

namespace weir {
namespace marking {
namespace {

// A preset may have made the choice, or offer some of the names only.
template <class Enum, std::size_t N>
Enum choose(const Section& section, std::string_view key, const std::string_view (&names)[N], Enum otherwise) {
  if (!section.knows(key)) return otherwise;
  return static_cast<Enum>(std::find(std::begin(names), std::end(names), section.text(key)) - std::begin(names));
}

bool has(const Section& section, std::string_view key) { return section.knows(key) && section.has(key); }

Bytes largest_payload(const RunInput& run) {
  Bytes largest = run.config.format.max_payload();
  for (const SourceGroup& group : run.workload.groups)
    for (const SizeShare& size : group.sizes) largest = std::max(largest, size.payload);
  return largest;
}

std::int32_t largest_cost(const RunInput& run) {
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

// The queue for an output is measured in bytes, header included, so the buffer that it is a share of must be, too.
std::string why_no_output_threshold(const RunInput& run) {
  constexpr std::string_view kOr = "Alternatively, set organisation = \"fifo-in-out\": with it, "
                                   "`output_threshold` is a share of the output buffer, which may be sized in packets";
  if (run.config.switches.unit == BufferUnit::payload_bytes)
    return fmt::format("`output_threshold` counts whole packets, but switch.buffer_counts = \"payload-bytes\" counts "
                       "payload only. Set it to \"packet-bytes\". {}", kOr);
  const Bytes bytes = run.config.switches.buffer * (largest_payload(run) + run.config.format.header);
  return fmt::format("`output_threshold` needs buffers that are sized in bytes, and in this scenario they are sized in "
                     "packets. In [switch], write buffer = \"{}\" instead of `buffer_packets` (or of buffer_counts = "
                     "\"packets\"). {}",
                     bytes_to_text(bytes), kOr);
}

DetectionConfig read_detection(const RunInput& run, const Section& section, Detection otherwise) {
  DetectionConfig d;
  d.kind = choose(section, "detection", marking_params::kDetections, otherwise);
  d.at_or_above = section.chooses("comparison", "at-or-above");
  d.count_arriving = section.choice<CountArriving>("count_arriving");
  d.largest_cost = largest_cost(run);
  const bool at_input = d.kind != Detection::none && d.kind != Detection::opm;
  const bool at_output = d.kind == Detection::opm || d.kind == Detection::iopm || d.kind == Detection::mvpm;
  d.input_full = d.kind == Detection::rpm && !has(section, "input_threshold");
  d.input_threshold = threshold(section, "input_threshold", 0.66, at_input && !d.input_full, d.at_or_above);
  d.output_threshold =
      threshold(section, "output_threshold", d.kind == Detection::opm ? 0.9 : 0.33, at_output, d.at_or_above);
  const SwitchConfig& switches = run.config.switches;
  if (d.kind == Detection::rpm && !switches.choice->fixed())
    throw InputError(
        section.kind_where.file.empty() ? section.where : section.kind_where,
        "rpm counts packets by the output they will take when they arrive: it needs routing.choice = \"fixed\"");
  if (at_output && !switches.organisation->crossbar && switches.unit != BufferUnit::packet_bytes)
    section.refuse("output_threshold", why_no_output_threshold(run));
  return d;
}

// The most hosts that send to one and the same destination by design: not those that draw it at random. A host with
// many messages is one sender.
std::uint32_t hot_spot_degree(const RunInput& run) {
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

Time default_slot(const RunInput& run, const Section& section, DelayKind delay, const RoundTrip& trip) {
  if (delay != DelayKind::table) return trip.shortest;
  const std::int64_t degree =
      has(section, "hot_spot_degree") ? section.integer("hot_spot_degree") : hot_spot_degree(run);
  return trip.packet_time * degree / std::max<std::int64_t>(1, largest_radix(run.topology));
}

CorrectionConfig read_correction(const RunInput& run, const Section& section, const RoundTrip& trip, WindowKind window,
                                 DelayKind delay) {
  CorrectionConfig c;
  c.window = choose(section, "window", marking_params::kWindows, window);
  if (c.window == WindowKind::none && has(section, "window_packets")) c.window = WindowKind::fixed;
  c.per = section.choice<WindowPer>("window_per");
  c.delay = delay = choose(section, "delay", marking_params::kDelays, delay);
  c.recovery = choose(section, "recovery", marking_params::kRecoveries, c.recovery);
  c.wait_from = choose(section, "wait_from", marking_params::kWaits, c.wait_from);
  c.empty_queue = choose(section, "empty_queue", marking_params::kEmptyQueues, c.empty_queue);
  c.largest_window = trip.whole_window;
  c.slot = default_slot(run, section, delay, trip);
  c.factor = trip.radix;
  c.limit = trip.stages;
  // What has no effect is not noted as a value of this run.
  const auto acts = [&](const char* key, bool effective) { return section.knows(key) && effective; };
  if (acts("window_packets", c.window != WindowKind::none))
    c.largest_window = integer_or(section, "window_packets", c.largest_window);
  if (acts("slot", delay == DelayKind::slots || delay == DelayKind::table)) c.slot = time_or(section, "slot", c.slot);
  if (acts("factor", delay == DelayKind::slots)) c.factor = integer_or(section, "factor", c.factor);
  if (acts("limit", delay == DelayKind::slots)) c.limit = integer_or(section, "limit", c.limit);
  if (section.knows("rate_factor")) c.rate_factor = section.number("rate_factor");
  if (section.knows("least_rate")) c.least_rate = section.number("least_rate");
  return c;
}

}  // namespace

MarkingConfig marking_config(const RunInput& run, const Section& scheme, MarkingPreset preset) {
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

template <Preset preset>
ConfiguredScheme configure_marking(const Section& scheme, const RunInput& run) {
  const marking::MarkingConfig config = marking_config(run, scheme, preset);
  if (config.detection.kind == marking::Detection::rpm)
    return packet_scheme(run, [config] { return marking::MarkingFamily(config); });
  return packet_scheme(run, [config] { return marking::MarkingBeforeDeparture(config); });
}

}  // namespace

extern const SchemeInfo mvcm_scheme{
    "mvcm", SchemeTag::research,
    "inputs that are too full mark packets, and outputs that are too full mark these packets a second time; a mark "
    "makes the source shrink its window, two marks also make it wait between packets",
    kMvcmParams, "[scheme]\nname = \"mvcm\"", configure_marking<Preset::mvcm>};

extern const SchemeInfo iocm_scheme{"iocm",
                                    SchemeTag::research,
                                    "inputs that are too full mark packets, and so do outputs; a mark makes the source "
                                    "shrink its window, marks of both "
                                    "also make it wait between packets",
                                    kMvcmParams,
                                    "[scheme]\nname = \"iocm\"",
                                    configure_marking<Preset::iocm>};

extern const SchemeInfo renato_scheme{
    "renato", SchemeTag::research,
    "if a full input buffer has packets for an output, this output marks packets; window of one packet, and injection "
    "rate control",
    kRenatoParams, "[scheme]\nname = \"renato\"\ndelay = \"fimd\"", configure_marking<Preset::renato>};

extern const SchemeInfo pfister_scheme{
    "pfister", SchemeTag::research,
    "outputs that are too full mark packets; each mark makes the source wait one fixed time (slot) longer between "
    "packets, without limit; no window by default",
    kPfisterParams, "[scheme]\nname = \"pfister\"", configure_marking<Preset::pfister>};

extern const SchemeInfo marking_scheme{
    "marking",
    SchemeTag::research,
    "a scheme to be put together from parts: how packets are marked, and how sources slow down and recover. mvcm, "
    "iocm, renato and pfister are fixed combinations",
    kMarkingParams,
    "[scheme]\nname = \"marking\"\ndetection = \"opm\"\nwindow = \"static\"\ndelay = \"none\"",
    configure_marking<Preset::free>};

}  // namespace weir
