#include "schemes/ethernet/notification_scale.h"

#include <algorithm>

#include "schemes/fabric_facts.h"
#include "schemes/round_trip.h"

namespace weir {
namespace {

constexpr double kPaperRate = 10e9;           // bit/s
constexpr Bytes kPaperEquilibrium = 33'000;   // of 150 kB
constexpr Bytes kPaperInterval = 150'000;
constexpr Bytes kFewestPackets = 10;          // between samples: a source must be able to answer before the next one

}  // namespace

NotificationScale notification_scale(const RunInput& run) {
  NotificationScale scale;
  const RoundTrip trip = round_trip(run);
  const auto bits = static_cast<double>(slowest_host_link(run.topology).bits_per_second);
  const auto in_flight = static_cast<Bytes>(bits / 8 * trip.shortest.seconds());
  const Bytes packet = run.config.format.max_payload() + run.config.format.header;
  const Bytes capacity = queue_capacity(run.config);
  // 22 % of the buffer, as in the paper. A lone packet is no congestion; half of the buffer must be left to show it.
  const Bytes wanted = std::min(std::max(kPaperEquilibrium, in_flight), capacity * 22 / 100);
  scale.equilibrium = std::max<Bytes>(1, std::min(std::max(wanted, packet), capacity / 2));
  const Bytes by_queue = std::min(kPaperInterval, scale.equilibrium * kPaperInterval / kPaperEquilibrium);
  scale.interval = std::max({by_queue, in_flight, kFewestPackets * packet});
  scale.rate = bits / kPaperRate;
  scale.time = static_cast<double>(scale.interval) / static_cast<double>(kPaperInterval) / scale.rate;
  return scale;
}

}  // namespace weir
