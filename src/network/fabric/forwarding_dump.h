// Forwarding tables as the tools of a subnet print them: `ibroute`, `dump_lfts` (which is ibroute for every switch),
// and the two dumps of OpenSM (its lfts file, which looks like ibroute's, and its fdbs file with the numbers of hops).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "network/route_table.h"
#include "network/topology.h"

namespace weir {

struct ForwardingEntry {
  static constexpr std::uint32_t kNoPort = 255;
  std::uint32_t lid = 0;
  std::uint32_t port = kNoPort;  // number on the device; 0 = the switch itself
  std::uint32_t line = 0;
};

struct ForwardingSwitch {
  std::uint64_t guid = 0;
  std::string name;                      // empty where the dump has none
  std::uint32_t line = 0;                // of its headline
  std::vector<ForwardingEntry> entries;  // by LID, each once
};

// Whom a LID belongs to, as far as the dump tells.
struct ForwardingTarget {
  std::uint64_t port_guid = 0;
  std::string name;
  std::uint32_t line = 0;
};

struct ForwardingDump {
  std::string file;
  std::vector<ForwardingSwitch> switches;  // each GUID once, in the order of the source
  std::map<std::uint32_t, ForwardingTarget> targets;  // by LID

  SourcePosition at(std::uint32_t line) const { return {file, line, 0}; }
};

// Throws InputErrors with file and line. What is no headline of a switch and no entry is passed over: dumps come from
// logs.
ForwardingDump parse_forwarding(const std::string& file, std::string_view text);

// As `dump_lfts` prints them. Routes that a forwarding table cannot express are refused.
std::string write_forwarding(const Topology& topology, const RouteTable& routes);

}  // namespace weir
