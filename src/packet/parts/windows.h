// One run by several threads, and by several processes. The fabric is cut into parts, and every part has an engine of
// its own. All of them execute one window of time, at most as long as anything takes from one part to another; then
// they wait for each other, take what the others have sent, and go on. Since events at a node are ordered by (time,
// kind, entity), and nothing else counts, results do not depend on the number of parts.
//
// Threads of one process look at each other's states after every window. Processes (ranks.h) wait only for those that
// cables lead to, and tell all others where they are after a stretch of windows, within which nothing can happen that
// concerns all: no tick, and not the end of the run.
//
// Traffic that waits for traffic, and the end of a run with its flows or a class, depend on what hosts receive, perhaps
// elsewhere. What they receive within a window that is not longer than the last wire to them is on that wire when the
// window begins. So every part says it beforehand (Forecast), and all of them act on it, each at its own hosts.
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
#include "base/bytes.h"
#include "base/parallel.h"
#include "packet/audit.h"
#include "packet/parts/cut.h"
#include "packet/parts/part_state.h"
#include "packet/parts/rank_mail.h"
#include "traffic/flow_progress.h"

namespace weir {

// P: an engine that executes one part.
template <class P>
class WindowedRun {
 public:
  WindowedRun(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits, const Cut& cut)
      : run_(run),
        scheme_(scheme),
        traits_(traits),
        cut_(cut),
        mail_(cut, run.ranks == nullptr ? 0 : run.ranks->rank()),
        states_{std::vector<PartState>(mail_.here()), std::vector<PartState>(mail_.here())},
        parts_(mail_.here()),
        errors_(mail_.here()),
        forecasts_(mail_.here()),
        barrier_(mail_.here()),
        until_(run.config.run.until),
        follows_(traffic_waits(run.workload)),
        flows_(FlowProgress(run.workload).remaining()),
        end_(std::min(run.config.run.duration.ps, run.config.run.max_time.ps)) {
    if (run.ranks != nullptr) rank_mail_.emplace(run.topology, cut, mail_, *run.ranks, scheme);
  }

  // Nothing if the run turns out to end at a moment that no part can know. Of several processes, the one of rank 0 has
  // the result.
  std::optional<Measurements> run() {
    if (run_.ranks != nullptr) check_cut();
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < mail_.here(); ++i) threads.emplace_back([this, i] { work(i); });
    work(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors_)
      if (error) std::rethrow_exception(error);
    if (unreachable_) std::rethrow_exception(unreachable_);
    if (agreed_.failed) throw AnotherRankFailed();
    if (overloaded_ || (until_ != Until::duration && !finished_)) return std::nullopt;
    if constexpr (kChecks) audit();
    for (std::uint32_t i = 1; i < mail_.here(); ++i) parts_[i]->hand_over(*parts_[0]);
    // To give their memory back takes time, too.
    parallel_for(mail_.here() - 1, mail_.here(), [&](std::size_t i) { parts_[i + 1].reset(); });
    if (run_.ranks != nullptr && !collect()) return Measurements{};
    return parts_[0]->conclude(std::move(all_), follows_);
  }

 private:
  // Every process has cut the fabric for itself.
  void check_cut() const {
    std::int64_t sum = 0;
    for (const std::uint16_t owner : cut_.owner) sum = (sum * 31 + owner) % 1'000'000'007;
    std::int64_t largest[] = {sum, -sum};
    run_.ranks->combine(largest, {});
    if (largest[0] != -largest[1])
      throw InputError("the ranks have divided the fabric differently: all must be started from the same build");
  }
  // By the thread of the i-th part of this process.
  void work(std::uint32_t i) {
    attempt(i, [&] { parts_[i] = std::make_unique<P>(run_, scheme_, traits_, Part(cut_, mail_, mail_.first() + i)); });
    std::int64_t end = end_, executed = 0, tick = kNever.ps;
    if (!errors_[i]) tick = parts_[i]->first_tick();
    bool ends = false;  // it is known when
    for (bool odd = false;; odd = !odd) {
      attempt(i, [&] { states_[odd][i] = parts_[i]->state(executed); });
      states_[odd][i].failed = errors_[i] != nullptr;
      const RunState now = agree(i, states_[odd]);
      // All parts see the same and decide the same.
      if (now.failed) return;
      if (now.most_backlog > run_.config.run.max_backlog) {
        if (i == 0) overloaded_ = true;
        return;
      }
      if (now.tick != kNever.ps) tick = now.busy_at_tick ? now.tick : kNever.ps;
      const std::int64_t next = now.tick == kNever.ps ? now.next : std::min(now.next, tick);
      if (next > end) break;
      const std::int64_t bin = parts_[i]->bin_width(), start = next / bin * bin;
      const bool looks = follows_ || (!ends && may_end(now, start + cut_.lookahead));
      const std::int64_t length = (looks ? std::min(cut_.lookahead, cut_.to_hosts) : cut_.lookahead) / bin * bin;
      const std::int64_t ahead = until_ == Until::flows && !ends ? now.earliest_end - length : kNever.ps;
      const bool one = run_.ranks == nullptr || looks || (until_ == Until::traffic_class && !ends);
      const std::int64_t windows = one ? 1 : stretch(start, std::min({end, tick, ahead}), length);
      for (std::int64_t w = 0; w < windows; ++w) {
        if (w > 0) exchange(i);
        attempt(i, [&] { parts_[i]->open_window(now.busy_at_tick); });
        executed = start + (w + 1) * length;
        if (looks) {
          forecasts_[i] = {};
          attempt(i, [&] { forecasts_[i] = parts_[i]->foresee(executed, waits_for_number(i, now, length)); });
          Forecast forecast = agree(i);
          if (const std::int64_t last = end_in(now, forecast); !ends && last >= 0 && last <= end_) {
            ends = true;
            end = last + run_.config.run.settle.ps;
            attempt(i, [&] { parts_[i]->end_at(end); });
            if (i == 0) finished_ = true;
          }
          forecast.put_in_order(end);
          if (follows_) attempt(i, [&] { parts_[i]->apply(forecast, now.received); });
        }
        attempt(i, [&] { parts_[i]->execute_before(executed); });
      }
    }
    if (until_ == Until::duration || ends) close(i);
  }
  // May the run end before this moment?
  bool may_end(const RunState& now, std::int64_t before) const {
    if (until_ == Until::flows) return now.earliest_end < before;
    // Its last packets take longer than a window, and so does a source that has made its last one.
    return until_ == Until::traffic_class && now.class_sources == 0;
  }
  // The moment within the next window with which the run will end, without what it settles for; -1 if it will not.
  std::int64_t end_in(const RunState& now, const Forecast& next) const {
    if (until_ == Until::flows) return flows_ - now.completed == next.completed.size() ? next.last_completion() : -1;
    const bool over = until_ == Until::traffic_class && now.class_sources == 0 && next.class_packets > 0 &&
                      now.class_flows == next.class_flows && now.class_under_way == next.class_packets;
    return over ? next.class_last : -1;
  }
  // Might so many packets be received within this window that traffic which waits for them begins?
  bool waits_for_number(std::uint32_t i, const RunState& now, std::int64_t length) const {
    const std::uint64_t threshold = parts_[i]->next_threshold();
    if (threshold == 0) return false;
    const Rate rate = run_.topology.link(run_.topology.host_port({0})).rate;
    const std::int64_t packet = std::max<std::int64_t>(1, rate.time_for(run_.config.format.header + 1).ps / 64);
    return now.received + run_.topology.hosts() * (static_cast<std::uint64_t>(length / packet) + 2) >= threshold;
  }
  // How many windows ranks execute before they tell all others where they are: the last one may be that of `until`.
  static std::int64_t stretch(std::int64_t start, std::int64_t until, std::int64_t length) {
    return std::clamp<std::int64_t>((until - start) / length + 1, 1, kLongestStretch);
  }

  // ---- after a window, by the threads of all parts ----

  RunState agree(std::uint32_t i, const std::vector<PartState>& states) {
    barrier_.wait();
    if (run_.ranks == nullptr) return RunState(states);
    if (i == 0) with_other_ranks([&](RunState& agreed) {
      agreed = RunState(states);
      send_mail();
      agreed.combine(*run_.ranks);
    });
    barrier_.wait();
    return agreed_;
  }
  Forecast agree(std::uint32_t i) {
    barrier_.wait();
    if (run_.ranks == nullptr) return together(forecasts_);
    if (i == 0) with_other_ranks([&](RunState&) {
      BytesOut own;
      own.put(together(forecasts_));
      agreed_forecast_ = {};
      for (const std::string& said : run_.ranks->share(own.bytes()))
        agreed_forecast_.add(BytesIn(said).get<Forecast>());
    });
    barrier_.wait();
    return agreed_forecast_;
  }
  static Forecast together(const std::vector<Forecast>& parts) {
    Forecast all;
    for (const Forecast& part : parts) all.add(part);
    return all;
  }
  // Between windows of a stretch, in which only neighbours wait for each other.
  void exchange(std::uint32_t i) {
    barrier_.wait();
    if (i == 0) with_other_ranks([&](RunState&) { send_mail(); });
    barrier_.wait();
  }
  // Is nothing wrong anywhere?
  bool all_well(std::uint32_t i) {
    barrier_.wait();
    if (run_.ranks == nullptr) return !any_error();
    if (i == 0) with_other_ranks([&](RunState& agreed) {
      std::int64_t failed = any_error() ? 1 : 0;
      run_.ranks->combine({&failed, 1}, {});
      agreed.failed = failed != 0;
    });
    barrier_.wait();
    return !agreed_.failed;
  }
  // An error of this process keeps nobody waiting; only ranks that cannot be reached end it at once.
  template <class Act>
  void with_other_ranks(const Act& act) {
    if (!unreachable_) try {
        act(agreed_);
      } catch (...) {
        unreachable_ = std::current_exception();
      }
    if (unreachable_) agreed_.failed = true;
  }
  void send_mail() {
    rank_mail_->exchange(odd_mail_);
    odd_mail_ = !odd_mail_;
  }

  // ---- at the end ----

  // Each part finishes what belongs to its nodes, in the room that all of a process share.
  void close(std::uint32_t i) {
    attempt(i, [&] { parts_[i]->close(); });
    if (i == 0) attempt(i, [&] { all_ = parts_[0]->room_for_all(); });
    attempt(i, [&] { parts_[i]->show_senders(); });
    if (run_.ranks != nullptr) exchange(i);
    if (!all_well(i)) return;
    attempt(i, [&] { parts_[i]->put(all_); });
    // Frames are large: every thread makes some of them whole.
    for (std::size_t frame = i; frame < all_.frames.size(); frame += mail_.here())
      for (const std::unique_ptr<P>& part : parts_) attempt(i, [&] { part->put_frame(all_.frames[frame], frame); });
    barrier_.wait();
    attempt(i, [&] { parts_[i]->count_received(all_); });
  }
  bool any_error() const {
    return std::any_of(errors_.begin(), errors_.end(), [](const std::exception_ptr& e) { return e != nullptr; });
  }
  void audit() const {
    Audit audit(parts_[0]->channels());
    for (const std::unique_ptr<P>& part : parts_) part->add_to(audit);
    if (run_.ranks == nullptr) return audit.check();
    BytesOut found;
    found.put(audit);
    const std::vector<std::string> of_ranks = run_.ranks->gather(found.bytes());
    for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) audit.add(BytesIn(of_ranks[rank]).get<Audit>());
    if (!of_ranks.empty()) audit.check();
  }
  // Rank 0 takes what all others have measured; false for these.
  bool collect() {
    BytesOut measured;
    if (run_.ranks->rank() != 0) parts_[0]->pack(measured, all_);
    const std::vector<std::string> of_ranks = run_.ranks->gather(measured.bytes());
    for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) {
      BytesIn in(of_ranks[rank]);
      parts_[0]->absorb(in, all_);
    }
    if (run_.ranks->rank() == 0) parts_[0]->count_received_from_ranks(all_);
    return run_.ranks->rank() == 0;
  }
  // An error ends the run of all parts, when they tell each other where they are.
  template <class Act>
  void attempt(std::uint32_t i, const Act& act) {
    if (errors_[i]) return;
    try {
      act();
    } catch (...) {
      errors_[i] = std::current_exception();
    }
  }

  static constexpr std::int64_t kLongestStretch = 64;  // windows; what is idle until then cannot be skipped

  const RunInput& run_;
  SchemeHooks& scheme_;
  const SchemeTraits& traits_;
  const Cut& cut_;
  Mail mail_;
  std::optional<RankMail> rank_mail_;
  // What follows has an entry for each part of this process.
  std::vector<PartState> states_[2];  // even and odd: a part may write the next one while another reads the last one
  std::vector<std::unique_ptr<P>> parts_;
  std::vector<std::exception_ptr> errors_;
  std::vector<Forecast> forecasts_;
  Measurements all_;     // what these parts have measured at their nodes, once the run has ended
  Barrier barrier_;
  // With other processes: written by the first thread while the others wait.
  RunState agreed_;
  Forecast agreed_forecast_;
  std::exception_ptr unreachable_;
  bool odd_mail_ = false;

  Until until_;
  bool follows_;         // traffic waits for traffic
  std::uint64_t flows_;  // that a run until flows waits for
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
