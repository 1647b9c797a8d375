// [switch]: the keys of flow control.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "packet/config/sections.h"
#include "packet/flow_control/headroom.h"
#include "scenario/quantity.h"

namespace weir::config {
namespace {

constexpr Condition kPauseOnly = when("flow_control", {"pause"});
constexpr std::string_view kPowerOfTwo =
    "where it is given as a power of two, as dynamic_th of SONiC is, -3 means 2^-3 = 0.125";
constexpr Condition kPfcOnly = when("flow_control", {"pfc"});

void read_pause(const Section& section, const Largest& sizes, const Topology& topology, SwitchConfig& c) {
  const Bytes largest = sizes.any();
  if (c.unit != BufferUnit::packet_bytes) section.refuse("buffer_counts", "PAUSE works on bytes: use \"packet-bytes\"");
  Bytes headroom = 0;
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.to({p}).valid())
      headroom = std::max(headroom,
                          pause_headroom(topology.link({p}), largest, c.credit_delay + c.route_delay + c.switch_delay));
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
}

void check_headroom(const Section& section, const Topology& topology, const SwitchConfig& c) {
  if (c.pfc.headroom == 0 || !section.flag("pfc_check")) return;
  Bytes most = 0;
  PortId where;
  for (PortId p{0}; p.index < topology.ports(); ++p.index) {
    if (!topology.to(p).valid() || topology.is_host(topology.node_of(topology.to(p)))) continue;
    const Bytes needed = pfc_headroom(topology, c, p);
    if (needed <= most) continue;
    most = needed;
    where = p;
  }
  if (c.pfc.headroom < most)
    section.refuse("pfc_headroom",
                   fmt::format("{} B are too few: behind {}, {} B can still arrive after a stop is decided; give at "
                               "least {} B, or leave the key out",
                               c.pfc.headroom, topology.port_name(where), most, most));
}

// Refuses memory that is too small, and finds what an input and lane may use where it is the only one that does.
void check_memory(const Section& section, const Topology& topology, SwitchConfig& c) {
  c.buffer = 1 << 30;
  const Bytes least = c.pfc.largest_packet;
  for (SwitchId s{0}; s.index < topology.switches(); ++s.index) {
    const MemoryPlan plan = memory_plan(topology, c, s);
    const Bytes taken = plan.reserve + plan.headroom;
    if (plan.shared <= 0)
      section.refuse("shared_buffer",
                     fmt::format("{} of {} cannot hold the reserve ({}) and the headroom ({}) of all its inputs and "
                                 "lanes: more than {} B are needed",
                                 section.has("shared_buffer") ? "a memory" : "the default", bytes_to_text(plan.total),
                                 bytes_to_text(plan.reserve), bytes_to_text(plan.headroom), taken));
    const double share = c.pfc.alpha / (1 + c.pfc.alpha);
    const Bytes usable = c.pfc.reserve + static_cast<Bytes>(share * static_cast<double>(plan.shared));
    c.buffer = std::min(c.buffer, std::max(least, usable));
  }
}

// What is calculated for a switch or a link, from the least to the most: "47.1kB", or "25kB" to "47.1kB".
void note_range(const Section& section, const char* key, Bytes least, Bytes most) {
  if (section.calculated == nullptr) return;
  std::string text = fmt::format("\"{}\"", bytes_to_text(least));
  if (least < most) text += fmt::format(" to \"{}\", by the rate and length of the cable", bytes_to_text(most));
  section.calculated->emplace_back(key, text);
}

// Of the links to switches.
void note_headroom(const Section& section, const Topology& topology, const SwitchConfig& c) {
  Bytes least = std::numeric_limits<Bytes>::max(), most = 0;
  for (PortId p{0}; p.index < topology.ports(); ++p.index) {
    if (!topology.to(p).valid() || topology.is_host(topology.node_of(topology.to(p)))) continue;
    const Bytes needed = pfc_headroom(topology, c, p);
    least = std::min(least, needed);
    most = std::max(most, needed);
  }
  if (most > 0) note_range(section, "pfc_headroom", least, most);
}

void read_pfc(const Section& section, const Largest& sizes, const Topology& topology, SwitchConfig& c) {
  if (c.organisation == Organisation::fifo_in_out)
    section.refuse("flow_control",
                   "PFC needs switches whose inputs share one memory: organisation \"output-queued\" or \"voq-input\"");
  if (c.unit != BufferUnit::packet_bytes) section.refuse("buffer_counts", "PFC works on bytes: use \"packet-bytes\"");
  if (c.priority == LanePriority::preemptive)
    section.refuse("priority", "frames of PFC do not interrupt packets: use \"non-preemptive\"");
  c.pfc.memory = section.has("shared_buffer") ? section.bytes("shared_buffer") : 0;
  c.pfc.reserve = section.bytes("pfc_reserve");
  c.pfc.resume = section.bytes("pfc_resume");
  c.pfc.frame = section.bytes("pfc_frame");
  c.pfc.alpha = section.number("pfc_alpha");
  c.pfc.largest_packet = sizes.any();
  c.pfc.host_reserve = 8 * sizes.any();
  c.pfc.headroom = section.has("pfc_headroom") ? section.bytes("pfc_headroom") : 0;
  if (c.pfc.headroom == 0) note_headroom(section, topology, c);
  check_headroom(section, topology, c);
  check_memory(section, topology, c);
}

}  // namespace

std::vector<ParamSpec> flow_control_params() {
  return {
      ParamSpec{"pause_stop", ParamType::bytes, kUnset,
                "occupancy that stops the sender; default: as high as the headroom allows", 0, 1e12}
          .applying(kPauseOnly),
      ParamSpec{"pause_go", ParamType::bytes, kUnset,
                "occupancy at which the sender may resume; default: one largest packet below pause_stop", 0, 1e12}
          .applying(kPauseOnly),
      ParamSpec{"shared_buffer", ParamType::bytes, kUnset,
                "packet memory of a switch; default: what its ports send in 40 us, as is usual", 1, 1e12}
          .applying(kPfcOnly),
      ParamSpec{"pfc_reserve", ParamType::bytes, "4KiB", "memory reserved for each input and lane", 0, 1e9}
          .applying(kPfcOnly),
      ParamSpec{"pfc_headroom", ParamType::bytes, kUnset,
                "memory of each input and lane for packets that arrive after a stop is decided; default: as much as "
                "each link needs, which is in scenario.toml of a result; `weir headroom` prints it for any link",
                1, 1e9}
          .applying(kPfcOnly),
      ParamSpec{"pfc_check", ParamType::flag, "true", "refuse headroom that may overflow"}
          .applying(when_given({"pfc_headroom"})),
      ParamSpec{"pfc_alpha", ParamType::number, "0.125",
                "an input and lane is stopped when it uses more than this times the free shared memory", 0.001, 64}
          .applying(kPfcOnly)
          .hinting(kPowerOfTwo),
      ParamSpec{"pfc_resume", ParamType::bytes, "3KiB", "the sender may resume this far below the threshold", 0, 1e9}
          .applying(kPfcOnly),
      ParamSpec{"pfc_frame", ParamType::bytes, "64B", "size of a PAUSE frame on the wire", 1, 65535}
          .applying(kPfcOnly),
  };
}

void read_flow_control(const Section& section, const Largest& sizes, const Topology& topology, SwitchConfig& c) {
  if (c.flow_control == FlowControl::pause) read_pause(section, sizes, topology, c);
  if (c.flow_control == FlowControl::pfc) read_pfc(section, sizes, topology, c);
}

}  // namespace weir::config
