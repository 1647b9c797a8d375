// What a scenario may say about traffic, alone.
#pragma once
#include "scenario/spec.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"

namespace weir {

inline Vocabulary traffic_vocabulary() {
  Vocabulary v;
  v.sections.push_back({.name = "packet", .summary = "packets", .common = packet_params()});
  v.sections.push_back({.name = "traffic",
                        .summary = "who sends what",
                        .selector = "pattern",
                        .repeated = true,
                        .common = traffic_common_params(),
                        .kinds = traffic_kinds()});
  return v;
}

}  // namespace weir
