// How one run of a sweep is done, and the crew of threads that does them.
#include <fmt/format.h>


#include "app/process.h"
#include "app/runner.h"
#include "app/sweep/sweep.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "store/sqlite/stored_run.h"

namespace weir {
namespace {

class ThreadCrew : public SweepCrew {
 public:
  explicit ThreadCrew(unsigned threads) : threads_(threads == 0 ? hardware_threads() : threads) {}
  unsigned size() const override { return threads_; }
  std::string name() const override { return fmt::format("{} thread{}", threads_, threads_ == 1 ? "" : "s"); }

  // Runs side by side come first; when fewer are left than there are cores, they share them.
  void work(SweepBoard& board, const SweepPlan& plan, Detail detail) override {
    CoreShare cores(threads_);
    parallel_for(threads_, threads_, [&](std::size_t) {
      while (const auto run = board.wait_and_take()) {
        const auto report = [&](double share, Time) {
          if (interruption() != 0) board.stop();
          if (board.stopped()) throw Abandoned{};
          board.progress(*run, share);
        };
        try {
          if (interruption() != 0) board.stop();
          else board.finish(*run, do_run(plan.base, *run, detail, report, &cores, waiting(board)));
        } catch (const Abandoned&) {
        }
      }
    });
  }

 private:
  static std::size_t waiting(const SweepBoard& board) {
    const SweepCounts counts = board.counts();
    return counts.runs - std::min(counts.runs, counts.done + counts.running);
  }
  unsigned threads_;
};

}  // namespace

std::unique_ptr<SweepCrew> thread_crew(unsigned threads) { return std::make_unique<ThreadCrew>(threads); }

StoredRun do_run(const Scenario& base, std::size_t number, Detail detail, const ProgressReport& progress,
                 CoreShare* cores, std::size_t waiting) {
  const Variant variant = sweep_variant(base, number, vocabulary());
  RunRecord failed;
  failed.label = variant.label;
  failed.scenario = &variant.scenario;
  failed.weir_version = WEIR_VERSION;
  for (const Override& setting : variant.settings) failed.parameters.emplace_back(setting.key, setting.value);
  try {
    RunSetup setup = set_up(variant.scenario);
    const Outcome outcome = cores != nullptr ? simulate(std::move(setup), *cores, waiting, progress)
                                             : simulate(std::move(setup), progress);
    return stored_run(analyse(record_of(variant, outcome)), detail);
  } catch (const std::exception& e) {
    return stored_failure(failed, error_text(e));
  }
}

}  // namespace weir
