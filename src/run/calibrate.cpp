#include "run/calibrate.h"

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

  struct AtHost {
    std::uint64_t outstanding = 0, active = 0;  // packets, and connections that have some
    std::uint64_t trips = 0;
    std::int64_t trip_sum = 0;
  };

  void on_start(const GlobalView& all) override { all.set_timer(settled, 0); }
  void on_global_timer(const GlobalView& all, std::uint32_t, std::uint32_t) override {
    const FabricState& fabric = all.fabric();
    const Topology& topology = all.topology();
    for (std::uint32_t l = 0; l < fabric.links(); ++l) {
      const Link& link = fabric.link({l});
      if (!link.is(Link::kConnected)) continue;
      const ChannelId channel = fabric.channel_of({l}, {0});
      if (!link.is(Link::kToHost)) {
        const SwitchView behind = all.at(topology.switch_of(fabric.receiver({l})));
        input_sum += static_cast<double>(behind.input_occupancy(channel)) / fabric.capacity(channel);
        ++inputs;
      }
      if (!link.is(Link::kFromHost)) {
        const SwitchView before = all.at(topology.switch_of(fabric.sender({l})));
        output_sum += static_cast<double>(before.output_occupancy(channel)) / before.output_capacity();
        ++outputs;
      }
    }
    for (const AtHost& host : hosts) {
      outstanding_sum += host.outstanding;
      active_sum += host.active;
      active_hosts_sum += host.outstanding > 0;
    }
    all.set_timer(all.now() + interval, 0);
  }
  void on_inject(HostView here, Packet& p) override {
    if (p.destination == here.here()) return;
    AtHost& host = hosts[here.here()];
    ++host.outstanding;
    if (outstanding[p.connection]++ == 0) ++host.active;
  }
  void on_ack(HostView here, Packet& p) override {
    AtHost& host = hosts[here.here()];
    --host.outstanding;
    if (--outstanding[p.connection] == 0) --host.active;
    const Time injected{p.injected};
    if (injected < settled) return;
    host.trip_sum += (here.now() - injected).ps;
    ++host.trips;
  }
  void report(Measurements& m) const override {
    std::uint64_t trips = 0;
    std::int64_t trip_sum = 0;
    for (const AtHost& host : hosts) {
      trips += host.trips;
      trip_sum += host.trip_sum;
    }
    const auto mean = [](double sum, double n) { return n > 0 ? sum / n : 0; };
    m.scheme_numbers = {{"input", mean(input_sum, static_cast<double>(inputs))},
                        {"output", mean(output_sum, static_cast<double>(outputs))},
                        {"trip", mean(static_cast<double>(trip_sum), static_cast<double>(trips))},
                        {"outstanding", mean(static_cast<double>(outstanding_sum), static_cast<double>(active_sum))},
                        {"outstanding of host",
                         mean(static_cast<double>(outstanding_sum), static_cast<double>(active_hosts_sum))}};
  }

  Time settled, interval;
  ConnectionTable<std::uint32_t> outstanding{*this};
  HostTable<AtHost> hosts{*this};
  std::uint64_t inputs = 0, outputs = 0, outstanding_sum = 0, active_sum = 0, active_hosts_sum = 0;
  double input_sum = 0, output_sum = 0;
};

// A network with all its hosts sending at random: what the scenario's own traffic is replaced by.
struct Bench {
  Topology topology;
  RouteTable routes;
  Workload workload;
  PacketConfig config;
  std::uint64_t seed;

  explicit Bench(const Scenario& scenario)
      : topology(build_topology(scenario)), routes(routes_of(scenario, topology)), seed(scenario.seed) {
    const Workload given = build_workload(scenario, topology);
    config = packet_config(scenario, topology, given, routes.lanes());
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
  RunInput run() const { return {topology, routes, workload, config, seed}; }
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
  const RunInput setup = run();
  const Measurements m = run_packets(setup, family);
  UniformProbe result;
  result.load = load;
  const double packets = static_cast<double>(m.classes[0].received_in_window) / (m.end - m.warmup).seconds();
  result.delivered = load * packets / offered;
  const auto probed = [&](std::string_view name) { return m.scheme_number(name).value(); };
  result.input_share = probed("input");
  result.output_share = probed("output");
  result.round_trip = {static_cast<std::int64_t>(probed("trip"))};
  const double packet_ps = mean_size / host_bytes_per_second(0) * 1e12;
  result.window = probed("trip") / packet_ps;
  result.outstanding = probed("outstanding");
  result.outstanding_of_host = probed("outstanding of host");
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
