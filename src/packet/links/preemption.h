// Lanes that interrupt others. Express lanes have a time line of their own on every link; what they use is added to the
// packet of another lane that is on the wire, here and on every link that its head already leads on to.
//
// A packet's tail is looked up, and moved, on links of other nodes while it is on its way: preemptive fabrics are one
// group of nodes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"

namespace weir {

class Preemption {
 public:
  Preemption(const SwitchConfig& config, std::uint32_t links)
      : active_(config.priority == LanePriority::preemptive),
        express_from_{config.express_from},
        crossing_(config.organisation->crossbar ? config.switch_delay.ps : 0) {
    if (!active_) return;
    carried_.resize(links);
    moved_.resize(links);
  }
  bool active() const { return active_; }
  void end() {  // nothing will be interrupted any more, and nothing that was is on its way
    WEIR_CHECK(moves_ == 0);
    active_ = false;
  }
  // The lowest lane that interrupts others; beyond all lanes where none does.
  Lane express_from() const { return express_from_; }
  bool is_express(Lane lane) const { return lane >= express_from_; }
  // Until when express packets have the link; where active().
  std::int64_t express_until(LinkId l) const { return carried_[l.index].express_until; }
  // A packet will start onto this link soon.
  [[gnu::always_inline]] void fetch(LinkId l) const {
    if (active_) __builtin_prefetch(&carried_[l.index], 1);
  }

  // An interruptible packet starts onto this link, as its packet `number`. Returns when it will end, which is later
  // than `end` if it was interrupted on the link before while its head went ahead.
  [[gnu::always_inline]] std::int64_t carry(const FabricState& fabric, LinkId l, const Packet& p, std::uint32_t number,
                                            std::int64_t end) {
    if (!active_) return end;
    Carried& here = carried_[l.index];
    here = {number, {}, {}, 0, end, here.express_until};
    if (!p.came_by.valid()) return end;
    const LinkId before = fabric.link_of(p.came_by);
    if (carried_[before.index].number != p.number) return end;  // its tail has left that link long ago
    here.back = before;
    here.number_there = p.number;
    carried_[before.index].onward = l;
    return std::max(end, tail_lands(fabric, before));
  }
  // An express packet takes the link until `end`, and the other one that is on the wire resumes afterwards. An express
  // packet that has interrupted the same packet on the link before arrives in the very gap that it has torn there, and
  // fills it.
  void interrupt(FabricState& fabric, LinkId l, const Packet& p, std::int64_t end, std::int64_t now) {
    Link& link = fabric.link(l);
    Carried& under = carried_[l.index];
    under.express_until = end;
    if (link.busy_until <= now) return;
    under.own_end += end - now;
    const bool in_its_gap = under.back.valid() && carried_[under.back.index].number == under.number_there &&
                            p.came_by.valid() && fabric.link_of(p.came_by) == under.back &&
                            tail_lands(fabric, under.back) > p.time;
    const std::int64_t extra = in_its_gap ? under.own_end - link.busy_until : end - now;
    if (extra > 0) stretch(fabric, l, extra);
  }
  // By how much the landing of this packet, which counts by its tail, has moved since it was sent. Asked once.
  [[gnu::always_inline]] std::int64_t stretched(const FabricState& fabric, LinkId l, const Packet& p) {
    return moves_ == 0 || !fabric.kind(l).by_tail ? 0 : take_move(l, p.number);
  }
  // When the tail of this packet, if it is still arriving by link `l`, will have left the wire; 0 if it has.
  std::int64_t tail_of(const FabricState& fabric, LinkId l, const Packet& p) const {
    if (!active_ || carried_[l.index].number != p.number) return 0;
    return fabric.link(l).busy_until + fabric.kind(l).latency;
  }

 private:
  // The interruptible packet that a link carries or carried last; and until when others interrupt it.
  struct alignas(32) Carried {
    std::uint32_t number = 0;  // of the packet; 0 = none yet
    LinkId back, onward;       // links over which it came and on which its head went on
    std::uint32_t number_there = 0;  // on the link over which it came
    std::int64_t own_end = 0;  // when it would end had no earlier link been interrupted
    std::int64_t express_until = 0;
  };

  // The landing of a packet has moved.
  struct Move {
    std::uint32_t number;
    std::int64_t later;
  };

  std::int64_t take_move(LinkId l, std::uint32_t number) {
    std::vector<Move>& moves = moved_[l.index];
    for (Move& move : moves) {
      if (move.number != number) continue;
      const std::int64_t later = move.later;
      move = moves.back();
      moves.pop_back();
      --moves_;
      return later;
    }
    return 0;
  }
  void add_move(LinkId l, std::uint32_t number, std::int64_t later) {
    for (Move& move : moved_[l.index]) {
      if (move.number != number) continue;
      move.later += later;
      return;
    }
    moved_[l.index].push_back({number, later});
    ++moves_;
  }
  // When the tail of the interruptible packet on this link will be where its head already is: before the next output.
  std::int64_t tail_lands(const FabricState& fabric, LinkId l) const {
    const Link& link = fabric.link(l);
    return link.busy_until + fabric.kind(link).latency + crossing_;
  }
  // The packet on link `l` is interrupted for `extra`: its tail comes later.
  void stretch(FabricState& fabric, LinkId l, std::int64_t extra) {
    Link& link = fabric.link(l);
    link.busy_until += extra;
    Carried& under = carried_[l.index];
    if (!under.onward.valid()) {
      if (fabric.kind(link).by_tail) add_move(l, under.number, extra);
      return;
    }
    const std::int64_t missing = tail_lands(fabric, l) - fabric.link(under.onward).busy_until;
    if (missing > 0) stretch(fabric, under.onward, missing);
  }

  bool active_;
  Lane express_from_;
  std::int64_t crossing_;
  BigVector<Carried> carried_;  // by link
  std::vector<std::vector<Move>> moved_;  // by link: of the few packets that are on it
  std::uint64_t moves_ = 0;               // all together
};

}  // namespace weir
