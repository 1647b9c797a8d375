#include "report/answer/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/answer/judgement.h"
#include "report/number_format.h"

namespace weir {
namespace {

// Other flows start when others have ended, or when somebody wanted them to: they have no stop that could be later.
bool arrives(const Scenario& scenario, const std::string& class_name) {
  const std::vector<const Section*> traffic = scenario.all("traffic");
  return std::any_of(traffic.begin(), traffic.end(), [&](const Section* s) {
    return (s->kind == "flow-arrivals" || s->kind == "incast-arrivals") &&
           (!s->has("class") || s->text("class") == class_name);
  });
}

}  // namespace

std::string growth_remark(std::span<const AnalysedRun> runs) {
  const AnalysedRun* worst_run = nullptr;
  const ClassDigest* worst = nullptr;
  std::string worst_name;
  std::size_t growing = 0;
  const auto factor = [](const ClassDigest& c) { return c.slowdown->growth->late_p99 / c.slowdown->growth->early_p99; };
  for (const AnalysedRun& run : runs) {
    bool grows = false;
    for (std::size_t i = 0; i < run.digest.classes.size(); ++i) {
      const ClassDigest& c = run.digest.classes[i];
      const std::string& name = run.m().classes[i].name;
      if (!c.slowdown || !c.slowdown->growth || !arrives(*run.record.scenario, name)) continue;
      grows = true;
      if (worst != nullptr && factor(*worst) >= factor(c)) continue;
      worst = &c;
      worst_name = name;
      worst_run = &run;
    }
    growing += grows;
  }
  if (worst == nullptr) return "";
  const SlowdownGrowth& growth = *worst->slowdown->growth;
  const std::string where = runs.size() == 1 ? "" : fmt::format(" (with {})", worst_run->record.label);
  const std::string others =
      growing > 1 ? fmt::format(" ({} of {} runs are like this)", growing, runs.size()) : "";
  return fmt::format(
      "flows of class {} that start later are slower{}: the 99th percentile slowdown is {} for the first "
      "half of them and {} for the second{}. So this figure depends on the length of the time in "
      "which flows arrive: raise `stop` in [[traffic]] until this note disappears. If it never does, the fabric cannot "
      "carry this load",
      worst_name, where, format_slowdown(growth.early_p99), format_slowdown(growth.late_p99), others);
}

}  // namespace weir
