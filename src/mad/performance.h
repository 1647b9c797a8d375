// The counters of a port as the performance class shows them. Inside weir they are 64 bits wide; the 32-bit attribute
// stops at its maximum, as devices do.
#pragma once
#include <cstdint>
#include <span>

#include "mad/fields.h"

namespace weir::mad {

struct PortCounters {
  std::uint64_t xmit_words = 0, rcv_words = 0;  // of four bytes
  std::uint64_t xmit_packets = 0, rcv_packets = 0;
  std::uint64_t xmit_wait = 0;       // ticks
  std::uint64_t xmit_discards = 0;   // packets that found no way on
  std::uint64_t relay_errors = 0;    // packets that came in and had no way on
  std::uint64_t link_downed = 0;
  std::uint64_t xmit_congested = 0;  // ticks of PortXmitTimeCong
  std::uint64_t rcv_fecn = 0, rcv_becn = 0;

  friend bool operator==(const PortCounters&, const PortCounters&) = default;
};

namespace port_counters {
inline constexpr Field kPortSelect{8, 8}, kCounterSelect{16, 16}, kLinkDowned{56, 8}, kRelayErrors{96, 16},
    kXmitDiscards{112, 16}, kCounterSelect2{144, 8}, kXmitWords{192, 32}, kRcvWords{224, 32}, kXmitPackets{256, 32},
    kRcvPackets{288, 32}, kXmitWait{320, 32};
// Bits of CounterSelect.
inline constexpr std::uint32_t kSelLinkDowned = 1u << 2, kSelRelayErrors = 1u << 5, kSelXmitDiscards = 1u << 6,
                               kSelXmitWords = 1u << 12, kSelRcvWords = 1u << 13, kSelXmitPackets = 1u << 14,
                               kSelRcvPackets = 1u << 15;
inline constexpr std::uint32_t kSel2XmitWait = 1;  // of CounterSelect2
}  // namespace port_counters

namespace port_counters_ext {
inline constexpr Field kPortSelect{8, 8}, kCounterSelect{16, 16}, kCounterSelect2{32, 32}, kXmitWords{64, 64},
    kRcvWords{128, 64}, kXmitPackets{192, 64}, kRcvPackets{256, 64}, kUnicastXmit{320, 64}, kUnicastRcv{384, 64},
    kLinkDowned{704, 64}, kRelayErrors{896, 64}, kXmitDiscards{960, 64}, kXmitWait{1344, 64};
inline constexpr std::uint32_t kSelXmitWords = 1, kSelRcvWords = 2, kSelXmitPackets = 4, kSelRcvPackets = 8;
inline constexpr std::uint32_t kSel2LinkDowned = 1u << 2, kSel2RelayErrors = 1u << 5, kSel2XmitDiscards = 1u << 6,
                               kSel2XmitWait = 1u << 12;
}  // namespace port_counters_ext

// What the optional attributes say, from byte 4 on.
namespace congestion_counters {
inline constexpr Field kXmitTimeCong{32, 32};              // 0x34
inline constexpr Field kRcvFecn{32, 32}, kRcvBecn{64, 32};  // 0x31
constexpr Field lane_time(std::uint32_t lane) { return {static_cast<std::uint16_t>(32 + 32 * lane), 32}; }   // 0x35
constexpr Field lane_count(std::uint32_t lane) { return {static_cast<std::uint16_t>(32 + 16 * lane), 16}; }  // 0x30
}  // namespace congestion_counters

namespace class_port_info {
inline constexpr Field kBaseVersion{0, 8}, kClassVersion{8, 8}, kCapabilities{16, 16}, kCapabilities2{32, 27},
    kResponseTime{59, 5};
inline constexpr std::uint32_t kAllPortSelect = 1u << 8, kExtendedWidth = 1u << 9, kXmitWaitSupported = 1u << 12;
inline constexpr std::uint32_t kExtendedErrors = 1u << 1;  // of Capabilities2: the errors and waits in 64 bits
}  // namespace class_port_info

// Into the data of PortCounters and PortCountersExtended; port and selects stay as they are.
void encode_counters(const PortCounters& c, std::span<std::uint8_t> data);
void encode_counters_extended(const PortCounters& c, std::span<std::uint8_t> data);
// What the attribute shows; the others stay.
void decode_counters(std::span<const std::uint8_t> data, PortCounters& c);
void decode_counters_extended(std::span<const std::uint8_t> data, PortCounters& c);

}  // namespace weir::mad
