#include "mad/performance.h"

#include <algorithm>

namespace weir::mad {

namespace {

// Where a counter lies in the attribute of 32 bits and in that of 64.
struct Place {
  std::uint64_t PortCounters::*counter;
  Field narrow, wide;
};
constexpr Place kPlaces[] = {
    {&PortCounters::link_downed, port_counters::kLinkDowned, port_counters_ext::kLinkDowned},
    {&PortCounters::relay_errors, port_counters::kRelayErrors, port_counters_ext::kRelayErrors},
    {&PortCounters::xmit_discards, port_counters::kXmitDiscards, port_counters_ext::kXmitDiscards},
    {&PortCounters::xmit_words, port_counters::kXmitWords, port_counters_ext::kXmitWords},
    {&PortCounters::rcv_words, port_counters::kRcvWords, port_counters_ext::kRcvWords},
    {&PortCounters::xmit_packets, port_counters::kXmitPackets, port_counters_ext::kXmitPackets},
    {&PortCounters::rcv_packets, port_counters::kRcvPackets, port_counters_ext::kRcvPackets},
    {&PortCounters::xmit_wait, port_counters::kXmitWait, port_counters_ext::kXmitWait},
};

void put_saturating(std::span<std::uint8_t> data, Field f, std::uint64_t value) {
  const std::uint64_t most = f.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
  put(data, f, std::min(value, most));
}

}  // namespace

void encode_counters(const PortCounters& c, std::span<std::uint8_t> data) {
  for (const Place& p : kPlaces) put_saturating(data, p.narrow, c.*p.counter);
}

void encode_counters_extended(const PortCounters& c, std::span<std::uint8_t> data) {
  for (const Place& p : kPlaces) put(data, p.wide, c.*p.counter);
  put(data, port_counters_ext::kUnicastXmit, c.xmit_packets);
  put(data, port_counters_ext::kUnicastRcv, c.rcv_packets);
}

void decode_counters(std::span<const std::uint8_t> data, PortCounters& c) {
  for (const Place& p : kPlaces) c.*p.counter = get(data, p.narrow);
}

void decode_counters_extended(std::span<const std::uint8_t> data, PortCounters& c) {
  for (const Place& p : kPlaces) c.*p.counter = get(data, p.wide);
}

}  // namespace weir::mad
