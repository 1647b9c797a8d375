// The part of PacketEngine that recognises a network in which nothing can move any more.
#pragma once
#include "packet/engine.h"

namespace weir {

// Packets that wait at hosts take memory: where there are too many, the source that finds it makes no more, even at an
// instant at which it would make a billion, and the run ends.
template <class Family>
void PacketEngine<Family>::end_saturated() {
  end_at({now_}, Ending::saturated,
         "more than " + std::to_string(config_.run.max_backlog) + " packets wait at the hosts");
}

// Looks for a deadlock where there is a reason to: nothing is pending any more although packets are on their way; or
// the routes were not proven free of cycles, and some link has waited since before the last tick (with several lanes:
// some channel waits). A search looks at all packets, so after one in vain the next waits twice as long: a deadlock is
// noticed when the run has become about twice as long as when it arose, at the latest, or at the end of the run.
template <class Family>
void PacketEngine<Family>::check_stall(bool nothing_pending) {
  if (total_backlog_.seen(now_) > config_.run.max_backlog) return end_saturated();
  if (nothing_pending) {
    if (data_generated_ > data_received_ && !search_deadlock())
      end_at({now_}, Ending::saturated, "nothing moves any more, though no cycle of links was found");
    return;
  }
  if (routes_proven_ || now_ < next_search_ || !anybody_waits() || search_deadlock()) return;
  search_gap_ = 2 * std::max(search_gap_, now_ - last_tick_);
  next_search_ = now_ + search_gap_;
}

template <class Family>
bool PacketEngine<Family>::anybody_waits() const {
  for (std::uint32_t l = 0; l < fabric_.links(); ++l) {
    if (fabric_.wait(l).since >= 0 && fabric_.wait(l).since < last_tick_) return true;
    for (std::uint32_t v = 0; fabric_.lanes() > 1 && v < fabric_.lanes(); ++v)
      if (fabric_.channel(fabric_.channel_of(l, v)).is(Channel::kBlocked | Channel::kPaused)) return true;
  }
  return false;
}

// True if there is one; the run ends with it.
template <class Family>
bool PacketEngine<Family>::search_deadlock() {
  const std::vector<std::uint32_t> cycle = find_deadlock(blocked_channels());
  if (cycle.empty()) return false;
  std::string text = "the links wait for each other: ";
  for (const std::uint32_t c : cycle) text += topology_.port_name({fabric_.link_of(c)}) + " -> ";
  end_at({now_}, Ending::deadlock, text + topology_.port_name({fabric_.link_of(cycle.front())}));
  return true;
}

// The channels that wait for space, and which outputs the packets wait for that occupy it. A channel to which space is
// on its way back already is not among them.
template <class Family>
Standstill PacketEngine<Family>::blocked_channels() {
  Standstill still;
  std::vector<std::int64_t> standing(fabric_.channel_of(fabric_.links(), 0), 0);
  const auto walk = [&](const PacketList& list, std::uint32_t output) {
    for (PacketIndex p = list.head; p != kNoPacket; p = pool_[p].next) {
      if (pool_[p].came_by == kNoChannel) continue;
      standing[pool_[p].came_by] += fabric_.cost(pool_[p]);
      if (output != kNoChannel) still.edges.push_back({pool_[p].came_by, output});
    }
  };
  for (std::uint32_t l = 0; l < fabric_.links(); ++l) {
    const Link& link = fabric_.link(l);
    for (std::uint32_t v = 0; v < fabric_.lanes(); ++v) {
      const std::uint32_t c = fabric_.channel_of(l, v);
      if (crossbar_) {  // what stands in an output buffer has left its input buffer; behind the head of a FIFO nothing
                        // moves
        walk(crossbar_in_[c].fifo, kNoChannel);
        if (crossbar_in_[c].wanted != kNoChannel) still.edges.push_back({c, crossbar_in_[c].wanted});
      } else if (voq_lists_ && !link.is(Link::kFromHost)) {
        const std::uint32_t radix = topology_.port_count({link.sender});
        const std::uint32_t output = topology_.local({l});
        for (std::uint32_t i = 0; i <= radix; ++i) walk(virtual_queues_.at(link.sender, radix, i, output, v), c);
      } else {
        walk(fabric_.channel(c).queue, c);
      }
    }
  }
  std::vector<bool> landing(standing.size(), false);
  queue_.for_each([&](const QueuedEvent& e) {
    if (e.kind() == EventKind::arrival) landing[e.entity()] = true;
  });
  for (std::uint32_t c = 0; c < standing.size(); ++c) {
    const Channel& channel = fabric_.channel(c);
    const bool waits =
        pause_ ? channel.is(Channel::kPaused) && channel.is(Channel::kStopSent) : channel.is(Channel::kBlocked);
    if (waits && !landing[c] && fabric_.outstanding(c) == standing[c]) still.blocked.push_back(c);
  }
  return still;
}

}  // namespace weir
