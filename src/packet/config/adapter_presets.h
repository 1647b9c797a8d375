// Adapters that can be bought, as [adapter] preset = "connectx-6-pcie3". A vendor publishes the ports and the host bus
// of an adapter. The bus says how fast the host takes packets in: where that is less than the link brings, the adapter
// stops its sender.
#pragma once
#include <span>
#include <string_view>

#include "scenario/scenario.h"

namespace weir {

struct AdapterPreset {
  std::string_view name, product;
  Rate link;                   // at most, of its port
  std::string_view bus;        // "PCIe 3.0 x16"
  std::string_view bus_rate;   // that its lanes carry behind their line code
  std::string_view published;  // where
};

std::span<const AdapterPreset> adapter_presets();
std::span<const std::string_view> adapter_preset_names();

// Gives the values of the preset that [adapter] names to the keys that the scenario does not write: they are its
// defaults. Part of reading a scenario.
void complete_from_adapter_preset(Section& section);

}  // namespace weir
