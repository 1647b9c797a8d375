#include "schemes/infiniband/opensm_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "schemes/infiniband/infiniband.h"

namespace weir {
namespace {

// OpenSM has one mask, by port number, for all switches.
struct CommonMask {
  PortMask ports;
  bool of_all = true;  // exactly what each switch has
};

CommonMask common_mask(const RunInput& run, const CcaSettings& settings) {
  const Topology& t = run.topology;
  const std::size_t stride = settings.ports.size() / t.ports();
  PortMask unmasked;
  CommonMask mask;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const std::uint32_t label = t.port_label({p});
    if (t.is_host(t.node_of({p})) || !t.to({p}).valid() || label >= mask.ports.size()) continue;
    (settings.ports[p * stride].victim_mask ? mask.ports : unmasked).set(label);
  }
  mask.of_all = (mask.ports & unmasked).none();
  return mask;
}

CaCongestionEntry adapter_entry(const SourceSettings& source) {
  return {.ccti_timer = static_cast<std::uint16_t>(std::min<std::int64_t>(source.timer / kCctiTimerUnit, 65535)),
          .ccti_increase = static_cast<std::uint8_t>(source.increase),
          .trigger_threshold = 0,
          .ccti_min = static_cast<std::uint8_t>(source.minimum)};
}

}  // namespace

OpensmLines opensm_lines(const RunInput& run, const Section& scheme, const OpensmCongestionSettings& before) {
  using Site = OpensmCongestionSettings;
  if (scheme.has("ports")) scheme.refuse("ports", "opensm.conf has one value for all ports: leave `ports` out");
  const CcaSettings settings = cca_settings(run, scheme, 0);
  const MarkingSettings& a_port = settings.ports.front();  // all are alike, but for the mask
  if (a_port.packet_size % 64 != 0 || a_port.packet_size / 64 > 255)
    scheme.refuse("packet_size", "opensm.conf counts the size in units of 64 bytes, up to 255: give such a multiple");
  if (settings.source.minimum > 255) scheme.refuse("ccti_min", "opensm.conf takes at most 255");
  const CommonMask mask = common_mask(run, settings);
  Site site = before;
  site.congestion_control = true;
  site.switch_control_map |= Site::kVictimMask | Site::kThresholdAndPacketSize | Site::kMarkingRate;
  site.victim_mask = mask.ports;
  site.threshold = static_cast<std::uint8_t>(a_port.threshold);
  site.packet_size = static_cast<std::uint8_t>(a_port.packet_size / 64);
  site.marking_rate = static_cast<std::uint16_t>(settings.default_marking_rate);
  site.ca_port_control = settings.per_service_level ? 1 : 0;
  site.ca_control_map = 0;
  site.ca = {};
  const std::uint32_t levels = std::min<std::uint32_t>(run.config.switches.lanes, 16);
  for (std::uint32_t level = 0; level < levels; ++level) {
    site.ca_control_map = static_cast<std::uint16_t>(site.ca_control_map | 1u << level);
    site.ca[level] = adapter_entry(settings.source);
  }
  site.cct.assign(settings.source.table.begin(),
                  settings.source.table.begin() + static_cast<std::ptrdiff_t>(settings.source.limit) + 1);
  std::string text = write_opensm_settings(site);
  if (!mask.of_all)
    text = "# OpenSM has one victim mask for all switches. A port in it marks packets even while it is held back\n"
           "# itself. Ports to adapters should do so, ports to switches should not. In this fabric, some port numbers\n"
           "# lead to an adapter at one switch and to a switch at another. The mask holds them all. So some ports to\n"
           "# switches mark more packets than in the simulation, and slow down flows that only pass by. To see by how\n"
           "# much, simulate with this file: `weir run SCENARIO --set scheme.name=cca --set scheme.settings=FILE`.\n"
           "# To leave all ports out of the mask instead, convert with `--set scheme.victim_mask=none`.\n" + text;
  return {std::move(text), settings.default_marking_rate};
}

}  // namespace weir
