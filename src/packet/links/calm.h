// Flows that never end, on routes that are set up for them: once the last route stands, nothing but their data moves.
// The fabric is calm then: nothing is interrupted, and what joins a queue leaves it at a moment that is known, so that
// it can be put onto its link at once (promises.h).
#pragma once
#include <algorithm>
#include <cstdint>

#include "packet/links/wire.h"
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

// Will this run be calm, if all routes can be set up?
bool may_calm_down(const RunInput& run, const SchemeTraits& scheme);

// From when on it is calm, if nothing but data moves any more and no route is longer than so many links: the last
// packet that was interrupted has left all of its links.
template <class E>
Time calm_from(E& e, std::size_t longest_route) {
  std::int64_t last = e.clock().ps(), latency = 0;
  e.fabric().used().each([&](std::uint32_t l, std::size_t) {
    last = std::max(last, e.fabric().link({l}).busy_until);
    if (interrupts(e)) last = std::max(last, e.preemption.express_until({l}));
    latency = std::max<std::int64_t>(latency, e.fabric().kind(LinkId{l}).latency);
  });
  return {last + static_cast<std::int64_t>(longest_route + 1) * latency + 1};
}

}  // namespace weir
