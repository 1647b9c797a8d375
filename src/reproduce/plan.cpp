#include "reproduce/plan.h"

#include <algorithm>

#include "reproduce/embedded.h"

namespace weir {
namespace {

void append(std::vector<Override>& to, const std::vector<Override>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::size_t column_of(std::vector<std::string>& columns, const std::string& name) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  columns.push_back(name);
  return columns.size() - 1;
}

void set(Row& cells, std::size_t column, const Cell& cell) {
  if (cells.size() <= column) cells.resize(column + 1);
  cells[column] = cell;
}

// The scheme that a run will have: what its settings say last, else what its scenario says.
std::string scheme_of(const std::vector<Override>& settings, const std::string& scenario) {
  for (auto s = settings.rbegin(); s != settings.rend(); ++s)
    if (s->key == "scheme.name") return read_literal(s->value, {}).text;
  const Node document = read_toml(embedded_file(scenario), scenario);
  const Node* section = document.find("scheme");
  const Node* name = section == nullptr ? nullptr : section->find("name");
  return name == nullptr ? "none" : name->text;
}

class Planner {
 public:
  Planner(Depth depth, const Reading* reading, RunPlan& plan) : depth_(depth), reading_(reading), plan_(plan) {}

  void add(const RunGroup& group) {
    PlannedRun run{&group, {}, {}};
    for (const auto& [name, cell] : group.columns) set(run.cells, column_of(plan_.columns, name), cell);
    add_axis(group, 0, std::move(run));
  }

 private:
  void add_axis(const RunGroup& group, std::size_t axis, PlannedRun run) {
    if (axis == group.axes.size()) return add_seeds(group, std::move(run));
    const std::size_t column = column_of(plan_.columns, group.axes[axis].column);
    for (const AxisPoint& point : group.axes[axis].points) {
      if (point.from > depth_) continue;
      PlannedRun next = run;
      append(next.settings, point.settings);
      set(next.cells, column, point.label);
      add_axis(group, axis + 1, std::move(next));
    }
  }

  void add_seeds(const RunGroup& group, PlannedRun run) {
    std::vector<Override> all = group.settings;
    append(all, group.settings_in[static_cast<int>(depth_)]);
    if (reading_ != nullptr) append(all, reading_->settings);
    append(all, run.settings);
    if (reading_ != nullptr) add_for_scheme(scheme_of(all, group.scenario), run.settings, all);
    run.settings = std::move(all);
    const std::uint32_t seeds = group.repeat[static_cast<int>(depth_)];
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
      plan_.runs.push_back(run);
      if (seeds == 1) continue;
      plan_.runs.back().settings.push_back({"seed", std::to_string(seed)});
      set(plan_.runs.back().cells, column_of(plan_.columns, "seed"), std::int64_t{seed});
    }
  }

  // What an axis varies is not overruled.
  void add_for_scheme(const std::string& scheme, const std::vector<Override>& varied, std::vector<Override>& all) {
    const auto found = reading_->by_scheme.find(scheme);
    if (found == reading_->by_scheme.end()) return;
    for (const Override& setting : found->second)
      if (std::none_of(varied.begin(), varied.end(), [&](const Override& v) { return v.key == setting.key; }))
        all.push_back(setting);
  }

  Depth depth_;
  const Reading* reading_;
  RunPlan& plan_;
};

}  // namespace

RunPlan plan_runs(const EntryDefinition& entry, Depth depth, const Reading* reading) {
  RunPlan plan;
  Planner planner(depth, reading, plan);
  for (const RunGroup& group : entry.runs)
    if (group.from <= depth) planner.add(group);
  for (PlannedRun& run : plan.runs) run.cells.resize(plan.columns.size());
  return plan;
}

}  // namespace weir
