// The attributes of congestion control (class 0x21) as values.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "mad/fields.h"

namespace weir::mad {

inline constexpr std::uint8_t kCongestionVersion = 2;

// 0x14. Bit n of a mask is port n; on the wire the last byte has the ports 0 to 7.
struct SwitchCongestion {
  static constexpr std::uint32_t kUseVictimMask = 1, kUseCreditMask = 2, kUseThreshold = 4, kUseCreditStarvation = 8,
                                 kUseMarkingRate = 16;
  std::uint32_t control_map = 0;
  std::bitset<256> victim_mask, credit_mask;
  std::uint8_t threshold = 0, packet_size = 0;  // packet_size in units of 64 bytes
  std::uint8_t starvation_threshold = 0;
  std::uint16_t starvation_return = 0;
  std::uint16_t marking_rate = 0;

  friend bool operator==(const SwitchCongestion&, const SwitchCongestion&) = default;
};

// An element of 0x15.
struct SwitchPortCongestion {
  bool valid = false, credit_starved = false;
  std::uint8_t threshold = 0, packet_size = 0;
  std::uint16_t marking_rate = 0;

  friend bool operator==(const SwitchPortCongestion&, const SwitchPortCongestion&) = default;
};
// Ports of one block, by OpenSM's header; ibccquery takes 48, which is the same for ports 0 to 31.
inline constexpr std::uint32_t kPortsOfBlock = 32;

// 0x16: one entry per service level.
struct AdapterCongestionEntry {
  std::uint16_t timer = 0;  // in units of 1.024 us
  std::uint8_t increase = 0, trigger = 0, minimum = 0;

  friend bool operator==(const AdapterCongestionEntry&, const AdapterCongestionEntry&) = default;
};
struct AdapterCongestion {
  static constexpr std::uint16_t kPerServiceLevel = 1;  // of port_control: one index per service level, not per flow
  std::uint16_t port_control = 0, control_map = 0;
  std::array<AdapterCongestionEntry, 16> entries = {};

  friend bool operator==(const AdapterCongestion&, const AdapterCongestion&) = default;
};

// A block of 0x17.
inline constexpr std::uint32_t kEntriesOfBlock = 64;
struct TableBlock {
  std::uint16_t limit = 0;  // the last index of the whole table
  std::array<std::uint16_t, kEntriesOfBlock> entries = {};  // shift in bits 15:14, multiplier in 13:0

  friend bool operator==(const TableBlock&, const TableBlock&) = default;
};

void encode(const SwitchCongestion& s, std::span<std::uint8_t> data);
void decode(std::span<const std::uint8_t> data, SwitchCongestion& s);
void encode(const SwitchPortCongestion& s, std::span<std::uint8_t> element);  // four bytes
void decode(std::span<const std::uint8_t> element, SwitchPortCongestion& s);
void encode(const AdapterCongestion& s, std::span<std::uint8_t> data);
void decode(std::span<const std::uint8_t> data, AdapterCongestion& s);
void encode(const TableBlock& s, std::span<std::uint8_t> data);
void decode(std::span<const std::uint8_t> data, TableBlock& s);

namespace congestion_info {
inline constexpr Field kInfo{0, 16}, kTableCapacity{16, 8};  // capacity in blocks of 64 entries
}
namespace congestion_key {
inline constexpr Field kKey{0, 64}, kProtect{64, 1}, kLease{80, 16}, kViolations{96, 16};
}
// 0x13, within the log's own data, which begins behind the key.
namespace congestion_log {
inline constexpr Field kType{0, 8}, kFlags{8, 8}, kSwitchEvents{16, 16}, kSwitchTime{32, 32}, kAdapterEvents{16, 16},
    kAdapterMap{32, 16}, kAdapterTime{64, 32};
inline constexpr std::uint8_t kOfSwitch = 1, kOfAdapter = 2;
inline constexpr std::size_t kPortMapAt = 8;  // 32 bytes
// Events, the newest first: 15 of 12 bytes in a switch, 13 of 16 bytes in an adapter.
inline constexpr std::size_t kSwitchEventsAt = 40, kSwitchEventBytes = 12, kMostSwitchEvents = 15;
inline constexpr std::size_t kAdapterEventsAt = 12, kAdapterEventBytes = 16, kMostAdapterEvents = 13;
inline constexpr Field kEventSource{0, 16}, kEventDestination{16, 16}, kEventLevel{32, 4}, kEventTime{64, 32};
inline constexpr Field kEventOwnLevel{24, 4}, kEventOwnLid{64, 16}, kEventRemoteLid{80, 16},
    kAdapterEventTime{96, 32};
}  // namespace congestion_log

}  // namespace weir::mad
