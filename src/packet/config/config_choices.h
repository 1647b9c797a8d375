// Names of choices in scenarios, in the order of their enums, and what files that read the packet engine's sections
// share.
#pragma once
#include <algorithm>
#include <iterator>
#include <string_view>

#include "packet/config/config.h"

namespace weir::config {

inline constexpr std::string_view kOrganisations[] = {"voq-input", "fifo-in-out", "output-queued"};
inline constexpr std::string_view kArbitrations[] = {"fcfs", "round-robin", "oldest-first"};
inline constexpr std::string_view kFlowControls[] = {"credits", "pause"};
inline constexpr std::string_view kSwitchings[] = {"cut-through", "store-and-forward"};
inline constexpr std::string_view kPriorities[] = {"non-preemptive", "preemptive"};
inline constexpr std::string_view kUnits[] = {"packet-bytes", "payload-bytes", "packets"};
inline constexpr std::string_view kReleases[] = {"tail", "head"};
inline constexpr std::string_view kChoices[] = {"fixed", "live-queue", "snooping", "flow-setup"};
inline constexpr std::string_view kSnoopTimings[] = {"restart", "once", "each"};
inline constexpr std::string_view kSnoopReturns[] = {"random", "default"};
inline constexpr std::string_view kSetupSideways[] = {"auto", "none", "forced", "free"};
inline constexpr std::string_view kSetupMeasures[] = {"flows", "weight"};
inline constexpr std::string_view kAdapters[] = {"fifo", "per-destination", "modulo", "shared", "per-flow", "auto"};
inline constexpr std::string_view kServices[] = {"round-robin", "oldest-first"};
inline constexpr std::string_view kUntils[] = {"auto", "duration", "flows", "class"};

template <class Enum, std::size_t N>
Enum choose(const Section& section, std::string_view key, const std::string_view (&names)[N]) {
  const std::string& text = section.text(key);
  const auto* found = std::find(std::begin(names), std::end(names), text);
  return static_cast<Enum>(found - std::begin(names));
}

// The largest packets that this traffic can make: sources may have sizes of their own.
struct Largest {
  Bytes payload = 0, packet = 0, ack = 0;
  Bytes any() const { return std::max(packet, ack); }
};

SwitchConfig read_switch(const Section& section, const Largest& sizes, const Topology& topology, LaneBlocks blocks);

}  // namespace weir::config
