#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "packet/flow_control/flow_controls.h"
#include "scenario/quantity.h"

namespace weir {

PriorityPause::PriorityPause(const SwitchConfig& config, const Topology& topology)
    : PriorityPause(config, config.flow_control.values<PfcConfig>(), topology) {}

PriorityPause::PriorityPause(const SwitchConfig& config, const PfcConfig& pfc, const Topology& topology)
    : frame_(static_cast<std::uint32_t>(pfc.frame)),
      resume_(static_cast<std::int32_t>(pfc.resume)),
      memories_(topology.nodes()),
      rooms_(topology.ports()),
      uses_(topology.ports() * std::bit_ceil(std::size_t{config.lanes})),
      frame_waits_(topology.ports(), 0) {
  for (std::uint32_t n = 0; n < topology.nodes(); ++n)
    if (!topology.is_host({n}))
      memories_[n] = SharedMemory(memory_plan(topology, config, pfc, topology.switch_of({n})).shared, pfc.alpha);
  for (PortId p{0}; p.index < topology.ports(); ++p.index) {
    if (!topology.to(p).valid()) continue;
    const bool to_host = topology.is_host(topology.node_of(topology.to(p)));
    const auto most = [](Bytes bytes) { return static_cast<std::int32_t>(std::min<Bytes>(bytes, 1 << 30)); };
    rooms_[p.index] = {most(to_host ? pfc.host_reserve : pfc.reserve), most(headroom_of(topology, config, pfc, p))};
  }
}

void PriorityPause::overflow(const Topology& topology, LinkId l, Time now, std::int32_t headroom) {
  throw InputError(fmt::format("at {}, a packet from {} would be lost: its headroom of {} is full. The headroom is "
                               "too small, and its check is off (switch.pfc_check)",
                               to_text(now), topology.port_name(l), bytes_to_text(Bytes{headroom})));
}

namespace {

constexpr std::string_view kPowerOfTwo =
    "where it is given as a power of two, as dynamic_th of SONiC is, -3 means 2^-3 = 0.125";

constexpr ParamSpec kPfcParams[] = {
    {"shared_buffer", ParamType::bytes, kUnset,
     "packet memory of a switch; default: what its ports send in 40 us, as is usual", 1, 1e12},
    {"pfc_reserve", ParamType::bytes, "4KiB", "memory reserved for each input and lane", 0, 1e9},
    {"pfc_headroom", ParamType::bytes, kUnset,
     "memory of each input and lane for packets that arrive after a stop is decided; default: as much as each link "
     "needs, which is in scenario.toml of a result; `weir headroom` prints it for any link",
     1, 1e9},
    ParamSpec{"pfc_check", ParamType::flag, "true", "refuse headroom that may overflow"}.applying(
        when_given({"pfc_headroom"})),
    ParamSpec{"pfc_alpha", ParamType::number, "0.125",
              "an input and lane is stopped when it uses more than this times the free shared memory", 0.001, 64}
        .hinting(kPowerOfTwo),
    {"pfc_resume", ParamType::bytes, "3KiB", "the sender may resume this far below the threshold", 0, 1e9},
    {"pfc_frame", ParamType::bytes, "64B", "size of a PAUSE frame on the wire", 1, 65535},
};

// Reads the section for these switches; refusals are at its keys.
class PfcReader {
 public:
  PfcReader(const ComponentRequest& request, SwitchConfig& switches)
      : section_(request.section), topology_(request.topology), switches_(switches) {
    const Bytes largest = request.largest.any();
    pfc_.memory = section_.has("shared_buffer") ? section_.bytes("shared_buffer") : 0;
    pfc_.reserve = section_.bytes("pfc_reserve");
    pfc_.resume = section_.bytes("pfc_resume");
    pfc_.frame = section_.bytes("pfc_frame");
    pfc_.alpha = section_.number("pfc_alpha");
    pfc_.largest_packet = largest;
    pfc_.host_reserve = 8 * largest;
    pfc_.headroom = section_.has("pfc_headroom") ? section_.bytes("pfc_headroom") : 0;
  }

  PfcConfig read() {
    if (pfc_.headroom == 0) note_headroom();
    check_headroom();
    check_memory();
    return pfc_;
  }

 private:
  // visit(port, headroom that its link needs), of the links to switches.
  template <class Visit>
  void each_needed(const Visit& visit) const {
    for (PortId p{0}; p.index < topology_.ports(); ++p.index)
      if (topology_.to(p).valid() && !topology_.is_host(topology_.node_of(topology_.to(p))))
        visit(p, pfc_headroom(topology_, switches_, pfc_, p));
  }

  // What is calculated, from the least to the most: "47.1kB", or "25kB" to "47.1kB".
  void note_headroom() const {
    Bytes least = std::numeric_limits<Bytes>::max(), most = 0;
    each_needed([&](PortId, Bytes needed) {
      least = std::min(least, needed);
      most = std::max(most, needed);
    });
    if (most == 0 || section_.calculated == nullptr) return;
    std::string text = fmt::format("\"{}\"", bytes_to_text(least));
    if (least < most) text += fmt::format(" to \"{}\", by the rate and length of the cable", bytes_to_text(most));
    section_.calculated->emplace_back("pfc_headroom", text);
  }

  void check_headroom() const {
    if (pfc_.headroom == 0 || !section_.flag("pfc_check")) return;
    Bytes most = 0;
    PortId where;
    each_needed([&](PortId p, Bytes needed) {
      if (needed <= most) return;
      most = needed;
      where = p;
    });
    if (pfc_.headroom < most)
      section_.refuse("pfc_headroom",
                      fmt::format("{} B are too few: behind {}, {} B can still arrive after a stop is decided; give at "
                                  "least {} B, or leave the key out",
                                  pfc_.headroom, topology_.port_name(where), most, most));
  }

  // Refuses memory that is too small, and finds what an input and lane may use where it is the only one that does.
  void check_memory() {
    switches_.buffer = 1 << 30;
    const Bytes least = pfc_.largest_packet;
    for (SwitchId s{0}; s.index < topology_.switches(); ++s.index) {
      const MemoryPlan plan = memory_plan(topology_, switches_, pfc_, s);
      const Bytes taken = plan.reserve + plan.headroom;
      if (plan.shared <= 0)
        section_.refuse("shared_buffer",
                        fmt::format("{} of {} cannot hold the reserve ({}) and the headroom ({}) of all its inputs and "
                                    "lanes: more than {} B are needed",
                                    section_.has("shared_buffer") ? "a memory" : "the default",
                                    bytes_to_text(plan.total), bytes_to_text(plan.reserve),
                                    bytes_to_text(plan.headroom), taken));
      const double share = pfc_.alpha / (1 + pfc_.alpha);
      const Bytes usable = pfc_.reserve + static_cast<Bytes>(share * static_cast<double>(plan.shared));
      switches_.buffer = std::min(switches_.buffer, std::max(least, usable));
    }
  }

  const Section& section_;
  const Topology& topology_;
  SwitchConfig& switches_;
  PfcConfig pfc_;
};

std::any read_pfc(const ComponentRequest& request, SwitchConfig& c) {
  const Section& section = request.section;
  if (c.organisation->crossbar)
    section.refuse("flow_control",
                   "PFC needs switches whose inputs share one memory: organisation \"output-queued\" or \"voq-input\"");
  if (c.unit != BufferUnit::packet_bytes) section.refuse("buffer_counts", "PFC works on bytes: use \"packet-bytes\"");
  if (c.priority == LanePriority::preemptive)
    section.refuse("priority", "frames of PFC do not interrupt packets: use \"non-preemptive\"");
  return PfcReader(request, c).read();
}

}  // namespace

constinit const FlowControlKind PriorityPause::kKind{
    .spec = {.name = "pfc",
             .help = "priority flow control, lane by lane, with one memory that all ports share",
             .params = kPfcParams,
             .read = read_pfc},
    .memory_key = "shared_buffer"};

}  // namespace weir
