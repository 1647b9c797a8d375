// An entry of the reproduction as its file says it (docs/reproducing.md): what to run or compute, questions in SQL to
// the results, and what the paper prints. Read from reproduce/<paper>/entries/<entry>.toml; whatever is wrong
// there is an InputError with file and line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/check.h"
#include "scenario/parse.h"
#include "scenario/toml/toml_tree.h"
#include "store/sqlite/memory_database.h"
#include "store/tables.h"

namespace weir {

enum class Depth { quick, normal, full };
std::string_view depth_name(Depth depth);

struct AxisPoint {
  Cell label;                      // in the column of the axis
  std::vector<Override> settings;
  Depth from = Depth::quick;       // run in this depth and in deeper ones
};

struct Axis {
  std::string column;
  std::vector<AxisPoint> points;
};

// A scenario under every combination of its axes, with so many seeds.
struct RunGroup {
  std::string scenario;  // path below reproduce/
  std::vector<Override> settings;
  std::vector<Override> settings_in[3];           // by depth, after the others
  std::vector<std::pair<std::string, Cell>> columns;  // the same in all runs
  std::vector<Axis> axes;
  std::uint32_t repeat[3] = {1, 1, 1};            // seeds 1, 2, ...; by depth
  Depth from = Depth::quick;
};

// A computation of its own (computation.h), which fills a table.
struct ComputeStep {
  std::string name, table;
  TomlNode with;
  Depth from = Depth::quick;
  SourcePosition where;
};

struct CheckDefinition {
  PaperValue paper;
  Sql sql;  // empty: among the rows of `measure`
  Depth from = Depth::quick;
  SourcePosition where;
};

struct ReportDefinition {
  std::string what;  // empty: the first column of each row
  Sql sql;
  Depth from = Depth::quick;
};

struct FigureDefinition {
  std::string name, title, x, y;
  bool log_x = false, log_y = false, points = false;
  Sql sql;            // curve, x, y; or figure, title, curve, x, y
  std::vector<std::pair<double, double>> paper;  // what the paper prints, drawn over the curves
  Depth from = Depth::quick;
};

struct EntryDefinition {
  std::string id, title;      // "ferrer2012/fig-8.4"
  bool second = false;        // run in the paper's second reading, too
  std::vector<Override> second_settings;  // which adds these here
  std::size_t max_rows = 1;   // of the tables of ports and of hosts
  std::vector<RunGroup> runs;
  std::vector<ComputeStep> compute;
  std::vector<Sql> scripts;   // executed after the runs: tables and views for the questions below
  std::vector<Sql> measure;   // what, number; or what, holds, text: for checks without SQL
  std::vector<CheckDefinition> checks;
  std::vector<ReportDefinition> reports;
  std::vector<FigureDefinition> figures;
  std::vector<std::string> notes;
  std::vector<Sql> measured_notes;  // a text in each row
};

// `file` = "reproduce/ferrer2012/entries/fig-8.4.toml"; axes and SQL that the entries of a paper share lie beside it.
EntryDefinition read_entry(std::string_view text, const std::string& file);

// The settings of a table, keys joined by dots: {a = {b = 1}} is a.b = 1.
std::vector<Override> read_settings(const TomlNode& table);
// A number, or one for each depth: {quick = 1, normal = 3, full = 5}.
const TomlNode& in_depth(const TomlNode& node, Depth depth);

}  // namespace weir
