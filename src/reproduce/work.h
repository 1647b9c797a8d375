// What entries and computations work with: the scenarios of reproduce/, all cores, and the depth that was asked for.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "reproduce/definition.h"
#include "run/simulate.h"

namespace weir {

// Told when a stage of an entry begins (0 of so many runs) and after each of its runs, one call at a time.
using StageReport = std::function<void(std::size_t done, std::size_t runs)>;

class Work {
 public:
  Work(Depth depth, unsigned threads, StageReport report_stage = {});

  Depth depth() const { return depth_; }
  bool does(Depth from) const { return depth_ >= from; }
  std::size_t simulations() const { return simulations_; }
  // A scenario of reproduce/, e.g. "theory/hol.toml", with overrides.
  Scenario scenario(std::string_view file, const std::vector<Override>& overrides = {}) const;
  // Calls work(0) ... work(count - 1) on all cores; the results must not depend on the order.
  void parallel(std::size_t count, const std::function<void(std::size_t)>& work) const;
  // One of these: when fewer are left than there are cores, they share them.
  Outcome run(const Scenario& scenario, FileReader read = nullptr) const;

 private:
  Depth depth_;
  unsigned threads_;
  StageReport report_stage_;
  mutable std::size_t simulations_ = 0;  // runs and computations; entries count them from one thread
  mutable CoreShare cores_;
  mutable std::atomic<std::size_t> waiting_ = 0;  // of parallel(): not begun
};

}  // namespace weir
