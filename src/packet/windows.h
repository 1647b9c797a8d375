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
#include "packet/cut.h"

namespace weir {

// What every part tells the others after a window.
struct alignas(64) PartState {
  std::int64_t next = 0;           // nothing happens before, here or by what was sent from here
  std::int64_t tick = kNever.ps;   // when the next tick is due, if there was one in this window
  bool busy_at_tick = false;       // at that one, something was going on
  std::uint64_t most_backlog = 0;  // packets that waited at its hosts, at most
  bool failed = false;
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
  std::uint64_t most_backlog() const {
    std::uint64_t sum = 0;
    for (const PartState& s : states_) sum += s.most_backlog;
    return sum;
  }
  std::int64_t next() const {
    std::int64_t first = ticks_go_on() ? states_[0].tick : kNever.ps;
    for (const PartState& s : states_) first = std::min(first, s.next);
    return first;
  }

 private:
  std::vector<PartState> states_;
};

// P: an engine that executes one part.
template <class P>
class WindowedRun {
 public:
  WindowedRun(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits, const Cut& cut)
      : run_(run),
        scheme_(scheme),
        traits_(traits),
        cut_(cut),
        mail_(cut.parts),
        states_{PartStates(cut.parts), PartStates(cut.parts)},
        parts_(cut.parts),
        errors_(cut.parts),
        barrier_(cut.parts),
        end_(std::min(run.config.run.duration.ps, run.config.run.max_time.ps)) {}

  // Nothing if the run turns out to end at a moment that no part can know.
  std::optional<Measurements> run() {
    std::vector<std::thread> threads;
    for (std::uint32_t part = 1; part < cut_.parts; ++part) threads.emplace_back([this, part] { work(part); });
    work(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors_)
      if (error) std::rethrow_exception(error);
    if (overloaded_) return std::nullopt;
    for (std::uint32_t part = 1; part < cut_.parts; ++part) {
      parts_[part]->close();
      parts_[part]->hand_over(*parts_[0]);
      parts_[part].reset();
    }
    return parts_[0]->conclude();
  }

 private:
  void work(std::uint32_t part) {
    attempt(part, [&] { parts_[part] = std::make_unique<P>(run_, scheme_, traits_, Part(cut_, mail_, part)); });
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
      if (states.next() > end_) return;
      attempt(part, [&] {
        P& p = *parts_[part];
        p.open_window(states.ticks_go_on());
        const std::int64_t bin = p.bin_width();
        p.execute_before(states.next() / bin * bin + cut_.lookahead / bin * bin);
      });
    }
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

  const PacketRun& run_;
  SchemeHooks& scheme_;
  const SchemeTraits& traits_;
  const Cut& cut_;
  Mail mail_;
  PartStates states_[2];  // of even and odd windows: a part may write the next one while another reads the last one
  std::vector<std::unique_ptr<P>> parts_;
  std::vector<std::exception_ptr> errors_;
  Barrier barrier_;
  std::int64_t end_;
  bool overloaded_ = false;
};

// Nothing if the run is not divided; `why` then says the reason.
template <class P>
std::optional<Measurements> run_in_parts(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits,
                                         std::string& why) {
  const std::optional<Cut> cut = cut_if_possible(run, traits, why);
  if (!cut) return std::nullopt;
  why = "more packets wait at the hosts than max_backlog allows";
  return WindowedRun<P>(run, scheme, traits, *cut).run();
}

}  // namespace weir
