// Counters in, answer out, for operators who change nothing: what counters have counted in some time tells which
// links are the roots of congestion, whom they hold back, how much bandwidth that costs, and who sends.
#pragma once
#include <string>
#include <vector>

#include "manage/growth.h"
#include "measure/congestion.h"
#include "network/topology.h"

namespace weir::manage {

struct Diagnosis {
  CongestionReport congestion;
  std::vector<double> load, waiting;     // by port: shares of the time
  std::vector<std::string> remarks;      // ports that told nothing, and why
  std::size_t compared = 0;              // ports that told something
  bool data_grew = false, wait_grew = false;  // of any of them
  // By root, in their order: ports that send into its switch, by what they bring, the most first.
  struct Sender {
    PortId port;
    double gigabits = 0;  // per second
  };
  std::vector<std::vector<Sender>> senders;

  double lost_gigabits(const Topology& topology, PortId port) const;  // per second: what it could have sent
};

// A tick of PortXmitWait is the time of `wait_bytes` on the link. If no root is found although a link is full, a remark
// says with which unit it would be one.
Diagnosis diagnose(const Topology& topology, const std::vector<PortGrowth>& growths, std::uint32_t wait_bytes);

}  // namespace weir::manage
