// The turns of the lanes in front of each link (config/lane_order.h). An entry of a round sends until it has used up
// its grant, by whole packets. A lane that has nothing, or may not send, loses its turn and what was left of it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "packet/config/lane_order.h"
#include "packet/ids.h"

namespace weir {

class LaneTurns {
 public:
  // An empty order is strict priority, which its owner has a shorter way for.
  LaneTurns(const LaneOrder& order, std::uint32_t lanes, std::size_t links) : lanes_(lanes), links_(links) {
    if (!order.empty()) begin(order);
  }
  bool active() const { return !orders_.empty(); }

  // From now on the lanes of this link have another order, an empty one: that of all links at first.
  void set(LinkId l, LaneOrder order) {
    if (!active()) begin(strict_order(lanes_));
    if (order_of_.empty()) order_of_.resize(links_);
    if (order.empty()) order = orders_[0];
    const auto found = std::find(orders_.begin(), orders_.end(), order);
    const auto number = static_cast<std::uint32_t>(found - orders_.begin());
    if (order_of_[l.index] == number) return;
    order_of_[l.index] = number;
    if (found == orders_.end()) orders_.push_back(std::move(order));
    std::fill_n(turns_.begin() + static_cast<std::ptrdiff_t>(l.index * rounds()), rounds(), Turn{});
    std::fill_n(owed_.begin() + static_cast<std::ptrdiff_t>(std::size_t{l.index} * lanes_), lanes_, 0);
    sent_first_[l.index] = 0;
  }

  // send(lane): sends a packet of this lane and returns its bytes; 0 if there is none that may go. It is asked once for
  // a lane.
  template <class Send>
  void serve(LinkId l, const Send& send) {
    const LaneOrder& order = orders_[order_of_.empty() ? 0 : order_of_[l.index]];
    Turn* const turns = &turns_[l.index * rounds()];
    std::int64_t* const owed = &owed_[std::size_t{l.index} * lanes_];
    std::int64_t& sent_first = sent_first_[l.index];
    std::uint32_t silent = 0;  // lanes
    const auto serve_round = [&](std::size_t r) {
      return in_turn(order, order.rounds[r], turns[r], owed, silent, send);
    };
    const bool gives_way = sent_first >= order.limit;
    for (std::size_t r = gives_way ? 1 : 0; r < order.rounds.size(); ++r) {
      const std::int64_t sent = serve_round(r);
      if (sent == 0) continue;
      sent_first = r == 0 ? sent_first + sent : 0;
      return;
    }
    if (gives_way) sent_first = serve_round(0);
  }

 private:
  struct Turn {
    std::uint32_t entry = 0;
    std::int64_t left = 0;  // of its grant; 0: it begins
  };

  // As many as an order may have.
  std::size_t rounds() const { return std::max(lanes_, 2u); }
  void begin(const LaneOrder& order) {
    orders_.push_back(order);
    turns_.resize(links_ * rounds());
    owed_.resize(links_ * lanes_);
    sent_first_.resize(links_);
  }

  // A packet of the entry whose turn it is, or of the next that may send. What was sent, in the order's unit.
  template <class Send>
  static std::int64_t in_turn(const LaneOrder& order, const LaneOrder::Round& round, Turn& turn, std::int64_t* owed,
                              std::uint32_t& silent, const Send& send) {
    const auto pass_on = [&] { turn = {turn.entry + 1 < round.size() ? turn.entry + 1 : 0, 0}; };
    for (std::size_t tried = 0; tried < round.size(); ++tried) {
      const auto& [lane, grant] = round[turn.entry];
      if (turn.left == 0) turn.left = grant - std::exchange(owed[lane.index], 0);
      const std::uint32_t bit = 1u << lane.index;
      const std::int64_t bytes = (silent & bit) != 0 ? 0 : send(lane);
      if (bytes == 0) {
        silent |= bit;
        pass_on();
        continue;
      }
      const std::int64_t counts = (bytes + order.unit - 1) / order.unit * order.unit;
      turn.left -= counts;
      if (turn.left <= 0) {
        if (order.carries) owed[lane.index] = -turn.left;
        pass_on();
      }
      return counts;
    }
    return 0;
  }

  std::uint32_t lanes_;
  std::size_t links_;
  std::vector<LaneOrder> orders_;        // all that differ, that of all links at first
  std::vector<std::uint32_t> order_of_;  // by link, where they differ
  std::vector<Turn> turns_;              // by link and round
  std::vector<std::int64_t> owed_;       // by link and lane: sent beyond the last grant
  std::vector<std::int64_t> sent_first_;  // by link: of the first round, since another had its chance
};

}  // namespace weir
