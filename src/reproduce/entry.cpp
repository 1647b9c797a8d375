#include "reproduce/entry.h"

#include <algorithm>
#include <mutex>

#include "base/check.h"
#include "base/parallel.h"
#include "reproduce/embedded.h"
#include "scenario/suggest.h"

namespace weir {

std::string_view depth_name(Depth depth) {
  return depth == Depth::quick ? "quick" : depth == Depth::full ? "full" : "normal";
}

Reproduction::Reproduction(std::string id, std::string title, Depth depth, unsigned threads,
                           StageReport report_stage)
    : depth_(depth), threads_(std::max(1u, threads)), report_stage_(std::move(report_stage)) {
  result_.id = std::move(id);
  result_.title = std::move(title);
}

Scenario Reproduction::scenario(std::string_view file, const std::vector<Override>& overrides) const {
  const std::string path = "reproduce/" + std::string(file);
  return parse_scenario_text(embedded_file(path), path, vocabulary(), overrides);
}

void Reproduction::parallel(std::size_t count, const std::function<void(std::size_t)>& work) const {
  simulations_ += count;
  if (!report_stage_) return parallel_for(count, threads_, work);
  std::mutex mutex;
  std::size_t done = 0;
  report_stage_(0, count);
  parallel_for(count, threads_, [&](std::size_t i) {
    work(i);
    const std::lock_guard lock(mutex);
    report_stage_(++done, count);
  });
}

std::vector<Outcome> Reproduction::run(const std::vector<Scenario>& scenarios) const {
  std::vector<Outcome> outcomes(scenarios.size());
  parallel(scenarios.size(), [&](std::size_t i) { outcomes[i] = simulate(scenarios[i]); });
  return outcomes;
}

void Reproduction::value(std::string_view what, double measured) {
  const PaperValue* paper = paper_value(result_.id, what);
  if (paper == nullptr) throw InputError(result_.id + ": paper-values.toml has no check `" + std::string(what) + "`");
  result_.checks.push_back(judge_value(*paper, measured));
}

void Reproduction::statement(std::string_view what, bool holds, const std::string& measured) {
  const PaperValue* paper = paper_value(result_.id, what);
  if (paper == nullptr) throw InputError(result_.id + ": paper-values.toml has no check `" + std::string(what) + "`");
  result_.checks.push_back(judge_statement(*paper, holds, measured));
}

void Reproduction::report(std::string_view what, const std::string& measured) {
  result_.checks.push_back({std::string(what), CheckKind::unpublished, {}, measured, 0, 0, Verdict::reported, {}});
}

std::vector<Entry> entries_named(const std::vector<std::string>& names) {
  std::vector<Entry> chosen;
  if (names.empty()) return {entries().begin(), entries().end()};
  for (const std::string& name : names) {
    bool found = false;
    for (const Entry& entry : entries()) {
      const bool below = entry.id.starts_with(name) && entry.id.size() > name.size() && entry.id[name.size()] == '/';
      if (entry.id != name && !below) continue;
      found = true;
      if (std::none_of(chosen.begin(), chosen.end(), [&](const Entry& e) { return e.id == entry.id; }))
        chosen.push_back(entry);
    }
    if (found) continue;
    std::string known;
    for (const Entry& entry : entries()) known += "\n  " + std::string(entry.id) + "  " + std::string(entry.title);
    throw InputError("there is nothing to reproduce called `" + name + "`; there are:" + known);
  }
  return chosen;
}

EntryResult run_entry(const Entry& entry, Depth depth, unsigned threads, StageReport report_stage) {
  Reproduction work{std::string(entry.id), std::string(entry.title), depth, threads, std::move(report_stage)};
  entry.run(work);
  return work.finish();
}

}  // namespace weir
