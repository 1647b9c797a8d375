#include "packet/config/switch_presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "packet/config/config.h"
#include "scenario/values.h"

namespace weir {
namespace {

constexpr Rate gbps(std::int64_t n) { return {n * 1'000'000'000}; }

// InfiniBand first, the slowest first. Buffers of InfiniBand switches are not published.
constexpr SwitchPreset kPresets[] = {
    {"infiniscale-iii", "InfiniBand SDR and DDR, Mellanox MT47396", gbps(16), "200ns", "",
     "no vendor figure for the latency; third parties quote 140 to 200 ns, and 200 ns is assumed"},
    {"infiniscale-iv", "InfiniBand QDR, Mellanox IS5000 series", gbps(32), "100ns", "",
     "Mellanox, IS5030/IS5035 product brief (latency)"},
    {"switchx-2", "InfiniBand FDR, Mellanox SX6000 series", gbps(56), "170ns", "",
     "Mellanox, SX6036 product brief (latency)"},
    {"switch-ib-2", "InfiniBand EDR, Mellanox SB7800 series", gbps(100), "90ns", "",
     "Mellanox, SB7800 product brief (latency)"},
    {"quantum", "InfiniBand HDR, NVIDIA QM8700 series", gbps(200), "130ns", "",
     "Mellanox, QM8700 product brief (an upper bound of the latency)"},
    {"quantum-2", "InfiniBand NDR, NVIDIA QM9700 series", gbps(400), "130ns", "",
     "none for the latency, as public figures contradict each other; that of quantum is assumed"},
    {"spectrum", "Ethernet 100G, Mellanox SN2700", gbps(100), "300ns", "16MB",
     "J. Warner, Packet Buffers, UCSC (memory); Mellanox, SN2000 product brief (latency)"},
    {"spectrum-2", "Ethernet 200G, NVIDIA SN3700", gbps(200), "300ns", "42MB",
     "Linley Newsletter, 31 July 2017 (latency); Mellanox, announcement of Spectrum-2, 2017 (memory)"},
    {"trident-4", "Ethernet 400G, Broadcom BCM56880 (X11), as in Juniper QFX5130", gbps(400), "800ns", "132MB",
     "Juniper QFX5130 data sheet, as quoted by J. Warner, Packet Buffers, UCSC (memory); the latency is assumed"},
};
constexpr std::size_t kInfiniBand = 6;  // of these

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kPresets)> names{};
  std::transform(std::begin(kPresets), std::end(kPresets), names.begin(), [](const SwitchPreset& p) { return p.name; });
  return names;
}();

bool says_nothing(const Section& section) {
  constexpr std::string_view kKeys[] = {"route_delay", "switch_delay", "buffer", "buffer_packets", "buffer_counts"};
  return std::none_of(std::begin(kKeys), std::end(kKeys), [&](auto key) { return section.given(key); }) &&
         !section.given("flow_control") && !section.given("organisation");
}

const SwitchPreset& named(std::string_view name) {
  return *std::find_if(std::begin(kPresets), std::end(kPresets), [&](const auto& p) { return p.name == name; });
}

// Calls use(value, value of the preset) for each key that a preset sets in this section.
template <class Use>
void for_each_value(Section& section, const SwitchPreset& preset, const Use& use) {
  static const std::vector<ParamSpec> kParams = switch_params();
  const auto set = [&](std::string_view key, std::string_view text) {
    ParamSpec param = *std::find_if(kParams.begin(), kParams.end(), [&](const ParamSpec& p) { return p.name == key; });
    const std::string literal = fmt::format("\"{}\"", text);
    param.fallback = literal;
    use(*std::find_if(section.values.begin(), section.values.end(), [&](const Value& v) { return v.key == key; }),
        default_value(param, ""));
  };
  set("route_delay", "0ns");
  set("switch_delay", preset.latency);
  if (const auto& kind = chosen_component<FlowControlKind>(section, "flow_control"); !kind.memory_key.empty()) {
    if (!preset.memory.empty()) set(kind.memory_key, preset.memory);
  } else if (!section.given("buffer_packets")) {
    set("buffer", kAssumedBuffer);
  }
}

}  // namespace

std::span<const SwitchPreset> switch_presets() { return kPresets; }
std::span<const std::string_view> switch_preset_names() { return kNames; }

Rate fastest_link(const Topology& topology) {
  Rate fastest{};
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.to({p}).valid()) fastest = std::max(fastest, topology.link({p}).rate);
  return fastest;
}

// Links are compared by the data that they carry: 4xQDR, which is called 40 Gb/s, carries 32, but 4xFDR10, of the next
// switches, carries 40. Slower links than those of the slowest switch are older ones of its kind.
const SwitchPreset* fitting_preset(const Topology& topology) {
  const Rate link = fastest_link(topology);
  for (const SwitchPreset& preset : std::span(kPresets).first(kInfiniBand))
    if ((&preset == kPresets || link.bits_per_second * 10 > preset.link.bits_per_second * 7) &&
        link.bits_per_second <= preset.link.bits_per_second)
      return &preset;
  return nullptr;
}

const SwitchPreset* fitting_ethernet_preset(const Topology& topology) {
  const Rate link = fastest_link(topology);
  for (const SwitchPreset& preset : std::span(kPresets).subspan(kInfiniBand))
    if (link <= preset.link) return &preset;
  return nullptr;
}

const SwitchPreset* switch_preset(const Scenario& scenario, const Topology& topology) {
  const Section& section = scenario.section("switch");
  if (section.has("preset")) return &named(section.text("preset"));
  const bool imported = scenario.section("topology").kind == "file";
  return imported && says_nothing(section) ? fitting_preset(topology) : nullptr;
}

void complete_from_preset(Section& section) {
  if (!section.has("preset")) return;
  for_each_value(section, named(section.text("preset")), [&](Value& value, Value of_preset) {
    if (value.is_written)
      value.is_default = canonical_literal(value) == canonical_literal(of_preset);
    else
      value = std::move(of_preset);
  });
}

Section with_preset(const Section& section, const SwitchPreset* preset) {
  Section filled = section;
  if (preset == nullptr) return filled;
  for_each_value(filled, *preset, [&](Value& value, Value of_preset) {
    if (!section.given(value.key)) value = std::move(of_preset);
  });
  return filled;
}

}  // namespace weir
