// Counters in, answer out, for operators who change nothing: two readings of a subnet's counters, some time apart, tell
// which links are the roots of congestion, whom they hold back, how much bandwidth that costs, and who sends.
#pragma once
#include <string>
#include <vector>

#include "manage/counter_dump.h"
#include "measure/congestion.h"
#include "network/topology.h"

namespace weir::manage {

struct DiagnoseOptions {
  double seconds = 0;         // between the two dumps
  std::uint32_t wait_bytes = 8;  // a tick of PortXmitWait is the time of so many bytes on the link
};

struct Diagnosis {
  CongestionReport congestion;
  std::vector<double> load, waiting;     // by port: shares of the time
  std::vector<std::string> remarks;      // ports that told nothing, and why
  std::size_t compared = 0;              // ports with both readings
  // By root, in their order: ports that send into its switch, by what they bring, the most first.
  struct Sender {
    PortId port;
    double gigabits = 0;  // per second
  };
  std::vector<std::vector<Sender>> senders;

  double lost_gigabits(const Topology& topology, PortId port) const;  // per second: what it could have sent
};

Diagnosis diagnose(const Topology& topology, const CounterDump& before, const CounterDump& after,
                   const DiagnoseOptions& options);

}  // namespace weir::manage
