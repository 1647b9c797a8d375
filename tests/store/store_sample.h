// Runs for the tests of the store and the report: the sample of the measurements with a scenario around it.
#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "measure/sample_run.h"
#include "store/run_record.h"
#include "temp_dir.h"

namespace weir {

struct SampleRun {
  Scenario scenario;
  Topology topology = sample_topology();
  Measurements m = sample_measurements();
  std::string label;

  explicit SampleRun(std::string run_label = "", std::uint64_t seed = 1) : label(std::move(run_label)) {
    scenario.file = "some/where/sample.toml";
    scenario.name = "sample";
    scenario.seed = seed;
    m.totals.cpu_seconds = 0.25;
    FlowResult flow;
    flow.source = {0};
    flow.destination = {2};
    flow.traffic_class = {1};
    flow.app = {0};
    flow.bytes = 12'000;
    flow.delivered = 12'000;
    flow.start = {40'000'000};
    flow.first_delivery = {45'000'000};
    flow.completion = {70'000'000};
    FlowResult open = flow;
    open.source = {1};
    open.bytes = std::numeric_limits<Bytes>::max();
    open.delivered = 6'000;
    open.completion = kNever;
    m.flows = {flow, open};
    m.phase_ends = {{Time{70'000'000}}};
    m.scheme_numbers = {{"window", 2.5}, {"broken", std::numeric_limits<double>::quiet_NaN()}};
  }
  RunRecord record() const {
    RunRecord r;
    r.label = label;
    r.scenario = &scenario;
    r.topology = &topology;
    r.m = &m;
    r.weir_version = "0.1";
    return r;
  }
};

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace weir
