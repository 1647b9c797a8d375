// From the [[traffic]] sections to a Workload.
#include <algorithm>
#include <tuple>

#include "base/file_text.h"
#include "network/host_names.h"
#include "traffic/flow_progress.h"
#include "traffic/packet_format.h"
#include "traffic/pattern.h"

namespace weir {

namespace {

// As long as it says itself; kNever where the run ends by something else.
Time run_duration(const Scenario& scenario) {
  const Section* run = scenario.find("run");
  return run != nullptr && run->at("duration").is_set ? run->time("duration") : kNever;
}

}  // namespace

Workload build_workload(const Scenario& scenario, const Topology& topology, FileReader read) {
  const SourcePosition file{scenario.file, 0, 0};
  std::vector<Section> numbered;
  for (const Section* section : scenario.all("traffic")) numbered.push_back(with_host_numbers(*section, topology));
  std::vector<const Section*> sections;
  for (const Section& section : numbered) sections.push_back(&section);
  if (sections.empty())
    throw InputError(file, "there is no traffic; add a [[traffic]] entry, as in pattern = \"uniform\", load = 0.5");
  const HostList hosts = host_list(topology);
  const PacketFormat format = packet_format(scenario);
  Workload workload;
  std::vector<TrafficSection> entries = list_entries(sections, workload);
  PatternContext context{hosts, format, scenario.seed, workload, read != nullptr ? read : read_text_file,
                         run_duration(scenario)};
  for (TrafficSection& entry : entries) resolve_hosts(entries, entry, context);
  for (const TrafficSection& entry : entries)
    with_position(*entry.section, [&] { pattern_of(*entry.section).configure(entry, context); });
  if (workload.flows.empty() && workload.sources.empty())
    throw InputError(file, "the traffic entries make no flow and no source");
  workload.apps = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(workload.app_names.size()));
  check_dependencies(workload);
  std::sort(workload.sources.begin(), workload.sources.end(),
            [](const Source& a, const Source& b) { return std::tuple(a.host, a.group) < std::tuple(b.host, b.group); });
  return workload;
}

}  // namespace weir
