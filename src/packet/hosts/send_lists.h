// What waits in the send queues of the hosts, in little memory: in an overloaded fabric that is nearly everything. The
// first packet of a queue is a whole record in the pool, for the scheme and the link to look at, and so are tokens of
// flows and the first few packets of a host. Of the packets behind them is kept
//   nothing   where a queue belongs to a source, or to all sources of a host and lane: they are drawn again (replay.h);
//             a note in the queue's list says how many
//   a note    of 16 bytes where the destination decides on the queue (a cursor per queue would take more than notes
//             do), where a limit refuses packets (a second drawing would have to know which), and where so many
//             sources share a host that looking for the next one would take long
//   a record  where others hold on to it: with a limited adapter memory, and with flow set-up.
#pragma once
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "packet/config/config.h"
#include "packet/hosts/replay.h"
#include "packet/waiting.h"

namespace weir {

enum class Kept : std::uint8_t { nothing, note, record };  // of a packet that waits
Kept kept_of_waiting(const PacketConfig& config, const Workload& workload, std::size_t hosts);
// Bytes of one, as the pools grow.
double bytes_of_waiting(Kept kept);
// Of each host; those of one follow each other. And the number of all.
std::vector<std::uint32_t> first_sources(const Workload& workload, std::size_t hosts);

class SendLists {
 public:
  // `whole`: packets that wait at a host before less is kept of further ones.
  SendLists(const PacketConfig& config, const Workload& workload, std::size_t hosts, std::uint32_t whole);

  // A record that lies in the pool already.
  void append(WaitingPackets& pool, PacketList& list, PacketSlot slot) {
    next_of(pool, slot) = kNoPacket;
    if (list.empty()) list.head = slot;
    else next_of(pool, list.tail) = slot;
    list.tail = slot;
  }
  // Keeps less than a record of this packet, if that is possible; `waiting`: packets at its host, this one included.
  template <class E>
  bool append_small(E& e, QueueId queue, PacketList& list, const Birth& birth, std::uint32_t waiting) {
    if (kept_ == Kept::record || list.empty()) return false;
    const bool replays = kept_ == Kept::nothing;
    if (!(replays && replay_.must_take(birth.source))) {
      if (waiting <= whole_ || (replays && !replay_.may_take(queue, birth))) return false;
    }
    if (replays) {
      append_unkept(e, queue, list, birth);
      return true;
    }
    e.waiting.count_unkept();
    append(e.waiting, list, new_note({birth.at.ps, code_of(birth), kNoPacket}));
    return true;
  }
  // Keeps nothing of this packet, which will be drawn again.
  template <class E>
  [[gnu::always_inline]] void append_unkept(E& e, QueueId queue, PacketList& list, const Birth& birth) {
    e.waiting.count_unkept();
    replay_.put(queue, birth, *e.sources.state(birth.source));
    if (is_note(list.tail)) ++note(list.tail).word;
    else append(e.waiting, list, new_note({0, 1, kNoPacket}));
  }
  // Will the last of these be drawn again?
  bool ends_unkept(const PacketList& list) const { return kept_ == Kept::nothing && is_note(list.tail); }
  // A packet of this source will join soon.
  [[gnu::always_inline]] void fetch(std::uint32_t source) const {
    if (kept_ == Kept::nothing) replay_.fetch(source);
  }
  // One of it that was not kept will leave soon.
  [[gnu::always_inline]] void fetch_all(std::uint32_t source) const { replay_.fetch_all(source); }
  // The first leaves, and the next becomes a whole record.
  template <class E>
  void drop_first(E& e, QueueId queue, PacketList& list) {
    const HostId host = e.waiting[list.head].source;
    const Lane lane = e.waiting[list.head].lane();
    e.waiting.give_back(list.pop_front(e.waiting));
    if (!is_note(list.head)) return;
    const PacketSlot noted = list.head;
    Note& n = note(noted);
    const bool replays = kept_ == Kept::nothing;
    e.waiting.uncount_unkept();
    const PacketSlot slot =
        e.waiting.keep(e.sources.made(e, replays ? drawn_again(queue, host, lane) : birth_of(n, host)));
    list.head = slot;
    if (replays && --n.word > 0) {
      e.waiting.next(slot) = noted;
      return;
    }
    e.waiting.next(slot) = n.next;
    if (list.tail == noted) list.tail = slot;
    n.next = free_;
    free_ = noted;
  }

  // Calls visit(slot) for every record; returns how many packets wait of which less is kept.
  template <class Visit>
  std::uint64_t each(const WaitingPackets& pool, const PacketList& list, const Visit& visit) const {
    std::uint64_t small = 0;
    for (PacketSlot p = list.head; p.valid(); p = is_note(p) ? note(p).next : pool.next(p)) {
      if (!is_note(p)) visit(p);
      else small += kept_ == Kept::nothing ? note(p).word : 1;
    }
    return small;
  }
  std::size_t bytes_of_state() const {
    return blocks_.size() * (sizeof(Note) << kBlockBits) + replay_.bytes_of_state() + first_.capacity() * 4;
  }

 private:
  struct Note {
    std::int64_t time;   // of the packet's birth
    std::uint32_t word;  // its source, size and destination as one number; or how many are to be drawn again
    PacketSlot next;
  };
  static_assert(sizeof(Note) == 16);
  static constexpr std::uint32_t kNoteBit = 1u << 31;  // in a slot: it is the place of a note
  static constexpr std::uint32_t kBlockBits = 12, kBlockMask = (1u << kBlockBits) - 1;

  static bool is_note(PacketSlot slot) { return slot.valid() && (slot.index & kNoteBit) != 0; }
  Note& note(PacketSlot slot) {
    const std::uint32_t place = slot.index & ~kNoteBit;
    return blocks_[place >> kBlockBits][place & kBlockMask];
  }
  const Note& note(PacketSlot slot) const {
    const std::uint32_t place = slot.index & ~kNoteBit;
    return blocks_[place >> kBlockBits][place & kBlockMask];
  }
  PacketSlot& next_of(WaitingPackets& pool, PacketSlot slot) {
    return is_note(slot) ? note(slot).next : pool.next(slot);
  }
  PacketSlot new_note(const Note& n) {
    PacketSlot slot = free_;
    if (slot.valid()) free_ = note(slot).next;
    else slot = another_place();
    note(slot) = n;
    return slot;
  }
  PacketSlot another_place();
  Birth drawn_again(QueueId queue, HostId host, Lane lane) {
    if (!own_queues_) return replay_.take(first_[host.index], first_[host.index + 1], lane);
    const std::uint32_t source = queue.index - static_cast<std::uint32_t>(workload_.flows.size());
    return replay_.take(source, source + 1, lane);
  }
  std::uint32_t code_of(const Birth& birth) const;
  Birth birth_of(const Note& n, HostId host) const;

  const Workload& workload_;
  Kept kept_;
  bool own_queues_;  // per source, behind those of flows
  std::uint32_t whole_;
  Replay replay_;
  std::uint32_t hosts_, sizes_;       // for the numbers in notes
  std::vector<std::uint32_t> first_;  // per host: its first source
  std::vector<BigVector<Note>> blocks_;
  std::uint32_t places_ = 0;
  PacketSlot free_;
};

}  // namespace weir
