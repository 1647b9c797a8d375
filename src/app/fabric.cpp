// `weir fabric`: the fabric of a scenario, served to real InfiniBand tools, which take it for a device.
#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "app/commands.h"
#include "app/fabric_input.h"
#include "app/process.h"
#include "app/report_file.h"
#include "app/result_place.h"
#include "app/runner.h"
#include "app/serve/metrics_server.h"
#include "app/sim_tools.h"
#include "live/control_line.h"
#include "live/metrics.h"
#include "live/serve.h"
#include "packet/config/config.h"
#include "report/terminal/run_text.h"
#include "scenario/quantity.h"
#include "store/files/result_dir.h"

namespace weir {
namespace {

struct FabricOptions : ScenarioOptions {
  std::string format = "auto", exec, tell, ratio, socket, metrics;
  bool lockstep = false, up = false;
};

std::int64_t wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

constexpr const char* kDefaultRatio = "1:1";

// "1:1000": one simulated second takes a thousand.
double parse_ratio(const std::string& text) {
  const std::size_t colon = text.find(':');
  char* end = nullptr;
  const double first = std::strtod(text.c_str(), &end);
  const bool whole = end == text.c_str() + (colon == text.npos ? text.size() : colon);
  const double second = colon == text.npos ? 1 : std::strtod(text.c_str() + colon + 1, &end);
  if (!whole || *end != 0 || !(first > 0) || !(second > 0))
    throw InputError("--ratio " + text + ": write it as in 1:1000, where 1 ms of simulated time takes 1 s");
  return first / second;
}

// What a served fabric runs under: congestion control that is there, and off unless the scenario or a tool turns it on.
Scenario read_served(const FabricOptions& options) {
  Scenario scenario = read_fabric_scenario(options.file, options.format, options.set);
  const std::string& scheme = scenario.section("scheme").kind;
  if (scheme == "cca" || scheme == "dcms") return scenario;
  if (scheme != "none")
    throw InputError(scenario.section("scheme").kind_where,
                     "a fabric can be served with InfiniBand's congestion control only: scheme \"cca\", \"dcms\" "
                     "(without its manager, for `weir manage`) or \"none\", not \"" + scheme + "\"");
  std::vector<std::string> set = options.set;
  set.push_back("scheme.name=cca");
  set.push_back("scheme.threshold=0");
  return read_fabric_scenario(options.file, options.format, set);
}

// "at 500000000" says the time in ps.
std::string answer_in_words(const std::string& answer) {
  if (!answer.starts_with("at ")) return answer;
  std::int64_t time = std::strtoll(answer.c_str() + 3, nullptr, 10);
  const char* units[] = {"ps", "ns", "us", "ms", "s"};
  std::size_t unit = 0;
  for (; unit + 1 < std::size(units) && time % 1000 == 0 && time != 0; ++unit) time /= 1000;
  return fmt::format("simulated time: {} {}", time, units[time == 0 ? std::size(units) - 1 : unit]);
}

bool has_traffic(const Scenario& scenario) { return !scenario.all("traffic").empty(); }

void print_end(const live::ServeReport& report, const FabricOptions& options) {
  note("answered {} management datagrams{}; {} {}\n", report.served - report.unanswered,
       report.unanswered == 0 ? "" : fmt::format(" ({} more had no destination)", report.unanswered),
       report.has_stood ? "the scenario ended at" : "the simulated time is", to_text(report.end));
  if (options.lockstep || report.held_ratio == 0) return;
  const double wanted = parse_ratio(options.ratio.empty() ? kDefaultRatio : options.ratio);
  const std::string ratio = options.ratio.empty() ? std::string("1:1, the default of --ratio")
                                                  : "--ratio " + options.ratio;
  const bool slower = report.held_ratio < 0.95 * wanted;
  note("{}the simulation ran at {:.4g} times real time{}\n", report.has_stood ? "until then, " : "", report.held_ratio,
       fmt::format("{}{}", slower ? ", slower than requested: " : ", as requested: ", ratio));
}

void serve_traffic(const Scenario& scenario, const FabricOptions& options, const live::SessionOptions& session) {
  ResultPlace place(options, scenario, "-fabric");
  const std::vector<Variant> variants{{"", scenario, {}}};
  RunSetup setup = set_up(scenario);
  for (const std::string& warning : setup.warnings) note("warning: {}\n", warning);
  live::ServeReport report;
  const Measurements measured = live::serve_run(scenario, setup, session, options.up, report);
  print_end(report, options);
  const std::vector<AnalysedRun> runs{analyse(record_of(variants[0], *setup.network, measured))};
  write_results(place.directory(), runs, report_files(runs, ""));
  place.written();
  if (!options.json.empty()) write_json_file(options.json, runs);
  note("results in {}\n", place.directory());
}

void serve_still(const Scenario& scenario, const FabricOptions& options, const live::SessionOptions& session) {
  std::vector<std::string> warnings;
  const Topology topology = build_topology(scenario, &warnings);
  for (const std::string& warning : warnings) note("warning: {}\n", warning);
  std::optional<RouteTable> routes;
  if (options.up) routes = routes_of(scenario, topology);
  live::ServeReport report;
  live::serve_idle(topology, routes ? &*routes : nullptr, session, report);
  print_end(report, options);
}

int run_fabric(const FabricOptions& options) {
  if (!options.tell.empty()) {
    put(answer_in_words(live::ControlClient(options.socket).ask(options.tell)) + "\n");
    return 0;
  }
  const Scenario scenario = read_served(options);
  live::SessionOptions session;
  session.socket = options.socket;
  session.lockstep = options.lockstep;
  session.ratio = parse_ratio(options.ratio.empty() ? kDefaultRatio : options.ratio);
  session.wall_ns = wall_ns;
  watch_for_interruption();
  session.say = [](const std::string& text) { note("{}\n", text); };
  std::optional<MetricsServer> metrics;
  if (!options.metrics.empty()) {
    metrics.emplace(options.metrics);
    session.after_serving = [&](const live::Session& s) {
      if (metrics->is_wanted()) metrics->publish(live::metrics_text(s));
    };
  }
  if (SimTool::own_library().empty())
    note("warning: libweir-umad.so not found beside weir: PortXmitWait of perfquery -x will be wrong\n");
  std::optional<SimTool> tool;
  if (options.exec.empty())
    note("to connect tools to this fabric, paste into their shell\n{}\n", SimTool::environment_text(options.socket));
  session.stopped = [&] {
    // Only now does somebody serve.
    if (!tool && !options.exec.empty()) tool.emplace(options.exec, options.socket);
    return interruption() != 0 || (tool && tool->has_ended());
  };
  if (has_traffic(scenario)) serve_traffic(scenario, options, session);
  else serve_still(scenario, options, session);
  return tool ? tool->exit_code() : 0;
}

}  // namespace

Command add_fabric(CLI::App& app) {
  auto options = std::make_shared<FabricOptions>();
  CLI::App* command = app.add_subcommand("fabric", "serve a simulated fabric to opensm and the InfiniBand diagnostics");
  command->footer(
      "Examples:\n  weir fabric scenarios/hotspot.toml --lockstep --exec \"opensm -o\"\n"
      "  weir fabric cluster.topo --up --exec ibnetdiscover\n"
      "  weir fabric scenarios/incast.toml --up --lockstep --exec \"weir fabric --tell 'advance 10us'; perfquery -x\"");
  command->add_option("file", options->file, "scenario (.toml), ibnetdiscover dump or ibdm topology");
  command->add_option("--format", options->format, "format of the fabric file, if it is not recognised")
      ->check(CLI::IsMember(kFabricFormats));
  command->add_option("--set", options->set, "override a value (repeatable)")->take_all();
  command->add_option("--out", options->out,
                      "directory for the results (default: results/<name of the scenario>-fabric)");
  command->add_option("--json", options->json, "write the result as JSON to this file");
  command->add_option("--exec", options->exec,
                      "run this command with the fabric as its InfiniBand device, then stop with its exit code");
  command->add_flag(
      "--up", options->up,
      "start with a subnet that is already configured, with the routes of the scenario: no subnet manager is needed");
  command->add_flag("--lockstep", options->lockstep,
                    "the simulated time advances only on request, as with `weir fabric --tell \"advance 1ms\"`");
  command->add_option(
      "--ratio", options->ratio,
      "speed of simulated time. 1:1000: 1 ms of simulated time takes 1 s (default: 1:1). If the simulation is slower, "
      "a line at the end says so");
  command->add_option(
      "--socket", options->socket,
      "name under which InfiniBand tools find this fabric (default: the environment variable IBSIM_SOCKNAME, otherwise "
      "sim; with --exec, a new unique name)");
  command->add_option("--metrics", options->metrics,
                      "serve /metrics for Prometheus at this address, as in 127.0.0.1:9684 (a port alone: on "
                      "127.0.0.1)");
  command->add_option(
      "--tell", options->tell,
      "send a request to a fabric that is being served: now (prints the simulated time), advance TIME, until "
      "TIME, link down PORT, link up PORT, served (prints the number of management datagrams so far), stop");
  return [options, command] {
    refuse_if_given(*command, {"--format", "--set", "--out", "--json", "--exec", "--up", "--lockstep", "--ratio",
                               "--metrics"},
                    !options->tell.empty(), "--tell only sends a request to a fabric that is being served");
    refuse_if_given(*command, {"--ratio"}, options->lockstep, "with --lockstep, the time advances on request");
    if (options->socket.empty()) options->socket = SimTool::usual_socket(!options->exec.empty());
    if (options->file.empty() && options->tell.empty())
      throw InputError("name a scenario or a fabric file, as in `weir fabric cluster.topo --up`");
    return run_fabric(*options);
  };
}

}  // namespace weir
