// Paper 004: lossless Ethernet with QCN and adaptive routing.
#include "reproduce/entries.h"
#include "reproduce/minkenberg/minkenberg.h"

namespace weir {

std::span<const Entry> minkenberg_entries() {
  static constexpr Entry kList[] = {
      {"minkenberg/bottleneck", "QCN and ECM on a single bottleneck that changes", minkenberg_bottleneck},
      {"minkenberg/fig-4", "flows that need not contend: QCN alone, and routed around the bottleneck",
       minkenberg_noncontending},
      {"minkenberg/fig-5", "flows that must contend: rates and hot queues with adaptive routing",
       minkenberg_contending},
      {"minkenberg/fig-6", "flows that must contend: resequencing buffer", minkenberg_resequencing},
      {"minkenberg/fig-7", "uniform traffic: throughput and latency against load", minkenberg_uniform},
      {"minkenberg/timers", "three readings of the routing timer", minkenberg_timers},
      {"minkenberg/tree", "adaptive routing on a fat tree", minkenberg_tree},
  };
  return kList;
}

}  // namespace weir
