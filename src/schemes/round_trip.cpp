#include "schemes/round_trip.h"

#include <cmath>

#include "network/hops.h"
#include "network/summary.h"

namespace weir {
namespace {

std::uint32_t longest_path(const RunInput& run) {
  const Topology& t = run.topology;
  switch (t.shape()) {
    case Shape::unidirectional_min: return t.stages();
    case Shape::bidirectional_min: return 2 * t.stages() - 1;
    case Shape::tree:
      if (t.horizontal_width() == 0) return 2 * t.stages() - 1;
      break;
    case Shape::clos: return 2 * t.stages() - 1;
    default: break;
  }
  return std::max(1u, topology_summary(t, run.routes).longest_path);
}

std::uint32_t most_hosts_at_a_switch(const Topology& topology) {
  std::size_t most = 2;
  for (const auto& hosts : hosts_by_switch(topology)) most = std::max(most, hosts.size());
  return static_cast<std::uint32_t>(most);
}

Bytes extreme_payload(const RunInput& run, bool largest) {
  Bytes found = 0;
  const auto look = [&](Bytes payload) {
    if (found == 0 || (largest ? payload > found : payload < found)) found = payload;
  };
  for (const SourceGroup& group : run.workload.groups)
    for (const SizeShare& size : group.sizes) look(size.payload);
  if (found == 0 || !run.workload.flows.empty()) look(run.config.format.payloads[0].payload);
  return found;
}

}  // namespace

double window_for(const RoundTrip& trip, const RunInput& run, Bytes packet) {
  const Bytes largest = extreme_payload(run, true) + run.config.format.header;
  const double data =
      static_cast<double>(trip.packet_time.ps) * static_cast<double>(packet) / static_cast<double>(largest);
  const double rest = 2.0 * trip.hops * static_cast<double>(trip.per_hop.ps) + static_cast<double>(trip.ack_time.ps);
  return (rest + data) / data;
}

RoundTrip round_trip(const RunInput& run) {
  const Topology& t = run.topology;
  RoundTrip trip;
  trip.hops = longest_path(run);
  Rate slowest{0};
  Time delay;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    if (!t.to({p}).valid()) continue;
    const LinkProperties& link = t.link({p});
    if (slowest.bits_per_second == 0 || link.rate < slowest) slowest = link.rate;
    delay = std::max(delay, link.delay);
  }
  const SwitchConfig& s = run.config.switches;
  const Bytes header = run.config.format.header;
  trip.per_hop = s.route_delay + s.switch_delay + delay;
  trip.packet_time = slowest.time_for(extreme_payload(run, true) + header);
  trip.ack_time = slowest.time_for(run.config.format.ack);
  trip.shortest = trip.per_hop * (2 * static_cast<std::int64_t>(trip.hops)) + trip.packet_time + trip.ack_time;
  trip.window = window_for(trip, run, extreme_payload(run, false) + header);
  trip.whole_window = std::max(1u, static_cast<std::uint32_t>(std::ceil(trip.window - 1e-9)));
  trip.radix = t.arity() > 0 ? std::max(2u, t.arity()) : most_hosts_at_a_switch(t);
  trip.stages = t.stages() > 0 ? t.stages() : (trip.hops + 1) / 2;
  return trip;
}

}  // namespace weir
