#include "mad/performance.h"

#include <algorithm>

namespace weir::mad {

namespace {

void put_saturating(std::span<std::uint8_t> data, Field f, std::uint64_t value) {
  const std::uint64_t most = f.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
  put(data, f, std::min(value, most));
}

}  // namespace

void encode_counters(const PortCounters& c, std::span<std::uint8_t> data) {
  namespace f = port_counters;
  put_saturating(data, f::kLinkDowned, c.link_downed);
  put_saturating(data, f::kRelayErrors, c.relay_errors);
  put_saturating(data, f::kXmitDiscards, c.xmit_discards);
  put_saturating(data, f::kXmitWords, c.xmit_words);
  put_saturating(data, f::kRcvWords, c.rcv_words);
  put_saturating(data, f::kXmitPackets, c.xmit_packets);
  put_saturating(data, f::kRcvPackets, c.rcv_packets);
  put_saturating(data, f::kXmitWait, c.xmit_wait);
}

void encode_counters_extended(const PortCounters& c, std::span<std::uint8_t> data) {
  namespace f = port_counters_ext;
  put(data, f::kXmitWords, c.xmit_words);
  put(data, f::kRcvWords, c.rcv_words);
  put(data, f::kXmitPackets, c.xmit_packets);
  put(data, f::kRcvPackets, c.rcv_packets);
  put(data, f::kUnicastXmit, c.xmit_packets);
  put(data, f::kUnicastRcv, c.rcv_packets);
  put(data, f::kLinkDowned, c.link_downed);
  put(data, f::kRelayErrors, c.relay_errors);
  put(data, f::kXmitDiscards, c.xmit_discards);
  put(data, f::kXmitWait, c.xmit_wait);
}

void decode_counters(std::span<const std::uint8_t> data, PortCounters& c) {
  namespace f = port_counters;
  c.link_downed = get(data, f::kLinkDowned);
  c.relay_errors = get(data, f::kRelayErrors);
  c.xmit_discards = get(data, f::kXmitDiscards);
  c.xmit_words = get(data, f::kXmitWords);
  c.rcv_words = get(data, f::kRcvWords);
  c.xmit_packets = get(data, f::kXmitPackets);
  c.rcv_packets = get(data, f::kRcvPackets);
  c.xmit_wait = get(data, f::kXmitWait);
}

void decode_counters_extended(std::span<const std::uint8_t> data, PortCounters& c) {
  namespace f = port_counters_ext;
  c.xmit_words = get(data, f::kXmitWords);
  c.rcv_words = get(data, f::kRcvWords);
  c.xmit_packets = get(data, f::kXmitPackets);
  c.rcv_packets = get(data, f::kRcvPackets);
  c.link_downed = get(data, f::kLinkDowned);
  c.relay_errors = get(data, f::kRelayErrors);
  c.xmit_discards = get(data, f::kXmitDiscards);
  c.xmit_wait = get(data, f::kXmitWait);
}

}  // namespace weir::mad
