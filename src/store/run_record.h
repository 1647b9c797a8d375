// One finished run as the store and the report see it: what was asked, where, and what came out. The parts are
// borrowed; the caller keeps them alive while it writes or prints.
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/digest.h"
#include "measure/flows/ways_taken.h"
#include "measure/measurements.h"
#include "network/route_table.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

struct RunRecord {
  std::string label;  // what tells this run from the others beside it; may be empty for a single one
  const Scenario* scenario = nullptr;
  const Topology* topology = nullptr;
  const Measurements* m = nullptr;
  const RouteTable* routes = nullptr;  // optional: names the flows that are victims
  std::string weir_version;
  std::vector<std::pair<std::string, std::string>> parameters = {};  // of a sweep or comparison: dotted key and value
  std::vector<std::string> app_names = {};  // by application: the traffic entry that it comes from; may be empty
  std::string scheme, scheme_tag;      // its name, and what it takes to have it ("available", ...); empty: not known
  bool overloaded = false;             // its traffic asks for more than some links carry, as calculated before the run
};

// A record with what is computed from it, made once and handed to every writer.
struct AnalysedRun {
  RunRecord record;
  RunDigest digest;
  std::string config_hash, config;  // of the effective scenario
  std::string run_id;               // config_hash, and "/label" where there is a label
  std::size_t max_rows = std::numeric_limits<std::size_t>::max();  // of the tables of ports and of hosts

  const Measurements& m() const { return *record.m; }
  const Topology& topology() const { return *record.topology; }
};
AnalysedRun analyse(const RunRecord& record);
// What a run is called in all tables: the hash of its scenario, with its label behind it.
std::string run_id_of(const Scenario& scenario, const std::string& label);
// Runs that are compared: one event for all, that of the reference. Each on its own would find another window, or none.
std::vector<AnalysedRun> analyse_together(const std::vector<RunRecord>& records);
std::size_t reference_of(const std::vector<AnalysedRun>& runs);  // the run called "none", otherwise the first

// The text of a scenario with what was calculated for the keys of a section that it leaves open, as comments.
std::string with_calculated_values(std::string config, std::string_view section, const CalculatedValues& values);
std::string with_calculated_values(std::string config, const Measurements& m);

WaysTaken ways_taken(const Scenario& scenario);  // by its routing.choice
std::string_view ending_name(Ending ending);  // "finished", "duration", "saturated", "deadlock"
std::string scenario_file_name(
    const Scenario& scenario);  // without directories: a result does not depend on where it lay

}  // namespace weir
