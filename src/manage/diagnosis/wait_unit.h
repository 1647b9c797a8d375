// The unit of PortXmitWait: one tick is the time that the link needs for so many bytes. Devices use 8 to 248 bytes, and
// do not tell which. Behind a full link it follows from the counters: a port that never idles sends or waits for all of
// the time.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "manage/growth.h"
#include "network/topology.h"

namespace weir::manage {

inline constexpr std::uint32_t kUsualWaitBytes = 8;   // of newer devices

struct WaitUnit {
  std::uint32_t bytes = kUsualWaitBytes;
  enum class From : std::uint8_t { assumed, derived, known } from = From::assumed;
  std::size_t busy_ports = 0;  // derived: ports that never idle with it
};

// The largest unit with which no port sends and waits for longer than the time, if at least three ports then never
// idle: more than three at one value by accident are unlikely if they send at different rates, or if the value is a
// power of two. Nothing where no link is full, since only behind a full link can a port be expected to wait always.
std::optional<WaitUnit> derived_wait_unit(const Topology& topology, const std::vector<PortGrowth>& growths);

}  // namespace weir::manage
