// The rate protocols inside the packet engine: control packets on their own lane, hop by hop among the data that they
// regulate, end at the rates that the exact solvers calculate.
#include <gtest/gtest.h>

#include "error_of.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/solve.h"
#include "flow/solvers/verify.h"
#include "network/routings/routings.h"
#include "run/lab.h"
#include "says.h"
#include "scale.h"
#include "schemes/explicit_rates/explicit_rates.h"

namespace weir {
namespace {

using testing::flows;
using testing::number_of;

// The rates of the papers, who let probes take nothing.
constexpr const char* kUnaccounted = "probe_share = 0\n";

// On a tree, or on a modified one where the routes need it.
std::string on_tree(const std::string& routing, const std::string& scheme, const char* duration,
                    const std::string& traffic) {
  return fmt::format(
      R"([topology]
kind = "{}"
k = 3
n = 3
[link]
rate = "10Gbps"
delay = "15ns"
[routing]
{}[packet]
payload = [2048]
[switch]
buffer_packets = 8
lanes = 2
priority = "preemptive"
route_delay = "100ns"
switch_delay = "0ns"
[adapter]
organisation = "per-flow"
[scheme]
{}{}[run]
duration = "{}"
)",
      routing.empty() ? "k-ary-n-tree" : "modified-k-ary-n-tree", routing, scheme, traffic, duration);
}

// Flows that outlast the run, on a tree; starts are far enough apart for routes to be set up in the same order in every
// run.
std::string tree_run(const std::string& scheme, const std::string& routing, std::uint64_t number) {
  RandomStream random(3, Purpose::test, number);
  std::string rows[3];  // of three applications
  for (int f = 0; f < 24; ++f) {
    std::string& list = rows[f % 3];
    const std::uint64_t from = random.below(27), to = (from + 1 + random.below(26)) % 27;
    list += fmt::format(R"({}[{}, {}, "{}kB", "{}us"])", list.empty() ? "" : ", ", from, to,
                        400'000 + random.below(4) * 100'000, 10 * f);
  }
  return on_tree(routing, scheme, "1500us", flows(rows[0]) + flows(rows[1]) + flows(rows[2]));
}

std::vector<double> rates_of(const Outcome& outcome) {
  std::vector<double> rates;
  for (const FlowResult& flow : outcome.measurements.flows) rates.push_back(flow.offered_rate);
  return rates;
}

struct Problem {
  Incidence incidence;
  std::vector<double> capacity, weight;
  explicit Problem(const Outcome& o) : capacity(o.network->topology.ports(), 10e9) {
    RowList paths;
    for (const Flow& flow : o.workload->flows) {
      for (const PortId p : default_path(o.network->topology, o.network->routes, flow.source, flow.destination))
        paths.push(p.index);
      paths.close_row();
      weight.push_back(flow.weight * static_cast<double>(flow.bytes));
    }
    incidence = Incidence(capacity.size(), std::move(paths));
  }
};

TEST(DistributedRates, EndAtTheSolversRates) {
  for (std::uint64_t number = 0; number < scaled_count(1, 2, 20); ++number)
    for (const std::string name : {"saa", "ffa", "afa"})
      for (const std::string routing : {"", "choice = 'flow-setup'\n"}) {
        SCOPED_TRACE(name + routing + std::to_string(number));
        const std::string scheme = "name = '" + name + "'\n";
        const std::string protocol =
            std::string("method = 'distributed'\n") + (name == "saa" ? kUnaccounted : "");
        const Outcome exact = testing::run_text(tree_run(scheme, routing, number));
        const Outcome found = testing::run_text(tree_run(scheme + protocol, routing, number));
        const std::vector<double> a = rates_of(exact), b = rates_of(found);
        for (std::size_t f = 0; f < a.size(); ++f) EXPECT_NEAR(b[f] / a[f], 1.0, 1e-9) << "flow " << f;
        EXPECT_GE(number_of(found, "control packets of flows"), 24);
      }
}

// Flows that start at random moments, half of which end, in a fabric of 27 hosts: when all is quiet, the protocols have
// the rates that the solvers calculate over the routes that the remaining flows hold then.
struct Churn {
  Scenario scenario;
  std::unique_ptr<RunSetup> prepared;
  RateAlgorithm algorithm;
  ExplicitOutcome out;
  std::vector<std::uint32_t> staying;
  Time last_change;
  Incidence incidence;
  std::vector<double> capacity, weight;
  std::vector<std::uint32_t> application;

  RateProblem problem() const {
    RateProblem p{&incidence, capacity, weight};
    if (algorithm == RateAlgorithm::afa) p.application = application;
    return p;
  }
};

Churn churn(RateAlgorithm algorithm, const char* name, bool set_up, std::uint64_t number) {
  RandomStream random(4, Purpose::test, number);
  std::string rows[3];
  for (int f = 0; f < 30; ++f) {
    std::string& list = rows[f % 3];
    const std::uint64_t from = random.below(27), to = (from + 1 + random.below(26)) % 27;
    // With endless ones among them, flows are not weighed by their size.
    const std::string bytes = random.chance(0.5) ? fmt::format("{}kB", 10 + random.below(150)) : "endless";
    list += fmt::format(R"({}[{}, {}, "{}", "{}ns"])", list.empty() ? "" : ", ", from, to, bytes,
                        random.below(300'000));
  }
  const std::string scheme = fmt::format(
      "name = '{}'\nmethod = 'distributed'\n{}", name,
      algorithm == RateAlgorithm::saa || algorithm == RateAlgorithm::saa_m ? kUnaccounted : "");
  const std::string text = on_tree(set_up ? "choice = 'flow-setup'\n" : "", scheme, "4ms",
                                   flows(rows[0]) + flows(rows[1]) + flows(rows[2]));
  Churn c{testing::scenario_of(text), nullptr, algorithm, {}, {}, {}, {}, {}, {}, {}};
  c.prepared = std::make_unique<RunSetup>(weir::set_up(c.scenario));
  const Topology& topology = c.prepared->network->topology;
  const Workload& workload = *c.prepared->workload;
  const RunInput run{topology, c.prepared->network->routes, workload, packet_config(c.scenario, topology, workload),
                      c.scenario.seed};
  c.out = run_explicit(algorithm, run, c.scenario.section("scheme"));
  RowList paths;
  for (std::uint32_t f = 0; f < workload.flows.size(); ++f) {
    const Flow& flow = workload.flows[{f}];
    const FlowResult& result = c.out.measurements.flows[f];
    c.last_change = std::max(c.last_change, result.completion == kNever ? result.start : result.completion);
    if (result.completion != kNever) continue;
    c.staying.push_back(f);
    c.weight.push_back(1.0);
    c.application.push_back(flow.app.index);
    paths.push(topology.host_port(flow.source).index);
    if (set_up) {
      for (const std::uint32_t link : c.out.flows[f].links) paths.push(link);
    } else {
      for (const PortId p : default_path(topology, c.prepared->network->routes, flow.source, flow.destination))
        if (p != topology.host_port(flow.source)) paths.push(p.index);
    }
    paths.close_row();
  }
  c.capacity.assign(topology.ports(), 10e9);
  c.incidence = Incidence(c.capacity.size(), std::move(paths));
  return c;
}

TEST(DistributedRates, EndAtTheSolversRatesAfterFlowsHaveComeAndGone) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const std::pair<const char*, RateAlgorithm> kSchemes[] = {{"saa", RateAlgorithm::saa},
                                                            {"saa-m", RateAlgorithm::saa_m},
                                                            {"ffa", RateAlgorithm::ffa},
                                                            {"afa", RateAlgorithm::afa}};
  double closest = 0;
  for (std::uint64_t number = 0; number < scaled_count(2, 6, 60); ++number)
    for (const auto& [name, algorithm] : kSchemes)
      for (const bool set_up : {false, true}) {
        SCOPED_TRACE(fmt::format("{} {} {}", name, set_up ? "flow-setup" : "fixed", number));
        const Churn c = churn(algorithm, name, set_up, number);
        ASSERT_LT(c.last_change, Time{3'000'000'000}) << "the run must go on long enough after the last change";
        ASSERT_GT(c.staying.size(), 5u);
        ASSERT_LT(c.staying.size(), 25u);
        std::vector<double> rates;
        for (const std::uint32_t f : c.staying) rates.push_back(c.out.flows[f].calculated * 8);
        if (algorithm == RateAlgorithm::saa_m) {
          const Certificate certificate = verify(algorithm, c.problem(), rates);
          EXPECT_TRUE(certificate.holds()) << (certificate.holds() ? "" : certificate.violations.front().text());
          continue;
        }
        const RateSolution exact = solve(algorithm, c.problem());
        for (std::size_t i = 0; i < rates.size(); ++i)
          EXPECT_NEAR(rates[i] / exact.rate[i], 1.0, 1e-9) << "flow " << c.staying[i];
        if (algorithm != RateAlgorithm::ffa) continue;
        // The bound of the paper, from the last entry into a round's loop to the last rate.
        const Measurements& m = c.out.measurements;
        const double took = m.scheme_number("last new rate, us").value() -
                            m.scheme_number("last entry into a round, us").value();
        const double bound = 6 * static_cast<double>(exact.levels) *
                             m.scheme_number("longest control round trip, us").value();
        EXPECT_GT(took, 0);
        EXPECT_LE(took, bound);
        closest = std::max(closest, took / bound);
      }
  EXPECT_GT(closest, 0.02) << "a bound that is never near is not the one that is meant";
}

// Priorities and reserved shares: the packet engine's exact rates are those of the solver, and the protocol's are the
// same.
TEST(DistributedRates, CarryPrioritiesAndReservedShares) {
  const std::vector<double> priority = {1, 0.3, 4};
  const std::string scheme =
      "name = 'afa'\npriorities = [1, 0.3, 4]\nreserved = '10%'\nreserved_hosts = '35%'\n";
  const Outcome exact = testing::run_text(tree_run(scheme, "", 7));
  const Outcome found = testing::run_text(tree_run(scheme + "method = 'distributed'\n", "", 7));
  const Outcome alike = testing::run_text(tree_run("name = 'afa'\n", "", 7));
  const Problem problem(exact);
  std::vector<double> reserved(problem.capacity.size(), 0.1);
  const Topology& topology = exact.network->topology;
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    const PortId port = topology.host_port({h});
    reserved[port.index] = reserved[topology.to(port).index] = 0.35;
  }
  std::vector<std::uint32_t> application;
  for (const Flow& flow : exact.workload->flows) application.push_back(flow.app.index);
  const RateSolution solution =
      afa({&problem.incidence, problem.capacity, problem.weight, reserved, application, priority});
  const std::vector<double> a = rates_of(exact), b = rates_of(found), c = rates_of(alike);
  bool differs = false;
  for (std::size_t f = 0; f < a.size(); ++f) {
    EXPECT_NEAR(a[f] / solution.rate[f], 1.0, 1e-9) << "flow " << f;
    EXPECT_NEAR(b[f] / solution.rate[f], 1.0, 1e-9) << "flow " << f;
    differs = differs || c[f] > 1.1 * a[f] / 0.65;
  }
  EXPECT_TRUE(differs) << "a low priority costs an application more than the reserved share does";
}

// Readings by data packets end at the same rates, and only changes are told.
TEST(DistributedRates, SaaMayReadByDataPackets) {
  const std::string scheme = "name = 'saa'\nmethod = 'distributed'\n";
  for (const std::string routing : {"", "choice = 'flow-setup'\n"}) {
    SCOPED_TRACE(routing);
    const Outcome probing = testing::run_text(tree_run(scheme + kUnaccounted, routing, 5));
    const Outcome riding = testing::run_text(tree_run(scheme + "probes = 'piggy-backed'\n", routing, 5));
    const std::vector<double> a = rates_of(probing), b = rates_of(riding);
    for (std::size_t f = 0; f < a.size(); ++f) EXPECT_NEAR(b[f] / a[f], 1.0, 1e-12) << "flow " << f;
    EXPECT_LT(number_of(riding, "control packets of flows"), number_of(probing, "control packets of flows") / 5);
  }
}

TEST(DistributedRates, SaaMKeepsItsGuarantees) {
  for (std::uint64_t number = 0; number < scaled_count(1, 3, 20); ++number) {
    SCOPED_TRACE(number);
    const std::string scheme = std::string("name = 'saa-m'\nmethod = 'distributed'\n") + kUnaccounted;
    const Outcome found = testing::run_text(tree_run(scheme, "", number));
    const Problem problem(found);
    const Certificate certificate =
        verify(RateAlgorithm::saa_m, {&problem.incidence, problem.capacity, problem.weight}, rates_of(found));
    EXPECT_TRUE(certificate.holds()) << (certificate.holds() ? "" : certificate.violations.front().text());
  }
}

// Many flows on slow links, all of which probe: what probes take is promised to nobody, so every flow gets what it is
// promised; and it is little, since they probe more rarely.
TEST(DistributedRates, AccountForProbes) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  std::string rows;
  for (int f = 0; f < 16 * 12; ++f)
    rows += fmt::format(R"({}[{}, {}, "endless"])", f == 0 ? "" : ", ", f / 12, (f / 12 + 1 + f % 12) % 16);
  const auto run = [&](const std::string& scheme) {
    return testing::run_text(fmt::format(
        R"([topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[link]
rate = "1Gbps"
delay = "15ns"
[packet]
payload = [512]
header = 0
[switch]
buffer_packets = 8
lanes = 2
priority = "preemptive"
[adapter]
organisation = "per-flow"
[scheme]
method = "distributed"
{}[run]
warmup = "2ms"
duration = "12ms"
{})",
        scheme, flows(rows)));
  };
  const auto worst = [](const Outcome& outcome) {
    double least = 1;
    for (const FlowResult& flow : outcome.measurements.flows)
      least = std::min(least, static_cast<double>(flow.delivered_in_window) * 8 / 10e-3 / flow.offered_rate);
    return least;
  };
  for (const std::string name : {"saa", "saa-m"}) {
    SCOPED_TRACE(name);
    const std::string scheme = "name = '" + name + "'\n";
    EXPECT_LT(worst(run(scheme + kUnaccounted)), 0.5);
    const Outcome outcome = run(scheme);
    EXPECT_GT(worst(outcome), 0.95) << "a source that waits for its own control packets loses that time";
    EXPECT_GT(worst(run(scheme + "waiting = 'made-up'\n")), 0.99);
    const double sum = [&] {
      double all = 0;
      for (const FlowResult& flow : outcome.measurements.flows) all += flow.offered_rate;
      return all;
    }();
    EXPECT_GT(sum, 0.94 * 16e9) << "twentieth of each link at most";
  }
}

// Flows that end leave their rates to the others, and their control packets end with them.
TEST(DistributedRates, FollowFlowsThatEnd) {
  for (const std::string name : {"saa", "saa-m", "ffa", "afa"}) {
    SCOPED_TRACE(name);
    testing::Star star;
    star.switches = "lanes = 2\npriority = 'preemptive'\n";
    star.traffic = flows(R"([0, 2, "100kB", "0s"], [1, 2, "4MB", "0s"])");
    star.scheme = "name = '" + name + "'\nmethod = 'distributed'\n";
    star.run = "until = 'flows'\n";
    const Outcome run = testing::run_text(star.text());
    EXPECT_EQ(run.measurements.ending, Ending::finished);
    const bool probes = name == "saa" || name == "saa-m";  // 40 B every 10 us
    EXPECT_NEAR(run.measurements.flows[1].offered_rate, probes ? 8e9 - 32e6 : 8e9, 1) << "the rest of the link";
  }
}

// Pairs of hosts become flows and cease to be some hundred times; control packets, absorbed ones too, obey the credits
// of every kind of switch (test builds audit packets and buffers at the end).
TEST(DistributedRates, ServeRandomTrafficOnEveryKindOfSwitch) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  for (const std::string name : {"saa", "saa-m", "ffa"})
    for (const std::string kind : {"voq-input", "fifo-in-out", "output-queued"}) {
      SCOPED_TRACE(name + " " + kind);
      testing::Star star;
      star.hosts = 8;
      star.switches = "lanes = 2\norganisation = '" + kind + "'\n";
      star.link = "delay = '100ns'\n";
      star.traffic = "[[traffic]]\npattern = 'uniform'\nload = 0.5\n";
      star.scheme = "name = '" + name + "'\nmethod = 'distributed'\nidle = '10us'\n";
      star.run = "duration = '2ms'\n";
      const Outcome run = testing::run_text(star.text());
      EXPECT_EQ(run.measurements.ending, Ending::duration);
      EXPECT_GT(number_of(run, "flows under rate control"), 100);
      const ClassResult& all = run.measurements.classes.at(0);
      EXPECT_GT(static_cast<double>(all.received), 0.9 * static_cast<double>(all.generated));
      if (name != "saa") continue;
      star.scheme += "probes = 'piggy-backed'\n";
      EXPECT_EQ(testing::run_text(star.text()).measurements.ending, Ending::duration);
    }
}

// Packets that had to wait for memory in the adapter carry nothing of the protocol's.
TEST(DistributedRates, WorkWithLittleMemoryInTheAdapters) {
  for (const std::string name : {"saa", "saa-m", "ffa"})
    for (const std::string more : {"", "probes = 'piggy-backed'\n"}) {
      if (name != "saa" && !more.empty()) continue;
      SCOPED_TRACE(name + more);
      testing::Star star;
      star.hosts = 16;
      star.switches = "lanes = 2\n";
      star.adapter = "memory = '4000B'\n";
      star.traffic = "[[traffic]]\npattern = 'uniform'\nload = 0.9\n";
      star.scheme = "name = '" + name + "'\nmethod = 'distributed'\ntrain = 4\n" + more;
      star.run = "duration = '500us'\n";
      const Outcome run = testing::run_text(star.text());
      EXPECT_EQ(run.measurements.ending, Ending::duration);
      EXPECT_GT(number_of(run, "flows under rate control"), 10);
    }
}

TEST(DistributedRates, AfaServesItsApplicationsBesideSporadicTraffic) {
  testing::Star star;
  star.switches = "lanes = 3\npriority = 'preemptive'\n";
  star.traffic = flows(R"([0, 2, "endless"])") + flows(R"([1, 2, "endless"])") +
                 "[[traffic]]\npattern = 'uniform'\nload = 0.05\nlane = 1\n";
  star.scheme = "name = 'afa'\nmethod = 'distributed'\nreserved = '20%'\nsporadic_lane = 1\n";
  star.run = "duration = '500us'\n";
  const Outcome run = testing::run_text(star.text());
  for (const std::size_t f : {0u, 1u}) EXPECT_NEAR(run.measurements.flows[f].offered_rate / 3.2e9, 1, 1e-9);
  star.scheme = "name = 'afa'\nmethod = 'distributed'\n";
  EXPECT_TRUE(says(error_of([&] { testing::run_text(star.text()); }), "sporadic_lane"));
}

// Nothing is faster than a control packet: it interrupts bulk traffic and sporadic traffic alike.
TEST(DistributedRates, ControlPacketsWaitForNobody) {
  const auto round_trip = [](const std::string& sporadic) {
    testing::Star star;
    star.switches = "lanes = 3\npriority = 'preemptive'\n";
    star.traffic = flows(R"([0, 2, "endless"], [1, 2, "endless"])") + sporadic;
    star.scheme = "name = 'saa'\nmethod = 'distributed'\nreserved = '50%'\nsporadic_lane = 1\n";
    star.run = "duration = '2ms'\n";
    return number_of(testing::run_text(star.text()), "longest control round trip, us");
  };
  const double alone = round_trip("");
  EXPECT_GT(alone, 0.1);
  EXPECT_LT(alone, 0.5);
  const double beside =
      round_trip("[[traffic]]\npattern = 'uniform'\nhosts = [0, 1, 3]\nload = 0.4\nlane = 1\n");
  EXPECT_LT(beside, alone + 0.25) << "a sporadic packet takes 1 us, a control packet 0.04";
}

TEST(DistributedRates, RefuseWhatTheyCannotDo) {
  testing::Star star;
  star.traffic = flows(R"([0, 1, "4000B", "0s"])");
  star.scheme = "name = 'ffa'\nmethod = 'distributed'\n";
  const auto refusal = [&] { return testing::refusal_of_run(star.text()); };
  EXPECT_TRUE(says(refusal(), "switch.lanes = 2"));
  star.switches = "lanes = 2\n";
  EXPECT_EQ(refusal(), "no error");
  star.scheme += "backoff = '1us'\n";
  EXPECT_TRUE(says(refusal(), "only saa-m"));
  star.scheme = "name = 'ffa'\nprobe_every = '1us'\n";
  EXPECT_TRUE(says(refusal(), "only saa"));
  star.scheme = "name = 'ffa'\nmethod = 'distributed'\nsporadic_lane = 1\n";
  EXPECT_TRUE(says(refusal(), "a lane of their own"));
  star.scheme = "name = 'ffa'\nmethod = 'distributed'\ncontrol_lane = 0\n";
  EXPECT_TRUE(says(refusal(), "a lane of their own"));
}

}  // namespace
}  // namespace weir
