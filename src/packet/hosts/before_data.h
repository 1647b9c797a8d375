// Packets that are no data, at the host that they come from.
#pragma once
#include <algorithm>
#include <cstdint>

#include "packet/links/fabric_state.h"
#include "packet/links/wire.h"

namespace weir {

// Nothing goes before them. Where it is certain when the next one will start, it is put onto its link at once. There is
// one lane.
template <class E>
bool promise_before_data(E& e, LinkId l, const Packet& p) {
  if (!e.switches.promises()) return false;
  const Outlet out = outlet(e, ChannelId{l.index});
  if (!out.lane.queue.empty() || out.lane.is(Channel::kBlocked | Channel::kPaused) || out.link.is(Link::kWaiting))
    return false;
  const std::int64_t start = std::max(e.clock().ps(), out.link.busy_until);
  const std::int32_t cost = e.fabric().cost(p);
  if (!out.lane.is(Channel::kUnlimited) && !e.fabric().space_by(out.channel, out.lane, cost, start)) return false;
  send(e, out, p, cost, passage(e, out, p, start));
  return true;
}

}  // namespace weir
