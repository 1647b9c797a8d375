// Adaptive routing by snooping. Every switch keeps a table of what it has learnt from notifications that it relayed or
// made: for a destination and one of its ports, whether the way behind that port is congested, whether the congestion
// is in its own queue, how often it was told and how badly. Data takes the first port that is not congested.
//
// Nothing tells a switch that remote congestion is over, so those entries expire by a timer. Timers are not events: an
// entry is looked at only when it is updated or read, and what its timer has done by then is settled first. Three
// readings of "a timer is started whenever an entry is updated" are possible, and they differ a lot in effect:
// SnoopTiming.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/units.h"
#include "network/route_step.h"
#include "network/topology.h"
#include "packet/routing/notification.h"

namespace weir {

// When the timer of a congestion entry starts: anew at every update; once per marking; or one per update, none
// cancelled.
enum class SnoopTiming { restart, once, each };

struct SnoopConfig {
  Time timer;                   // life of an entry about remote congestion
  SnoopTiming timing = SnoopTiming::restart;
  Bytes queue = 0;              // congestion of the own queue is over below this
  bool default_return = false;  // notifications travel back by default ports, not by random ones
};

class SnoopingTables {
 public:
  struct Entry {
    std::int64_t feedback = 0;
    std::int64_t timer = kNever.ps;  // when it runs out; unused with SnoopTiming::each
    std::uint32_t count = 0;
    bool congested = false, local = false;
  };

  SnoopingTables() = default;
  // Refuses fabrics whose table would be too large, with the size needed.
  SnoopingTables(const SnoopConfig& config, const Topology& topology, std::uint64_t seed);

  // A notification about the way to n.destination through `port`, relayed (came in by that port) or made here (local).
  // Only congestion counts: positive feedback is no news for routing.
  void update(PortId port, const Notification& n, bool local, std::int64_t now);
  // The queue of `port` has shrunk to `bytes`: congestion of its own is over when it is short enough.
  void drained(PortId port, std::int64_t bytes) {
    if (bytes < config_.queue && !local_[port.index].empty()) reset_local(port);
  }
  // The first step whose port is not congested; if all are, the one whose feedback is nearest to zero.
  RouteStep choose(std::span<const RouteStep> candidates, HostId destination, std::int64_t now);
  // The step of a notification on its way back.
  RouteStep choose_return(SwitchId s, std::span<const RouteStep> candidates);

  const Entry& entry(PortId port, HostId destination, std::int64_t now);  // as it stands at `now`
  std::uint64_t markings() const { return markings_; }                    // entries that became congested
  std::size_t bytes_of_state() const;

 private:
  std::size_t index(PortId port, HostId destination) const { return port.index * hosts_ + destination.index; }
  void settle(std::size_t i, std::int64_t now);
  void start_timer(std::size_t i, bool newly_marked, std::int64_t now);
  void reset(std::size_t i);
  void reset_local(PortId port);

  SnoopConfig config_;
  std::size_t hosts_ = 0;
  std::vector<Entry> entries_;                            // [port][destination]
  std::vector<std::vector<HostId>> local_;                // per port: destinations that were marked locally
  std::map<std::size_t, std::deque<std::int64_t>> each_;  // SnoopTiming::each: running timers per entry, in order
  std::vector<RandomStream> random_;                      // per switch
  std::uint64_t markings_ = 0;
};

}  // namespace weir
