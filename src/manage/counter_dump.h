// Counters of ports as tools print them: `perfquery` (32 and 64 bits), one port after the other, and `ibqueryerrors`.
// Ports are named by LID or by GUID. With --counters, ibqueryerrors has PortXmitData of all ports and PortXmitWait of
// none, without it PortXmitWait of the ports that waited: a dump of it is both outputs, one after the other.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace weir::manage {

// A port as a dump names it; one of lid and guid is 0.
struct DumpedPort {
  std::uint32_t lid = 0;
  std::uint64_t guid = 0;
  std::uint32_t port = 0;
  friend auto operator<=>(const DumpedPort&, const DumpedPort&) = default;
};

struct DumpedCounters {
  std::optional<std::uint64_t> wait, data, received;  // PortXmitWait; PortXmitData and PortRcvData in words
  std::optional<std::uint64_t> discards, symbol_errors;  // PortXmitDiscards, SymbolErrorCounter
  bool wide = false;                                  // of 64 bits
  std::uint32_t line = 0;
};

using CounterDump = std::map<DumpedPort, DumpedCounters>;

// InputErrors with file and line. What belongs to no counter is passed over: dumps come from scripts.
CounterDump parse_counters(const std::string& file, std::string_view text);

}  // namespace weir::manage
