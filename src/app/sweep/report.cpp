#include "app/sweep/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report_file.h"
#include "base/file_text.h"
#include "report/page/sweep_document.h"
#include "store/files/output_file.h"
#include "store/sqlite/query.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

std::string text_of(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? "" : *text;
}

std::size_t count_of(const Cell& cell) {
  const auto* count = std::get_if<std::int64_t>(&cell);
  return count == nullptr ? 0 : static_cast<std::size_t>(*count);
}

std::vector<SweepScheme> stored_schemes(const fs::path& result) {
  std::vector<SweepScheme> schemes;
  const QueryResult found = run_query(result, "SELECT scheme, MAX(scheme_tag), MIN(scheme_never_acted), COUNT(*), "
                                              "COUNT(scheme_never_acted) FROM runs GROUP BY scheme ORDER BY scheme");
  for (const Row& row : found.rows)
    schemes.push_back({text_of(row[0]), text_of(row[1]), text_of(row[2]), count_of(row[3]), count_of(row[4])});
  return schemes;
}

SweepReport gather(const SweepOptions& options, const SweepPlan& plan, const fs::path& result) {
  SweepReport report;
  report.title = plan.base.name;
  report.scenario = scenario_file_name(plan.base);
  report.weir_version = WEIR_VERSION;
  report.command = sweep_command(options);
  report.config = plan.base.canonical();
  report.config_hash = plan.base.hash();
  report.confidence = options.confidence;
  report.repetitions = plan.repetitions();
  for (const SweepAxis& axis : plan.base.sweep)
    if (axis.keys != std::vector<std::string>{"seed"}) report.axes.push_back(axis);
  for (const SweepPoint& point : plan.points) report.points.push_back(point.name);
  report.statistics = shown_statistics(plan, result);
  for (const Row& row : run_query(result, "SELECT DISTINCT class FROM classes WHERE aggressor ORDER BY class").rows)
    report.aggressors.push_back(text_of(row[0]));
  report.schemes = stored_schemes(result);
  const std::set<std::string> points(report.points.begin(), report.points.end());
  const QueryResult failures =
      run_query(result, "SELECT s.point, f.label, f.error FROM failures f JOIN sweep s USING (run_id) "
                        "ORDER BY f.label, f.run_id");
  for (const Row& row : failures.rows)
    if (points.contains(text_of(row[0])))
      report.failures.push_back({text_of(row[0]), text_of(row[1]), text_of(row[2])});
  return report;
}

}  // namespace

std::vector<Statistic> shown_statistics(const SweepPlan& plan, const fs::path& result) {
  std::vector<Statistic> all = stored_statistics(result);
  std::set<std::string> apps;
  for (const Statistic& s : all)
    if (s.kind == "app") apps.insert(s.item);
  const std::vector<const Section*> traffic = plan.base.all("traffic");
  const auto arrivals = static_cast<std::size_t>(
      std::ranges::count_if(traffic, [](const Section* s) { return s->kind.ends_with("-arrivals"); }));
  // Each entry of arrivals is one application: without others, none of them is shown.
  if (apps.size() <= arrivals) std::erase_if(all, [](const Statistic& s) { return s.kind == "app"; });
  return all;
}

std::vector<std::string> idle_notes_of(const fs::path& result) { return idle_notes(stored_schemes(result)); }

fs::path sweep_page_path(const fs::path& result) {
  fs::path page = result;
  const std::string end = page.extension().string();
  if (end == ".sqlite" || end == ".sqlite3" || end == ".db") return page.replace_extension(".html");
  return page += ".html";
}

void check_sweep_page(const fs::path& page) {
  std::error_code error;
  if (!fs::exists(page, error)) return;
  if (file_text(page.string()).value_or("").find("id=\"weir-data\"") != std::string::npos) return;
  throw InputError(page.string() + " would be replaced by the report of this sweep, but it was not written by weir; "
                                   "move it away or choose another result file with --out");
}

std::string sweep_command(const SweepOptions& o) {
  ScenarioOptions scenario;
  scenario.file = o.file;
  scenario.set = o.set;
  return repeat_command("sweep", scenario, words_of_result(o));
}

void write_sweep_page(const SweepOptions& options, const SweepPlan& plan, const fs::path& result) {
  try {
    write_file(sweep_page_path(result), sweep_page(gather(options, plan, result)));
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}\nall runs are in {}; run the same command again to write the report", e.what(),
                                 result.string()));
  }
}

}  // namespace weir
