#include "schemes/infiniband/infiniband.h"

#include "packet/packet_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "control/opensm_config.h"
#include "schemes/given_or.h"
#include "schemes/own_packets.h"
#include "schemes/packet_scheme.h"
#include "schemes/round_trip.h"

namespace weir {
namespace {

bool leads_to_host(const Topology& topology, std::uint32_t port) {
  const PortId to = topology.to({port});
  return to.valid() && topology.is_host(topology.node_of(to));
}

// What the keys of the scenario default to: a site's file, or weir's own values.
struct Defaults {
  MarkingSettings marking;
  PortMask victim_mask;  // of the file
  bool file = false, masks = false, per_service_level = false;
  SourceSettings source;
};

// How fast a flow recovers, in packets: a table entry waits for a number of packet times, so the clock that leads back
// to the first entry must be measured in them too, or a faster link recovers more slowly than it is slowed down. 75 is
// Mizero et al.'s middle value, 150 units for 2 KiB at 8 Gb/s. A mark has an effect after a round trip, not before.
Time default_timer(const RunInput& run) {
  const RoundTrip trip = round_trip(run);
  const double units = static_cast<double>(std::max(trip.packet_time * 75, trip.shortest).ps) /
                       static_cast<double>(kCctiTimerUnit.ps);
  return kCctiTimerUnit * std::clamp<std::int64_t>(std::llround(units), 1, 65535);
}

Defaults defaults_of(const RunInput& run, const Section& scheme) {
  Defaults d;
  d.source.timer = default_timer(run);
  if (!scheme.has("settings")) return d;
  const OpensmCongestionSettings site = read_opensm_settings_file(scheme.text("settings"));
  if (!site.congestion_control) scheme.refuse("settings", "this file switches congestion control off");
  using Site = OpensmCongestionSettings;
  d.file = true;
  const bool marks = (site.switch_control_map & Site::kThresholdAndPacketSize) != 0;
  d.marking.threshold = marks ? site.threshold : 0;
  d.marking.packet_size = marks ? site.packet_size * 64u : 0;
  d.marking.marking_rate = (site.switch_control_map & Site::kMarkingRate) != 0 ? site.marking_rate : 0;
  d.masks = (site.switch_control_map & Site::kVictimMask) != 0;
  d.victim_mask = site.victim_mask;
  d.per_service_level = site.per_service_level();
  if (!site.cct.empty()) d.source.table = site.cct;
  const CaCongestionEntry* used = nullptr;
  for (std::size_t sl = 0; sl < site.ca.size() && used == nullptr; ++sl)
    if ((site.ca_control_map >> sl & 1) != 0) used = &site.ca[sl];
  if (used == nullptr)
    scheme.refuse("settings", "this file lets no service level take part (cc_ca_cong_setting_control_map)");
  d.source.increase = used->ccti_increase;
  d.source.minimum = used->ccti_min;
  d.source.timer = kCctiTimerUnit * std::max<std::int64_t>(1, used->ccti_timer);
  return d;
}

template <class T>
T value_or(const Section& scheme, std::string_view key, T fallback) {
  return scheme.has(key) ? static_cast<T>(scheme.integer(key)) : fallback;
}

SourceSettings source_settings(const Section& scheme, SourceSettings s) {
  if (scheme.has("cct")) {
    s.table.clear();
    for (const std::string& text : scheme.at("cct").texts) {
      try {
        s.table.push_back(parse_cct_entry(text));
      } catch (const InputError& error) {
        scheme.refuse("cct", error.what());
      }
    }
    if (s.table.empty() || s.table.size() > kMostCctEntries)
      scheme.refuse("cct", fmt::format("a table has 1 to {} entries, not {}", kMostCctEntries, s.table.size()));
  } else if (scheme.has("cct_step") || scheme.has("cct_size") || !scheme.has("settings")) {
    s.table = linear_cct(value_or(scheme, "cct_size", 128u), scheme.has("cct_step") ? scheme.number("cct_step") : 1.0);
  }
  const auto last = static_cast<std::uint32_t>(s.table.size() - 1);
  s.limit = value_or(scheme, "ccti_limit", last);
  if (s.limit > last)
    scheme.refuse("ccti_limit",
                  fmt::format("the table ends at index {}: a limit of {} would lie behind it", last, s.limit));
  s.increase = value_or(scheme, "ccti_increase", s.increase);
  s.minimum = value_or(scheme, "ccti_min", s.minimum);
  if (s.minimum > s.limit)
    scheme.refuse("ccti_min", fmt::format("CCTI_Min {} is above CCTI_Limit {}", s.minimum, s.limit));
  s.jitter = scheme.number("jitter");
  if (scheme.has("ccti_timer")) s.timer = kCctiTimerUnit * scheme.integer("ccti_timer");
  else if (!scheme.has("settings"))
    note_calculated(scheme, "ccti_timer", std::to_string(s.timer / kCctiTimerUnit));
  return s;
}

std::uint32_t number_in(const Section& scheme, std::size_t row, const std::string& text, std::uint32_t most) {
  std::uint32_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || value > most) value = most + 1;
    else value = value * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (text.empty() || value > most)
    throw InputError(scheme.at("ports").row_positions[row],
                     fmt::format("`{}`: a number from 0 to {} is needed", text, most));
  return value;
}

void set_key(MarkingSettings& s, const Section& scheme, std::size_t row, const std::string& key,
             const std::string& value) {
  if (key == "threshold") s.threshold = number_in(scheme, row, value, kMostThreshold);
  else if (key == "marking_rate") s.marking_rate = number_in(scheme, row, value, 65535);
  else if (key == "packet_size") s.packet_size = number_in(scheme, row, value, 65535);
  else if (key == "victim_mask") s.victim_mask = number_in(scheme, row, value, 1) != 0;
  else
    throw InputError(
        scheme.at("ports").row_positions[row],
        "`" + key + "` is no setting of a port; the settings are threshold, marking_rate, packet_size, victim_mask");
}

// The rows of `ports`, in order: later ones win.
void apply_rows(std::vector<MarkingSettings>& ports, const RunInput& run, const Section& scheme,
                std::uint32_t stride) {
  if (!scheme.has("ports")) return;
  const Value& rows = scheme.at("ports");
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const std::vector<std::string>& row = rows.rows[r];
    if (row.size() != 3 && row.size() != 4)
      throw InputError(rows.row_positions[r], "a row is: switch or port, key, value, and a lane if not all lanes");
    const std::uint32_t lanes = run.config.switches.lanes;
    const std::uint32_t lane = row.size() == 4 ? number_in(scheme, r, row[3], lanes - 1) : lanes;
    bool found = false;
    for (std::uint32_t p = 0; p < run.topology.ports(); ++p) {
      const NodeId node = run.topology.node_of({p});
      if (run.topology.is_host(node) || (run.topology.name(node) != row[0] && run.topology.port_name({p}) != row[0]))
        continue;
      found = true;
      for (std::uint32_t v = 0; v < lanes; ++v)
        if (lane == lanes || lane == v) set_key(ports[p * stride + v], scheme, r, row[1], row[2]);
    }
    if (!found) throw InputError(rows.row_positions[r], "no switch or switch port is called `" + row[0] + "`");
  }
}

}  // namespace

CcaSettings cca_settings(const RunInput& run, const Section& scheme, std::uint32_t default_marking_rate) {
  Defaults d = defaults_of(run, scheme);
  if (!d.file) d.marking.marking_rate = default_marking_rate;
  CcaSettings s;
  MarkingSettings base = d.marking;
  base.threshold = value_or(scheme, "threshold", base.threshold);
  base.marking_rate = value_or(scheme, "marking_rate", base.marking_rate);
  if (scheme.has("packet_size")) base.packet_size = static_cast<std::uint32_t>(scheme.bytes("packet_size"));
  base.strict = scheme.chooses("marking", "strict");
  const std::string mask = scheme.has("victim_mask") ? scheme.text("victim_mask") : d.masks ? "file" : "hosts";
  s.default_marking_rate = base.marking_rate;
  const std::uint32_t stride = std::bit_ceil(run.config.switches.lanes);
  s.ports.assign(run.topology.ports() * stride, base);
  for (std::uint32_t p = 0; p < run.topology.ports(); ++p) {
    const std::uint32_t label = run.topology.port_label({p});
    const bool masked = mask == "all" || (mask == "hosts" && leads_to_host(run.topology, p)) ||
                        (mask == "file" && label < d.victim_mask.size() && d.victim_mask[label]);
    for (std::uint32_t v = 0; v < stride; ++v) s.ports[p * stride + v].victim_mask = masked;
  }
  apply_rows(s.ports, run, scheme, stride);
  s.becn_on_ack = scheme.chooses("becn", "ack");
  s.cnp_bytes = static_cast<std::uint32_t>(scheme.bytes("cnp"));
  if (!s.becn_on_ack) check_own_packet(run, scheme, "cnp");
  s.cnp_lane = static_cast<std::uint32_t>(scheme.integer("cnp_lane"));
  check_lane(scheme, "cnp_lane", s.cnp_lane, run.config.switches);
  s.per_service_level = scheme.has("ccti_per") ? scheme.chooses("ccti_per", "service-level") : d.per_service_level;
  s.source = source_settings(scheme, std::move(d.source));
  s.congestion_tick = scheme.time("cong_tick");
  return s;
}

ConfiguredScheme with_becn(ConfiguredScheme scheme, const CcaSettings& settings) {
  if (!settings.becn_on_ack) return scheme;
  scheme.run = [run_it = std::move(scheme.run)](const RunInput& run) {
    RunInput changed = run;
    changed.config.adapter.acks = true;
    return run_it(changed);
  };
  return scheme;
}

namespace {

ConfiguredScheme configure_cca(const Section& scheme, const RunInput& run) {
  const CcaSettings settings = cca_settings(run, scheme, 0);
  return with_becn(packet_scheme(run, [settings] { return CcaFamily(settings); }), settings);
}

}  // namespace

constexpr std::string_view kCcaKeysToTry[] = {"ccti_timer", "cct_step"};

extern const SchemeInfo cca_scheme{
    "cca", SchemeTag::hardware,
    "InfiniBand congestion control: switches mark (FECN), destinations answer (BECN), sources delay packets "
    "according to a table",
    kCcaParams, "[scheme]\nname = \"cca\"\nmarking_rate = 0\nccti_timer = 75", configure_cca, nullptr,
    false, {}, MadeFor::infiniband, {"available, enabled by opensm", true, kCcaKeysToTry}};

}  // namespace weir
