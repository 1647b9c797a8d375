// What the processes of a sweep share: its options, how one run is done, and who does the runs.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/sweep/board.h"
#include "run/simulate.h"

namespace weir {

struct SweepOptions {
  std::string file;
  std::vector<std::string> set;
  std::string out;
  unsigned threads = 0;
  unsigned repetitions = 0;
  std::string precision;
  double confidence = 0.95;
  std::vector<std::string> metrics{"window_throughput_bps", "latency_mean_ns"};
  std::string detail = "summary";
  bool dry_run = false, retry = false;
  double lost_after = 60;
  std::string slurm;
  unsigned tasks = 0, hours = 0;
};
void add_sweep_options(CLI::App& command, SweepOptions& options);
Scenario sweep_scenario(const SweepOptions& options);
// The options that decide what is in the result, as words of a command line.
std::vector<std::string> words_of_result(const SweepOptions& options);
Detail detail_of(const SweepOptions& options);
std::string sweep_file(const SweepOptions& options, const Scenario& base);
double share_option(const std::string& text, const char* option);  // "2%" or 0.02

// Who does the runs: threads of this process, or other processes.
class SweepCrew {
 public:
  virtual ~SweepCrew() = default;
  virtual unsigned size() const = 0;
  virtual std::string name() const = 0;  // "2 threads"
  // Takes runs from the board until it is over. Returns early when it is stopped.
  virtual void work(SweepBoard& board, const SweepPlan& plan, Detail detail) = 0;
  virtual void ready() {}  // the leader has read its input and holds the result file
};
std::unique_ptr<SweepCrew> thread_crew(unsigned threads);

int run_sweep(const SweepOptions& options, SweepCrew& crew);
void dry_run(const SweepOptions& options, const SweepPlan& plan, unsigned workers);

// Thrown out of a simulation whose result nobody wants any more.
struct Abandoned {};

// One run from its number to its rows. Whatever goes wrong with it is a result too, with the error in `failures`.
// `cores`: that runs of this process share, while `waiting` of them have not begun.
StoredRun do_run(const Scenario& base, std::size_t number, Detail detail, const ProgressReport& progress,
                 CoreShare* cores = nullptr, std::size_t waiting = 0);

}  // namespace weir
