// Sizes on the wire: the [packet] section as a plain value.
#pragma once
#include <vector>

#include "base/units.h"
#include "scenario/scenario.h"
#include "traffic/workload.h"

namespace weir {

struct PacketFormat {
  Bytes header = 0;                 // added to every data packet
  Bytes ack = 0;                    // whole size of an acknowledgement
  std::vector<SizeShare> payloads;  // default sizes for sources; flows are cut into payloads[0]
  Bytes max_payload() const;
  Bytes mean_wire_size() const;
};
std::vector<ParamSpec> packet_params();
PacketFormat packet_format(const Scenario& scenario);

}  // namespace weir
