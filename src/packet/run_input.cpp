#include "packet/run_input.h"

#include <algorithm>

namespace weir {

double expected_spacing(const RunInput& run) {
  const Topology& topology = run.topology;
  double per_picosecond = 0;
  const auto size = static_cast<double>(run.config.format.mean_wire_size());
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.to({p}).valid())
      per_picosecond += static_cast<double>(topology.link({p}).rate.bits_per_second) / (8e12 * std::max(size, 1.0));
  return 1.5 / std::max(per_picosecond, 1e-12);  // links are seldom all busy, and a hop is a little more than one event
}

ClockPlan clock_plan(const RunInput& run, const Part& part) {
  const Rate rate = run.topology.link(run.topology.host_port({0})).rate;
  const Time packet = rate.time_for(run.config.format.mean_wire_size());
  const SwitchConfig& s = run.config.switches;
  // A hop is one way, but two where a packet is seen to cross its switch.
  const bool crosses = s.organisation->crossbar;
  std::int64_t way = crosses ? std::min(packet, s.switch_delay).ps : packet.ps;
  for (std::uint32_t p = 0; p < run.topology.ports(); ++p)
    if (run.topology.to({p}).valid())
      way = std::min(way, (run.topology.link({p}).delay + s.route_delay + (crosses ? Time{} : s.switch_delay)).ps);
  if (crosses) way *= 2;  // many ways are longer, and an event that is put into the bin being executed costs little
  const double spacing = expected_spacing(run) * (part.is_whole() ? 1 : part.cut()->parts);
  const auto many = static_cast<std::int64_t>(128 * spacing), few = static_cast<std::int64_t>(8 * spacing);
  std::int64_t width = run.bin_width.ps > 0 ? run.bin_width.ps : std::min(many, std::max(way, few));
  if (!part.is_whole()) width = std::min({width, part.cut()->lookahead / 6, part.cut()->to_hosts / 2});
  const auto pending = static_cast<std::uint64_t>(static_cast<double>(packet.ps) / spacing);
  return {{std::max<std::int64_t>(1, width + width / 2)}, packet * 4, pending};
}

}  // namespace weir
