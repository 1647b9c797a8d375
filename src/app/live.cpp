#include "app/live.h"

#include <nlohmann/json.hpp>

#include "app/runner.h"
#include "report/page.h"

namespace weir {
namespace {

constexpr double kInterval = 0.5;  // seconds of wall time between two states

}  // namespace

Outcome run_live(const Variant& variant, PageServer& server, const std::string& command) {
  Outcome outcome = prepare_run(variant.scenario);
  double last = -1, share = -1;
  LiveView live;
  live.wanted = [&] { return last < 0 || wall_seconds() - last >= kInterval; };
  live.publish = [&](Measurements m) {
    RunRecord record = record_of(variant, outcome);
    record.m = &m;
    server.publish(script_safe(report_document({prepare(record)}, {command, share})));
    last = wall_seconds();
  };
  const double before = cpu_seconds();
  run_prepared(variant.scenario, outcome, [&](double done, Time) { share = done; }, &live);
  outcome.measurements.totals.cpu_seconds = cpu_seconds() - before;
  return outcome;
}

void publish_end(const std::vector<PreparedRun>& runs, PageServer& server, const std::string& command) {
  server.publish(script_safe(report_document(runs, {command, {}})));
}

}  // namespace weir
