#include "reproduce/definition.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "reproduce/embedded.h"
#include "scenario/quantity.h"
#include "scenario/toml/table_reader.h"

namespace weir {
namespace {

constexpr std::string_view kDepths[] = {"quick", "normal", "full"};

Depth depth_of(TableReader& table) {
  const TomlNode* node = table.find("from");
  if (node == nullptr) return Depth::quick;
  for (int d = 0; d < 3; ++d)
    if (text_of(*node) == kDepths[d]) return static_cast<Depth>(d);
  throw InputError(node->where, "`from` must be quick, normal or full: the least depth in which this is done");
}

Sql sql_of(TableReader& table, std::string_view key) {
  const TomlNode* node = table.find(key);
  return node == nullptr ? Sql{} : Sql{text_of(*node), node->where};
}
Sql needed_sql(TableReader& table) {
  const TomlNode& node = table.need("sql");
  return {text_of(node), node.where};
}

Cell cell_of(const TomlNode& node) {
  if (node.type == TomlNode::Type::integer) return node.integer;
  if (node.type == TomlNode::Type::number) return node.number;
  return text_of(node);
}

void flatten(const TomlNode& node, const std::string& path, std::vector<Override>& out) {
  if (!node.is_table()) {
    out.push_back({path, to_toml(node)});
    return;
  }
  for (const TomlNode& member : node.items) flatten(member, path.empty() ? member.key : path + "." + member.key, out);
}

std::vector<Override> settings_of(TableReader& table, std::string_view key) {
  const TomlNode* node = table.find(key);
  return node == nullptr ? std::vector<Override>{} : read_settings(*node);
}

// Points by their settings, or one key (or several that go together) with a list of values.
Axis read_axis(const TomlNode& node) {
  TableReader table(node, "an axis");
  Axis axis{table.needed_text("column"), {}};
  const std::vector<std::string> keys = table.texts("key");
  if (const TomlNode* values = table.find("values")) {
    if (keys.empty()) throw InputError(node.where, "an axis with `values` needs `key`: the setting that they are for");
    for (const TomlNode& value : values->items) {
      AxisPoint point{cell_of(value), {}, Depth::quick};
      for (const std::string& key : keys) point.settings.push_back({key, to_toml(value)});
      axis.points.push_back(std::move(point));
    }
  }
  for (const TomlNode& item : table.tables("points")) {
    TableReader point(item, "a point of an axis");
    axis.points.push_back({cell_of(point.need("label")), settings_of(point, "set"), depth_of(point)});
    point.finish();
  }
  table.finish();
  if (axis.points.empty()) throw InputError(node.where, "an axis needs `values` or `points`");
  return axis;
}

// [NAME] tables of the paper's axes.toml.
Axis shared_axis(const std::string& folder, const std::string& name, const SourcePosition& where) {
  const std::string file = folder + "/axes.toml";
  const EmbeddedFile* axes = find_embedded(file);
  if (axes == nullptr) throw InputError(where, "there is no " + file + " that could have the axis `" + name + "`");
  const TomlNode document = read_toml(axes->text, file);
  const TomlNode* axis = document.find(name);
  if (axis == nullptr) throw InputError(where, file + " has no axis `" + name + "`");
  return read_axis(*axis);
}

RunGroup read_runs(const TomlNode& node, const std::string& folder) {
  TableReader table(node, "[[runs]]");
  RunGroup group;
  const std::filesystem::path paper = std::filesystem::path(folder).parent_path();
  group.scenario = (paper / table.needed_text("scenario")).string() + ".toml";
  if (find_embedded(group.scenario) == nullptr)
    throw InputError(table.need("scenario").where, "there is no scenario " + group.scenario);
  group.settings = settings_of(table, "set");
  for (int d = 0; d < 3; ++d) group.settings_in[d] = settings_of(table, kDepths[d]);
  if (const TomlNode* columns = table.find("columns"))
    for (const TomlNode& column : columns->items) group.columns.emplace_back(column.key, cell_of(column));
  for (const std::string& name : table.texts("axes")) group.axes.push_back(shared_axis(folder, name, node.where));
  for (const TomlNode& axis : table.tables("axis")) group.axes.push_back(read_axis(axis));
  if (const TomlNode* repeat = table.find("repeat"))
    for (int d = 0; d < 3; ++d)
      group.repeat[d] = static_cast<std::uint32_t>(number_of(in_depth(*repeat, static_cast<Depth>(d))));
  group.from = depth_of(table);
  table.finish();
  return group;
}

ComputeStep read_compute(const TomlNode& node) {
  TableReader table(node, "[[compute]]");
  ComputeStep step;
  step.where = node.where;
  step.name = table.needed_text("name");
  step.table = table.text("table", step.name);
  if (const TomlNode* with = table.find("with")) step.with = *with;
  step.from = depth_of(table);
  table.finish();
  return step;
}

// "1%" is relative to the paper's value; a plain number is absolute, in the value's unit.
double tolerance_of(const TomlNode& node, double paper) {
  return node.is_text() ? std::fabs(paper) * parse_fraction(node.text) : number_of(node);
}

CheckDefinition read_check(const TomlNode& node) {
  TableReader table(node, "[[check]]");
  CheckDefinition check;
  PaperValue& v = check.paper;
  check.where = node.where;
  v.what = table.needed_text("what");
  const auto kind = kind_named(table.text("kind", "value"));
  if (!kind || *kind == CheckKind::unpublished)
    throw InputError(table.need("kind").where, "`kind` must be value, ordering or shape");
  v.kind = *kind;
  v.unit = table.text("unit");
  v.text = table.text("text");
  v.reason = table.text("reason");
  v.holds = table.flag("holds", true);
  v.second_reaches = table.flag("second");
  if (v.kind == CheckKind::value) {
    v.paper = number_of(table.need("paper"));
    v.tolerance = tolerance_of(table.need("tolerance"), v.paper);
  }
  if (const TomlNode* band = table.find("band")) {
    if (!band->is_list() || band->items.size() != 2) throw InputError(band->where, "`band` must be [lowest, highest]");
    v.low = number_of(band->items[0]);
    v.high = number_of(band->items[1]);
  }
  if ((v.low || !v.holds) && v.reason.empty()) throw InputError(node.where, "what differs needs a `reason`");
  check.sql = sql_of(table, "sql");
  check.from = depth_of(table);
  table.finish();
  return check;
}

FigureDefinition read_figure(const TomlNode& node) {
  TableReader table(node, "[[figure]]");
  FigureDefinition figure;
  figure.name = table.text("name");
  figure.title = table.text("title");
  figure.x = table.needed_text("x");
  figure.y = table.needed_text("y");
  figure.log_x = table.flag("log_x");
  figure.log_y = table.flag("log_y");
  figure.points = table.flag("points");
  figure.sql = needed_sql(table);
  if (const TomlNode* paper = table.find("paper"))
    for (const TomlNode& point : paper->items) {
      if (!point.is_list() || point.items.size() != 2) throw InputError(point.where, "a point must be [x, y]");
      figure.paper.emplace_back(number_of(point.items[0]), number_of(point.items[1]));
    }
  figure.from = depth_of(table);
  table.finish();
  return figure;
}

ReportDefinition read_report(const TomlNode& node) {
  TableReader table(node, "[[report]]");
  ReportDefinition report{table.text("what"), needed_sql(table), depth_of(table)};
  table.finish();
  return report;
}

// SQL that several entries share.
Sql shared_sql(const std::string& folder, const std::string& name, const SourcePosition& where) {
  const std::string file = folder + "/" + name;
  const EmbeddedFile* script = find_embedded(file);
  if (script == nullptr) throw InputError(where, "there is no " + file);
  return {std::string(script->text), {file, 1, 1}};
}

}  // namespace

std::string_view depth_name(Depth depth) { return kDepths[static_cast<int>(depth)]; }

std::vector<Override> read_settings(const TomlNode& table) {
  if (!table.is_table()) throw InputError(table.where, "settings must be a table, not " + describe(table));
  std::vector<Override> settings;
  flatten(table, "", settings);
  return settings;
}

const TomlNode& in_depth(const TomlNode& node, Depth depth) {
  if (!node.is_table()) return node;
  const TomlNode* value = node.find(depth_name(depth));
  if (value == nullptr) throw InputError(node.where, "`" + node.key + "` needs a value for quick, normal and full");
  return *value;
}

EntryDefinition read_entry(std::string_view text, const std::string& file) {
  const std::filesystem::path path(file);
  const std::string folder = path.parent_path().string();
  const TomlNode document = read_toml(text, file);
  TableReader table(document, "an entry");
  EntryDefinition entry;
  entry.id = path.parent_path().parent_path().filename().string() + "/" + path.stem().string();
  entry.title = table.needed_text("title");
  const TomlNode* second = table.find("second");
  if (second != nullptr && second->is_table()) entry.second_settings = read_settings(*second);
  entry.second = !entry.second_settings.empty() || table.flag("second");
  entry.max_rows = static_cast<std::size_t>(table.number("max_rows", 1));
  for (const TomlNode& node : table.tables("runs")) entry.runs.push_back(read_runs(node, folder));
  for (const TomlNode& node : table.tables("compute")) entry.compute.push_back(read_compute(node));
  for (const std::string& name : table.texts("use"))
    entry.scripts.push_back(shared_sql(folder, name, document.where));
  if (Sql own = sql_of(table, "sql"); !own.text.empty()) entry.scripts.push_back(std::move(own));
  if (Sql own = sql_of(table, "measure"); !own.text.empty()) entry.measure.push_back(std::move(own));
  for (const TomlNode& node : table.tables("check")) entry.checks.push_back(read_check(node));
  for (const TomlNode& node : table.tables("report")) entry.reports.push_back(read_report(node));
  for (const TomlNode& node : table.tables("figure")) entry.figures.push_back(read_figure(node));
  entry.notes = table.texts("notes");
  if (Sql note = sql_of(table, "measured_note"); !note.text.empty()) entry.measured_notes.push_back(std::move(note));
  table.finish();
  return entry;
}

}  // namespace weir
