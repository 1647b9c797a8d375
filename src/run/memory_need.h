// What a run will take of the machine's memory, estimated before it begins: it is better to be told than to be killed
// after an hour.
#pragma once
#include <string>

#include "network/network.h"
#include "packet/config/config.h"
#include "traffic/workload.h"

namespace weir {

struct MemoryNeed {
  double network = 0;  // topology and routes, while they are built
  double traffic = 0;  // flows and sources, as the engine keeps them
  double engine = 0;   // links, buffers, queues, packets; gone when the results are written
  double results = 0;  // measurements

  double total() const { return network + traffic + engine + results; }
  std::string text() const;  // "fabric 0.4 GB, ..."
};

// Without a workload (it is not built yet): without its flows.
MemoryNeed memory_need(const Scenario& scenario, const FabricSize& size, const Workload* workload);

// What packets that wait at the hosts may take on top. Nobody knows before the run how many will: as many as
// run.max_backlog allows, as the sources make, and as fit into limited queues. Where they are drawn again instead of
// kept, nothing.
double backlog_need(const PacketConfig& config, const Workload& workload, std::size_t hosts);

// Throw an InputError if it does not fit: before anything is built, and when network and traffic stand.
void check_memory(const Scenario& scenario, std::size_t runs = 1, std::size_t at_a_time = 1);
void check_memory(const Scenario& scenario, const Topology& topology, const Workload& workload,
                  const PacketConfig& config);

}  // namespace weir
