// What collective operations took: from the start of the first message to the end of the last, as bandwidth, and who
// was last.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weir {

struct Workload;
struct FlowResult;

struct CollectiveResult {
  AppId app;
  std::string operation;
  std::uint32_t group = 0, repetition = 0, ranks = 0;
  Bytes bytes = 0;                        // of a rank's buffer, as NCCL's tests count it
  std::optional<Time> start, completion;  // nothing where it has not begun, or not ended
  double algorithm_bps = 0;               // bytes over time
  double bus_bps = 0;                     // as NCCL's tests define it
  HostId lowest;                          // of the group
  HostId slowest;                         // the host whose last message ended last
  std::optional<Time> first_done;         // when the first host had nothing left to do
};

std::vector<CollectiveResult> collective_results(const Workload& workload, const std::vector<FlowResult>& flows);

}  // namespace weir
