// Rows about flows: each of them, the applications they belong to, and their slowdown by size.
#include "store/tables_flows.h"

#include <algorithm>

#include "store/tables_fabric.h"
#include "traffic/workload.h"

namespace weir {

namespace {

std::vector<TableColumn> flow_columns() {
  return {{"id", kInt, true},
          {"src", kText},
          {"dst", kText},
          {"class", kText},
          {"app", kInt},
          {"phase", kInt},
          {"bytes", kInt},
          {"delivered_bytes", kInt},
          {"window_delivered_bytes", kInt},
          {"start_s", kReal},
          {"first_delivery_s", kReal},
          {"completion_s", kReal},
          {"duration_s", kReal},
          {"rate_bps", kReal},
          {"assigned_rate_bps", kReal},
          {"alone_s", kReal},
          {"slowdown", kReal},
          {"role", kText}};
}

Cell role_of(const AnalysedRun& run, std::size_t flow) {
  const auto& roles = run.digest.flow_roles;
  if (flow >= roles.size() || roles[flow] == FlowRole::none) return {};
  return std::string(roles[flow] == FlowRole::root ? "root" : "victim");
}

void flow_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  for (std::size_t f = 0; f < m.flows.size(); ++f) {
    const FlowResult& flow = m.flows[f];
    const auto duration = flow_completion_ps(flow);
    sink({cell(f), t.name(t.node(flow.source)), t.name(t.node(flow.destination)),
          flow.traffic_class.index < m.classes.size() ? Cell{m.classes[flow.traffic_class.index].name} : Cell{},
          flow.app.valid() ? cell(std::uint64_t{flow.app.index}) : Cell{}, cell(std::uint64_t{flow.phase}),
          flow.bytes == kEndless ? Cell{} : Cell{std::int64_t{flow.bytes}}, Cell{std::int64_t{flow.delivered}},
          Cell{std::int64_t{flow.delivered_in_window}}, seconds_cell(flow.start), seconds_cell(flow.first_delivery),
          seconds_cell(flow.completion), duration ? cell(*duration / 1e12) : Cell{}, cell(flow_rate(m, flow)),
          flow.offered_rate > 0 ? cell(flow.offered_rate) : Cell{}, seconds_cell(flow.alone), cell(slowdown_of(flow)),
          role_of(run, f)});
  }
}

void app_rows(const AnalysedRun& run, const RowSink& sink) {
  for (const AppResult& app : run.digest.apps)
    sink({cell(std::uint64_t{app.app.index}), cell(app.flows), cell(app.completed), cell(app.completion)});
}

void phase_rows(const AnalysedRun& run, const RowSink& sink) {
  for (const AppResult& app : run.digest.apps)
    for (std::size_t p = 0; p < std::min(app.phases.size(), app.phase_numbers.size()); ++p)
      sink({cell(std::uint64_t{app.app.index}), cell(std::uint64_t{app.phase_numbers[p]}),
            cell(app.phases[p])});
}

void append_summary(Row& row, const SlowdownSummary& s) {
  row.insert(row.end(), {cell(s.flows), cell(s.complete)});
  if (s.complete == 0) row.insert(row.end(), 6, Cell{});
  else for (const double value : {s.mean, s.p50, s.p95, s.p99, s.max, s.goodput_bps}) row.push_back(cell(value));
}

void slowdown_rows(const AnalysedRun& run, const RowSink& sink) {
  for (std::size_t c = 0; c < run.m().classes.size(); ++c) {
    const std::optional<Slowdown>& slowdown = run.digest.classes[c].slowdown;
    if (!slowdown) continue;
    for (std::size_t b = 0; b < slowdown->by_size.size(); ++b) {
      const SizeBin& bin = slowdown->by_size[b];
      Row row{run.m().classes[c].name, cell(b), Cell{std::int64_t{bin.above}}, Cell{std::int64_t{bin.up_to}}};
      append_summary(row, bin.slowdown);
      sink(row);
    }
  }
}

}  // namespace

std::vector<TableColumn> slowdown_columns() {
  return {{"flows", kInt},          {"flows_complete", kInt}, {"slowdown_mean", kReal},
          {"slowdown_p50", kReal},  {"slowdown_p95", kReal},  {"slowdown_p99", kReal},
          {"slowdown_max", kReal},  {"goodput_bps", kReal},   {"victim_flows", kInt},
          {"victim_slowdown_p50", kReal}, {"victim_slowdown_p99", kReal}};
}

void append_slowdown(Row& row, const std::optional<Slowdown>& slowdown) {
  if (!slowdown) {
    row.insert(row.end(), slowdown_columns().size(), Cell{});
    return;
  }
  append_summary(row, slowdown->all);
  const auto& victims = slowdown->victims;
  const bool complete = victims && victims->complete > 0;
  row.push_back(victims ? cell(victims->flows) : Cell{});
  row.push_back(complete ? cell(victims->p50) : Cell{});
  row.push_back(complete ? cell(victims->p99) : Cell{});
}

std::vector<TableColumn> with_slowdown(std::vector<TableColumn> columns) {
  const auto more = slowdown_columns();
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

ResultTable flow_table() { return {"flows", "flows.csv", flow_columns(), flow_rows}; }
ResultTable app_table() {
  return {"apps", "", {{"app", kInt, true}, {"flows", kInt}, {"completed", kInt}, {"completion_s", kReal}}, app_rows};
}
ResultTable phase_table() {
  return {"phases", "", {{"app", kInt, true}, {"phase", kInt, true}, {"end_s", kReal}}, phase_rows};
}

ResultTable slowdown_table() {
  return {"slowdown",
          "slowdown.csv",
          {{"class", kText, true},
           {"bin", kInt, true},
           {"above_bytes", kInt},
           {"up_to_bytes", kInt},
           {"flows", kInt},
           {"flows_complete", kInt},
           {"slowdown_mean", kReal},
           {"slowdown_p50", kReal},
           {"slowdown_p95", kReal},
           {"slowdown_p99", kReal},
           {"slowdown_max", kReal},
           {"goodput_bps", kReal}},
          slowdown_rows};
}

}  // namespace weir
