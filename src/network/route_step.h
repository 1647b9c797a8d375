// One step of a route: the port by which a packet leaves a switch, and the lane on which it goes on.
//
// How lanes of routes and lanes of traffic combine, here once for all. A routing that needs n lanes takes those of
// every link in blocks of n: 0 to n - 1, n to 2n - 1, and so on. A packet starts on the lane that its traffic names,
// which is the first of a block, and stays within that block all its way; a step names a lane within the block, keeps
// the one that the packet has, or raises it by one. So traffic on another block sees the same network again, with
// another priority: what is proved for one block holds for each of them. A routing without lanes has blocks of one, and
// packets keep their lane.
#pragma once
#include <cstdint>

#include "base/ids.h"

namespace weir {

// One word, as route tables store it: the port below, above it 0 for "keep the lane", the lane and 1, or 15 for "one
// lane up".
class RouteStep {
 public:
  static constexpr std::uint32_t kMostLanes = 8;

  constexpr RouteStep() = default;                         // no route
  constexpr RouteStep(PortId port) : word_(port.index) {}  // a port alone keeps the lane
  constexpr RouteStep(PortId port, Lane lane) : word_((port.index & kPortBits) | (lane.index + 1) << kShift) {}

  static constexpr RouteStep one_lane_up(PortId port) {
    RouteStep step(port);
    step.word_ = (port.index & kPortBits) | kUp << kShift;
    return step;
  }

  // The shift up and down spreads the top bit of the port, so that none stays none.
  constexpr PortId port() const {
    return {static_cast<std::uint32_t>(static_cast<std::int32_t>(word_ << (32 - kShift)) >> (32 - kShift))};
  }
  constexpr bool valid() const { return port().valid(); }
  constexpr bool keeps_lane() const { return word_ >> kShift == 0; }
  constexpr bool raises_lane() const { return valid() && word_ >> kShift == kUp; }
  constexpr Lane lane() const { return {(word_ >> kShift) - 1}; }  // within the block; only where it is named
  // The lane after this step of a packet that came on `before`, both within the block.
  constexpr Lane lane_after(Lane before) const {
    return keeps_lane() ? before : raises_lane() ? Lane{before.index + 1} : lane();
  }

  friend constexpr auto operator<=>(RouteStep, RouteStep) = default;

 private:
  static constexpr unsigned kShift = 28;
  static constexpr std::uint32_t kUp = 15;
  static constexpr std::uint32_t kPortBits = (std::uint32_t{1} << kShift) - 1;
  std::uint32_t word_ = 0xffff'ffffu;
};
static_assert(!RouteStep().valid() && !RouteStep(PortId{}).valid() && RouteStep(PortId{5}, Lane{7}).lane() == Lane{7} &&
              RouteStep::one_lane_up(PortId{5}).port() == PortId{5} && RouteStep::one_lane_up(PortId{5}).raises_lane());

// Blocks of `size` lanes.
class LaneBlocks {
 public:
  explicit constexpr LaneBlocks(std::uint32_t size = 1) : size_(size) {
    for (std::uint32_t lane = 0; lane < RouteStep::kMostLanes; ++lane) first_ |= (lane - lane % size) << 4 * lane;
  }
  constexpr std::uint32_t size() const { return size_; }
  constexpr Lane first(Lane lane) const { return {first_ >> 4 * lane.index & 15}; }
  constexpr Lane within(Lane lane) const { return {lane.index - first(lane).index}; }
  // The lane of a packet after a step.
  constexpr Lane after(Lane lane, RouteStep step) const {
    if (step.keeps_lane()) return lane;
    return step.raises_lane() ? Lane{lane.index + 1} : Lane{first(lane).index + step.lane().index};
  }

 private:
  std::uint32_t size_;
  std::uint32_t first_ = 0;  // of the block of each lane, four bits each
};

}  // namespace weir
