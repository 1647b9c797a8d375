// The flows of the experiments of Zdornov & Birk 2009, chapters 4 and 6, and their fabrics and routes. All flows have
// equal weight and all links capacity 1, so rates are shares of a link. One seed, one result; run r draws from streams
// of its own.
#pragma once
#include <cstdint>
#include <vector>

#include "flow/contention.h"
#include "flow/flow_router.h"
#include "measure/sample.h"
#include "network/route_table.h"
#include "network/topologies/topologies.h"

namespace weir::zdornov {

inline constexpr std::uint64_t kSeed = 1;
inline constexpr LinkProperties kLink{Rate{10'000'000'000}, Time{15'000}, 0};  // buffers: the scenario's

// A fabric with its routes.
struct Wired {
  explicit Wired(TreeShape shape);
  Wired(Topology t, RouteTable r) : topology(std::move(t)), routes(std::move(r)) {}
  Topology topology;
  RouteTable routes;
};

std::vector<std::uint32_t> zero_to(std::size_t count);  // 0, 1, 2, ...

struct FlowPair {
  HostId source, destination;
};

// A host that draws itself in a permutation sends nothing in it.
std::vector<FlowPair> random_permutations(std::size_t hosts, std::uint32_t count, std::uint64_t seed,
                                          std::uint64_t run);
// Every host opens 1 to max_flows flows (uniform), or exactly so many, each to another host.
enum class FlowCount { uniform, exactly };
std::vector<FlowPair> independent_flows(std::size_t hosts, std::uint32_t max_flows, std::uint64_t seed,
                                        std::uint64_t run, FlowCount count = FlowCount::uniform);
// 32 applications on equal shares of the hosts, in groups of neighbours of (share / frag_coeff) hosts that are dealt
// out at random; within each, 1 to 5 superposed permutations (uniform).
struct ApplicationTraffic {
  std::vector<FlowPair> flows;
  std::vector<std::uint32_t> application;
};
ApplicationTraffic application_traffic(std::size_t hosts, std::uint32_t apps, std::uint32_t frag_coeff,
                                       std::uint64_t seed, std::uint64_t run);

// Paths in the order of `flows`; the routes are set up in a random order, as flows that start together would.
RowList route(FlowRouter& router, const std::vector<FlowPair>& flows, std::uint64_t seed, std::uint64_t run);

}  // namespace weir::zdornov
