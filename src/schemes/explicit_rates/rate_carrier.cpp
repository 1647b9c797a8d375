// Which protocol belongs to which scheme.
#include "schemes/explicit_rates/rate_carrier.h"

#include "control/rates/dafa.h"
#include "control/rates/dffa.h"
#include "control/rates/saa.h"
#include "control/rates/saa_m.h"

namespace weir {
namespace {

// The leader of DAFA: the first switch of the highest level, from where nobody is far.
NodeId leader_of(const Topology& topology) {
  NodeId best = topology.node(SwitchId{0});
  for (std::uint32_t s = 1; s < topology.switches(); ++s)
    if (topology.level(topology.node(SwitchId{s})) > topology.level(best)) best = topology.node(SwitchId{s});
  return best;
}

}  // namespace

std::vector<RateUnits> rate_capacity(const CarrierParams& params, const Topology& topology) {
  std::vector<RateUnits> capacity(topology.ports(), 0);
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    if (!topology.to({p}).valid()) continue;
    if (topology.link({p}).rate.bits_per_second > 8'000'000'000'000)
      throw InputError("distributed rates count up to 8 Tb/s per link; " + topology.port_name({p}) + " has more");
    capacity[p] = rate_units(topology.link({p}).rate, params.reserved.of(topology, {p}));
  }
  return capacity;
}

std::unique_ptr<RateProtocol> make_rate_protocol(const CarrierParams& params, const Topology& topology,
                                                 const Workload& workload, std::uint64_t seed) {
  const std::vector<RateUnits> capacity = rate_capacity(params, topology);
  switch (params.algorithm) {
    case RateAlgorithm::saa:
      return std::make_unique<SaaProtocol>(
          capacity, std::span<const RatedFlow>{},
          SaaSettings{params.piggy_backed ? kNever : params.period, params.piggy_backed});
    case RateAlgorithm::saa_m:
      return std::make_unique<SaaMProtocol>(capacity, std::span<const RatedFlow>{},
                                            SaaMSettings{params.period, params.backoff, 4, seed});
    case RateAlgorithm::ffa:
      return std::make_unique<DffaProtocol>(topology, capacity, std::span<const RatedFlow>{});
    case RateAlgorithm::afa: break;
  }
  return std::make_unique<DafaProtocol>(topology, capacity, std::span<const RatedFlow>{}, leader_of(topology),
                                        workload.apps);
}

double weight_scale(const Workload& workload, bool by_size, const std::vector<double>& priority) {
  double largest = workload.sources.empty() ? 0.0 : 1.0;
  for (const Flow& flow : workload.flows) largest = std::max(largest, controlled_weight(flow, by_size, priority));
  return largest > 0 ? 0x1p44 / largest : 1.0;
}

}  // namespace weir
