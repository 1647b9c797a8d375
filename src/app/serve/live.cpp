#include "app/serve/live.h"

#include <nlohmann/json.hpp>

#include "app/runner.h"
#include "report/page/page.h"

namespace weir {
namespace {

constexpr double kInterval = 0.5;  // seconds of wall time between two states

}  // namespace

Outcome run_live(const Variant& variant, PageServer& server, const std::string& command) {
  RunSetup setup = set_up(variant);
  const Network& network = *setup.network;  // stays where it is
  double last = -1, share = -1;
  LiveView live;
  live.wanted = [&] { return last < 0 || wall_seconds() - last >= kInterval; };
  live.publish = [&](Measurements m) {
    server.publish(script_safe(report_document({analyse(record_of(variant, network, m))}, {command, share})));
    last = wall_seconds();
  };
  const double before = cpu_seconds();
  Outcome outcome = simulate(std::move(setup), [&](double done, Time) { share = done; }, &live);
  outcome.measurements.totals.cpu_seconds = cpu_seconds() - before;
  return outcome;
}

void publish_end(const std::vector<AnalysedRun>& runs, PageServer& server, const std::string& command) {
  server.publish(script_safe(report_document(runs, {command, {}})));
}

}  // namespace weir
