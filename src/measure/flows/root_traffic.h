// What crosses the roots of congestion, class by class: only who crosses a link can saturate it. Flows are known by
// their ways, packets of other sources only on the last link to a host, by what that host received. Where one class
// alone is not known, it has what is left of all that the link carried.
#pragma once
#include "measure/congestion.h"
#include "measure/flows/flow_ways.h"
#include "measure/measurements.h"

namespace weir {

// Fills CongestionRoot::bytes_by_class of every root. `ways` may be null: then only links to hosts are known.
void find_root_traffic(CongestionReport& congestion, const Measurements& m, const Topology& topology, FlowWays* ways);

// A class has a large part in what crosses a link from this share of its bytes on.
inline constexpr double kLargePart = 0.25;

// No: it is known that the class does not cross the root, or has little part in it.
bool may_saturate(const CongestionRoot& root, ClassId traffic_class);
// The class that most of the bytes belong to. Invalid if there is none, or if the part of some class is not known.
ClassId main_class(const CongestionRoot& root);

}  // namespace weir
