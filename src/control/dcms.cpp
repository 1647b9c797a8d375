#include "control/dcms.h"

#include <algorithm>

namespace weir {
namespace {

constexpr std::uint64_t kHalfRange = std::uint64_t{1} << 31;
constexpr double kSlack = 1.25;  // a difference may exceed what time allows by so much: answers travel

}  // namespace

DcmsController::DcmsController(const Topology& topology, DcmsSettings settings, const std::vector<bool>& in_reach)
    : topology_(topology), settings_(settings), to_host_(topology.ports(), false), senders_(topology.nodes()),
      ports_(topology.ports()) {
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    const PortId port{p}, to = topology.to(port);
    const NodeId node = topology.node_of(port);
    if (topology.is_host(node) || !to.valid()) continue;
    if (!in_reach.empty() && !in_reach[topology.switch_of(node).index]) continue;
    switch_ports_.push_back(port);
    const NodeId next = topology.node_of(to);
    to_host_[p] = topology.is_host(next);
    if (!to_host_[p] && next != node) senders_[next.index].push_back(port);
  }
}

Actions DcmsController::step(Time now, const Telemetry& telemetry) {
  Actions actions;
  for (const PortReading& reading : telemetry.readings)
    if (reading.port.index < ports_.size()) take(now, reading, actions);
  if (sweeping_ && (awaited_.empty() || now >= judge_by_)) judge(now, actions);
  if (!sweeping_ && now >= next_sweep_) begin_sweep(now, actions);
  actions.wake_at = sweeping_ ? judge_by_ : next_sweep_;
  return actions;
}

void DcmsController::begin_sweep(Time now, Actions& actions) {
  const bool all = settings_.watch_every <= 1 || watched_.empty() || sweeps_ % settings_.watch_every == 0;
  ++sweeps_;
  sweeping_ = true;
  sweep_began_ = now;
  judge_by_ = now + settings_.answer_timeout;
  std::set<PortId> wanted;
  if (all) {
    wanted.insert(switch_ports_.begin(), switch_ports_.end());
  } else {  // what was congested before, and the ports that it would hold back
    for (const PortId port : watched_) {
      wanted.insert(port);
      const auto& senders = senders_[topology_.node_of(port).index];
      wanted.insert(senders.begin(), senders.end());
    }
  }
  actions.read.assign(wanted.begin(), wanted.end());
  awaited_ = std::move(wanted);
  for (PortMemory& memory : ports_) memory.fresh = false;
}

// Difference to the last reading; nothing where there is none or where it cannot be trusted.
std::optional<double> DcmsController::difference(Baseline& baseline, std::uint64_t value, bool saturates) const {
  const std::optional<std::uint64_t> before = baseline.value;
  const bool cleared_by_us = baseline.clear_asked;
  baseline = {value, false};
  if (!before) return {};
  if (saturates && (*before == kCounterMax || value == kCounterMax)) return {};  // it has stopped: who knows when
  if (value >= *before) return static_cast<double>(value - *before);
  // We cleared it right after the last reading: what it shows has been counted since. Otherwise somebody else did, or
  // the counter is broken.
  if (cleared_by_us) return static_cast<double>(value);
  return {};
}

void DcmsController::take(Time now, const PortReading& reading, Actions& actions) {
  if (awaited_.erase(reading.port) == 0) return;  // not asked for, or too late for its sweep
  judge_by_ = now + settings_.answer_timeout;     // requests are paced: while answers come in, more are on their way
  PortMemory& memory = ports_[reading.port.index];
  const bool clear_asked = memory.wait.clear_asked || memory.congestion.clear_asked;
  take_differences(now - memory.read_at, reading, memory);
  if (clear_asked) memory.wait.clear_asked = memory.congestion.clear_asked = false;
  memory.read_at = now;
  memory.fresh = true;
  const auto clear = [&](Baseline& baseline, auto value, Counter counter) {
    if (!value || *value < kHalfRange || (counter == Counter::xmit_wait && reading.wide_wait)) return;
    actions.clear.push_back({reading.port, counter});
    baseline.clear_asked = true;
  };
  clear(memory.wait, reading.xmit_wait, Counter::xmit_wait);
  clear(memory.congestion, reading.xmit_cong_time, Counter::xmit_cong_time);
}

// Whether a counter shows less than before and we did not clear it: then somebody has reset the port.
bool DcmsController::was_reset(const PortMemory& memory, const PortReading& reading) {
  const auto went_back = [](const Baseline& b, auto value) {
    return value && b.value && *value < *b.value && !b.clear_asked;
  };
  return went_back(memory.wait, reading.xmit_wait) || went_back(memory.congestion, reading.xmit_cong_time) ||
         went_back(memory.data, reading.xmit_data);
}

// What has been counted since the last reading, `elapsed` ago; nothing of what cannot be trusted.
void DcmsController::take_differences(Time elapsed, const PortReading& reading, PortMemory& memory) const {
  const bool first = !memory.data.value && !memory.wait.value && !memory.congestion.value;
  const bool usable = !was_reset(memory, reading) && !first && elapsed.ps > 0;
  const auto period = static_cast<double>(settings_.period.ps), passed = static_cast<double>(elapsed.ps);
  const auto update = [&](Baseline& baseline, auto value, bool saturates) -> std::optional<double> {
    if (!value) {
      baseline.value.reset();  // a gap: the next reading would span two intervals of unknown share
      return {};
    }
    const auto delta = difference(baseline, *value, saturates);
    if (!delta || !usable) return {};
    return settings_.rules.per_time ? *delta * period / passed : *delta;
  };
  memory.last_data_delta = memory.data_delta;
  memory.wait_delta = update(memory.wait, reading.xmit_wait, !reading.wide_wait);
  memory.congestion_delta = update(memory.congestion, reading.xmit_cong_time, true);
  memory.data_delta = update(memory.data, reading.xmit_data, false);
  // More than the link has time for, in words, or in ticks of a byte, which is less than any device counts by: the
  // counter was set or jumped.
  const double bytes =
      static_cast<double>(topology_.link(reading.port).rate.bits_per_second) / 8 * elapsed.seconds() * kSlack;
  const double scale = settings_.rules.per_time && elapsed.ps > 0 ? period / passed : 1;
  if (memory.data_delta && *memory.data_delta > bytes / 4 * scale) memory.data_delta.reset();
  if (memory.wait_delta && *memory.wait_delta > bytes * scale) memory.wait_delta.reset();
}

void DcmsController::judge(Time now, Actions& actions) {
  for (const PortId port : awaited_) {  // no answer: nothing is known of this interval, nor of the next difference
    PortMemory& memory = ports_[port.index];
    memory.wait_delta = memory.congestion_delta = memory.data_delta = memory.last_data_delta = {};
    if (!settings_.rules.per_time) memory.wait.value = memory.congestion.value = memory.data.value = {};
  }
  awaited_.clear();
  sweeping_ = false;
  find_victims(now, actions);
  watch_events(now, actions);
  forget_excluded();
  next_sweep_ = sweep_began_ + (event_in_progress() ? settings_.period : settings_.calm_period);
}

bool DcmsController::is_congested(PortId port) const {
  const PortMemory& memory = ports_[port.index];
  if (!memory.fresh) return false;
  if (memory.congestion_delta && *memory.congestion_delta > thresholds(port).congestion) return true;
  return to_host_[port.index] && memory.wait_delta && *memory.wait_delta > thresholds(port).wait;
}

DcmsThresholds DcmsController::thresholds(PortId port) const {
  if (!settings_.of_ports.empty()) return settings_.of_ports[port.index];
  return {settings_.wait_threshold, settings_.congestion_threshold, settings_.data_threshold};
}

std::vector<DcmsController::Unnoticed> DcmsController::unnoticed() const {
  constexpr double kFull = 0.95;
  std::vector<Unnoticed> found;
  for (const PortId port : switch_ports_) {
    const PortMemory& memory = ports_[port.index];
    if (!memory.fresh || !memory.data_delta || is_congested(port)) continue;
    const double words = static_cast<double>(topology_.link(port).rate.bits_per_second) / 32;  // per second
    Unnoticed u{port, *memory.data_delta / (words * settings_.period.seconds()), memory.congestion_delta, 0, {}, 0};
    if (u.load < kFull) continue;
    for (const PortId sender : senders_[topology_.node_of(port).index]) {
      const PortMemory& of_sender = ports_[sender.index];
      if (!of_sender.fresh || !of_sender.wait_delta) continue;
      u.held_back += *of_sender.wait_delta > thresholds(sender).wait;
      if (*of_sender.wait_delta <= u.wait) continue;
      u.wait = *of_sender.wait_delta;
      u.waiting = sender;
    }
    if (u.waiting.valid()) found.push_back(u);
  }
  return found;
}

// Algorithm 2.
void DcmsController::find_victims(Time now, Actions& actions) {
  for (const PortId port : switch_ports_) {
    if (!is_congested(port)) continue;
    watched_.insert(port);
    for (const PortId sender : senders_[topology_.node_of(port).index]) {
      const PortMemory& memory = ports_[sender.index];
      if (!memory.fresh || !memory.wait_delta || *memory.wait_delta <= thresholds(sender).wait) continue;
      RootState& root = roots_[port];
      if (root.victims.contains(sender) || root.excluded.contains(sender)) continue;
      root.victims.insert(sender);
      if (root.low) continue;
      root.low = true;
      root.count = 1;
      root.set_in = sweeps_;
      actions.set.push_back({port, settings_.marking_low});
      decisions_.push_back({now, port, true, Decision::Why::victim, sender});
    }
  }
}

// Algorithm 3.
void DcmsController::watch_events(Time now, Actions& actions) {
  const DcmsRules& rules = settings_.rules;
  for (auto& [port, root] : roots_) {
    if (root.victims.empty()) continue;
    if (rules.guard_by_sweep ? !root.low || root.set_in == sweeps_ : root.count == 1) continue;
    ++root.count;
    // The count begins with 1, so count - 1 sweeps have passed since the reduction.
    const bool passed = rules.limit_exceeded ? root.count - 1 > settings_.low_limit : root.count == settings_.low_limit;
    if (rules.limit_exceeded || root.count <= settings_.low_limit) drop_victims(root);
    if (root.victims.empty()) restore(now, port, root, Decision::Why::no_victim_left, actions);
    else if (passed) restore(now, port, root, Decision::Why::limit, actions);
  }
}

void DcmsController::drop_victims(RootState& root) {
  for (auto victim = root.victims.begin(); victim != root.victims.end();) {
    const PortMemory& memory = ports_[victim->index];
    const bool fell = memory.fresh && memory.data_delta && memory.last_data_delta &&
                      *memory.last_data_delta - *memory.data_delta > thresholds(*victim).data;
    if (!fell) {
      ++victim;
      continue;
    }
    if (settings_.rules.exclude_dropped) root.excluded.insert(*victim);
    victim = root.victims.erase(victim);
  }
}

void DcmsController::restore(Time now, PortId port, RootState& root, Decision::Why why, Actions& actions) {
  root.low = false;
  root.restored_in = sweeps_;
  if (settings_.rules.empty_victims) root.victims.clear();
  actions.set.push_back({port, settings_.marking_default});
  decisions_.push_back({now, port, false, why, PortId{}});
}

// A root is calm when a whole interval at the default rate shows it uncongested. An interval without a reading shows
// nothing.
void DcmsController::forget_excluded() {
  for (auto& [port, root] : roots_) {
    const PortMemory& memory = ports_[port.index];
    const bool known = memory.fresh && memory.congestion_delta;
    if (!root.low && root.restored_in != sweeps_ && known && !is_congested(port)) root.excluded.clear();
  }
}

bool DcmsController::event_in_progress() const {
  for (const auto& [port, root] : roots_)
    if (root.low) return true;
  return std::any_of(switch_ports_.begin(), switch_ports_.end(), [&](PortId port) { return is_congested(port); });
}

bool DcmsController::is_low(PortId root) const {
  const auto found = roots_.find(root);
  return found != roots_.end() && found->second.low;
}

std::vector<PortId> DcmsController::victims(PortId root) const {
  const auto found = roots_.find(root);
  if (found == roots_.end()) return {};
  return {found->second.victims.begin(), found->second.victims.end()};
}

std::vector<PortId> DcmsController::excluded(PortId root) const {
  const auto found = roots_.find(root);
  if (found == roots_.end()) return {};
  return {found->second.excluded.begin(), found->second.excluded.end()};
}

std::vector<PortId> DcmsController::watch_list() const { return {watched_.begin(), watched_.end()}; }

}  // namespace weir
