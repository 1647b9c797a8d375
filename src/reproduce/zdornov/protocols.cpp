// One run of each experiment on the protocols of Zdornov & Birk 2009.
#include "reproduce/zdornov/protocols.h"

#include <algorithm>
#include <cmath>

#include "control/rates/dafa.h"
#include "control/rates/dffa.h"
#include "control/rates/saa_m.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "network/routings/routings.h"
#include "reproduce/computations.h"
#include "reproduce/zdornov/runs.h"

namespace weir::zdornov {
namespace {

constexpr double kMicrosecond = 1e6;  // picoseconds

double microseconds(Time t) { return static_cast<double>(t.ps) / kMicrosecond; }

// The flows of one run on their fabric, with routes both ways and the exact solvers' view of them.
class Bench {
 public:
  Bench(const std::vector<FlowPair>& flows, std::uint32_t run, const ProtocolOptions& options,
        const std::vector<std::uint32_t>& application = {})
      : fabric_(options.tree), random_(options.seed, Purpose::start, run), spread_(options.spread),
        timing_(options.timing) {
    FlowRouter router(fabric_.topology, fabric_.routes, options.routing);
    RowList paths = route(router, flows, options.seed, run);
    std::vector<PortId> ports;
    for (std::uint32_t f = 0; f < flows.size(); ++f) {
      ports.clear();
      for (const std::uint32_t p : paths[f]) ports.push_back({p});
      out_.add(ports);
      back_.add(default_path(fabric_.topology, fabric_.routes, flows[f].destination, flows[f].source));
      flows_.push_back({flows[f].source, flows[f].destination, 1, application.empty() ? 0 : application[f]});
    }
    incidence_ = Incidence(fabric_.topology.ports(), std::move(paths));
    for (std::uint32_t p = 0; p < fabric_.topology.ports(); ++p)
      capacity_.push_back(rate_units(fabric_.topology.link({p}).rate));
    exact_capacity_.assign(capacity_.begin(), capacity_.end());
  }
  const Topology& topology() const { return fabric_.topology; }
  const std::vector<RateUnits>& capacity() const { return capacity_; }
  const std::vector<RatedFlow>& flows() const { return flows_; }
  ControlNetwork network(RateProtocol& protocol) const { return {fabric_.topology, out_, back_, protocol, timing_}; }
  RateProblem problem() const { return {&incidence_, exact_capacity_}; }
  Time moment() { return {static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(spread_.ps)))}; }
  double error(const ControlNetwork& network, const std::vector<double>& exact) const {
    double most = 0;
    for (std::uint32_t f = 0; f < exact.size(); ++f)
      most = std::max(most, std::fabs(static_cast<double>(network.flow(f).rate) / exact[f] - 1));
    return most;
  }
  // Every flow has a link without free capacity, nothing is reserved, and no link is oversubscribed.
  bool is_maximal(const SaaMProtocol& protocol) const {
    for (std::uint32_t f = 0; f < flows_.size(); ++f) {
      bool bottleneck = false;
      for (const PortId p : out_.of(f)) {
        const SaaMPort& port = protocol.port(p);
        if (port.free < 0 || port.reserved > 0) return false;
        bottleneck = bottleneck || port.claimable() == 0;
      }
      if (!bottleneck) return false;
    }
    return true;
  }

 private:
  Wired fabric_;
  RandomStream random_;
  Time spread_;
  ControlTiming timing_;
  std::vector<RatedFlow> flows_;
  ControlNetwork::Paths out_, back_;
  Incidence incidence_;
  std::vector<RateUnits> capacity_;
  std::vector<double> exact_capacity_;
};

constexpr Time kEnd{1'000'000'000'000};  // a second: long after everything has come to rest

void mean_and_worst(const ControlNetwork& network, std::size_t flows, Time from, double& mean, double& worst) {
  double sum = 0;
  for (std::uint32_t f = 0; f < flows; ++f) {
    const double taken = microseconds(network.flow(f).rate_set - from);
    sum += taken;
    worst = std::max(worst, taken);
  }
  mean = sum / static_cast<double>(flows);
}

// All runs of all points of the axis, in parallel: rows of point, run, and what `numbers` gives of each.
template <class Result, class Numbers>
RowTable protocol_table(const Work& work, Parameters& with, const std::vector<std::string>& columns,
                        Result (*run)(std::uint32_t, std::uint32_t, const ProtocolOptions&), Numbers numbers) {
  const std::vector<std::uint32_t> axis = with.numbers("axis");
  const std::uint32_t runs = with.number("runs");
  std::vector<Result> results(axis.size() * runs);
  const ProtocolOptions options;
  work.parallel(results.size(), [&](std::size_t i) {
    results[i] = run(axis[i / runs], static_cast<std::uint32_t>(i % runs), options);
  });
  RowTable table{{"point", "run"}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (std::size_t i = 0; i < results.size(); ++i) {
    Row row{std::int64_t{axis[i / runs]}, cell(i % runs)};
    for (const double number : numbers(results[i])) row.push_back(number);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

DffaTimes dffa_times(std::uint32_t flows, std::uint32_t run, const ProtocolOptions& options) {
  Bench bench(independent_flows(hosts_of(options.tree), flows, options.seed, run, FlowCount::exactly), run, options);
  const auto count = static_cast<std::uint32_t>(bench.flows().size());
  const std::uint32_t late = static_cast<std::uint32_t>(RandomStream(options.seed, Purpose::test, run).below(count));
  DffaTimes times;
  {  // all at once
    DffaProtocol protocol(bench.topology(), bench.capacity(), bench.flows());
    ControlNetwork network = bench.network(protocol);
    for (std::uint32_t f = 0; f < count; ++f) network.start_flow(f, bench.moment());
    network.run_until(kEnd);
    mean_and_worst(network, count, {}, times.start_mean, times.start_worst);
    const RateSolution exact = ffa(bench.problem());
    times.error = bench.error(network, exact.rate);
    times.rates = exact.levels;
    times.longest_round_trip = microseconds(network.longest_round_trip());
    times.messages = network.hops();
    Time entered{}, settled{};
    for (std::uint32_t f = 0; f < count; ++f) {
      entered = std::max(entered, network.flow(f).begun);
      settled = std::max(settled, network.flow(f).rate_set);
    }
    times.share_of_bound = microseconds(settled - entered) / (6 * times.rates * times.longest_round_trip);
  }
  DffaProtocol protocol(bench.topology(), bench.capacity(), bench.flows());
  ControlNetwork network = bench.network(protocol);
  for (std::uint32_t f = 0; f < count; ++f)
    if (f != late) network.start_flow(f, bench.moment());
  network.run_until(kEnd);
  const Time start = network.now() + Time{1'000'000};
  network.start_flow(late, start);
  network.run_until(kEnd);
  mean_and_worst(network, count, start, times.late_mean, times.late_worst);
  return times;
}

DafaTimes dafa_times(std::uint32_t frag_coeff, std::uint32_t run, const ProtocolOptions& options) {
  const ApplicationTraffic traffic = application_traffic(hosts_of(options.tree), kApps, frag_coeff, options.seed, run);
  Bench bench(traffic.flows, run, options, traffic.application);
  const Topology& topology = bench.topology();
  const NodeId root = topology.node(SwitchId{static_cast<std::uint32_t>(topology.switches() - 1)});
  DafaProtocol protocol(topology, bench.capacity(), bench.flows(), root);
  ControlNetwork network = bench.network(protocol);
  for (std::uint32_t f = 0; f < bench.flows().size(); ++f) network.start_flow(f, bench.moment());
  DafaTimes times;
  Time triggered{};
  for (std::uint32_t round = 0; !network.is_quiet();) {
    const bool was_done = protocol.is_done();
    network.step();
    if (protocol.round() != round) {
      round = protocol.round();
      triggered = network.now();
    } else if (protocol.is_done() && !was_done) {
      times.measured = microseconds(network.now() - triggered);
    }
  }
  RateProblem problem = bench.problem();
  problem.application = traffic.application;
  times.error = bench.error(network, afa(problem).rate);
  times.iterations = protocol.iterations();
  times.farthest = protocol.hops_to_farthest();
  // 2 I h_max (Td + Tc), where no element of a 16-ary 3-tree is more than four hops from a root; 0.2 and 0.4 us.
  times.estimate = 2 * static_cast<double>(times.iterations) * 4 * (0.2 + 0.4);
  return times;
}

SaaMMessages saa_m_messages(std::uint32_t max_flows, std::uint32_t run, const ProtocolOptions& options) {
  Bench bench(independent_flows(hosts_of(options.tree), max_flows, options.seed, run), run, options);
  const auto count = static_cast<std::uint32_t>(bench.flows().size());
  SaaMSettings settings;
  settings.seed = options.seed + run;
  SaaMProtocol protocol(bench.capacity(), bench.flows(), settings);
  ControlNetwork network = bench.network(protocol);
  for (std::uint32_t f = 0; f < count; ++f) network.start_flow(f, bench.moment());
  std::uint32_t entered = 0;
  while (entered < count) {
    network.step();
    while (entered < count && network.flow(entered).rate > 0) ++entered;
  }
  const Time all_in = network.now();
  network.restart_counts();
  while (!bench.is_maximal(protocol)) network.run_until(network.now() + Time{20'000'000});
  SaaMMessages result;
  for (std::uint32_t f = 0; f < count; ++f) {
    const ControlNetwork::FlowRecord& record = network.flow(f);
    if (record.rate_set <= all_in) continue;
    const std::uint32_t sent = record.sent_for_rate + 1;  // the last one tells the links
    result.mean += sent;
    result.most = std::max(result.most, sent);
    result.settled = std::max(result.settled, microseconds(record.rate_set - all_in));
  }
  result.mean /= count;
  return result;
}

// Figures 6.9 and 6.11, and the packets of SAA-M; the columns are the members of the results.
RowTable dffa(const Work& work, Parameters& with) {
  return protocol_table(work, with,
                        {"start_mean", "start_worst", "late_mean", "late_worst", "longest_round_trip", "share_of_bound",
                         "rates", "error"},
                        dffa_times, [](const DffaTimes& t) {
                          return std::vector<double>{t.start_mean, t.start_worst, t.late_mean, t.late_worst,
                                                     t.longest_round_trip, t.share_of_bound,
                                                     static_cast<double>(t.rates), t.error};
                        });
}

RowTable dafa(const Work& work, Parameters& with) {
  return protocol_table(work, with, {"iterations", "farthest", "estimate", "measured", "error"}, dafa_times,
                        [](const DafaTimes& t) {
                          return std::vector<double>{static_cast<double>(t.iterations),
                                                     static_cast<double>(t.farthest), t.estimate, t.measured, t.error};
                        });
}

RowTable saa_m_packets(const Work& work, Parameters& with) {
  return protocol_table(work, with, {"mean", "most", "settled"}, saa_m_messages, [](const SaaMMessages& m) {
    return std::vector<double>{m.mean, static_cast<double>(m.most), m.settled};
  });
}

}  // namespace weir::zdornov
