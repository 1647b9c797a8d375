// How packets get from an output buffer onto its link.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "packet/links/fabric_state.h"
#include "packet/links/wire.h"
#include "packet/switches/common.h"
#include "packet/switches/crossbar_ports.h"

namespace weir {

// A packet starts now.
template <class E>
void start(E& e, const Outlet& to, Packet& p, std::int32_t cost, CrossbarOutput& out) {
  const std::int64_t now = e.clock().ps();
  const Passage pass = passage(e, to, p, now);
  if (p.came_by.valid()) {
    out.fold(now);
    out.note(pass.end, cost);
  }
  send(e, to, p, cost, pass);
}

// One that joins alone, and finds its link idle and nobody waiting, starts without having queued; not if it could land
// at this very instant, which it would then do before its end.
template <class E>
bool pass(E& e, Packet& p, CrossbarOutput& out, ChannelId channel) {
  if (e.unsettled() || e.clock().more_now() || interrupts(e)) return false;
  const Outlet to = outlet(e, channel);
  const std::int64_t now = e.clock().ps();
  const std::int32_t cost = e.fabric().cost(p);
  if (to.kind.latency == 0 || !e.outputs.sends_at_once(e, to, p.lane()) ||
      !(to.lane.is(Channel::kUnlimited) || e.fabric().space_by(channel, to.lane, cost, now)))
    return false;
  p.time = now;
  show_in_queue(e, p, to);
  count_out_of_queue(e, p, to);
  start(e, to, p, cost, out);
  return true;
}

// A packet starts to cross to an output buffer into which nobody looks. If space at the far end of the link is certain,
// the packet is put onto the link at once, for the moment at which it will start.
// p.time: when it will be in the output buffer; `duration`: of its way onto the link. False if it is not certain when
// it will start, or if that cannot be noted: a link knows of one stretch of idleness before what was promised to it.
template <class E>
bool promise(E& e, Packet& p, std::int32_t cost, CrossbarOutput& out, const Outlet& to, std::int64_t duration) {
  constexpr std::int64_t kLongest = std::numeric_limits<std::uint32_t>::max();
  Channel& c = to.lane;
  const Link& link = to.link;
  const std::int64_t now = e.clock().ps(), joins = p.time, start = std::max(joins, link.busy_until);
  const std::int64_t idle = start - std::max(now, link.busy_until);
  const LinkGap gap = e.fabric().gap(to.l);
  const bool waits = out.leaving == CrossbarOutput::kMost || !c.queue.empty() || c.is(Channel::kBlocked);
  if (waits | ((idle > 0) & (gap.end > now)) | (std::max(idle, start - joins) > kLongest)) return false;
  if (!c.is(Channel::kUnlimited) && !e.fabric().space_by(to.channel, c, cost, start)) return false;
  const std::int64_t is_new = -std::int64_t{idle > 0};  // all bits or none: it can hardly be predicted
  e.fabric().set_gap(to.l, {gap.end ^ ((gap.end ^ start) & is_new), gap.length ^ ((gap.length ^ idle) & is_new)});
  const Passage pass{start, start + duration, duration, false};
  p.will_wait = static_cast<std::uint32_t>(start - joins);
  if (start > joins) {
    OutputGauge& gauge = e.fabric().output(to.channel);
    gauge.waited += CostTime{p.size} * (start - joins);
    gauge.peak_backlog = std::max(gauge.peak_backlog, pass.end - joins);
  }
  out.note(pass.end, cost);
  send(e, to, p, cost, pass);
  return true;
}

}  // namespace weir
