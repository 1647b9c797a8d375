// One run of the packet engine: what it needs.
#pragma once
#include <functional>

#include "measure/live_view.h"
#include "measure/measurements.h"
#include "network/network.h"
#include "packet/clock/clock.h"
#include "packet/config/config.h"
#include "packet/parts/part.h"
#include "packet/parts/ranks.h"
#include "traffic/workload.h"

namespace weir {

// Everything a packet run needs; all of it outlives the run.
struct RunInput {
  const Topology& topology;
  const RouteTable& routes;
  const Workload& workload;
  PacketConfig config;
  std::uint64_t seed = 1;
  // Called now and then with the share done (negative if unknown) and the simulated time.
  std::function<void(double, Time)> progress = {};
  bool shortcuts = true;  // tests compare the plain switch with the general one
  bool sources_rest = true;  // tests make each packet in its time, too (resting.h)
  std::uint32_t whole_records = 16;  // packets that wait at a host before less is kept of others (send_lists.h)
  Time bin_width = {};    // of the clock, for tests; 0 = from the size of the fabric
  const LiveView* live = nullptr;  // who looks at the run while it goes on, if anybody does
  bool routes_proven = false;      // no cycle of channels is possible: a deadlock need not be looked for
  std::uint32_t threads = 1;       // that may execute it; 0 = as many as there are cores and is worth it
  std::uint32_t cores = 0;         // that it may use then, if other runs need the rest; 0 = all
  Ranks* ranks = nullptr;          // processes that share it, each with so many threads (0 = 1); rank 0 has the result
};

// Mean time between events, in ps, from the size of the fabric.
double expected_spacing(const RunInput& run);

// Bins for about a hundred events, if that is not longer than a packet is on its way; several of them within the
// lookahead of a part.
ClockPlan clock_plan(const RunInput& run, const Part& part);

}  // namespace weir
