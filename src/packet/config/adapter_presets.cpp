#include "packet/config/adapter_presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "packet/config/config.h"
#include "scenario/values.h"

namespace weir {
namespace {

constexpr Rate gbps(std::int64_t n) { return {n * 1'000'000'000}; }

// A lane carries 8, 16 or 32 Gb/s on the wire, 128 of 130 bits of which are data. Headers of the bus are not counted.
constexpr std::string_view kSixteenLanes3 = "126.03Gbps", kSixteenLanes4 = "252.06Gbps", kSixteenLanes5 = "504.12Gbps";

constexpr AdapterPreset kPresets[] = {
    {"connectx-5", "NVIDIA ConnectX-5, InfiniBand EDR or Ethernet 100G", gbps(100), "PCIe 3.0 x16", kSixteenLanes3,
     "NVIDIA, ConnectX-5 adapter cards user manual, interfaces"},
    {"connectx-6", "NVIDIA ConnectX-6, InfiniBand HDR or Ethernet 200G", gbps(200), "PCIe 4.0 x16", kSixteenLanes4,
     "NVIDIA, ConnectX-6 adapter cards user manual, interfaces"},
    {"connectx-6-pcie3", "the same in a slot of an older server", gbps(200), "PCIe 3.0 x16", kSixteenLanes3,
     "NVIDIA, ConnectX-6 adapter cards user manual, introduction (100 Gb/s in such a slot)"},
    {"connectx-7", "NVIDIA ConnectX-7, InfiniBand NDR or Ethernet 400G", gbps(400), "PCIe 5.0 x16", kSixteenLanes5,
     "NVIDIA, ConnectX-7 cards for OCP 3.0 user manual, supported interfaces"},
};

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kPresets)> names{};
  std::transform(std::begin(kPresets), std::end(kPresets), names.begin(), [](const auto& p) { return p.name; });
  return names;
}();

}  // namespace

std::span<const AdapterPreset> adapter_presets() { return kPresets; }
std::span<const std::string_view> adapter_preset_names() { return kNames; }

void complete_from_adapter_preset(Section& section) {
  if (!section.has("preset")) return;
  const auto& preset = *std::find_if(std::begin(kPresets), std::end(kPresets),
                                     [&](const auto& p) { return p.name == section.text("preset"); });
  static const std::vector<ParamSpec> kParams = adapter_params();
  ParamSpec param =
      *std::find_if(kParams.begin(), kParams.end(), [](const auto& p) { return p.name == "receive_rate"; });
  const std::string literal = fmt::format("\"{}\"", preset.bus_rate);
  param.fallback = literal;
  Value of_preset = default_value(param, "");
  Value& value = *std::find_if(section.values.begin(), section.values.end(),
                               [](const Value& v) { return v.key == "receive_rate"; });
  if (value.is_written) value.is_default = canonical_literal(value) == canonical_literal(of_preset);
  else value = std::move(of_preset);
}

}  // namespace weir
