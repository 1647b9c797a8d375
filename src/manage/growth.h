// By how much the counters of ports have grown, and in what time: between two dumps of a tool, between two readings of
// a live subnet, or over the sweeps of a recording.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "manage/counter_dump.h"
#include "manage/recording.h"
#include "manage/transport.h"
#include "network/topology.h"

namespace weir::manage {

struct PortGrowth {
  PortId port;
  std::optional<std::uint64_t> wait, data;  // ticks, words; nothing where the counter cannot be trusted
  double seconds = 0;
};

// Of ports that both dumps have, and the fabric.
std::vector<PortGrowth> growth_between(const Topology& topology, const CounterDump& before, const CounterDump& after,
                                       double seconds);

// Ports that lose packets or receive damaged ones, a line for each of the two; empty where there are none or few. That
// is not congestion, but it slows down a subnet as well.
std::vector<std::string> losses(const Topology& topology, const CounterDump& before, const CounterDump& after);

// Some counter of a port that both dumps have went backwards, and none grew: most likely they are swapped.
bool all_went_backwards(const CounterDump& before, const CounterDump& after);

// From sweep to sweep, in the last `seconds` of the recording. An interval in which a counter was cleared, stopped or
// missing does not count; a port without any other tells nothing.
std::vector<PortGrowth> growth_in(const Topology& topology, const Recording& recording, double seconds);

// The counters of all ports now, hosts included. Ports that do not answer are left out.
CounterDump read_counters(Transport& transport, const Topology& topology);

}  // namespace weir::manage
