// Channel adapters: the queues in which packets wait at their source host, and the order in which queues are served.
// A send queue holds packets, or tokens that stand for the rest of a flow (packets of a bulk flow are made when they
// are sent). Queues that may send form a ring per host and lane; a queue whose head is held back by the scheme leaves
// the ring until it is woken.
#pragma once
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "packet/config.h"
#include "packet/packet_pool.h"
#include "traffic/workload.h"

namespace weir {

inline constexpr std::uint32_t kNoQueue = 0xffffffffu;

// Packets that wait at a host, or at all of them. Where nothing else matters, a packet starts before the end of the
// instant, when the link would be arbitrated; for those that come at the same instant it still waits.
struct Backlog {
  std::uint32_t packets = 0;
  std::uint32_t early = 0;  // started at `at` before its end
  std::int64_t at = -1;

  void note_early(std::int64_t now) {
    early = at == now ? early + 1 : 1;
    at = now;
  }
  std::uint32_t seen(std::int64_t now) const { return packets + (at == now ? early : 0); }
};

class Adapters {
 public:
  enum class State : std::uint8_t { idle, ready, gated };
  struct Queue {
    PacketList packets;
    std::uint32_t next = kNoQueue;  // in the ring, or among the queues that wait for the same connection
    State state = State::idle;
    std::int64_t wake_at = kNever.ps;  // a timed wake is on its way
  };

  Adapters(const AdapterConfig& config, std::uint32_t hosts, std::uint32_t lanes, const Workload& workload);

  // The queue that a packet of `host` for `destination` waits in. `slot`: number of the flow or source it comes from.
  std::uint32_t queue_of(std::uint32_t host, std::uint32_t lane, std::uint32_t destination, std::uint32_t slot) const {
    const std::uint32_t base = host * lanes_ + lane;
    switch (config_.organisation) {
      case AdapterOrganisation::fifo: return base;
      case AdapterOrganisation::shared:
      case AdapterOrganisation::per_destination: return base * per_host_ + destination;
      case AdapterOrganisation::modulo: return base * per_host_ + destination % per_host_;
      case AdapterOrganisation::per_flow: return slot;
    }
    return base;
  }

  Queue& queue(std::uint32_t q) { return queues_[q]; }

  // Appends; a queue that was idle becomes ready. True if it did.
  bool append(PacketPool& pool, std::uint32_t ring, std::uint32_t q, PacketIndex p) {
    Queue& queue = queues_[q];
    queue.packets.push_back(pool, p);
    if (queue.state != State::idle) return false;
    make_ready(ring, q);
    return true;
  }
  void make_ready(std::uint32_t ring, std::uint32_t q) {
    Queue& queue = queues_[q];
    WEIR_CHECK(queue.state != State::ready);
    queue.state = State::ready;
    queue.next = kNoQueue;
    Ring& r = rings_[ring];
    if (r.head == kNoQueue) r.head = q;
    else queues_[r.tail].next = q;
    r.tail = q;
  }
  std::uint32_t ring_of(std::uint32_t host, std::uint32_t lane) const { return host * lanes_ + lane; }
  bool any_ready(std::uint32_t ring) const { return rings_[ring].head != kNoQueue; }
  std::uint32_t first(std::uint32_t ring) const { return rings_[ring].head; }

  // Takes `q` out of the ring, given its predecessor (kNoQueue for the head).
  void remove(std::uint32_t ring, std::uint32_t q, std::uint32_t before, State state) {
    Ring& r = rings_[ring];
    Queue& queue = queues_[q];
    if (before == kNoQueue) r.head = queue.next;
    else queues_[before].next = queue.next;
    if (r.tail == q) r.tail = before;
    queue.state = state;
    queue.next = kNoQueue;
  }
  void rotate(std::uint32_t ring) {
    Ring& r = rings_[ring];
    if (r.head == r.tail) return;
    const std::uint32_t q = r.head;
    r.head = queues_[q].next;
    queues_[q].next = kNoQueue;
    queues_[r.tail].next = q;
    r.tail = q;
  }

  // Adapter memory: packets that find it full wait in the host, in order.
  bool admit(std::uint32_t host, std::uint32_t bytes) {
    if (config_.memory == 0) return true;
    if (!overflow_[host].empty() || used_[host] + bytes > static_cast<std::uint64_t>(config_.memory)) return false;
    used_[host] += bytes;
    return true;
  }
  void leave(std::uint32_t host, std::uint32_t bytes) {
    if (config_.memory != 0) used_[host] -= bytes;
  }
  PacketList& overflow(std::uint32_t host) { return overflow_[host]; }
  bool limited() const { return config_.memory != 0; }
  bool one_queue() const { return config_.organisation == AdapterOrganisation::fifo; }  // per host and lane
  bool unlimited() const { return config_.memory == 0 && config_.queue_limit == 0; }
  // A limit per queue: an open-loop source keeps silent while its queue has no room.
  bool room(std::uint32_t q, std::uint32_t bytes) const {
    return queue_bytes_.empty() || queue_bytes_[q] + bytes <= static_cast<std::uint64_t>(config_.queue_limit);
  }
  void count_in(std::uint32_t q, std::uint32_t bytes) {
    if (!queue_bytes_.empty()) queue_bytes_[q] += bytes;
  }
  void count_out(std::uint32_t q, std::uint32_t bytes) {
    if (!queue_bytes_.empty()) queue_bytes_[q] -= bytes;
  }
  std::uint64_t used(std::uint32_t host) const { return limited() ? used_[host] : 0; }
  bool fits(std::uint32_t host, std::uint32_t bytes) const {
    return used_[host] + bytes <= static_cast<std::uint64_t>(config_.memory);
  }
  void take(std::uint32_t host, std::uint32_t bytes) { used_[host] += bytes; }

  AdapterService service() const { return config_.service; }
  std::size_t queues() const { return queues_.size(); }
  std::size_t bytes_of_state() const {
    return queues_.capacity() * sizeof(Queue) + rings_.capacity() * sizeof(Ring) +
           (used_.capacity() + queue_bytes_.capacity()) * 8 + overflow_.capacity() * sizeof(PacketList);
  }

 private:
  struct Ring {
    std::uint32_t head = kNoQueue, tail = kNoQueue;
  };
  AdapterConfig config_;
  std::uint32_t lanes_;
  std::uint32_t per_host_ = 1;
  std::vector<Queue> queues_;
  std::vector<Ring> rings_;
  std::vector<std::uint64_t> used_;
  std::vector<std::uint64_t> queue_bytes_;  // per queue, only with a queue limit
  std::vector<PacketList> overflow_;
};

}  // namespace weir
