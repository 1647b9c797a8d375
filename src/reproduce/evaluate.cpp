// Running an entry: its runs and computations fill a database, its questions are asked, and each check gets its
// verdict. With a second reading all of that is done twice, and the answers stand side by side.
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "reproduce/computation.h"
#include "reproduce/embedded.h"
#include "reproduce/entry.h"
#include "reproduce/paper.h"
#include "reproduce/plan.h"
#include "store/sqlite/memory_database.h"

namespace weir {
namespace {

constexpr const char* kSecond = ", second reading";

void run_all(const Work& work, const EntryDefinition& entry, const Reading* reading, MemoryDatabase& database) {
  const RunPlan plan = plan_runs(entry, work.depth(), reading);
  std::vector<std::string> columns{"run_id", "n"};
  columns.insert(columns.end(), plan.columns.begin(), plan.columns.end());
  database.create("points", columns);
  std::mutex mutex;
  work.parallel(plan.runs.size(), [&](std::size_t i) {
    const PlannedRun& run = plan.runs[i];
    const Scenario scenario =
        parse_scenario_text(embedded_file(run.group->scenario), run.group->scenario, vocabulary(), run.settings);
    const Outcome outcome = work.run(scenario, embedded_trace);
    AnalysedRun prepared;  // without a hash of its configuration: files of the program have none
    prepared.record.scenario = &scenario;
    prepared.record.topology = &outcome.network->topology;
    prepared.record.m = &outcome.measurements;
    prepared.digest = digest(outcome.measurements, outcome.network->topology);
    prepared.run_id = std::to_string(i);
    prepared.max_rows = entry.max_rows;
    Row point{prepared.run_id, cell(i)};
    point.insert(point.end(), run.cells.begin(), run.cells.end());
    const std::lock_guard lock(mutex);
    database.add(prepared);
    database.insert("points", point);
  });
}

// Tables of computations that did not ask how the paper is read; they serve both readings.
using SharedTables = std::map<const ComputeStep*, RowTable>;

void compute(const Work& work, const ComputeStep& step, const Reading* reading, SharedTables& shared,
             MemoryDatabase& database) {
  const auto fill = [&](const RowTable& table) {
    database.create(step.table, table.columns);
    for (const Row& row : table.rows) database.insert(step.table, row);
  };
  if (const auto known = shared.find(&step); known != shared.end()) return fill(known->second);
  const Computation* computation = find_computation(step.name);
  if (computation == nullptr) throw InputError(step.where, "there is no computation `" + step.name + "`");
  Parameters with(step.with, work.depth(), reading);
  RowTable table = computation->run(work, with);
  with.finish();
  fill(table);
  if (!with.asked_for_reading()) shared.emplace(&step, std::move(table));
}

// An entry in one of its readings, ready to be asked.
class Measured {
 public:
  Measured(const Work& work, const EntryDefinition& entry, const Reading* reading, SharedTables& shared) {
    database_.create("reading", {"second"});  // for questions that depend on it
    database_.insert("reading", {std::int64_t{reading != nullptr}});
    run_all(work, entry, reading, database_);
    for (const ComputeStep& step : entry.compute)
      if (work.does(step.from)) compute(work, step, reading, shared, database_);
    for (const Sql& script : entry.scripts) database_.execute(script);
    for (const Sql& sql : entry.measure)
      for (Row& row : database_.ask(sql)) {
        if (row.empty()) continue;
        const std::string what = text_in(row.front());
        row.erase(row.begin());
        rows_.emplace(what, std::pair{std::move(row), sql});
      }
  }

  std::vector<Row> ask(const Sql& sql) const { return database_.ask(sql); }

  Finding find(const CheckDefinition& check) const {
    if (!check.sql.text.empty()) {
      const std::vector<Row> rows = ask(check.sql);
      if (rows.size() != 1)
        throw InputError(check.sql.where, fmt::format("this SQL must give one row, and gives {}", rows.size()));
      return finding(check, rows.front(), check.sql);
    }
    const auto found = rows_.find(check.paper.what);
    if (found == rows_.end())
      throw InputError(check.where, "this check has no `sql`, and `measure` has no row `" + check.paper.what + "`");
    return finding(check, found->second.first, found->second.second);
  }

 private:
  static Finding finding(const CheckDefinition& check, const Row& row, const Sql& sql) {
    if (check.paper.kind == CheckKind::value) {
      if (row.empty()) throw InputError(sql.where, "a value needs a number: " + check.paper.what);
      return {number_in(row[0], sql), false, {}};
    }
    if (row.size() != 2)
      throw InputError(sql.where, "a statement needs whether it holds, and a text: " + check.paper.what);
    return {0, number_in(row[0], sql) != 0, text_in(row[1])};
  }

  MemoryDatabase database_;
  std::map<std::string, std::pair<Row, Sql>> rows_;
};

void add_reports(const Work& work, const EntryDefinition& entry, const Measured& measured, const char* suffix,
                 EntryResult& result) {
  for (const ReportDefinition& report : entry.reports) {
    if (!work.does(report.from)) continue;
    for (const Row& row : measured.ask(report.sql)) {
      const bool named = report.what.empty();
      if (row.size() != (named ? 2u : 1u))
        throw InputError(report.sql.where, named ? "a report without `what` needs two columns: what, and the text"
                                                 : "a report with `what` needs one column: the text");
      result.checks.push_back({(named ? text_in(row[0]) : report.what) + suffix, CheckKind::unpublished, {},
                               text_in(row.back()), 0, 0, Verdict::reported, {}, {}});
    }
  }
}

Figure& figure_called(EntryResult& result, const FigureDefinition& f, const std::string& name,
                      const std::string& title) {
  for (Figure& figure : result.figures)
    if (figure.name == name) return figure;
  result.figures.push_back({name, title, f.x, f.y, {}, f.log_x, f.log_y});
  if (!f.paper.empty()) {
    Curve printed{"paper", {}, {}, true};
    for (const auto& [x, y] : f.paper) printed.x.push_back(x), printed.y.push_back(y);
    result.figures.back().curves.push_back(std::move(printed));
  }
  return result.figures.back();
}

void add_figures(const Work& work, const EntryDefinition& entry, const Measured& measured, const char* suffix,
                 EntryResult& result) {
  for (const FigureDefinition& f : entry.figures) {
    if (!work.does(f.from)) continue;
    for (const Row& row : measured.ask(f.sql)) {
      if (row.size() != 3 && row.size() != 5)
        throw InputError(f.sql.where, "a figure needs the columns curve, x, y; before them may be its name and title");
      const std::size_t at = row.size() - 3;
      Figure& figure = at == 0 ? figure_called(result, f, f.name, f.title)
                               : figure_called(result, f, text_in(row[0]), text_in(row[1]));
      const std::string name = text_in(row[at]) + suffix;
      if (figure.curves.empty() || figure.curves.back().name != name)
        figure.curves.push_back({name, {}, {}, f.points});
      figure.curves.back().x.push_back(number_in(row[at + 1], f.sql));
      figure.curves.back().y.push_back(number_in(row[at + 2], f.sql));
    }
  }
}

}  // namespace

EntryResult run_entry(const EntryDefinition& entry, Depth depth, unsigned threads, StageReport report_stage) {
  const Work work(depth, threads, std::move(report_stage));
  const PaperInfo& paper = paper_of(entry.id);
  EntryResult result;
  result.id = entry.id;
  result.title = entry.title;
  SharedTables shared;
  const Measured first(work, entry, nullptr, shared);
  std::optional<Measured> second;
  if (entry.second) {
    if (!paper.second) throw InputError("reproduce/" + paper.id + "/paper.toml has no [second] reading");
    Reading reading = *paper.second;
    reading.settings.insert(reading.settings.end(), entry.second_settings.begin(), entry.second_settings.end());
    second.emplace(work, entry, &reading, shared);
  }
  for (const CheckDefinition& check : entry.checks) {
    if (!work.does(check.from)) continue;
    std::optional<Finding> other;
    if (second) other = second->find(check);
    result.checks.push_back(judge(check.paper, first.find(check), other));
  }
  add_reports(work, entry, first, "", result);
  add_figures(work, entry, first, "", result);
  if (second) add_reports(work, entry, *second, kSecond, result);
  if (second) add_figures(work, entry, *second, kSecond, result);
  if (second) result.notes.push_back("Second reading (" + paper.second->fitted + "). Reasons concern the literal one.");
  result.notes.insert(result.notes.end(), entry.notes.begin(), entry.notes.end());
  for (const Sql& note : entry.measured_notes)
    for (const Row& row : first.ask(note)) result.notes.push_back(text_in(row.front()));
  result.simulations = work.simulations();
  return result;
}

}  // namespace weir
