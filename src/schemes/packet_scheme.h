// A scheme of the packet engine, ready to run.
#pragma once
#include <utility>

#include "packet/hosts/connections.h"
#include "packet/packet_engine.h"
#include "schemes/registry.h"

namespace weir {

// `make` gives the scheme's hooks, fresh for every run.
template <class Make>
ConfiguredScheme packet_scheme(const RunInput& checked, Make make) {
  if (traits_of<decltype(make())>().connections) check_pairs(checked.workload, checked.topology.hosts());
  return {[make = std::move(make)](const RunInput& run) { return run_packets(run, make()); }};
}

}  // namespace weir
