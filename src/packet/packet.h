// A packet: one cache line that travels by value. On a wire it lies in the clock's bins, in a queue in the pool of
// those that wait (waiting.h); nobody else holds it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/check.h"
#include "base/units.h"
#include "network/route_step.h"
#include "packet/ids.h"

namespace weir {

enum class PacketKind : std::uint8_t {
  data,
  ack,           // carries the marks of the packet it acknowledges back to its source
  notification,  // from a switch or a host to a source
  control,       // read and perhaps changed by the switches it crosses
  setup,         // sets up or tears down the route of a flow
  flow_token,    // stands for the rest of a flow in its adapter queue; never leaves the host
};

inline constexpr std::uint32_t kMaxLanes = RouteStep::kMostLanes;
inline constexpr Bytes kMaxPacketBytes = 65535;

// Whether a packet makes a detour, where switches decide that; the first one does.
enum class Way : std::uint8_t { undecided, shortest, detour };

struct alignas(64) Packet {
  std::int64_t time = 0;       // on a wire: when it lands; in a queue: when it joined it
  std::int64_t generated = 0;
  std::int64_t injected = 0;   // of data and acknowledgements
  HostId source, destination;
  ChannelId came_by;           // whose far buffer it stands in; none at its birthplace
  ChannelId takes;             // where it lands: the channel that it goes on by, or kItsHost; none if that is open
  ConnectionId connection;     // none where nobody needs it
  std::uint32_t sequence = 0;  // within its connection
  std::uint16_t size = 0;      // bytes on the wire
  std::uint16_t payload = 0;   // of them data
  std::uint16_t traffic_class = 0;
  std::uint8_t kind_lane = 0;  // kind, way and lane
  std::uint8_t marks = 0;      // set by switches on the way
  union {
    std::uint32_t number = 0;  // where lanes interrupt others: among the packets of the link that it came by
    std::uint32_t will_wait;   // promised to a link by a crossbar: the time between joining its queue and starting
  };

  static constexpr ChannelId kItsHost{0xfffffffeu};

  PacketKind kind() const { return static_cast<PacketKind>(kind_lane & 0x07); }
  Way way() const { return static_cast<Way>(kind_lane >> 3 & 3); }
  void set_way(Way way) {
    kind_lane = static_cast<std::uint8_t>((kind_lane & 0xe7) | static_cast<std::uint32_t>(way) << 3);
  }
  bool is(PacketKind k) const { return kind() == k; }
  Lane lane() const { return {static_cast<std::uint32_t>(kind_lane) >> 5}; }
  void set_lane(Lane lane) { kind_lane = static_cast<std::uint8_t>((kind_lane & 0x1f) | (lane.index << 5)); }
  void set(PacketKind kind, Lane lane) {
    kind_lane = static_cast<std::uint8_t>(static_cast<std::uint32_t>(kind) | (lane.index << 5));
  }

  // What this kind of packet, under this scheme, has with it: one small record whose type its sender and its readers
  // agree on. Data has room for one word; other kinds have no use for `injected`, and carry more in its place.
  template <class Record>
  void load(const Record& record) {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) <= sizeof injected + sizeof word_);
    const char* from = reinterpret_cast<const char*>(&record);
    if constexpr (sizeof(Record) > sizeof word_) {
      WEIR_CHECK(!is(PacketKind::data) && !is(PacketKind::ack));
      std::memcpy(&injected, from, std::min(sizeof record, sizeof injected));
    }
    constexpr std::size_t kTaken = sizeof(Record) > sizeof(word_) ? sizeof(injected) : 0;
    if constexpr (sizeof(Record) > kTaken) std::memcpy(&word_, from + kTaken, sizeof record - kTaken);
  }
  template <class Record>
  Record cargo() const {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) <= sizeof injected + sizeof word_);
    Record record;
    char* to = reinterpret_cast<char*>(&record);
    if constexpr (sizeof(Record) > sizeof word_) {
      WEIR_CHECK(!is(PacketKind::data) && !is(PacketKind::ack));
      std::memcpy(to, &injected, std::min(sizeof record, sizeof injected));
    }
    constexpr std::size_t kTaken = sizeof(Record) > sizeof(word_) ? sizeof(injected) : 0;
    if constexpr (sizeof(Record) > kTaken) std::memcpy(to + kTaken, &word_, sizeof record - kTaken);
    return record;
  }

 private:
  std::uint32_t word_ = 0;
};
static_assert(sizeof(Packet) == 64);

}  // namespace weir
