// One run by several threads. The fabric is cut into parts, and every part has an engine of its own. All of them
// execute one window of time, at most as long as anything takes from one part to another; then they wait for each
// other, take what the others have sent, and go on. Since events at a node are ordered by (time, kind, entity), and
// nothing else counts, results do not depend on the number of parts.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/barrier.h"
#include "packet/audit.h"
#include "packet/parts/cut.h"
#include "traffic/flow_progress.h"

namespace weir {

// What every part tells the others after a window.
struct alignas(64) PartState {
  std::int64_t next = 0;           // nothing happens before, here or by what was sent from here
  std::int64_t tick = kNever.ps;   // when the next tick is due, if there was one in this window
  bool busy_at_tick = false;       // at that one, something was going on
  std::uint64_t most_backlog = 0;  // packets that waited at its hosts, at most
  bool far_from_end = false;       // some flow to one of its hosts lacks more than can arrive within a window
  std::uint64_t completed = 0;     // flows, at its hosts
  bool failed = false;
};

// Near the end of a run that ends with its flows: what will happen within the next window.
struct alignas(64) PartForecast {
  std::uint64_t complete = 0;      // flows that will be
  std::int64_t last = 0;           // when the last of them will
};

class PartStates {
 public:
  explicit PartStates(std::uint32_t parts) : states_(parts) {}
  PartState& operator[](std::uint32_t part) { return states_[part]; }

  bool any_failed() const {
    return std::any_of(states_.begin(), states_.end(), [](const PartState& s) { return s.failed; });
  }
  // All parts tick at the same moments, and no longer when nothing goes on in any of them.
  bool ticks_go_on() const {
    return std::any_of(states_.begin(), states_.end(), [](const PartState& s) { return s.busy_at_tick; });
  }
  bool far_from_end() const {
    return std::any_of(states_.begin(), states_.end(), [](const PartState& s) { return s.far_from_end; });
  }
  std::uint64_t completed() const { return sum_of(&PartState::completed); }
  std::uint64_t most_backlog() const { return sum_of(&PartState::most_backlog); }
  std::int64_t next() const {
    std::int64_t first = ticks_go_on() ? states_[0].tick : kNever.ps;
    for (const PartState& s : states_) first = std::min(first, s.next);
    return first;
  }

 private:
  std::uint64_t sum_of(std::uint64_t PartState::*what) const {
    std::uint64_t sum = 0;
    for (const PartState& s : states_) sum += s.*what;
    return sum;
  }
  std::vector<PartState> states_;
};

// P: an engine that executes one part.
template <class P>
class WindowedRun {
 public:
  WindowedRun(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits, const Cut& cut)
      : run_(run),
        scheme_(scheme),
        traits_(traits),
        cut_(cut),
        mail_(cut.parts),
        states_{PartStates(cut.parts), PartStates(cut.parts)},
        parts_(cut.parts),
        errors_(cut.parts),
        forecasts_(cut.parts),
        barrier_(cut.parts),
        until_flows_(run.config.run.until == Until::flows),
        flows_(FlowProgress(run.workload).remaining()),
        end_(std::min(run.config.run.duration.ps, run.config.run.max_time.ps)) {}

  // Nothing if the run turns out to end at a moment that no part can know.
  std::optional<Measurements> run() {
    std::vector<std::thread> threads;
    for (std::uint32_t part = 1; part < cut_.parts; ++part) threads.emplace_back([this, part] { work(part); });
    work(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors_)
      if (error) std::rethrow_exception(error);
    if (overloaded_ || (until_flows_ && !finished_)) return std::nullopt;
    if constexpr (kChecks) audit();
    for (std::uint32_t part = 1; part < cut_.parts; ++part) parts_[part]->hand_over(*parts_[0]);
    return parts_[0]->conclude(std::move(all_));
  }

 private:
  void work(std::uint32_t part) {
    attempt(part, [&] { parts_[part] = std::make_unique<P>(run_, scheme_, traits_, Part(cut_, mail_, part)); });
    std::int64_t end = end_;
    bool ends = false;  // it is known when
    for (bool odd = false;; odd = !odd) {
      PartStates& states = states_[odd];
      attempt(part, [&] { states[part] = parts_[part]->state(); });
      states[part].failed = errors_[part] != nullptr;
      barrier_.wait();
      // All parts see the same states and decide the same.
      if (states.any_failed()) return;
      if (states.most_backlog() > run_.config.run.max_backlog) {
        if (part == 0) overloaded_ = true;
        return;
      }
      if (states.next() > end) break;
      const bool endgame = until_flows_ && !ends && !states.far_from_end();
      attempt(part, [&] { parts_[part]->open_window(states.ticks_go_on()); });
      const std::int64_t bin = parts_[part]->bin_width();
      const std::int64_t length = endgame ? std::min(cut_.lookahead, cut_.to_hosts) : cut_.lookahead;
      const std::int64_t window_end = states.next() / bin * bin + length / bin * bin;
      if (endgame) {
        attempt(part, [&] { forecasts_[part] = parts_[part]->foresee(window_end); });
        barrier_.wait();
        if (flows_ - states.completed() == sum_of_forecasts() && last_of_forecasts() <= end_) {
          ends = true;
          end = last_of_forecasts() + run_.config.run.settle.ps;
          attempt(part, [&] { parts_[part]->end_at(end); });
          if (part == 0) finished_ = true;
        }
      }
      attempt(part, [&] { parts_[part]->execute_before(window_end); });
    }
    if (!until_flows_ || ends) close(part);
  }
  // Each part finishes what belongs to its nodes, in the room that all share.
  void close(std::uint32_t part) {
    attempt(part, [&] { parts_[part]->close(); });
    if (part == 0) attempt(part, [&] { all_ = parts_[0]->room_for_all(); });
    attempt(part, [&] { parts_[part]->show_senders(); });
    barrier_.wait();
    if (any_error()) return;
    attempt(part, [&] { parts_[part]->put(all_); });
    barrier_.wait();
    attempt(part, [&] { parts_[part]->count_received(all_); });
  }
  bool any_error() const {
    return std::any_of(errors_.begin(), errors_.end(), [](const std::exception_ptr& e) { return e != nullptr; });
  }
  void audit() const {
    Audit audit(parts_[0]->channels());
    for (const std::unique_ptr<P>& part : parts_) part->add_to(audit);
    audit.check();
  }
  std::uint64_t sum_of_forecasts() const {
    std::uint64_t sum = 0;
    for (const PartForecast& f : forecasts_) sum += f.complete;
    return sum;
  }
  std::int64_t last_of_forecasts() const {
    std::int64_t last = 0;
    for (const PartForecast& f : forecasts_) last = std::max(last, f.last);
    return last;
  }
  // An error ends the run of all parts, after the window in which it occurs.
  template <class Act>
  void attempt(std::uint32_t part, const Act& act) {
    if (errors_[part]) return;
    try {
      act();
    } catch (...) {
      errors_[part] = std::current_exception();
    }
  }

  const RunInput& run_;
  SchemeHooks& scheme_;
  const SchemeTraits& traits_;
  const Cut& cut_;
  Mail mail_;
  PartStates states_[2];  // of even and odd windows: a part may write the next one while another reads the last one
  std::vector<std::unique_ptr<P>> parts_;
  std::vector<std::exception_ptr> errors_;
  std::vector<PartForecast> forecasts_;
  Measurements all_;     // what parts have measured at their nodes, once the run has ended
  Barrier barrier_;
  bool until_flows_;
  std::uint64_t flows_;  // that the run waits for
  std::int64_t end_;     // at the latest
  bool overloaded_ = false, finished_ = false;
};

// Nothing if the run is not divided; `why` then says the reason.
template <class P>
std::optional<Measurements> run_in_parts(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits,
                                         std::string& why) {
  const std::optional<Cut> cut = cut_if_possible(run, scheme, traits, why);
  if (!cut) return std::nullopt;
  why = "it ends at a moment that cannot be foreseen: by max_backlog or max_time, or because nothing moves";
  return WindowedRun<P>(run, scheme, traits, *cut).run();
}

}  // namespace weir
