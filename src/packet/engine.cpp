#include "packet/engine.h"

namespace weir {

Time expected_horizon(const PacketRun& run) {
  const Rate rate = run.topology.link(run.topology.host_port({0})).rate;
  return rate.time_for(run.config.format.mean_wire_size()) * 2;
}

Time expected_event_spacing(const PacketRun& run) {
  const Topology& topology = run.topology;
  double per_picosecond = 0;
  const auto size = static_cast<double>(run.config.format.mean_wire_size());
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.to({p}).valid())
      per_picosecond += static_cast<double>(topology.link({p}).rate.bits_per_second) / (8e12 * std::max(size, 1.0));
  // Links are seldom all busy, and a hop is a little more than one event.
  const double spacing = 1.5 / std::max(per_picosecond, 1e-12);
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(spacing))};
}

}  // namespace weir
