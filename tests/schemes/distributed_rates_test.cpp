// The rate protocols inside the packet engine: control packets on their own lane, hop by hop among the data that they
// regulate, end at the rates that the exact solvers calculate.
#include <gtest/gtest.h>

#include "flow/afa.h"
#include "flow/verify.h"
#include "network/routings.h"
#include "schemes/explicit.h"
#include "schemes/lab.h"

namespace weir {
namespace {

using testing::flows;
using testing::number_of;

// Flows that outlast the run, on a tree; starts are far enough apart for routes to be set up in the same order in every
// run.
std::string tree_run(const std::string& scheme, const std::string& routing, std::uint64_t number) {
  RandomStream random(3, Purpose::test, number);
  std::string rows[3];  // of three applications
  for (int f = 0; f < 24; ++f) {
    std::string& list = rows[f % 3];
    const std::uint64_t from = random.below(27), to = (from + 1 + random.below(26)) % 27;
    list += fmt::format("{}[{}, {}, \"{}kB\", \"{}us\"]", list.empty() ? "" : ", ", from, to,
                        400'000 + random.below(4) * 100'000, 10 * f);
  }
  return fmt::format(
      "[topology]\nkind = \"{}\"\nk = 3\nn = 3\n[link]\nrate = \"10Gbps\"\n"
      "delay = \"15ns\"\n[routing]\n{}[packet]\npayload = [2048]\n[switch]\nbuffer_packets = 8\nlanes = 2\n"
      "priority = \"preemptive\"\nroute_delay = \"100ns\"\nswitch_delay = \"0ns\"\n[adapter]\norganisation = "
      "\"per-flow\"\n[scheme]\n{}{}[run]\nduration = \"1500us\"\n",
      routing.empty() ? "k-ary-n-tree" : "modified-k-ary-n-tree", routing, scheme,
      flows(rows[0]) + flows(rows[1]) + flows(rows[2]));
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
      for (const PortId p : path(o.network->topology, o.network->routes, flow.source, flow.destination))
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
      for (const std::string routing : {"", "choice = \"flow-setup\"\n"}) {
        SCOPED_TRACE(name + routing + std::to_string(number));
        const std::string scheme = "name = \"" + name + "\"\n";
        const Outcome exact = testing::run_text(tree_run(scheme, routing, number));
        const Outcome found = testing::run_text(tree_run(scheme + "method = \"distributed\"\n", routing, number));
        const std::vector<double> a = rates_of(exact), b = rates_of(found);
        for (std::size_t f = 0; f < a.size(); ++f) EXPECT_NEAR(b[f] / a[f], 1.0, 1e-9) << "flow " << f;
        EXPECT_GE(number_of(found, "control packets of flows"), 24);
      }
}

// Priorities and reserved shares: the packet engine's exact rates are those of the solver, and the protocol's are the
// same.
TEST(DistributedRates, CarryPrioritiesAndReservedShares) {
  const std::vector<double> priority = {1, 0.3, 4};
  const std::string scheme =
      "name = \"afa\"\npriorities = [1, 0.3, 4]\nreserved = \"10%\"\nreserved_hosts = \"35%\"\n";
  const Outcome exact = testing::run_text(tree_run(scheme, "", 7));
  const Outcome found = testing::run_text(tree_run(scheme + "method = \"distributed\"\n", "", 7));
  const Outcome alike = testing::run_text(tree_run("name = \"afa\"\n", "", 7));
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
  const std::string scheme = "name = \"saa\"\nmethod = \"distributed\"\n";
  for (const std::string routing : {"", "choice = \"flow-setup\"\n"}) {
    SCOPED_TRACE(routing);
    const Outcome probing = testing::run_text(tree_run(scheme, routing, 5));
    const Outcome riding = testing::run_text(tree_run(scheme + "probes = \"piggy-backed\"\n", routing, 5));
    const std::vector<double> a = rates_of(probing), b = rates_of(riding);
    for (std::size_t f = 0; f < a.size(); ++f) EXPECT_NEAR(b[f] / a[f], 1.0, 1e-12) << "flow " << f;
    EXPECT_LT(number_of(riding, "control packets of flows"), number_of(probing, "control packets of flows") / 5);
  }
}

TEST(DistributedRates, SaaMKeepsItsGuarantees) {
  for (std::uint64_t number = 0; number < scaled_count(1, 3, 20); ++number) {
    SCOPED_TRACE(number);
    const Outcome found =
        testing::run_text(tree_run("name = \"saa-m\"\nmethod = \"distributed\"\n", "", number));
    const Problem problem(found);
    const Certificate certificate =
        verify(RateAlgorithm::saa_m, {&problem.incidence, problem.capacity, problem.weight}, rates_of(found));
    EXPECT_TRUE(certificate.holds()) << (certificate.holds() ? "" : certificate.violations.front().text());
  }
}

// Flows that end leave their rates to the others, and their control packets end with them.
TEST(DistributedRates, FollowFlowsThatEnd) {
  for (const std::string name : {"saa", "saa-m", "ffa", "afa"}) {
    SCOPED_TRACE(name);
    testing::Star star;
    star.switches = "lanes = 2\npriority = \"preemptive\"\n";
    star.traffic = flows("[0, 2, \"100kB\", \"0s\"], [1, 2, \"4MB\", \"0s\"]");
    star.scheme = "name = \"" + name + "\"\nmethod = \"distributed\"\n";
    star.run = "until = \"flows\"\n";
    const Outcome run = testing::run_text(star.text());
    EXPECT_EQ(run.measurements.ending, Ending::finished);
    EXPECT_NEAR(run.measurements.flows[1].offered_rate, 8e9, 1) << "the rest of the link is the second flow's";
  }
}

// Pairs of hosts become flows and cease to be some hundred times; control packets, absorbed ones too, obey the credits
// of every kind of switch (test builds audit packets and buffers at the end).
TEST(DistributedRates, ServeRandomTrafficOnEveryKindOfSwitch) {
  for (const std::string name : {"saa", "saa-m", "ffa"})
    for (const std::string kind : {"voq-input", "fifo-in-out", "output-queued"}) {
      SCOPED_TRACE(name + " " + kind);
      testing::Star star;
      star.hosts = 8;
      star.switches = "lanes = 2\norganisation = \"" + kind + "\"\n";
      star.link = "delay = \"100ns\"\n";
      star.traffic = "[[traffic]]\npattern = \"uniform\"\nload = 0.5\n";
      star.scheme = "name = \"" + name + "\"\nmethod = \"distributed\"\nidle = \"10us\"\n";
      star.run = "duration = \"2ms\"\n";
      const Outcome run = testing::run_text(star.text());
      EXPECT_EQ(run.measurements.ending, Ending::duration);
      EXPECT_GT(number_of(run, "flows under rate control"), 100);
      const ClassResult& all = run.measurements.classes.at(0);
      EXPECT_GT(static_cast<double>(all.received), 0.9 * static_cast<double>(all.generated));
      if (name != "saa") continue;
      star.scheme += "probes = \"piggy-backed\"\n";
      EXPECT_EQ(testing::run_text(star.text()).measurements.ending, Ending::duration);
    }
}

TEST(DistributedRates, RefuseWhatTheyCannotDo) {
  testing::Star star;
  star.traffic = flows("[0, 1, \"4000B\", \"0s\"]");
  star.scheme = "name = \"ffa\"\nmethod = \"distributed\"\n";
  const auto refusal = [&] {
    try {
      testing::run_text(star.text());
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal().find("switch.lanes = 2"), std::string::npos);
  star.switches = "lanes = 2\n";
  EXPECT_EQ(refusal(), "");
  star.scheme += "backoff = \"1us\"\n";
  EXPECT_NE(refusal().find("only saa-m"), std::string::npos);
  star.scheme = "name = \"ffa\"\nprobe_every = \"1us\"\n";
  EXPECT_NE(refusal().find("exact"), std::string::npos);
}

}  // namespace
}  // namespace weir
