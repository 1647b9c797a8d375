#include "schemes/fabric_facts.h"

#include <algorithm>

#include "schemes/round_trip.h"

namespace weir {

Rate slowest_host_link(const Topology& topology) {
  Rate slowest = topology.link(topology.host_port({0})).rate;
  for (std::uint32_t h = 1; h < topology.hosts(); ++h)
    slowest = std::min(slowest, topology.link(topology.host_port({h})).rate);
  return slowest;
}

Bytes largest_packet(const PacketConfig& config) { return config.format.max_payload() + config.format.header; }

Bytes queue_capacity(const PacketConfig& config) {
  const SwitchConfig& s = config.switches;
  const Bytes buffer = s.organisation->crossbar ? s.output_buffer : s.buffer;
  return s.unit == BufferUnit::packets ? buffer * largest_packet(config) : buffer;
}

Time base_round_trip(const RunInput& run) {
  const RoundTrip trip = round_trip(run);
  const SwitchConfig& s = run.config.switches;
  const std::int64_t switches = trip.hops;
  const Time wire = trip.per_hop - s.route_delay - s.switch_delay;  // the longest link
  const Time one_way = (s.route_delay + s.switch_delay) * switches + wire * (switches + 1);
  const bool stored = s.switching == Switching::store_and_forward;
  return one_way * 2 + (trip.packet_time + trip.ack_time) * (stored ? switches + 1 : 1);
}

}  // namespace weir
