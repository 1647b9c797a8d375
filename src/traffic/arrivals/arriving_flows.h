// Flows that arrive over time, whatever the network does with those before: one by one at every host, or many at once
// that go to one host (incast). All of them are drawn before the run, from streams of their own for each host, so that
// runs that are compared with each other see the same flows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "traffic/arrivals/destinations.h"
#include "traffic/arrivals/size_distribution.h"
#include "traffic/permutations.h"
#include "traffic/workload.h"

namespace weir {

// More are refused: each has a row in the result.
inline constexpr std::uint64_t kMostArrivals = 10'000'000;

// When something arrives: how often on average, from when, until when and how often at most.
struct ArrivalProcess {
  Arrivals arrivals = Arrivals::poisson;  // or constant
  bool aligned = false;                   // constant: the first at the start, not at a random phase
  Time start, stop = kNever;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

  double seconds() const { return (stop - start).seconds(); }
  double expected(double per_second) const { return std::min(per_second * seconds(), static_cast<double>(most)); }
};

struct ArrivingFlows {
  FlowBasics basics;
  ArrivalProcess process;
  std::vector<HostId> sources;
  std::vector<double> mean_gap_ps;  // between the flows of each of them
  SizeDistribution sizes;
  DestinationChoice destinations;
};
// Adds them in the order of their starts. `stream` names the random streams; those of host h are stream + h.
void add_arriving_flows(Workload& workload, const ArrivingFlows& flows, std::uint64_t seed, std::uint64_t stream);

struct ArrivingIncasts {
  FlowBasics basics;  // with the bytes of each flow, and the spread of an incast's starts
  ArrivalProcess process;
  double mean_gap_ps = 0;
  std::uint32_t senders = 1;
  std::vector<HostId> hosts;    // that may send
  std::vector<HostId> targets;  // one of which all send to
};
void add_arriving_incasts(Workload& workload, const ArrivingIncasts& incasts, std::uint64_t seed, std::uint64_t stream);

}  // namespace weir
