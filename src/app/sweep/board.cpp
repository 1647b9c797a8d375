#include "app/sweep/board.h"

#include <algorithm>

#include "base/check.h"
#include "report/page/sweep_document.h"

namespace weir {
namespace {

constexpr std::size_t kFirstLook = 3;

std::string full_name(const Statistic& s) { return s.item.empty() ? s.metric : s.item + "." + s.metric; }

}  // namespace

std::size_t StopRule::first_look(std::size_t repetitions) { return std::min(kFirstLook, repetitions); }

std::size_t StopRule::next_look(std::size_t looked, std::size_t repetitions) {
  return std::min(looked + (looked + 1) / 2, repetitions);
}

// The latency of an overloaded class is as long as the run: no number of repetitions makes it a property of the point.
// So it decides only if it was asked for by name, or if there is nothing else that could.
StopRule::Judged StopRule::judge(const std::vector<Statistic>& of_point) const {
  std::set<std::string> overloaded;
  for (const SweepOverload& o : overloads(of_point)) overloaded.insert(o.item);
  const auto names = [&](const std::string& name) { return std::ranges::find(metrics, name) != metrics.end(); };
  Judged judged;
  std::vector<const Statistic*> growing;
  const auto add = [&](const Statistic& s) {
    (s.interval.narrow(*precision) ? judged.narrow : judged.wide).push_back(full_name(s));
  };
  for (const Statistic& s : of_point) {
    const bool latency = s.kind == "class" && s.metric.ends_with("_ns");
    if (names(full_name(s))) add(s);
    else if (!names(s.metric)) continue;
    else if (latency && overloaded.contains(s.item)) growing.push_back(&s);
    else add(s);
  }
  if (judged.narrow.empty() && judged.wide.empty()) std::ranges::for_each(growing, [&](const auto* s) { add(*s); });
  else
    for (const Statistic* s : growing) judged.growing.push_back(full_name(*s));
  return judged;
}

bool StopRule::satisfied(const std::vector<Statistic>& of_point) const {
  const Judged judged = judge(of_point);
  return judged.wide.empty() && !judged.narrow.empty();
}

SweepBoard::SweepBoard(const SweepPlan& plan, SweepStore& store, StopRule rule, bool retry_failed, Watcher watcher)
    : plan_(plan),
      store_(store),
      rule_(std::move(rule)),
      watcher_(std::move(watcher)),
      state_(plan.runs.size(), State::unplanned),
      share_(plan.runs.size(), 0.0),
      target_(plan.points.size(), 0) {
  const std::set<std::string> finished = store.finished(), failed = store.failed();
  for (const SweepRun& run : plan.runs) {
    if (!finished.contains(run.run_id) || (retry_failed && failed.contains(run.run_id))) continue;
    state_[run.number] = State::done;
    if (failed.contains(run.run_id)) ++failed_;
  }
  for (std::size_t p = 0; p < plan.points.size(); ++p) plan_point(p);
  stored_ = done_;
}

// Wants as many repetitions of the point as its results so far call for. Called again whenever all of them are there.
void SweepBoard::plan_point(std::size_t p) {
  const SweepPoint& point = plan_.points[p];
  const std::size_t all = point.runs.size();
  const auto done_to_target = [&] {
    return std::all_of(point.runs.begin(), point.runs.begin() + static_cast<std::ptrdiff_t>(target_[p]),
                       [&](std::size_t run) { return state_[run] == State::done; });
  };
  while (target_[p] < all && done_to_target()) {
    const std::size_t before = target_[p];
    if (!rule_.precision) {
      target_[p] = all;
    } else if (before == 0) {
      target_[p] = StopRule::first_look(all);
    } else {
      const auto repetitions = static_cast<std::int64_t>(before);
      if (rule_.satisfied(store_.statistics(point.name, repetitions, rule_.confidence))) return;
      target_[p] = StopRule::next_look(before, all);
    }
    for (std::size_t r = before; r < target_[p]; ++r) {
      ++wanted_;
      if (state_[point.runs[r]] == State::done) {
        ++done_;
        continue;
      }
      state_[point.runs[r]] = State::waiting;
      waiting_.insert({point.cost, point.runs[r]});
      cost_wanted_ += point.cost;
    }
  }
}

std::optional<std::size_t> SweepBoard::take_locked() {
  if (stopped_ || waiting_.empty()) return {};
  const std::size_t run = waiting_.begin()->run;
  waiting_.erase(waiting_.begin());
  state_[run] = State::running;
  ++running_;
  return run;
}

std::optional<std::size_t> SweepBoard::take() {
  const std::lock_guard lock(mutex_);
  return take_locked();
}

std::optional<std::size_t> SweepBoard::wait_and_take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return over_locked() || !waiting_.empty(); });
  return take_locked();
}

void SweepBoard::give_back(std::size_t run) {
  const std::lock_guard lock(mutex_);
  if (state_[run] != State::running) return;
  state_[run] = State::waiting;
  waiting_.insert({plan_.points[plan_.runs[run].point].cost, run});
  --running_;
  cost_running_ -= share_[run] * plan_.points[plan_.runs[run].point].cost;
  share_[run] = 0;
  changed_.notify_all();
}

void SweepBoard::progress(std::size_t run, double share) {
  const std::lock_guard lock(mutex_);
  if (state_[run] != State::running) return;
  share = std::clamp(share, share_[run], 1.0);
  cost_running_ += (share - share_[run]) * plan_.points[plan_.runs[run].point].cost;
  share_[run] = share;
  report();
}

void SweepBoard::finish(std::size_t run, StoredRun result) {
  const std::lock_guard lock(mutex_);
  if (stopped_ || state_[run] == State::done) return;
  const SweepRun& planned = plan_.runs[run];
  if (result.run_id != planned.run_id) fail(__FILE__, __LINE__, "a result of another run");
  const SweepPoint& point = plan_.points[planned.point];
  try {
    const bool failed = result.failed();
    result.add("sweep", {point.name, std::int64_t{planned.repetition}});
    store_.add(result);
    failed_ += failed ? 1 : 0;
    if (state_[run] == State::running) --running_;
    waiting_.erase({point.cost, run});  // it was given back, and its worker was not lost after all
    cost_running_ -= share_[run] * point.cost;
    cost_done_ += point.cost;
    state_[run] = State::done;
    ++done_;
    plan_point(planned.point);
  } catch (...) {
    error_ = std::current_exception();
    stopped_ = true;
  }
  changed_.notify_all();
  report();
}

void SweepBoard::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool SweepBoard::over() const {
  const std::lock_guard lock(mutex_);
  return over_locked();
}

bool SweepBoard::stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

void SweepBoard::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

SweepCounts SweepBoard::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_locked();
}

SweepCounts SweepBoard::counts_locked() const {
  const double fraction = cost_wanted_ > 0 ? (cost_done_ + cost_running_) / cost_wanted_ : 1;
  return {wanted_, done_, stored_, running_, failed_, fraction};
}

void SweepBoard::report() {
  if (watcher_) watcher_(counts_locked());
}

}  // namespace weir
