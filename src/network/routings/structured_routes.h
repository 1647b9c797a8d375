// Routes that follow from the structure of a fabric, computed where they are asked for: no table of switches times
// hosts. One class per family of fabrics; a RouteTable holds one of them.
//
// A *detour* leads by the shortest way to a midpoint, which is drawn for every packet, and from there by the shortest
// way on (Valiant). What a midpoint is, a switch or a group, the class says. Where a packet is and on which lane tell
// whether it has passed its midpoint, so nothing has to be remembered but the midpoint itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "network/route_step.h"

namespace weir {

class StructuredRoutes {
 public:
  virtual ~StructuredRoutes() = default;

  // The default step of the shortest ways, and all of them, the default first; none where no packet comes any more.
  virtual RouteStep step(SwitchId s, HostId destination) const = 0;
  virtual void candidates(SwitchId s, HostId destination, std::vector<RouteStep>& steps) const {
    steps.assign(1, step(s, destination));
  }
  virtual bool has_alternatives() const { return false; }
  // How many lanes these routes use, detours included if they are prepared for them.
  virtual std::uint32_t lanes() const = 0;
  virtual std::size_t bytes_of_state() const = 0;

  // True where the structure proves that no packets wait for each other in a circle: every step of every route leads to
  // a channel of higher rank. The class says which ranks these are.
  virtual bool proves_no_cycle() const = 0;

  // How many midpoints there are; 0 where the routes have no detours.
  virtual std::uint32_t midpoints() const { return 0; }
  // A midpoint for a packet at its first switch, from a random word; none where every detour would be the shortest way.
  virtual std::optional<std::uint32_t> midpoint(SwitchId, HostId, std::uint64_t) const { return std::nullopt; }
  // The step of a packet that makes a detour and has come to `s` on `lane` (within the block).
  virtual RouteStep detour_step(SwitchId s, Lane, HostId destination, std::uint32_t) const {
    return step(s, destination);
  }
  // Links between switches that the shortest way has before it, and the detour.
  virtual std::uint32_t hops(SwitchId, HostId) const { return 0; }
  virtual std::uint32_t detour_hops(SwitchId s, HostId destination, std::uint32_t) const {
    return hops(s, destination);
  }
};

// A random word as a number below n.
constexpr std::uint32_t below(std::uint32_t n, std::uint64_t random) {
  return static_cast<std::uint32_t>((random >> 32) * n >> 32);
}

}  // namespace weir
