// Switches that can be bought, as [switch] preset = "quantum". A preset gives values to keys that the scenario leaves
// out. What its vendor or a trade report has published, and what weir assumes beside it, is part of the record.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

struct SwitchPreset {
  std::string_view name, product;
  Rate link;                   // at most, of its ports
  std::string_view latency;    // from port to port
  std::string_view memory;     // that all ports share; empty: not published
  std::string_view published;  // which of these are, and where
};

// Memory of an input and lane where nothing is published.
inline constexpr std::string_view kAssumedBuffer = "64KiB";

std::span<const SwitchPreset> switch_presets();
std::span<const std::string_view> switch_preset_names();

Rate fastest_link(const Topology& topology);
// The InfiniBand switch whose ports are as fast as the fabric's fastest link; null where there is none.
const SwitchPreset* fitting_preset(const Topology& topology);
// The slowest Ethernet switch whose ports are fast enough for every link; null where there is none.
const SwitchPreset* fitting_ethernet_preset(const Topology& topology);

// The one that the scenario names. Else, in a fabric imported from a subnet, where [switch] says nothing about delays
// and buffers: the one that fits. Null where there is none.
const SwitchPreset* switch_preset(const Scenario& scenario, const Topology& topology);

// Gives the values of the preset that [switch] names to the keys that the scenario does not write: they are its
// defaults. Part of reading a scenario, so that its canonical text has the values that run.
void complete_from_preset(Section& section);

// [switch] with the values of a preset in the keys that are not given.
Section with_preset(const Section& section, const SwitchPreset* preset);

}  // namespace weir
