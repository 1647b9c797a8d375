// Counters in, answer out, for operators who change nothing: what counters have counted in some time tells which
// links are the roots of congestion, and which ports they hold back. It does not tell what a port sends where. So a
// host that is held back may send into the root or be its victim: both wait, and for as long.
#pragma once
#include <string>
#include <vector>

#include "manage/growth.h"
#include "manage/diagnosis/wait_unit.h"
#include "measure/congestion.h"
#include "network/topology.h"

namespace weir::manage {

struct Diagnosis {
  CongestionReport congestion;
  std::vector<double> load, waiting;     // by port: shares of the time
  std::vector<std::string> remarks;      // ports that told nothing, and why
  std::size_t compared = 0;              // ports that told something
  bool data_grew = false, wait_grew = false;  // of any of them
  WaitUnit unit;
  double seconds = 0;  // between the two readings
  bool is_simulated = false;  // that is the time of a fabric that weir serves
  PortId busiest;
  double busiest_load = 0;  // more than 1 where the time is too short
  // With another time, in which the busiest link is full, it would be a root, and it is none with the given one: the
  // time is wrong, or the congestion was shorter. No roots are named then.
  bool is_time_doubtful = false;
  // No link is full, but this many ports wait for a large part of the time: no conclusion, either.
  std::size_t waiting_for_nothing = 0;
  PortId root_with_other_unit;  // a full link, none where roots were found; then there is no conclusion
  // By root, in their order: ports that send into its switch, by what they bring to all destinations, the most first.
  struct Input {
    PortId port;
    double gigabits = 0;  // per second
  };
  std::vector<std::vector<Input>> inputs;

  bool is_inconclusive() const {
    return !data_grew || !wait_grew || root_with_other_unit.valid() || is_time_doubtful || waiting_for_nothing > 0;
  }
  double seconds_if_busiest_was_full() const { return seconds * busiest_load; }
  double sent_gigabits(const Topology& topology, PortId port) const;  // per second
  // What its link could have carried while it waited: a port cannot have lost more, and may have lost nothing, if what
  // it sends could not have gone further.
  double unused_gigabits(const Topology& topology, PortId port) const;
  // Ports that roots hold back, each once: those of switches first, then hosts, the longest wait first.
  std::vector<PortId> held_back(const Topology& topology) const;
};

// If no root is found although a link is full, a remark says with which unit it would be one.
Diagnosis diagnose(const Topology& topology, const std::vector<PortGrowth>& growths, const WaitUnit& unit);

}  // namespace weir::manage
