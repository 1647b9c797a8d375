// Packets in flight. The hot record (32 bytes, two to a cache line) holds what every hop needs; the cold one with the
// same index holds what only birth and delivery need. Packets are linked by index and recycled: nothing allocates once
// the network has filled.
#pragma once
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "base/check.h"
#include "base/ids.h"
#include "base/units.h"

namespace weir {

using PacketIndex = std::uint32_t;
inline constexpr PacketIndex kNoPacket = 0xffffffffu;
inline constexpr std::uint32_t kNoChannel = 0xffffffffu;
inline constexpr std::uint32_t kNoConnection = 0xffffffffu;

enum class PacketKind : std::uint8_t {
  data,
  ack,           // carries the header bits of the packet it acknowledges back to its source
  notification,  // from a switch or a host to a source
  control,       // read and perhaps changed by the switches it crosses
  setup,         // sets up or tears down the route of a flow
  flow_token,    // stands for the rest of a flow in its adapter queue; never leaves the host
};

struct Packet {
  std::int64_t time;        // when it lands or became ready, ps
  PacketIndex next;         // in the list it is in
  std::uint32_t source;     // hosts
  std::uint32_t destination;
  std::uint32_t came_by;    // channel over which it came: whose buffer it stands in; kNoChannel at its birthplace
  std::uint32_t connection; // flow or pair, kNoConnection where nobody needs it
  std::uint16_t size;       // bytes on the wire
  std::uint8_t kind_lane;
  std::uint8_t bits;        // congestion marks

  PacketKind kind() const { return static_cast<PacketKind>(kind_lane & 0x1f); }
  std::uint32_t lane() const { return kind_lane >> 5; }
  void set(PacketKind kind, std::uint32_t lane) {
    kind_lane = static_cast<std::uint8_t>(static_cast<std::uint32_t>(kind) | (lane << 5));
  }
};
static_assert(sizeof(Packet) == 32);
inline constexpr std::uint32_t kMaxLanes = 8;
inline constexpr Bytes kMaxPacketBytes = 65535;

struct PacketCold {
  std::int64_t generated;
  std::int64_t injected;
  std::uint32_t sequence;   // within its connection
  std::uint32_t payload;    // bytes
  std::uint32_t aux;        // index into a scheme's side pool, or a scheme's word
  std::uint32_t traffic_class;
};
static_assert(sizeof(PacketCold) == 32);

class PacketPool {
 public:
  PacketIndex take() {
    PacketIndex index = free_;
    if (index == kNoPacket) {
      index = static_cast<PacketIndex>(hot_.size());
      hot_.emplace_back();
      cold_.emplace_back();
    } else {
      free_ = hot_[index].next;
    }
    if (++alive_ > peak_) peak_ = alive_;
    return index;
  }
  void give_back(PacketIndex index) {
    hot_[index].next = free_;
    free_ = index;
    --alive_;
  }
  Packet& operator[](PacketIndex index) { return hot_[index]; }
  const Packet& operator[](PacketIndex index) const { return hot_[index]; }
  PacketCold& cold(PacketIndex index) { return cold_[index]; }
  const PacketCold& cold(PacketIndex index) const { return cold_[index]; }
  std::uint64_t alive() const { return alive_; }
  std::uint64_t peak() const { return peak_; }
  std::size_t bytes_of_state() const {
    return hot_.capacity() * sizeof(Packet) + cold_.capacity() * sizeof(PacketCold);
  }

 private:
  BigVector<Packet> hot_;
  BigVector<PacketCold> cold_;
  PacketIndex free_ = kNoPacket;
  std::uint64_t alive_ = 0, peak_ = 0;
};

// A first-in first-out list of packets, by index.
struct PacketList {
  PacketIndex head = kNoPacket, tail = kNoPacket;

  bool empty() const { return head == kNoPacket; }
  void push_back(PacketPool& pool, PacketIndex p) {
    pool[p].next = kNoPacket;
    if (empty()) head = p;
    else pool[tail].next = p;
    tail = p;
  }
  PacketIndex pop_front(PacketPool& pool) {
    const PacketIndex p = head;
    head = pool[p].next;
    return p;
  }
};

}  // namespace weir
