#include "packet/routing/snooping.h"

#include "base/error.h"

namespace weir {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 25;

}  // namespace

SnoopingTables::SnoopingTables(const SnoopConfig& config, const Topology& topology, std::uint64_t seed)
    : config_(config), hosts_(topology.hosts()), local_(topology.ports()) {
  const std::size_t needed = topology.ports() * hosts_;
  if (needed > kMostEntries)
    throw InputError("routing choice \"snooping\" keeps an entry per port and destination; this fabric needs " +
                     std::to_string(needed) + ", at most " + std::to_string(kMostEntries) + " are possible");
  entries_.resize(needed);
  for (std::uint32_t s = 0; s < topology.switches(); ++s) random_.emplace_back(seed, Purpose::routing, s);
}

void SnoopingTables::update(PortId port, const Notification& n, bool local, std::int64_t now) {
  if (n.feedback >= 0) return;
  const std::size_t i = index(port, n.destination);
  settle(i, now);
  Entry& entry = entries_[i];
  const bool newly_marked = !entry.congested;
  if (newly_marked) {
    entry.congested = true;
    entry.local = local;
    if (local) local_[port.index].push_back(n.destination);
    ++markings_;
  } else if (entry.local) {
    entry.local = local;  // what is farther away is worse news than the own queue, never the reverse
  }
  ++entry.count;
  entry.feedback += std::int64_t{entry.count} * n.feedback;
  start_timer(i, newly_marked, now);
}

void SnoopingTables::start_timer(std::size_t i, bool newly_marked, std::int64_t now) {
  const std::int64_t at = now + config_.timer.ps;
  switch (config_.timing) {
    case SnoopTiming::restart: entries_[i].timer = at; break;
    case SnoopTiming::once:  // a timer that ran out on a local entry has had no effect: the next update starts another
      if (newly_marked || entries_[i].timer == kNever.ps) entries_[i].timer = at;
      break;
    case SnoopTiming::each: each_[i].push_back(at); break;
  }
}

// Lets the timers that have run out by now take effect. Between two calls nothing else changes whether an entry is
// local, so the outcome is that of an event at the very moment.
void SnoopingTables::settle(std::size_t i, std::int64_t now) {
  Entry& entry = entries_[i];
  if (config_.timing == SnoopTiming::each) {
    const auto running = each_.find(i);
    if (running == each_.end()) return;
    while (!running->second.empty() && running->second.front() <= now) {
      running->second.pop_front();
      if (!entry.local) reset(i);
    }
    if (running->second.empty()) each_.erase(running);
    return;
  }
  if (entry.timer > now) return;
  entry.timer = kNever.ps;
  if (!entry.local) reset(i);
}

void SnoopingTables::reset(std::size_t i) { entries_[i] = {}; }

void SnoopingTables::reset_local(PortId port) {
  for (const HostId destination : local_[port.index]) {
    Entry& entry = entries_[index(port, destination)];
    if (entry.local) entry = {};
  }
  local_[port.index].clear();
}

RouteStep SnoopingTables::choose(std::span<const RouteStep> candidates, HostId destination, std::int64_t now) {
  RouteStep best = candidates.front();
  std::int64_t mildest = 0;
  for (const RouteStep step : candidates) {
    const Entry& here = entry(step.port(), destination, now);
    if (!here.congested) return step;
    if (step == candidates.front() || here.feedback > mildest) {
      best = step;
      mildest = here.feedback;
    }
  }
  return best;
}

RouteStep SnoopingTables::choose_return(SwitchId s, std::span<const RouteStep> candidates) {
  if (config_.default_return || candidates.size() == 1) return candidates.front();
  return candidates[random_[s.index].below(candidates.size())];
}

const SnoopingTables::Entry& SnoopingTables::entry(PortId port, HostId destination, std::int64_t now) {
  const std::size_t i = index(port, destination);
  if (config_.timing == SnoopTiming::each ? entries_[i].congested : entries_[i].timer <= now) settle(i, now);
  return entries_[i];
}

std::size_t SnoopingTables::bytes_of_state() const {
  return entries_.capacity() * sizeof(Entry) + local_.capacity() * sizeof(local_[0]) +
         random_.capacity() * sizeof(random_[0]);
}

}  // namespace weir
