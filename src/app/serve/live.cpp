#include "app/serve/live.h"

#include <nlohmann/json.hpp>

#include "app/runner.h"
#include "report/page/page.h"

namespace weir {
namespace {

constexpr double kInterval = 0.5;  // seconds of wall time between two states

}  // namespace

Outcome run_live(const Variant& variant, PageServer& server, const std::string& command) {
  RunSetup setup = set_up(variant.scenario);
  double last = -1, share = -1;
  LiveView live;
  live.wanted = [&] { return last < 0 || wall_seconds() - last >= kInterval; };
  live.publish = [&](Measurements m) {
    server.publish(script_safe(report_document({prepare(record_of(variant, *setup.network, m))}, {command, share})));
    last = wall_seconds();
  };
  const double before = cpu_seconds();
  Measurements measurements = run_simulation(setup, [&](double done, Time) { share = done; }, &live);
  measurements.totals.cpu_seconds = cpu_seconds() - before;
  return {std::move(setup.network), std::move(setup.workload), std::move(measurements), std::move(setup.warnings),
          setup.routes_proven};
}

void publish_end(const std::vector<PreparedRun>& runs, PageServer& server, const std::string& command) {
  server.publish(script_safe(report_document(runs, {command, {}})));
}

}  // namespace weir
