// Channel adapters: the queues in which packets wait at their source host, and the order in which queues are served.
// A send queue holds packets, or tokens that stand for the rest of a flow (packets of a bulk flow are made when they
// are sent). Queues that may send form a ring per host and lane; a queue whose head is held back by the scheme leaves
// the ring until it is woken.
#pragma once
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "base/check.h"
#include "packet/config/config.h"
#include "packet/hosts/flow_queues.h"
#include "packet/waiting.h"
#include "traffic/workload.h"

namespace weir {

// Number of the flow or source that a packet comes from, flows first.
struct SourceSlot {
  std::uint32_t number = 0;
};

using RingId = Id<struct RingTag>;  // the queues of one host and lane that may send

class Adapters {
 public:
  enum class State : std::uint8_t { idle, ready, gated };
  struct Queue {
    PacketList packets;
    QueueId next;  // in the ring, or among the queues that wait for the same connection
    State state = State::idle;
    std::int64_t wake_at = kNever.ps;  // a timed wake is on its way
  };

  Adapters(const AdapterConfig& config, std::uint32_t hosts, std::uint32_t lanes, const Workload& workload);

  // The queue that a packet of `host` for `destination` waits in. `slot`: number of the flow or source it comes from.
  QueueId queue_of(HostId host, Lane lane, HostId destination, std::uint32_t slot) const {
    const std::uint32_t base = host.index * lanes_ + lane.index;
    switch (config_.organisation) {
      case AdapterOrganisation::fifo: return {base};
      case AdapterOrganisation::shared:
      case AdapterOrganisation::per_destination: return {base * per_host_ + destination.index};
      case AdapterOrganisation::modulo: return {base * per_host_ + destination.index % per_host_};
      case AdapterOrganisation::per_flow: return of_flows_.queue(slot);
    }
    return {base};
  }

  Queue& queue(QueueId q) { return records_[q.index].queue; }
  const Queue& queue(QueueId q) const { return records_[q.index].queue; }

  void make_ready(RingId ring, QueueId q) {
    Queue& queue = this->queue(q);
    WEIR_CHECK(queue.state != State::ready);
    queue.state = State::ready;
    queue.next = kNoQueue;
    Ring& r = this->ring(ring);
    if (!r.head.valid()) r.head = q;
    else this->queue(r.tail).next = q;
    r.tail = q;
  }
  RingId ring_of(HostId host, Lane lane) const { return {host.index * lanes_ + lane.index}; }
  bool any_ready(RingId ring) const { return first(ring).valid(); }
  QueueId first(RingId ring) const { return records_[ring.index].ring.head; }

  // Takes `q` out of the ring, given its predecessor (kNoQueue for the head).
  void remove(RingId ring, QueueId q, QueueId before, State state) {
    Ring& r = this->ring(ring);
    Queue& queue = this->queue(q);
    if (!before.valid()) r.head = queue.next;
    else this->queue(before).next = queue.next;
    if (r.tail == q) r.tail = before;
    queue.state = state;
    queue.next = kNoQueue;
  }
  void rotate(RingId ring) {
    Ring& r = this->ring(ring);
    if (r.head == r.tail) return;
    const QueueId q = r.head;
    r.head = queue(q).next;
    queue(q).next = kNoQueue;
    queue(r.tail).next = q;
    r.tail = q;
  }

  // Adapter memory: packets that find it full wait in the host, in order.
  bool admit(HostId host, std::uint32_t bytes) {
    if (config_.memory == 0) return true;
    return overflow_[host.index].empty() && take(host, bytes);
  }
  void leave(HostId host, std::uint32_t bytes) {
    if (config_.memory != 0) used_[host.index] -= bytes;
  }
  PacketList& overflow(HostId host) { return overflow_[host.index]; }
  bool limited() const { return config_.memory != 0; }
  // Per host and lane.
  bool one_queue() const { return config_.organisation == AdapterOrganisation::fifo; }
  bool unlimited() const { return config_.memory == 0 && config_.queue_limit == 0; }
  // A limit per queue: an open-loop source keeps silent while its queue has no room.
  bool room(QueueId q, std::uint32_t bytes) const {
    return queue_bytes_.empty() || queue_bytes_[q.index] + bytes <= static_cast<std::uint64_t>(config_.queue_limit);
  }
  void count_in(QueueId q, std::uint32_t bytes) {
    if (!queue_bytes_.empty()) queue_bytes_[q.index] += bytes;
  }
  void count_out(QueueId q, std::uint32_t bytes) {
    if (!queue_bytes_.empty()) queue_bytes_[q.index] -= bytes;
  }
  // Takes memory for a packet that waits in the host, if there is room.
  bool take(HostId host, std::uint32_t bytes) {
    if (used_[host.index] + bytes > static_cast<std::uint64_t>(config_.memory)) return false;
    used_[host.index] += bytes;
    return true;
  }

  [[gnu::always_inline]] void fetch(HostId host) const {
    __builtin_prefetch(&records_[host.index * lanes_], 1);
  }
  const FlowQueues& of_flows() const { return of_flows_; }
  AdapterService service() const { return config_.service; }
  std::size_t queues() const { return queues_; }
  std::size_t bytes_of_state() const {
    return records_.capacity() * sizeof(Record) + of_flows_.bytes_of_state() +
           (used_.capacity() + queue_bytes_.capacity()) * 8 + overflow_.capacity() * sizeof(PacketList);
  }

 private:
  struct Ring {
    QueueId head, tail;
  };
  // The two have numbers of their own. With one queue per ring they belong together, and are touched together.
  struct Record {
    Queue queue;
    Ring ring;
  };
  Ring& ring(RingId r) { return records_[r.index].ring; }

  AdapterConfig config_;
  std::uint32_t lanes_;
  std::uint32_t per_host_ = 1;
  std::size_t queues_ = 0;
  BigVector<Record> records_;
  FlowQueues of_flows_;
  std::vector<std::uint64_t> used_;
  std::vector<std::uint64_t> queue_bytes_;  // per queue, only with a queue limit
  std::vector<PacketList> overflow_;
};

}  // namespace weir
