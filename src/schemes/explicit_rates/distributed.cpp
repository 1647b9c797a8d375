// The explicit-rate schemes with rates from their distributed protocols.
#include <fmt/format.h>

#include "schemes/explicit_rates/configure.h"
#include "schemes/explicit_rates/rate_carrier.h"
#include "schemes/explicit_rates/run_family.h"
#include "schemes/own_packets.h"

namespace weir {
namespace {

// Control packets overtake everything, so nothing else may be on their lane.
void check_control_lane(const RunInput& run, const Section& s, std::uint32_t lane, std::uint32_t sporadic_lane) {
  const std::uint32_t lanes = run.config.switches.lanes;
  check_lane(s, "control_lane", lane, run.config.switches);
  bool used = lane == sporadic_lane;
  for (const Flow& flow : run.workload.flows) used = used || flow.lane == lane;
  for (const SourceGroup& group : run.workload.groups) used = used || group.lane == lane;
  if (used)
    s.refuse(s.has("control_lane") ? "control_lane" : "method",
             fmt::format("control packets need a lane of their own, and lane {} carries traffic: set switch.lanes = {} "
                         "or move the traffic to a lower lane",
                         lane, lanes + run.config.switches.blocks.size()));
}

void check_applications(const RunInput& run, const Section& s, std::uint32_t sporadic_lane) {
  for (const SourceGroup& group : run.workload.groups)
    if (group.lane != sporadic_lane)
      s.refuse("method", "distributed afa needs flows that belong to applications; random traffic has none: put it on "
                         "a lane of its own and leave that to itself (sporadic_lane)");
}

bool sends_probes(RateAlgorithm algorithm, const Section& s) {
  return algorithm == RateAlgorithm::saa_m ||
         (algorithm == RateAlgorithm::saa && !s.chooses("probes", "piggy-backed"));
}

CarrierParams read_carrier(RateAlgorithm algorithm, const RunInput& run, const Section& s,
                           std::uint32_t sporadic_lane) {
  const SwitchConfig& switches = run.config.switches;
  if (switches.lanes < 2 * switches.blocks.size())
    s.refuse("method",
             fmt::format("distributed rates need a lane for control packets beside that of data: switch.lanes = {}, "
                         "and switch.priority = \"preemptive\" to let them interrupt data",
                         2 * switches.blocks.size()));
  CarrierParams p;
  p.algorithm = algorithm;
  p.reserved = reserved_shares(s);
  p.lane = s.has("control_lane") ? static_cast<std::uint32_t>(s.integer("control_lane")) : switches.highest_start();
  check_control_lane(run, s, p.lane, sporadic_lane);
  if (algorithm == RateAlgorithm::afa) check_applications(run, s, sporadic_lane);
  for (const char* key : {"control_bytes", "broadcast_bytes"}) check_own_packet(run, s, key);
  p.bytes = static_cast<std::uint32_t>(s.bytes("control_bytes"));
  p.neighbour_bytes = static_cast<std::uint32_t>(s.bytes("broadcast_bytes"));
  p.handling = s.time("control_time");
  p.neighbour_handling = s.time("broadcast_time");
  p.period = s.time("probe_every");
  p.backoff = s.time("backoff");
  p.piggy_backed = s.chooses("probes", "piggy-backed");
  if (sends_probes(algorithm, s)) p.probe_share = s.number("probe_share");
  return p;
}

}  // namespace

ExplicitRun configure_distributed(RateAlgorithm algorithm, const Section& scheme, const RunInput& run,
                                  const ExplicitParams& params) {
  const CarrierParams carrier = read_carrier(algorithm, run, scheme, params.sporadic_lane);
  return [=](const RunInput& r) {
    return carrier.piggy_backed ? run_family(r, algorithm, DistributedFamily<true>(params, carrier))
                                : run_family(r, algorithm, DistributedFamily<false>(params, carrier));
  };
}

}  // namespace weir
