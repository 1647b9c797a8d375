// Lanes that share a link by weight: Ethernet's ETS, InfiniBand's arbitration tables. Each lane in its turn sends until
// it has used up what its weight grants, by whole packets: what it has sent too much counts against its next turn. A
// lane that has nothing, or may not send, loses its turn and what was left of it. Lanes of weight 0 go before all
// others, the highest first.
#pragma once
#include <cstdint>
#include <vector>

#include "packet/config/config.h"
#include "packet/config/lane_weights.h"
#include "packet/ids.h"

namespace weir {

class LaneTurns {
 public:
  // `largest`: the lane of the smallest weight is granted a packet of this size.
  LaneTurns(const SwitchConfig& config, Bytes largest, std::size_t links) {
    const double least = least_weight(config.lane_weights);
    for (const double weight : config.lane_weights)
      grants_.push_back(static_cast<std::int64_t>(weight / least * static_cast<double>(largest)));
    if (!active()) return;
    left_.resize(links * grants_.size());
    turn_.resize(links);
  }
  bool active() const { return !grants_.empty(); }

  // send(lane): sends a packet of this lane and returns its bytes; 0 if there is none that may go.
  template <class Send>
  void serve(LinkId l, const Send& send) {
    const auto lanes = static_cast<std::uint32_t>(grants_.size());
    for (Lane lane{lanes}; lane.index-- > 0;)
      if (grants_[lane.index] == 0 && send(lane) > 0) return;
    std::uint32_t& turn = turn_[l.index];
    for (std::uint32_t tried = 0; tried < lanes; ++tried, turn = (turn + 1) % lanes) {
      if (grants_[turn] == 0) continue;
      std::int64_t& left = left_[std::size_t{l.index} * lanes + turn];
      if (left <= 0) left += grants_[turn];
      const std::int64_t sent = send(Lane{turn});
      if (sent == 0) {
        left = 0;
        continue;
      }
      left -= sent;
      if (left <= 0) turn = (turn + 1) % lanes;
      return;
    }
  }

 private:
  std::vector<std::int64_t> grants_;  // by lane, in bytes
  std::vector<std::int64_t> left_;    // by link and lane
  std::vector<std::uint32_t> turn_;   // by link
};

}  // namespace weir
