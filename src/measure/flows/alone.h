// How long a flow would take if nothing else moved: its packets leave the source one behind the other and pass every
// link of their way as soon as they can, with buffers that never fill. What takes longer is slowdown, whoever
// causes it: other flows, a scheme, an adapter, short buffers, detours.
//
// Exact, in a few steps per link whatever the number of packets: packets of one size that follow each other at the pace
// of the slowest link so far keep that pace (max-plus), so the first packet and the last one tell all.
#pragma once
#include <utility>

#include "base/units.h"
#include "measure/flows/flow_ways.h"
#include "network/topology.h"

namespace weir {

struct AloneModel {
  Bytes payload = 1;               // of a packet; the last one of a flow may have less
  Bytes header = 0;
  Time inside;                     // routing and crossing of a switch
  bool store_and_forward = false;  // a packet goes on when its tail has come
  bool fluid = false;              // no packets, no delays: bytes and their headers at the rate of the slowest link
};

class AloneTimes {
 public:
  AloneTimes(const Topology& topology, FlowWays ways, const AloneModel& model)
      : topology_(topology), ways_(std::move(ways)), model_(model) {}

  // From the start of a flow to its last byte; kNever if it takes longer than can be counted.
  Time of(FlowId flow, HostId source, HostId destination, Bytes bytes);

 private:
  Time fluid(FlowId flow, HostId source, HostId destination, Bytes bytes);

  const Topology& topology_;
  FlowWays ways_;
  AloneModel model_;
};

}  // namespace weir
