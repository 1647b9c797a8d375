// Bytes per port, host, flow and packet. They are written here as numbers, so that the engine may change; a test
// compares the sums with what runs really take.
#include "run/memory_need.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/memory.h"
#include "measure/measurements.h"
#include "network/topologies/topologies.h"
#include "packet/hosts/send_lists.h"
#include "traffic/source_state.h"

namespace weir {
namespace {

constexpr double kNetworkPerPort = 130;  // tables, and the cables they are made from
constexpr double kNetworkPerNode = 130;
constexpr double kEngineBytes = 2e6;     // the queue of events, however small the fabric is
constexpr double kLinkBytes = 64;        // a link direction and its waiting
constexpr double kChannelBytes = 130;    // a lane of it, with what is measured of its buffers
constexpr double kCrossbarBytes = 56;    // a lane's part in a buffered crossbar
constexpr double kListBytes = 8;         // of packets
constexpr double kQueueBytes = 32;       // at a host
constexpr double kPacketBytes = 120;     // with its event, in a table that grew by doubling
constexpr double kFlowBytes = sizeof(Flow) + sizeof(FlowResult) + kQueueBytes + 160;
constexpr double kSourceBytes = sizeof(Source) + 2 * sizeof(SourceState) + 80;  // it may have two cursors
constexpr double kPairBytes = 44;        // what a scheme and the receivers keep for two hosts, at most
constexpr double kMostPairs = 1u << 26;  // more are refused by the engine
constexpr double kBinBytes = 400;        // of a class, and as a part of the JSON document
constexpr double kWritingPerPort = 160;  // names, in the page and its packed form

double real(std::uint64_t value) { return static_cast<double>(value); }

double adapter_queues(const Section& adapter, const FabricSize& size, double lanes) {
  const double rings = real(size.hosts) * lanes;
  if (adapter.chooses("organisation", "per-destination") || adapter.chooses("organisation", "shared"))
    return rings * real(size.hosts);
  if (adapter.chooses("organisation", "modulo"))
    return rings * std::min(real(size.hosts), static_cast<double>(adapter.integer("queues")));
  return rings;
}

// Lists and requests of switches that arbitrate among their inputs.
double switch_bytes(const Section& s, const FabricSize& size, double channels) {
  const bool crossbar = chosen_component<OrganisationKind>(s, "organisation").crossbar;
  if (!crossbar && s.chooses("arbitration", "fcfs")) return 0;
  const double requests = channels * std::ceil(real(size.radix + 1) / 64) * 8;
  if (crossbar) return requests + channels * kCrossbarBytes;
  const double lists_per_port = real(size.radix + 1) * static_cast<double>(s.integer("lanes"));
  return requests + real(size.ports) * lists_per_port * kListBytes;
}

// That the sources can make in so much time.
double packets_made(const Workload& workload, double seconds) {
  double made = 0;
  for (const Source& source : workload.sources) {
    const Activity& activity = workload.groups[source.group].activity;
    const double active = activity.stop == kNever ? seconds : std::min(seconds, activity.stop.seconds());
    made += std::min(std::isinf(source.packets_per_second) ? real(source.packets) : source.packets_per_second * active,
                     real(source.packets));
  }
  return made;
}

// As many as the sources can make in the time there is, and not more than two per link; backlog_need() is for what
// waits at the hosts of an overloaded fabric. Before the traffic is known, none.
double packets_alive(const Scenario& scenario, const FabricSize& size, const Workload* workload) {
  const Section& run = scenario.section("run");
  const double most = 2 * real(size.ports);
  if (workload == nullptr) return 0;
  if (!workload->flows.empty() || !run.has("duration")) return most;
  return std::min(most, packets_made(*workload, run.time("duration").seconds()));
}

double result_bytes(const Scenario& scenario, const FabricSize& size, const Workload* workload) {
  const Section& measure = scenario.section("measure");
  const double classes = workload == nullptr ? 1 : real(workload->classes.size());
  const double frames = measure.has("frames") ? static_cast<double>(measure.integer("frames"))
                                              : std::min(64.0, real(1u << 24) / std::max(1.0, real(size.ports)));
  const Section& run = scenario.section("run");
  const bool fixed = measure.has("bin") && measure.time("bin").ps > 0 && run.has("duration");
  const double bins = fixed ? run.time("duration").seconds() / measure.time("bin").seconds()
                            : static_cast<double>(measure.integer("max_bins"));
  constexpr auto kMostBins = static_cast<double>(kMostFixedBins);  // more are refused, with a better sentence
  constexpr double kSums = 4 * sizeof(double);
  return real(size.ports) * (sizeof(PortResult) + kSums + 2 * 3 * frames) +
         real(size.hosts) * classes * sizeof(HostResult) + classes * (std::min(bins, kMostBins) * kBinBytes + 65536);
}

}  // namespace

std::string MemoryNeed::text() const {
  return fmt::format("fabric {}, traffic {}, simulation {}, results {}", gigabytes(network), gigabytes(traffic),
                     gigabytes(engine), gigabytes(results));
}

MemoryNeed memory_need(const Scenario& scenario, const FabricSize& size, const Workload* workload) {
  MemoryNeed need;
  const Section& switches = scenario.section("switch");
  const auto lanes = static_cast<unsigned>(switches.integer("lanes"));
  const double channels = real(size.ports) * std::bit_ceil(lanes);
  need.network = kNetworkPerPort * real(size.ports) + kNetworkPerNode * real(size.hosts + size.switches);
  need.engine = kEngineBytes + real(size.ports) * kLinkBytes + channels * kChannelBytes +
                switch_bytes(switches, size, channels) +
                adapter_queues(scenario.section("adapter"), size, lanes) * kQueueBytes +
                packets_alive(scenario, size, workload) * kPacketBytes;
  need.engine = std::max(need.engine, kWritingPerPort * real(size.ports));
  need.results = result_bytes(scenario, size, workload);
  if (workload == nullptr) return need;
  need.traffic = real(workload->flows.size()) * kFlowBytes + real(workload->sources.size()) * kSourceBytes;
  const bool pairs = !workload->sources.empty() && scenario.section("scheme").kind != "none";
  if (pairs) need.traffic += std::min(kMostPairs, real(size.hosts) * real(size.hosts)) * kPairBytes;
  return need;
}

namespace {

// At all hosts, into which packets of sources may come.
double queues_of(const AdapterConfig& adapter, std::size_t hosts, std::uint32_t lanes, const Workload& workload) {
  const double rings = real(hosts) * lanes;
  switch (adapter.organisation) {
    case AdapterOrganisation::fifo: return rings;
    case AdapterOrganisation::modulo: return rings * std::min(real(hosts), real(adapter.queues));
    case AdapterOrganisation::per_flow: return real(workload.sources.size());
    case AdapterOrganisation::shared:
    case AdapterOrganisation::per_destination: break;
  }
  return rings * real(hosts);
}

}  // namespace

double backlog_need(const PacketConfig& config, const Workload& workload, std::size_t hosts) {
  const double each = bytes_of_waiting(kept_of_waiting(config, workload, hosts));
  if (each == 0 || workload.sources.empty()) return 0;
  const Time end = std::min(config.run.duration, config.run.max_time);
  double packets = real(config.run.max_backlog);
  packets = std::min(packets, packets_made(workload, end == kNever ? HUGE_VAL : end.seconds()));
  if (config.adapter.queue_limit > 0) {
    Bytes smallest = kMaxPacketBytes;
    for (const SourceGroup& group : workload.groups)
      for (const SizeShare& size : group.sizes) smallest = std::min(smallest, size.payload + config.format.header);
    const double in_queue = static_cast<double>(config.adapter.queue_limit / std::max<Bytes>(smallest, 1));
    packets = std::min(packets, in_queue * queues_of(config.adapter, hosts, config.switches.lanes, workload));
  }
  return packets * each;
}

namespace {

constexpr const char* kAdvice =
    "Make the fabric or the traffic smaller, or keep less (measure.frames, measure.max_bins)";

}  // namespace

void check_memory(const Scenario& scenario, std::size_t runs, std::size_t at_a_time) {
  const FabricSize size = fabric_size(scenario.section("topology"));
  if (size.hosts > kMostHosts || size.ports > kMostPorts) return;  // the builder has a better sentence
  const MemoryNeed need = memory_need(scenario, size, nullptr);
  const double all = real(runs) * (need.network + need.results) + real(at_a_time) * need.engine;
  const std::string what = runs == 1 ? "this run" : fmt::format("{} runs, {} at a time,", runs, at_a_time);
  need_memory(all, fmt::format("{} ({}{})", what, need.text(), runs == 1 ? "" : " each"), kAdvice);
}

void check_memory(const Scenario& scenario, const Topology& topology, const Workload& workload,
                  const PacketConfig& config) {
  MemoryNeed need = memory_need(scenario, fabric_size(topology), &workload);
  need.network = 0;  // it stands already
  need_memory(need.total(), fmt::format("this run ({})", need.text()), kAdvice);
  const double backlog = backlog_need(config, workload, topology.hosts());
  const std::string what = fmt::format("max_backlog: this run ({}, packets that may wait at the hosts {})", need.text(),
                                       gigabytes(backlog));
  const std::string lack = lack_of_memory(need.total() + backlog, what,
                                          "Let fewer packets wait (they take no memory where adapter.organisation is "
                                          "\"fifo\" and nothing is limited)");
  if (!lack.empty()) scenario.section("run").refuse("max_backlog", lack);
}

}  // namespace weir
