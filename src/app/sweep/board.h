// The state of a sweep while it runs: which runs wait, longest first, which are under way, what is finished. Threads
// and ranks take runs from the board and bring results to it; the board is the only one that writes the result file.
// Which runs are done in the end depends on their results, never on who did them or when.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/sweep/plan.h"
#include "store/sqlite/sweep_store.h"

namespace weir {

// When a point has been repeated often enough. It is looked at after 3, 5, 8, 12, ... repetitions, half as many again
// each time: looking more often would stop too early by chance, and with these steps threads have something to do.
struct StopRule {
  std::optional<double> precision;   // half width of the interval over the mean; none: all repetitions
  double confidence = 0.95;
  std::vector<std::string> metrics;  // "latency_mean_ns" of all classes, or "cold.latency_mean_ns" of one

  static std::size_t first_look(std::size_t repetitions);
  static std::size_t next_look(std::size_t looked, std::size_t repetitions);
  bool satisfied(const std::vector<Statistic>& of_point) const;

  struct Judged {
    std::vector<std::string> narrow, wide;  // "cold.latency_mean_ns", in the order of the statistics
    std::vector<std::string> growing;       // left out, since they grow with the length of the run
  };
  Judged judge(const std::vector<Statistic>& of_point) const;
};

struct SweepCounts {
  std::size_t runs = 0;     // that this sweep needs, as far as known now
  std::size_t done = 0;     // of them, failed ones included
  std::size_t stored = 0;   // of the done ones: before this session
  std::size_t running = 0;
  std::size_t failed = 0;
  double fraction = 0;      // of the work of this session
};

class SweepBoard {
 public:
  using Watcher = std::function<void(const SweepCounts&)>;  // called now and then, one call at a time
  SweepBoard(const SweepPlan& plan, SweepStore& store, StopRule rule, bool retry_failed, Watcher watcher);

  // The number of a run to do now; nothing if none waits. The other form waits until there is one; then nothing means
  // that the sweep is over or was stopped.
  std::optional<std::size_t> take();
  std::optional<std::size_t> wait_and_take();
  void give_back(std::size_t run);               // its worker was lost
  void progress(std::size_t run, double share);  // 0..1
  void finish(std::size_t run, StoredRun result);  // stores it; a second result of the same run is ignored

  void stop();  // takes no more results; what was taken is forgotten
  bool over() const;  // nothing waits or runs, or stopped
  bool stopped() const;
  SweepCounts counts() const;
  void rethrow() const;  // what went wrong with writing, if anything did

 private:
  enum class State : std::uint8_t { unplanned, waiting, running, done };
  struct Waiting {
    double cost;
    std::size_t run;
    friend bool operator<(const Waiting& a, const Waiting& b) {
      return a.cost != b.cost ? a.cost > b.cost : a.run < b.run;
    }
  };
  void plan_point(std::size_t point);
  std::optional<std::size_t> take_locked();
  bool over_locked() const { return stopped_ || (waiting_.empty() && running_ == 0); }
  SweepCounts counts_locked() const;
  void report();

  const SweepPlan& plan_;
  SweepStore& store_;
  const StopRule rule_;
  const Watcher watcher_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<State> state_;        // by run
  std::vector<double> share_;       // by run
  std::vector<std::size_t> target_;  // by point: repetitions wanted so far
  std::set<Waiting> waiting_;
  std::size_t running_ = 0, done_ = 0, stored_ = 0, failed_ = 0, wanted_ = 0;
  double cost_done_ = 0, cost_running_ = 0, cost_wanted_ = 0;  // of this session
  bool stopped_ = false;
  std::exception_ptr error_;
};

}  // namespace weir
