// Everything derived from one run, computed once: files, tables and the headline all read the same digest.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "measure/congestion.h"
#include "measure/derive.h"
#include "measure/event.h"
#include "measure/flows/slowdown.h"

namespace weir {

struct ClassDigest {
  ClassSummary summary;
  std::optional<Impact> impact;  // of the event
  std::optional<Fairness> fairness;
  std::optional<Slowdown> slowdown;  // where the class has flows with an end
  bool aggressor = false;
};

struct RunDigest {
  CongestionReport congestion;
  std::optional<Event> event;
  std::vector<ClassDigest> classes;
  std::optional<Fairness> fairness;
  std::vector<AppResult> apps;
  std::vector<FlowRole> flow_roles;  // by flow; empty where nobody was held back, or the ways are not known
  std::optional<Slowdown> slowdown;
};

struct DigestOptions {
  FlowWays* ways = nullptr;  // tell which flows are victims
  SizeBins size_bins = {};
  // By class: the lanes that its packets may use, a bit each; empty where they may use all.
  std::vector<std::uint64_t> lanes = {};
};

RunDigest digest(const Measurements& m, const Topology& topology, const DigestOptions& options = {});
// Looks at the run through another event than its own: that of the run it is compared with.
void set_event(RunDigest& digest, const Measurements& m, const std::optional<Event>& event);

}  // namespace weir
