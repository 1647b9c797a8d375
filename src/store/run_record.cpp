#include "store/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "measure/measure_config.h"
#include "packet/routing/route_choice_kind.h"

namespace weir {

WaysTaken ways_taken(const Scenario& scenario) {
  const Section* routing = scenario.find("routing");
  if (routing == nullptr || !routing->knows("choice")) return WaysTaken::by_default;
  return chosen_component<RouteChoiceKind>(*routing, "choice").ways;
}

std::string with_calculated_values(std::string config, const Measurements& m) {
  config = with_calculated_values(std::move(config), "switch", m.switch_values);
  return with_calculated_values(std::move(config), "scheme", m.scheme_values);
}

std::string with_calculated_values(std::string config, std::string_view name, const CalculatedValues& values) {
  const std::size_t section = config.find(fmt::format("[{}]\n", name));
  if (values.empty() || section == std::string::npos) return config;
  std::string text = "# not given, calculated for this fabric:\n";
  for (const auto& [key, value] : values) text += "# " + key + " = " + value + "\n";
  const std::size_t next = config.find("\n\n", section);
  config.insert(next == std::string::npos ? config.size() : next + 1, text);
  return config;
}

namespace {

// By class, a bit each; empty where the routes change lanes, or where the scenario does not say.
std::vector<std::uint64_t> lanes_of_classes(const RunRecord& record) {
  if (record.m->lanes < 2 || record.routes == nullptr || record.routes->changes_lanes()) return {};
  std::vector<std::uint64_t> lanes(record.m->classes.size(), 0);
  for (const Section* traffic : record.scenario->all("traffic")) {
    const bool told = traffic->knows("lane") && traffic->knows("class") && traffic->given("class");
    const auto has = [&](const char* key) { return traffic->knows(key) && traffic->given(key); };
    if (!told || has("list") || has("file")) return {};
    for (std::size_t c = 0; c < lanes.size(); ++c)
      if (record.m->classes[c].name == traffic->text("class"))
        lanes[c] |= std::uint64_t{1} << static_cast<unsigned>(traffic->integer("lane"));
  }
  for (std::uint64_t& of_class : lanes)
    if (of_class == 0) of_class = ~std::uint64_t{0};
  return lanes;
}

}  // namespace

AnalysedRun analyse(const RunRecord& record) {
  AnalysedRun run;
  run.record = record;
  const Section* measure = record.scenario->find("measure");
  std::optional<FlowWays> ways;
  if (record.routes != nullptr)
    ways.emplace(*record.topology, *record.routes, ways_taken(*record.scenario), record.scenario->seed,
                 record.m->flows);
  DigestOptions options{ways ? &*ways : nullptr, {}, lanes_of_classes(record)};
  if (measure != nullptr && measure->knows("size_bins")) options.size_bins = read_size_bins(*measure);
  run.digest = digest(*record.m, *record.topology, options);
  run.config_hash = record.scenario->hash();
  run.config = with_calculated_values(record.scenario->canonical(), *record.m);
  if (measure != nullptr && measure->knows("max_rows"))
    run.max_rows = static_cast<std::size_t>(measure->integer("max_rows"));
  run.run_id = run_id_of(*record.scenario, record.label);
  return run;
}

std::string run_id_of(const Scenario& scenario, const std::string& label) {
  return label.empty() ? scenario.hash() : scenario.hash() + "/" + label;
}

namespace {

// Classes have other numbers in a run with other traffic.
std::vector<ClassId> same_classes(const std::vector<ClassId>& causes, const Measurements& from,
                                  const Measurements& to) {
  std::vector<ClassId> found;
  for (const ClassId cause : causes)
    for (std::uint32_t c = 0; c < to.classes.size(); ++c)
      if (to.classes[c].name == from.classes[cause.index].name) found.push_back({c});
  return found;
}

// A class that starts late may do so at slightly different times; nobody's disturbance may count as the calm before it.
std::optional<Event> common_event(const std::vector<AnalysedRun>& runs, std::size_t reference) {
  std::optional<Event> event = runs[reference].digest.event;
  if (!event || event->causes.empty()) return event;
  for (const AnalysedRun& run : runs)
    if (run.digest.event && !run.digest.event->causes.empty())
      event->span.from = std::min(event->span.from, run.digest.event->span.from);
  return event;
}

}  // namespace

std::size_t reference_of(const std::vector<AnalysedRun>& runs) {
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (runs[r].record.label == "none") return r;
  return 0;
}

std::vector<AnalysedRun> analyse_together(const std::vector<RunRecord>& records) {
  std::vector<AnalysedRun> runs;
  for (const RunRecord& record : records) runs.push_back(analyse(record));
  if (runs.size() < 2) return runs;
  const std::size_t reference = reference_of(runs);
  const std::optional<Event> event = common_event(runs, reference);
  for (AnalysedRun& run : runs) {
    std::optional<Event> own = event;
    if (own) own->causes = same_classes(event->causes, runs[reference].m(), run.m());
    set_event(run.digest, run.m(), own);
  }
  return runs;
}

std::string_view ending_name(Ending ending) {
  switch (ending) {
    case Ending::finished:
      return "finished";
    case Ending::duration:
      return "duration";
    case Ending::saturated:
      return "saturated";
    case Ending::deadlock:
      return "deadlock";
  }
  return "unknown";
}

std::string scenario_file_name(const Scenario& scenario) {
  return std::filesystem::path(scenario.file).filename().string();
}

}  // namespace weir
