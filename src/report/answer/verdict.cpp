#include "report/answer/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/answer/judgement.h"
#include "report/answer/losses.h"
#include "report/answer/phrases.h"
#include "report/number_format.h"

namespace weir {
namespace {

constexpr std::size_t kMostNamed = 6;

// Other runs that are not clearly worse.
std::vector<std::string> as_good(const std::vector<AnalysedRun>& runs, const Judgement& j, std::size_t run) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (r != run && r != j.reference && kDifference * j.harms[r] <= j.harms[run])
      names.push_back(tagged_label(runs[r]));
  if (names.size() > kMostNamed) {
    const std::string rest = fmt::format("{} others", names.size() - kMostNamed + 1);
    names.resize(kMostNamed - 1);
    names.push_back(rest);
  }
  return names;
}

}  // namespace

std::string verdict(const std::vector<AnalysedRun>& runs) {
  if (runs.size() < 2) return "";
  const Judgement j = judge(runs);
  const std::string who = named_classes(j.judged);
  if (j.best == runs.size()) return "no run delivered enough packets to judge what helps " + who;
  // Runs that differ in their schemes alone are called by these.
  const bool schemes = std::all_of(runs.begin(), runs.end(),
                                   [](const AnalysedRun& run) { return run.record.label == run.record.scheme; });
  const std::string other = schemes ? "no other scheme" : "no other run";
  const std::string_view measure = name_of(j.measure);
  const std::string& reference = runs[j.reference].record.label;
  const std::string against = reference == "none" ? "no congestion management (`none`)" : quoted_name(reference);
  const std::string best = format_harm(j.measure, j.harms[j.best]);
  const std::string base = format_harm(j.measure, j.harms[j.reference]);
  if (j.best == j.reference)
    return fmt::format("{} is better for {} than {}: {} {}", other, who, against, measure, best);
  if (!j.helps)
    return fmt::format("{} makes a difference to {}: {} {} at best, {} {}", other, who, measure, best,
                       best == base ? "the same as with" : base + " with", against);
  const auto praise = [&](std::size_t run) {
    const auto losses = losses_of(runs[run], runs[j.reference]);
    return harm_clause(runs, j, run) + (losses.empty() ? "" : ", but " + losses_clause(losses));
  };
  std::string text = fmt::format("{} helps {} most: {} {}", tagged_label(runs[j.best]), who, measure, praise(j.best));
  if (const auto equal = as_good(runs, j, j.best); !equal.empty())
    text += fmt::format("; within 5 % of it, which may be chance: {}", joined_with_and(equal));
  const std::size_t opensm = opensm_can_enable(runs, j);
  const std::size_t named = can_be_deployed(runs[j.best]) ? j.best : j.deployable;
  if (!can_be_deployed(runs[j.best])) {
    if (!j.deployable_helps) return text + fmt::format("; no available scheme tried here {}", improvement(j.measure));
    text += fmt::format("; among available schemes, {} helps most: {}", tagged_label(runs[j.deployable]),
                        praise(j.deployable));
  }
  if (opensm < runs.size() && opensm != named)
    text += fmt::format("; opensm can enable {}: {}", tagged_label(runs[opensm]), praise(opensm));
  return text;
}

std::size_t opensm_can_enable(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  std::size_t best = runs.size();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const bool cca = runs[r].record.scheme == "cca" && runs[r].record.scheme_tag == "hardware";
    if (!cca || std::isinf(j.harms[r]) || j.harms[r] > kDifference * j.harms[j.reference]) continue;
    if (best == runs.size() || j.harms[r] < j.harms[best]) best = r;
  }
  return best;
}

std::string few_flows_remark(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  constexpr std::size_t kEnough = 1000;  // ten of them lie beyond the percentile
  if (j.measure != HarmMeasure::p99_slowdown || j.best == runs.size()) return "";
  std::size_t fewest = kEnough;
  for (const std::string& name : j.judged) {
    const ClassDigest* d = find_class(runs[j.best], name);
    if (d != nullptr && d->slowdown) fewest = std::min(fewest, d->slowdown->all.complete);
  }
  if (fewest >= kEnough) return "";
  const std::size_t beyond = fewest - static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(fewest))) + 1;
  return fmt::format("the 99th percentile of {} flows depends on the slowest {} alone, and on one seed: let more "
                     "flows arrive, or repeat the run with other seeds (`weir sweep` with sweep.repetitions)",
                     fewest, beyond == 1 ? "one" : std::to_string(beyond));
}

}  // namespace weir
