#include "schemes/calibrate.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "network/network.h"
#include "packet/packet_engine.h"

namespace weir {
namespace {

// Samples every buffer at regular intervals and times every round trip.
struct ProbeFamily : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  void on_start(EngineView& engine) override {
    outstanding.assign(engine.connections().count(), 0);
    of_host.assign(engine.topology().hosts(), 0);
    engine.set_timer(settled, 0);
  }
  void on_timer(EngineView& engine, std::uint32_t, std::uint32_t) override {
    FabricState& fabric = engine.fabric();
    for (std::uint32_t l = 0; l < fabric.links(); ++l) {
      const Link& link = fabric.link({l});
      if (!link.is(Link::kConnected)) continue;
      const ChannelId channel = fabric.channel_of({l}, {0});
      if (!link.is(Link::kToHost)) {
        input_sum += static_cast<double>(engine.input_occupancy(channel)) / fabric.capacity(channel);
        ++inputs;
      }
      if (!link.is(Link::kFromHost)) {
        output_sum += static_cast<double>(engine.output_occupancy(channel)) / engine.output_capacity();
        ++outputs;
      }
    }
    outstanding_sum += static_cast<double>(in_flight);
    active_sum += static_cast<double>(active);
    active_hosts_sum += static_cast<double>(active_hosts);
    engine.set_timer(engine.now() + interval, 0);
  }
  void on_inject(EngineView&, HostId host, Packet& p) override {
    if (p.destination == host) return;
    ++in_flight;
    if (outstanding[p.connection.index]++ == 0) ++active;
    if (of_host[host.index]++ == 0) ++active_hosts;
  }
  void on_ack(EngineView& engine, HostId host, Packet& p) override {
    --in_flight;
    if (--of_host[host.index] == 0) --active_hosts;
    if (--outstanding[p.connection.index] == 0) --active;
    const Time injected{p.injected};
    if (injected < settled) return;
    trip_sum += static_cast<double>((engine.now() - injected).ps);
    ++trips;
  }
  void report(Measurements& m) const override {
    const auto mean = [](double sum, double n) { return n > 0 ? sum / n : 0; };
    m.scheme_numbers = {{"input", mean(input_sum, static_cast<double>(inputs))},
                        {"output", mean(output_sum, static_cast<double>(outputs))},
                        {"trip", mean(trip_sum, static_cast<double>(trips))},
                        {"outstanding", mean(outstanding_sum, active_sum)},
                        {"outstanding of host", mean(outstanding_sum, active_hosts_sum)}};
  }

  Time settled, interval;
  std::vector<std::uint32_t> outstanding, of_host;
  std::uint64_t in_flight = 0, active = 0, active_hosts = 0, inputs = 0, outputs = 0, trips = 0;
  double input_sum = 0, output_sum = 0, trip_sum = 0, outstanding_sum = 0, active_sum = 0, active_hosts_sum = 0;
};

// A network with all its hosts sending at random: what the scenario's own traffic is replaced by.
struct Bench {
  Topology topology;
  RouteTable routes;
  Workload workload;
  PacketConfig config;
  std::uint64_t seed;

  explicit Bench(const Scenario& scenario)
      : topology(build_topology(scenario)), routes(build_routes(scenario, topology)), seed(scenario.seed) {
    const Workload given = build_workload(scenario, topology);
    config = packet_config(scenario, topology, given);
    config.run = {};
    config.run.max_backlog = std::uint64_t{1} << 40;
    config.measure.frames = 0;
    config.measure.watch.clear();
    SourceGroup group;
    group.name = "uniform";
    group.sizes = config.format.payloads;
    workload.classes = {{"all"}};
    workload.groups = {group};
    for (std::uint32_t h = 0; h < topology.hosts(); ++h) workload.sources.push_back({{h}, 0, 0, {}, 0});
  }
  PacketRun run() const { return {topology, routes, workload, config, seed}; }
  double host_bytes_per_second(std::uint32_t h) const {
    return topology.link(topology.host_port({h})).rate.bytes_per_second();
  }
  UniformProbe probe(double load, const CalibrationEffort& effort, const RoundTrip& trip);
};

UniformProbe Bench::probe(double load, const CalibrationEffort& effort, const RoundTrip& trip) {
  const auto mean_size = static_cast<double>(config.format.mean_wire_size());
  double offered = 0;
  for (Source& source : workload.sources) {
    source.packets_per_second = load * host_bytes_per_second(source.host.index) / mean_size;
    offered += source.packets_per_second;
  }
  ProbeFamily family;
  family.settled = trip.shortest * effort.settle_trips;
  family.interval = std::max(Time{1}, trip.shortest * 3);
  config.run.warmup = family.settled;
  config.run.duration = trip.shortest * (effort.settle_trips + effort.measured_trips);
  const PacketRun setup = run();
  const Measurements m = run_packets(setup, family);
  UniformProbe result;
  result.load = load;
  const double packets = static_cast<double>(m.classes[0].received_in_window) / (m.end - m.warmup).seconds();
  result.delivered = load * packets / offered;
  result.input_share = m.scheme_numbers[0].second;
  result.output_share = m.scheme_numbers[1].second;
  result.round_trip = {static_cast<std::int64_t>(m.scheme_numbers[2].second)};
  const double packet_ps = mean_size / host_bytes_per_second(0) * 1e12;
  result.window = m.scheme_numbers[2].second / packet_ps;
  result.outstanding = m.scheme_numbers[3].second;
  result.outstanding_of_host = m.scheme_numbers[4].second;
  return result;
}

}  // namespace

UniformProbe probe_uniform(const Scenario& scenario, double load, const CalibrationEffort& effort) {
  Bench bench(scenario);
  return bench.probe(load, effort, round_trip(bench.run()));
}

Calibration calibrate(const Scenario& scenario, const CalibrationEffort& effort,
                      const std::function<void(double)>& progress) {
  Bench bench(scenario);
  Calibration result;
  result.trip = round_trip(bench.run());
  result.largest_packet_window =
      window_for(result.trip, bench.run(), bench.config.format.max_payload() + bench.config.format.header);
  double low = 0, high = 1;
  for (int step = 0; step < effort.search_steps; ++step) {
    const double load = (low + high) / 2;
    result.search.push_back(bench.probe(load, effort, result.trip));
    (result.search.back().saturated() ? high : low) = load;
    if (progress) progress(static_cast<double>(step + 1) / (effort.search_steps + 1));
  }
  result.saturation = (low + high) / 2;
  result.near = bench.probe(effort.near * result.saturation, effort, result.trip);
  return result;
}

}  // namespace weir
