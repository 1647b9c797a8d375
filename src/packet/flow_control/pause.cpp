#include <fmt/format.h>

#include <algorithm>

#include "packet/flow_control/flow_controls.h"
#include "packet/flow_control/headroom.h"

namespace weir {

PauseByThreshold::PauseByThreshold(const SwitchConfig& config, const Topology&) : at_head_(config.release_at_head) {
  const auto most = [](Bytes bytes) { return static_cast<std::int32_t>(std::min<Bytes>(bytes, 1 << 30)); };
  const auto& thresholds = config.flow_control.values<PauseConfig>();
  stop_ = most(thresholds.stop);
  go_ = most(thresholds.go);
}

namespace {

constexpr ParamSpec kPauseParams[] = {
    {"pause_stop", ParamType::bytes, kUnset,
     "occupancy that stops the sender; default: as high as the headroom allows", 0, 1e12},
    {"pause_go", ParamType::bytes, kUnset,
     "occupancy at which the sender may resume; default: one largest packet below pause_stop", 0, 1e12},
};

std::any read_pause(const ComponentRequest& request, SwitchConfig& c) {
  const Section& section = request.section;
  const Topology& topology = request.topology;
  const Bytes largest = request.largest.any();
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
  PauseConfig pause;
  pause.stop = section.has("pause_stop") ? section.bytes("pause_stop") : c.buffer - headroom;
  if (pause.stop + headroom > c.buffer)
    section.refuse("pause_stop", fmt::format("a stop at {} B leaves {} B of the buffer, but {} B can still arrive: set "
                                             "at most {} B",
                                             pause.stop, c.buffer - pause.stop, headroom, c.buffer - headroom));
  pause.go = section.has("pause_go") ? section.bytes("pause_go") : std::max<Bytes>(0, pause.stop - largest);
  if (pause.go > pause.stop)
    section.refuse("pause_go", fmt::format("`pause_go` must not be above `pause_stop`, {} B", pause.stop));
  return pause;
}

}  // namespace

constinit const FlowControlKind PauseByThreshold::kKind{
    .spec = {.name = "pause",
             .help = "an input buffer stops and restarts its sender at thresholds",
             .params = kPauseParams,
             .read = read_pause}};

}  // namespace weir
