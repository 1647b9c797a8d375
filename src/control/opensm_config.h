// The congestion-control block of an OpenSM configuration file, as a plain value: a scenario can take the settings of a
// site, and what a simulation found can be handed to a site. Lines of other subjects in the file are not looked at.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

// An entry of the congestion control table, InfiniBand's 16 bits: the pause after a packet is packet time x multiplier
// / 2^shift.
struct CctEntry {
  std::uint8_t shift = 0;        // 0 to 3
  std::uint16_t multiplier = 0;  // 0 to 16383

  friend bool operator==(const CctEntry&, const CctEntry&) = default;
  double packet_times() const { return static_cast<double>(multiplier) / static_cast<double>(1u << shift); }
  std::uint16_t bits() const { return static_cast<std::uint16_t>(shift << 14 | multiplier); }
};

// What an adapter does with BECN on one service level.
struct CaCongestionEntry {
  std::uint16_t ccti_timer = 0;  // units of 1.024 us: every so often CCTI falls by one
  std::uint8_t ccti_increase = 0;
  std::uint8_t trigger_threshold = 0;  // an event is logged when CCTI reaches it
  std::uint8_t ccti_min = 0;

  friend bool operator==(const CaCongestionEntry&, const CaCongestionEntry&) = default;
};

using PortMask = std::bitset<256>;  // bit p = port p

struct OpensmCongestionSettings {
  bool congestion_control = false;
  std::uint64_t cc_key = 0;
  std::uint32_t max_outstanding_mads = 500;

  // Switches. Only what control_map names is sent to them.
  enum SwitchControl : std::uint32_t {
    kVictimMask = 1,
    kCreditMask = 2,
    kThresholdAndPacketSize = 4,
    kCreditStarvation = 8,
    kMarkingRate = 16,
  };
  std::uint32_t switch_control_map = 0;
  PortMask victim_mask;            // ports that mark although they are victims themselves
  PortMask credit_mask;            // ports to which credit starvation applies
  std::uint8_t threshold = 0;      // 0 off, 1 loose, 15 most eager
  std::uint8_t packet_size = 0;    // in credits of 64 bytes; smaller packets are not marked
  std::uint8_t credit_starvation_threshold = 0;
  CctEntry credit_starvation_return_delay;
  std::uint16_t marking_rate = 0;  // mean number of eligible packets between two marked ones

  // Adapters.
  std::uint16_t ca_port_control = 0;  // bit 0: by service level instead of by queue pair
  std::uint16_t ca_control_map = 0;   // service levels that take part
  std::array<CaCongestionEntry, 16> ca;  // per service level
  std::vector<CctEntry> cct;             // at most 128 blocks of 64 entries; CCTI_Limit is the last index

  bool per_service_level() const { return (ca_port_control & 1) != 0; }

  friend bool operator==(const OpensmCongestionSettings&, const OpensmCongestionSettings&) = default;
};

inline constexpr std::size_t kMostCctEntries = 128 * 64;

// Keys that the text does not name keep their defaults; of a key named twice the last counts, as OpenSM reads it.
// Numbers that do not fit, masks that are no hexadecimal numbers and congestion-control keys that do not exist are
// InputErrors with `file` and line.
OpensmCongestionSettings read_opensm_settings(const std::string& file, std::string_view text);
OpensmCongestionSettings read_opensm_settings_file(const std::string& path);

// The block as OpenSM would take it, complete and with remarks.
std::string write_opensm_settings(const OpensmCongestionSettings& settings);

// `text` with its congestion-control lines replaced by `block`, which stands between two marks: a later call finds it
// and replaces it as a whole. Everything else stays as it is.
std::string replace_opensm_settings(std::string_view text, std::string_view block);

}  // namespace weir
