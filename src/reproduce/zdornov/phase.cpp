// Paper 000, figure 6.7: how long one communication phase of an application takes. Without rate control it is measured
// packet by packet, with static and with adaptive routes; with SAA it is calculated, as in the paper, and for adaptive
// routes measured as well.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/zdornov/flow_entries.h"
#include "reproduce/zdornov/runs.h"

namespace weir {
namespace zdornov {
namespace {

struct PhaseRow {
  std::uint32_t permutations = 0;
  Interval none, routing, saa_ar_measured;
};

struct PhaseRun {
  double none = 0, routing = 0, saa_ar = 0;
};

// One of the three ways of a run, so that all of them can run side by side.
void run_phase(const Scenario& scenario, const Wired& fabric, std::uint32_t permutations, std::uint32_t run,
               double& completion) {
  const Workload workload = workload_of(random_permutations(fabric.topology.hosts(), permutations, 1, run), kFlowBytes);
  completion = completion_of(run_flows(scenario, fabric, workload), fabric, kFlowBytes);
}

std::vector<PhaseRow> measure_phases(const Reproduction& r, const std::vector<std::uint32_t>& axis,
                                     std::uint32_t runs) {
  const Wired plain({16, 3, 0}), modified({16, 3, 2});
  const Scenario fixed = r.scenario("zdornov/phase.toml"),
                 adaptive = r.scenario("zdornov/phase.toml", with_flow_setup()),
                 rated = r.scenario("zdornov/phase.toml", with_flow_setup({{"scheme.name", "saa"}}));
  std::vector<PhaseRun> results(axis.size() * runs);
  // The longest first. The paper only calculates SAA+AR; packet by packet it hardly differs from run to run and takes
  // longer than all the rest, so a few runs do.
  const std::uint32_t rated_runs = r.quick() ? 1 : std::min(runs, 5u);
  r.parallel(3 * results.size(), [&](std::size_t job) {
    const std::size_t i = results.size() - 1 - job / 3;
    const std::uint32_t permutations = axis[i / runs], run = static_cast<std::uint32_t>(i % runs);
    PhaseRun& out = results[i];
    if (job % 3 == 0) run_phase(adaptive, modified, permutations, run, out.routing);
    if (job % 3 == 1 && run < rated_runs) run_phase(rated, modified, permutations, run, out.saa_ar);
    if (job % 3 == 2) run_phase(fixed, plain, permutations, run, out.none);
  });
  std::vector<PhaseRow> rows;
  for (std::size_t a = 0; a < axis.size(); ++a) {
    Sample none, routing, saa_ar;
    for (std::uint32_t run = 0; run < runs; ++run) {
      const PhaseRun& result = results[a * runs + run];
      none.add(result.none);
      routing.add(result.routing);
      if (run < rated_runs) saa_ar.add(result.saa_ar);
    }
    rows.push_back({axis[a], interval_of(none), interval_of(routing), interval_of(saa_ar)});
  }
  return rows;
}

double change(const Interval& to, const Interval& from) { return 100 * (to.mean / from.mean - 1); }

void add_phase_figure(Reproduction& r, const std::vector<PhaseRow>& rows,
                      const std::vector<CompletionRow>& calculated) {
  Figure figure{"completion", "Completion time of a phase", "permutations", "units of a flow alone", {}, false, false};
  Curve none{"NC", {}, {}}, routing{"AR", {}, {}}, saa{"SAA", {}, {}}, saa_ar{"SAA+AR", {}, {}},
      measured{"SAA+AR, packet by packet", {}, {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Curve* curve : {&none, &routing, &saa, &saa_ar, &measured}) curve->x.push_back(rows[i].permutations);
    none.y.push_back(rows[i].none.mean);
    routing.y.push_back(rows[i].routing.mean);
    saa.y.push_back(calculated[i].saa.mean);
    saa_ar.y.push_back(calculated[i].saa_ar.mean);
    measured.y.push_back(rows[i].saa_ar_measured.mean);
  }
  figure.curves = {none, routing, saa, saa_ar, measured};
  r.figure(std::move(figure));
}

}  // namespace
}  // namespace zdornov

using namespace zdornov;

void zdornov_fig_6_7(Reproduction& r) {
  const std::vector<std::uint32_t> axis = r.quick() ? std::vector<std::uint32_t>{1, 3}
                                                    : std::vector<std::uint32_t>{1, 2, 3, 4, 5};
  RateOptions options;
  options.runs = r.quick() ? 3 : r.full() ? 50 : 5;
  const std::vector<PhaseRow> rows = measure_phases(r, axis, options.runs);
  const std::vector<CompletionRow> calculated = figure_6_7(options, axis);
  double saa = 0, saa_ar = 0;
  bool worse = true;
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PhaseRow& row = rows[i];
    saa = std::min(saa, change(calculated[i].saa, row.none));
    saa_ar = std::min(saa_ar, change(calculated[i].saa_ar, row.none));
    if (row.permutations >= 3) {
      worse = worse && row.routing.mean > row.none.mean;
      text += fmt::format("{}{} permutations {:+.1f} %", text.empty() ? "" : ", ", row.permutations,
                          change(row.routing, row.none));
    }
    r.report(fmt::format("{} permutations: NC, AR, SAA, SAA+AR, SAA+AR packet by packet", row.permutations),
             fmt::format("{}, {}, {}, {}, {}", text_of(row.none), text_of(row.routing), text_of(calculated[i].saa),
                         text_of(calculated[i].saa_ar), text_of(row.saa_ar_measured)));
  }
  r.value("SAA: largest change of the completion time", saa);
  r.value("SAA+AR: largest change of the completion time", saa_ar);
  r.statement("AR alone is worse from three permutations on", worse, text);
  double most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    most = std::max(most, std::abs(rows[i].saa_ar_measured.mean / calculated[i].saa_ar.mean - 1));
  r.report("SAA+AR packet by packet: farthest from the calculated time", fmt::format("{:.1f} %", 100 * most));
  add_phase_figure(r, rows, calculated);
  r.note(fmt::format("{} runs; flows of 200 packets, so that setting up a route counts little. NC and AR: packet "
                     "engine, FCFS outputs, infinite speedup, 8 buffers; AR and SAA+AR packet by packet set up routes "
                     "with packets, all at once, so their routes are not those of the calculated column. SAA+AR packet "
                     "by packet: {} run(s).",
                     options.runs, rows.front().saa_ar_measured.runs));
}

}  // namespace weir
