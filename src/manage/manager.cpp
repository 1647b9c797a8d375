#include "manage/manager.h"

#include <fmt/format.h>

#include <algorithm>

#include "mad/performance.h"

namespace weir::manage {

constexpr std::uint32_t kUsualRate = 128;  // of ports without victims, as scheme dcms has it

using mad::Method;

Manager::Manager(const Topology& topology, const Policy& policy, Transport& transport, ManagerClock& clock,
                 ActionLog* log, Recorder* recorder, const ManagerOptions& options)
    : topology_(topology),
      policy_(policy),
      transport_(transport),
      clock_(clock),
      log_(log),
      recorder_(recorder),
      options_(options),
      controller_(topology, controller_for(policy, topology, options.wait_bytes)),
      counters_(transport, topology),
      settings_(transport, topology, policy.cc_key),
      guard_(in_full_names(policy.bounds, topology, [this](const std::string& text) { say(text); })) {
  settings_.read_all();
  if (settings_.unknown_switches() > 0)
    say(fmt::format("{} of {} switches do not report their congestion settings; they are left alone",
                    settings_.unknown_switches(), topology.switches()));
  tell_if_off();
  tell_without_room();
}

// A rate that is not above the low one cannot be lowered: such a manager would do nothing.
void Manager::tell_without_room() {
  const std::uint32_t low = policy_.controller.marking_low;
  std::size_t ports = 0, without = 0;
  for (std::uint32_t p = 0; p < topology_.ports(); ++p) {
    if (topology_.is_host(topology_.node_of({p})) || !topology_.to({p}).valid()) continue;
    const auto rate = settings_.rate({p});
    ports += rate.has_value();
    without += rate && *rate <= low;
  }
  if (without == 0) return;
  say(fmt::format("at {} of {} switch ports that mark packets, the Marking_Rate is not above actions.low_rate ({}): "
                  "there is nothing to lower. Write a higher value into opensm.conf, for example with `weir convert "
                  "SCENARIO opensm.conf --set scheme.name=cca --set scheme.marking_rate={}`",
                  without, ports, low, std::max(kUsualRate, low + 1)));
}

// Then there is nothing to lower, and ports do not count how long they are congested.
void Manager::tell_if_off() {
  const std::size_t off = settings_.switches_without_marking();
  if (off == 0) return;
  say(fmt::format("congestion control is off at {} of {} switches: their threshold (attribute 0x14) is 0, so they mark "
                  "no packet, and PortXmitTimeCong does not grow. Switch it on first: `weir convert SCENARIO "
                  "opensm.conf` writes the lines for opensm",
                  off, topology_.switches()));
}

void Manager::tell_unnoticed() {
  constexpr std::size_t kMost = 8;  // a wrong threshold concerns many ports
  for (const auto& u : controller_.unnoticed()) {
    if (told_.size() >= kMost || !told_.insert(u.port).second) continue;
    const DcmsThresholds limits = controller_.thresholds(u.port), of_waiting = controller_.thresholds(u.waiting);
    say(fmt::format("{:.6f} s: {} is {:.0f} % busy, and {} waits for its switch ({:.3g} ticks per period; "
                    "thresholds.wait is {:.3g}). But the port does not count as congested: PortXmitTimeCong grew by "
                    "{} per period, which is not more than thresholds.congestion, {:.5g}{}",
                    clock_.now().seconds(), topology_.port_name(u.port), 100 * std::min(u.load, 1.0),
                    topology_.port_name(u.waiting), u.wait, of_waiting.wait,
                    u.congested ? fmt::format("{:.5g}", *u.congested) : "nothing known",
                    limits.congestion,
                    told_.size() == kMost ? ". No more of such ports are reported" : ""));
  }
}

void Manager::say(const std::string& text) const {
  if (options_.say) options_.say(text);
}

void Manager::run() {
  try {
    begin();
    while (!options_.stopped() && !clock_.ended() && clock_.now() < options_.until) {
      const Time wake = round();
      if (options_.after_round) options_.after_round(*this);
      clock_.sleep_until(std::min(wake, options_.until));
    }
  } catch (...) {  // a disk that is full, a clock that has gone: whatever it is, nothing is left behind
    undo_all("the manager ends with an error");
    throw;
  }
  undo_all("the manager ends");
}

Time Manager::round() {
  watch_others();
  pay_debts();
  for (;;) {
    const Time now = clock_.now();
    const Actions actions = controller_.step(now, telemetry_);
    telemetry_.readings.clear();
    for (const Actions::Clear& c : actions.clear) clear(c);
    for (const Actions::SetMarkingRate& s : actions.set) set(s);
    tell_unnoticed();
    if (actions.read.empty()) return actions.wake_at;
    ++totals_.sweeps;
    telemetry_ = read(actions.read);
    sweep_time_ = clock_.now() - now;
    if (recorder_ != nullptr) recorder_->sweep(clock_.now(), actions.read, telemetry_);
    if (telemetry_.readings.empty()) return controller_.step(clock_.now(), {}).wake_at;
  }
}

std::vector<PortId> Manager::low_port_list() const {
  std::vector<PortId> ports;
  for (const auto& [port, low] : low_) ports.push_back(port);
  return ports;
}

std::vector<std::pair<PortId, std::size_t>> Manager::victims() const {
  std::vector<std::pair<PortId, std::size_t>> all;
  for (const PortId port : controller_.watch_list())
    if (const std::size_t count = controller_.victims(port).size(); count > 0) all.emplace_back(port, count);
  return all;
}

// ---- telemetry ----

Telemetry Manager::read(const std::vector<PortId>& ports) {
  CounterReader::Result result = counters_.read(ports, CounterReader::What::traffic_and_congestion);
  for (const PortReading& r : result.readings) last_[r.port] = r;
  totals_.readings += result.readings.size();
  totals_.missing += result.missing;
  watch_answers(result.asked, result.missing);
  return {std::move(result.readings)};
}

// Whoever cannot see must not steer.
void Manager::watch_answers(std::size_t asked, std::size_t missing) {
  const bool blind = static_cast<double>(missing) > policy_.bounds.most_missing * static_cast<double>(asked);
  if (blind && !blind_) {
    say(fmt::format("{} of {} answers are missing: nothing is set until they come again", missing, asked));
    undo_all("answers are missing");
  }
  if (!blind && blind_) say("answers come again");
  blind_ = blind;
}

// ---- others ----

SwitchSettings::Result Manager::change(PortId port, const mad::SwitchPortCongestion& expected,
                                       const mad::SwitchPortCongestion& wanted) {
  const SwitchSettings::Result result = settings_.change(port, expected, wanted);
  note_others();
  return result;
}

// A port that this manager holds low, or has tried to, may be as it was and as it should be; everything else was
// changed by somebody else.
void Manager::note_others() {
  for (const SwitchSettings::Change& c : settings_.take_changes()) {
    const std::string name = topology_.name(topology_.node(c.at));
    if (!c.port) {
      others_.push_back(name + ": its congestion setting");
      continue;
    }
    const PortId port = settings_.port(c.at, *c.port);
    if (const auto low = port.valid() ? low_.find(port) : low_.end(); low != low_.end())
      if (c.now == low->second.before || c.now == low->second.after) continue;
    others_.push_back(port.valid() ? topology_.port_name(port) : fmt::format("{}, port {}", name, *c.port));
  }
}

// Two managers must not fight, and an administrator is right: whoever sees settings change that it has not written
// takes back its own, and sets nothing until they have rested for a while.
void Manager::watch_others() {
  settings_.read_all();
  note_others();
  const Time now = clock_.now();
  if (!others_.empty()) {
    if (!stands_aside())
      say(fmt::format("{:.6f} s: somebody else changes congestion settings ({}{}), another manager or an "
                      "administrator: this one stands aside until they have rested for {} s",
                      now.seconds(), others_.front(),
                      others_.size() > 1 ? fmt::format(" and {} more", others_.size() - 1) : "",
                      policy_.bounds.stand_aside.seconds()));
    others_.clear();
    aside_until_ = now + policy_.bounds.stand_aside;
    undo_all("somebody else changes settings");
  } else if (stands_aside() && now >= aside_until_) {
    aside_until_ = {};
    say(fmt::format("{:.6f} s: nobody else has changed settings for {} s: this manager goes on", now.seconds(),
                    policy_.bounds.stand_aside.seconds()));
  }
}

void Manager::clear(const Actions::Clear& what) {
  if (!options_.act || blind_) return;
  const std::uint32_t lid = topology_.identity(topology_.node_of(what.port)).lid;
  const bool wait = what.counter == Counter::xmit_wait;
  Request r = performance_request(Method::set, wait ? mad::perf::kPortCounters : mad::perf::kTransmitCongestion, lid,
                                  settings_.number(what.port));
  if (wait) mad::put(r.mad.data(), mad::port_counters::kCounterSelect2, mad::port_counters::kSel2XmitWait);
  else mad::put(r.mad.data(), mad::port_counters::kCounterSelect, 1);
  transport_.exchange({r});
}

// ---- settings ----

std::string Manager::counters_of(PortId port) const {
  const auto found = last_.find(port);
  if (found == last_.end()) return topology_.port_name(port) + ": no reading";
  const PortReading& r = found->second;
  return fmt::format("{}: PortXmitWait {} PortXmitTimeCong {} PortXmitData {}", topology_.port_name(port),
                     shown_counter(r.xmit_wait), shown_counter(r.xmit_cong_time), shown_counter(r.xmit_data));
}

// Why the controller wants it: its last decision about the port.
std::string Manager::words_for(PortId port) const {
  const auto& all = controller_.decisions();
  for (auto d = all.rbegin(); d != all.rend(); ++d) {
    if (d->root != port) continue;
    using Why = DcmsController::Decision::Why;
    if (d->low) return fmt::format("congested, and holds back {}", topology_.port_name(d->victim));
    return d->why == Why::limit ? "it was low for long enough" : "it has no victim left";
  }
  return "";
}

void Manager::set(const Actions::SetMarkingRate& what) {
  if (what.rate == kKeepsOriginal) restore(what.port, words_for(what.port));
  else lower(what.port, what.rate);
}

void Manager::lower(PortId port, std::uint32_t rate) {
  const std::string name = topology_.port_name(port);
  const Time now = clock_.now();
  const std::string why = words_for(port);
  const auto before = settings_.known(port);
  const auto rate_before = settings_.rate(port);
  if (rate_before && *rate_before <= rate && !low_.contains(port)) {
    ++totals_.low_anyway;
    if (told_low_.insert(port).second)
      say(fmt::format("{:.6f} s: {} is {}; not set: its Marking_Rate is {} already", now.seconds(), name, why,
                      *rate_before));
    return;
  }
  std::string refusal = guard_.refusal(now, name, rate, low_.size());
  if (refusal.empty() && blind_) refusal = "answers are missing";
  if (refusal.empty() && (stands_aside() || !others_.empty()))
    refusal = "somebody else changes settings of this subnet";
  if (refusal.empty() && !before) refusal = "its switch does not report its settings";
  if (refusal.empty() && low_.contains(port)) refusal = "it is low already";
  if (!refusal.empty()) {
    ++totals_.refused;
    return say(fmt::format("{:.6f} s: {} is {}; not set: {}", now.seconds(), name, why, refusal));
  }
  const mad::SwitchPortCongestion after = *settings_.with_rate(port, rate);
  say(fmt::format("{:.6f} s: {} is {}; {} its Marking_Rate{} to {}", now.seconds(), name, why,
                  options_.act ? "setting" : "would set", rate_before ? fmt::format(" from {}", *rate_before) : "",
                  rate));
  guard_.acted(now);
  Low& low = low_.emplace(port, Low{0, *before, after}).first->second;
  ++totals_.settings;
  if (!options_.act) return;
  const std::string counters = counters_of(port);
  low.id = log_->intend(
      {0, now, clock_.wall_seconds(), settings_.guid(port), settings_.number(port), *before, after, why, counters});
  using Result = SwitchSettings::Result;
  const Result result = change(port, *before, after);
  if (result == Result::done) return log_->set_state(low.id, "done");
  ++totals_.failed;
  if (result == Result::unclear) {
    low.owed = true;
    return say(fmt::format("{}: no answer; it is undone as soon as possible", name));
  }
  log_->set_state(low.id, "failed");
  low_.erase(port);
  say(fmt::format("{}: changed by someone else, or its switch does not answer; left alone", name));
}

void Manager::restore(PortId port, const std::string& why) {
  const auto found = low_.find(port);
  if (found == low_.end()) return;
  const Low low = found->second;
  if (!low.owed)
    say(fmt::format("{:.6f} s: {}: {}; {} its old setting", clock_.now().seconds(), topology_.port_name(port), why,
                    options_.act ? "gets back" : "would get back"));
  if (!options_.act) {
    ++totals_.undone;
    low_.erase(found);
    return;
  }
  finish(port, change(port, low.after, low.before));
}

// What came of an attempt to restore a port.
void Manager::finish(PortId port, SwitchSettings::Result result) {
  const auto found = low_.find(port);
  const Low low = found->second;
  const std::string name = topology_.port_name(port);
  using Result = SwitchSettings::Result;
  if (result == Result::not_tried || result == Result::unclear) {
    if (!low.owed) {
      ++totals_.failed;
      say(fmt::format("{}: no answer, or it is not as it was left; it is tried again", name));
    }
    found->second.owed = true;
    return;
  }
  low_.erase(found);
  ++totals_.undone;
  if (result == Result::not_as_expected) say(fmt::format("{}: changed by someone else; left alone", name));
  else if (low.owed) say(fmt::format("{}: has its old setting again", name));
  log_->set_state(low.id, result == Result::done ? "undone" : "left");
}

// What could not be restored is tried again in every round.
void Manager::pay_debts() {
  const std::map<PortId, Low> all = low_;
  for (const auto& [port, low] : all)
    if (low.owed) restore(port, "");
}

void Manager::undo_all(const std::string& why) {
  constexpr int kTries = 5;
  std::exception_ptr problem;  // a log that cannot be written keeps no port low
  for (int i = 0; i < kTries && !low_.empty(); ++i) {
    const std::map<PortId, Low> all = low_;
    for (const auto& [port, low] : all) {
      try {
        restore(port, why);
      } catch (...) {
        problem = std::current_exception();
      }
    }
  }
  if (problem) std::rethrow_exception(problem);
}

void Manager::begin() {
  if (log_ == nullptr || !options_.act) return;
  // Bounds hold for a row of managers, too: one that is killed and started again must not begin to count anew.
  const std::int64_t wall = clock_.wall_seconds();
  constexpr std::int64_t kSecond = 1'000'000'000'000;
  for (const std::int64_t at : log_->times_after(wall - policy_.bounds.within.ps / kSecond - 1))
    guard_.acted(clock_.now() - Time{(wall - at) * kSecond});
  for (const LoggedAction& action : log_->open_actions()) recover(action);
}

void Manager::recover(const LoggedAction& a) {
  const PortId port = settings_.port(a.switch_guid, a.port);
  if (!port.valid())
    return say(fmt::format("an earlier manager has changed port {} of switch {:#x}, which is not there", a.port,
                           a.switch_guid));
  if (!low_.emplace(port, Low{a.id, a.before, a.after}).second) return;  // the older one, at the next start
  say(fmt::format("{}: what an earlier manager had set is undone", topology_.port_name(port)));
  finish(port, change(port, a.after, a.before));
}

}  // namespace weir::manage
