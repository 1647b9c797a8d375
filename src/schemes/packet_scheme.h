// A scheme of the packet engine, ready to run.
#pragma once
#include <utility>

#include "packet/packet_engine.h"
#include "schemes/registry.h"

namespace weir {

// Some schemes keep state for every pair of hosts, and a large fabric has too many.
void check_pairs(const PacketRun& run);

// `make` gives the scheme's hooks, fresh for every run.
template <class Make>
ConfiguredScheme packet_scheme(const PacketRun& checked, Make make) {
  if (traits_of<decltype(make())>().connections) check_pairs(checked);
  return {[make = std::move(make)](const PacketRun& run) { return run_packets(run, make()); }};
}

}  // namespace weir
