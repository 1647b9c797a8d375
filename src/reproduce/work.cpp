#include "reproduce/work.h"

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "reproduce/embedded.h"

namespace weir {

Work::Work(Depth depth, unsigned threads, StageReport report_stage)
    : depth_(depth),
      threads_(std::max(1u, threads)),
      report_stage_(std::move(report_stage)),
      cores_(std::max(1u, threads)) {}

Scenario Work::scenario(std::string_view file, const std::vector<Override>& overrides) const {
  const std::string path = "reproduce/" + std::string(file);
  return parse_scenario_text(embedded_file(path), path, vocabulary(), overrides);
}

void Work::parallel(std::size_t count, const std::function<void(std::size_t)>& work) const {
  simulations_ += count;
  waiting_ = count;
  std::mutex mutex;
  std::size_t done = 0;
  if (report_stage_) report_stage_(0, count);
  parallel_for(count, threads_, [&](std::size_t i) {
    --waiting_;
    work(i);
    if (!report_stage_) return;
    const std::lock_guard lock(mutex);
    report_stage_(++done, count);
  });
}

Outcome Work::run(const Scenario& scenario, FileReader read) const {
  return simulate(set_up(scenario, read), cores_, waiting_);
}

}  // namespace weir
