// Reads [switch]: buffers, crossbar, flow control, lanes.
#include <fmt/format.h>

#include <algorithm>

#include "packet/config/config_choices.h"

namespace weir {

Bytes pause_headroom(const LinkProperties& link, Bytes largest_packet, Time extra_delay) {
  // The stop travels one link delay; until it arrives the sender goes on at full rate, then finishes the packet it has
  // begun; what it sent during the last link delay is still on the wire.
  const Time open = link.delay * 2 + extra_delay;
  const auto per_byte = link.rate.ps_per_byte_q16();
  const auto in_flight = static_cast<Bytes>((static_cast<unsigned __int128>(open.ps) << 16) / per_byte) + 1;
  return in_flight + 2 * largest_packet;
}

namespace config {
namespace {

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

void check_blocks(const Section& section, const SwitchConfig& c) {
  const std::uint32_t n = c.blocks.size();
  if (c.lanes % n == 0) return;
  const std::string needs = fmt::format("the routing takes {} lanes of every link, against deadlock", n);
  if (c.lanes < n)
    section.refuse("lanes",
                   fmt::format("{}: set lanes = {} (or routing.kind = \"up-down\", which needs one)", needs, n));
  section.refuse("lanes", fmt::format("{}, and so do lanes of higher priority: {} lanes leave {} over; set lanes = {}",
                                      needs, c.lanes, c.lanes % n, c.lanes - c.lanes % n));
}

}  // namespace

SwitchConfig read_switch(const Section& section, const Largest& sizes, const Topology& topology, LaneBlocks blocks) {
  SwitchConfig c;
  c.organisation = choose<Organisation>(section, "organisation", kOrganisations);
  c.arbitration = choose<Arbitration>(section, "arbitration", kArbitrations);
  c.flow_control = choose<FlowControl>(section, "flow_control", kFlowControls);
  c.switching = choose<Switching>(section, "switching", kSwitchings);
  c.priority = choose<LanePriority>(section, "priority", kPriorities);
  c.unit = choose<BufferUnit>(section, "buffer_counts", kUnits);
  c.lanes = static_cast<std::uint32_t>(section.integer("lanes"));
  c.blocks = blocks;
  check_blocks(section, c);
  c.route_delay = section.time("route_delay");
  c.switch_delay = section.time("switch_delay");
  c.credit_delay = section.time("credit_delay");
  c.release_at_head = section.text("release") == "head";
  c.speedup = section.number("speedup");
  read_buffers(section, sizes, c);
  read_crossbar(section, sizes, c);
  read_flow_control(section, sizes, topology, c);
  if (c.priority == LanePriority::preemptive && c.lanes == blocks.size())
    section.refuse("priority", blocks.size() == 1
                                   ? "preemption needs a second lane: set lanes = 2"
                                   : fmt::format("preemption needs a second block of lanes: set lanes = {}",
                                                 2 * blocks.size()));
  if (c.priority != LanePriority::preemptive && section.given("express_from"))
    section.refuse("express_from", "has no effect without priority = \"preemptive\"");
  if (c.priority == LanePriority::preemptive)
    c.express_from = section.has("express_from") ? static_cast<std::uint32_t>(section.integer("express_from"))
                                                 : c.highest_start();
  if (c.priority == LanePriority::preemptive && c.express_from >= c.lanes)
    section.refuse("express_from",
                   fmt::format("lane {} does not exist: there are {} (lanes)", c.express_from, c.lanes));
  if (c.priority == LanePriority::preemptive) check_lane(section, "express_from", c.express_from, c);
  return c;
}

}  // namespace config
}  // namespace weir
