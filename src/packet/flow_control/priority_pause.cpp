#include "packet/flow_control/priority_pause.h"

#include <fmt/format.h>

#include "scenario/quantity.h"

namespace weir {

PriorityPause::PriorityPause(const SwitchConfig& config, const Topology& topology)
    : frame_(static_cast<std::uint32_t>(config.pfc.frame)),
      resume_(static_cast<std::int32_t>(config.pfc.resume)),
      memories_(topology.nodes()),
      rooms_(topology.ports()),
      uses_(topology.ports() * std::bit_ceil(std::size_t{config.lanes})),
      frame_waits_(topology.ports(), 0) {
  for (std::uint32_t n = 0; n < topology.nodes(); ++n)
    if (!topology.is_host({n}))
      memories_[n] = SharedMemory(memory_plan(topology, config, topology.switch_of({n})).shared, config.pfc.alpha);
  for (PortId p{0}; p.index < topology.ports(); ++p.index) {
    if (!topology.to(p).valid()) continue;
    const bool to_host = topology.is_host(topology.node_of(topology.to(p)));
    const auto most = [](Bytes bytes) { return static_cast<std::int32_t>(std::min<Bytes>(bytes, 1 << 30)); };
    rooms_[p.index] = {most(to_host ? config.pfc.host_reserve : config.pfc.reserve),
                       most(headroom_of(topology, config, p))};
  }
}

void PriorityPause::overflow(const Topology& topology, LinkId l, Time now, std::int32_t headroom) {
  throw InputError(fmt::format("at {} a packet from {} finds its headroom of {} full and would be lost: the check of "
                               "the headroom is off (switch.pfc_check), and it is too small",
                               to_text(now), topology.port_name(l), bytes_to_text(Bytes{headroom})));
}

}  // namespace weir
