#include "traffic/packet_format.h"

#include <algorithm>

#include "traffic/traffic_section.h"

namespace weir {

std::vector<ParamSpec> packet_params() {
  return {
      {"payload", ParamType::bytes_list, "[2048]",
       "payload size of a packet, or several sizes; flows are cut into packets of the first size", 1, 1e9},
      {"shares", ParamType::numbers, kUnset, "how often each payload size occurs; default: equally often", 0, 1e9},
      {"header", ParamType::bytes, "0B", "added to every data packet", 0, 1e6},
      {"ack", ParamType::bytes, "22B", "whole size of an acknowledgement", 1, 1e6},
  };
}

Bytes PacketFormat::max_payload() const {
  Bytes largest = 0;
  for (const SizeShare& size : payloads) largest = std::max(largest, size.payload);
  return largest;
}

Bytes PacketFormat::mean_wire_size() const { return header + static_cast<Bytes>(mean_payload(payloads) + 0.5); }

PacketFormat packet_format(const Scenario& scenario) {
  const Section& section = scenario.section("packet");
  PacketFormat format;
  format.payloads = read_sizes(section);
  format.header = section.bytes("header");
  format.ack = section.bytes("ack");
  return format;
}

}  // namespace weir
