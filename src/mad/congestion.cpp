#include "mad/congestion.h"

namespace weir::mad {

namespace {

constexpr std::size_t kMaskBytes = 32;
constexpr std::size_t kVictimAt = 4, kCreditAt = 36;
constexpr Field kControlMap{0, 32}, kThreshold{544, 4}, kPacketSize{552, 8}, kStarvation{560, 4},
    kStarvationReturn{576, 16}, kMarkingRate{592, 16};
constexpr Field kPortValid{0, 1}, kPortType{1, 1}, kPortThreshold{4, 4}, kPortPacketSize{8, 8}, kPortRate{16, 16};
constexpr std::size_t kAdapterEntriesAt = 4, kAdapterEntryBytes = 8, kTableEntriesAt = 4;

void put_mask(std::span<std::uint8_t> data, std::size_t at, const std::bitset<256>& mask) {
  for (std::size_t byte = 0; byte < kMaskBytes; ++byte) {
    std::uint8_t value = 0;
    for (std::size_t b = 0; b < 8; ++b) value = static_cast<std::uint8_t>(value | (mask[byte * 8 + b] ? 1u << b : 0u));
    data[at + kMaskBytes - 1 - byte] = value;
  }
}
std::bitset<256> get_mask(std::span<const std::uint8_t> data, std::size_t at) {
  std::bitset<256> mask;
  for (std::size_t bit = 0; bit < 256; ++bit) mask[bit] = (data[at + kMaskBytes - 1 - bit / 8] >> bit % 8 & 1) != 0;
  return mask;
}

}  // namespace

void encode(const SwitchCongestion& s, std::span<std::uint8_t> data) {
  put(data, kControlMap, s.control_map);
  put_mask(data, kVictimAt, s.victim_mask);
  put_mask(data, kCreditAt, s.credit_mask);
  put(data, kThreshold, s.threshold);
  put(data, kPacketSize, s.packet_size);
  put(data, kStarvation, s.starvation_threshold);
  put(data, kStarvationReturn, s.starvation_return);
  put(data, kMarkingRate, s.marking_rate);
}

void decode(std::span<const std::uint8_t> data, SwitchCongestion& s) {
  s.control_map = static_cast<std::uint32_t>(get(data, kControlMap));
  s.victim_mask = get_mask(data, kVictimAt);
  s.credit_mask = get_mask(data, kCreditAt);
  s.threshold = static_cast<std::uint8_t>(get(data, kThreshold));
  s.packet_size = static_cast<std::uint8_t>(get(data, kPacketSize));
  s.starvation_threshold = static_cast<std::uint8_t>(get(data, kStarvation));
  s.starvation_return = static_cast<std::uint16_t>(get(data, kStarvationReturn));
  s.marking_rate = static_cast<std::uint16_t>(get(data, kMarkingRate));
}

void encode(const SwitchPortCongestion& s, std::span<std::uint8_t> element) {
  put(element, {0, 8}, 0);
  put(element, kPortValid, s.valid);
  put(element, kPortType, s.credit_starved);
  put(element, kPortThreshold, s.threshold);
  put(element, kPortPacketSize, s.packet_size);
  put(element, kPortRate, s.marking_rate);
}

void decode(std::span<const std::uint8_t> element, SwitchPortCongestion& s) {
  s.valid = get(element, kPortValid) != 0;
  s.credit_starved = get(element, kPortType) != 0;
  s.threshold = static_cast<std::uint8_t>(get(element, kPortThreshold));
  s.packet_size = static_cast<std::uint8_t>(get(element, kPortPacketSize));
  s.marking_rate = static_cast<std::uint16_t>(get(element, kPortRate));
}

void encode(const AdapterCongestion& s, std::span<std::uint8_t> data) {
  put_bytes(data, 0, 2, s.port_control);
  put_bytes(data, 2, 2, s.control_map);
  for (std::size_t i = 0; i < s.entries.size(); ++i) {
    const std::size_t at = kAdapterEntriesAt + i * kAdapterEntryBytes;
    put_bytes(data, at, 2, s.entries[i].timer);
    data[at + 2] = s.entries[i].increase;
    data[at + 3] = s.entries[i].trigger;
    data[at + 4] = s.entries[i].minimum;
  }
}

void decode(std::span<const std::uint8_t> data, AdapterCongestion& s) {
  s.port_control = static_cast<std::uint16_t>(get_bytes(data, 0, 2));
  s.control_map = static_cast<std::uint16_t>(get_bytes(data, 2, 2));
  for (std::size_t i = 0; i < s.entries.size(); ++i) {
    const std::size_t at = kAdapterEntriesAt + i * kAdapterEntryBytes;
    s.entries[i] = {static_cast<std::uint16_t>(get_bytes(data, at, 2)), data[at + 2], data[at + 3], data[at + 4]};
  }
}

void encode(const TableBlock& s, std::span<std::uint8_t> data) {
  put_bytes(data, 0, 2, s.limit);
  for (std::size_t i = 0; i < s.entries.size(); ++i) put_bytes(data, kTableEntriesAt + 2 * i, 2, s.entries[i]);
}

void decode(std::span<const std::uint8_t> data, TableBlock& s) {
  s.limit = static_cast<std::uint16_t>(get_bytes(data, 0, 2));
  for (std::size_t i = 0; i < s.entries.size(); ++i)
    s.entries[i] = static_cast<std::uint16_t>(get_bytes(data, kTableEntriesAt + 2 * i, 2));
}

}  // namespace weir::mad
