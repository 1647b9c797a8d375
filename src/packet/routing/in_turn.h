// Equally good ways one after the other, whatever the destination. The default step comes first in `steps`, and differs
// from destination to destination; turns go by port.
#pragma once
#include <vector>

#include "packet/routing/spreading.h"

namespace weir {

class InTurn : public SpreadingChoice<InTurn> {
 public:
  static constexpr RouteChoiceKind kKind{
      .spec = {.name = "round-robin", .help = "in turn for each packet"}, .ways = WaysTaken::all, .spreads = true};

  explicit InTurn(const ChoiceInput& in) : SpreadingChoice(in), next_(in.topology.switches(), 0) {}
  template <class E> RouteStep pick(E&, SwitchId s, const Packet&, std::span<const RouteStep> steps) {
    if (steps.size() == 1) return steps[0];
    return nth_by_port(steps, next_[s.index]++ % static_cast<std::uint32_t>(steps.size()));
  }
  std::size_t bytes_of_state() const { return next_.capacity() * sizeof(std::uint32_t); }

 private:
  static RouteStep nth_by_port(std::span<const RouteStep> steps, std::uint32_t n) {
    for (const RouteStep candidate : steps) {
      std::uint32_t lower = 0;
      for (const RouteStep other : steps) lower += other.port() < candidate.port();
      if (lower == n) return candidate;
    }
    return steps[0];
  }

  std::vector<std::uint32_t> next_;  // by switch: turns so far
};

WEIR_ROUTE_CHOICE(InTurn)

}  // namespace weir
