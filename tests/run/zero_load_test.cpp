// A lone packet takes exactly the time that the specification's formula says, whatever the switch is made of.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/lab.h"

namespace weir {
namespace {

using testing::kNs;

constexpr std::int64_t kRoute = 7 * kNs, kSwitch = 13 * kNs, kDelay = 40 * kNs;
constexpr std::int64_t kGap = 1000 * testing::kUs;  // between flows: each one meets an empty fabric

struct Machine {
  const char* name;
  const char* lines;
};
constexpr Machine kMachines[] = {
    {"voq_fcfs", "organisation = 'voq-input'\n"},
    {"voq_round_robin", "organisation = 'voq-input'\narbitration = 'round-robin'\n"},
    {"voq_oldest_first", "organisation = 'voq-input'\narbitration = 'oldest-first'\n"},
    {"fifo_speedup_1", "organisation = 'fifo-in-out'\nspeedup = 1\n"},
    {"fifo_speedup_2", "organisation = 'fifo-in-out'\nspeedup = 2\n"},
    {"fifo_speedup_1_5_preemptive",
     "organisation = 'fifo-in-out'\nspeedup = 1.5\nlanes = 2\npriority = 'preemptive'\n"},
    {"output_queued", "organisation = 'output-queued'\n"},
    {"output_queued_pause", "organisation = 'output-queued'\nflow_control = 'pause'\nbuffer = '20kB'\n"},
    {"voq_lanes", "lanes = 3\n"},
    {"voq_preemptive", "lanes = 2\npriority = 'preemptive'\n"},
};

struct Fabric {
  const char* name;
  const char* lines;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
};
const Fabric kFabrics[] = {
    {"tree", "kind = 'k-ary-n-tree'\nk = 4\nn = 3\n", {{0, 1}, {0, 5}, {0, 63}, {17, 34}}},
    {"modified_tree", "kind = 'modified-k-ary-n-tree'\nk = 4\nn = 2\nwidth = 2\n", {{0, 1}, {0, 15}, {7, 8}}},
    {"umin", "kind = 'umin'\nk = 2\nn = 4\n", {{0, 1}, {3, 12}, {15, 0}}},
    {"bmin", "kind = 'bmin'\nk = 4\nn = 3\n", {{0, 3}, {0, 12}, {1, 62}}},
    {"two_switch", "kind = 'two-switch'\nleft = 2\nright = 3\nlinks = 2\n", {{0, 1}, {0, 2}, {4, 1}}},
    {"star", "kind = 'star'\nhosts = 3\n", {{0, 1}, {2, 0}}},
    {"chain",
     R"(kind = "graph"
hosts = ["A", "B", "C"]
switches = ["S1", "S2", "S3", "S4", "S5"]
links = [["A", "S1"], ["S1", "S2"], ["S2", "S3"], ["S3", "S4"], ["S4", "S5"], ["B", "S5"], ["C", "S3"]]
)",
     {{0, 1}, {1, 2}, {2, 0}}},
};

std::string scenario(const Fabric& fabric, const Machine& machine, const char* switching, const char* rates,
                     Bytes payload) {
  std::string rows;
  std::int64_t start = 0;
  for (const auto& [from, to] : fabric.pairs) {
    rows += fmt::format(R"([{}, {}, "{}B", "{}ps"], )", from, to, payload, start);
    start += kGap;
  }
  return fmt::format(
      R"([topology]
{}[link]
delay = "40ns"
{}[packet]
payload = [2000]
header = "30B"
[switch]
route_delay = "7ns"
switch_delay = "13ns"
switching = "{}"
{}[run]
until = "flows"
{})",
      fabric.lines, rates, switching, machine.lines, testing::flows(rows));
}

// The time on each link follows from the one before: a head goes on as soon as it has landed and been routed, but not
// before its tail can follow without a gap.
std::int64_t expected(const Network& network, std::uint32_t from, std::uint32_t to, Bytes bytes, bool store) {
  const std::vector<PortId> links = default_path(network.topology, network.routes, {from}, {to});
  const auto serialization = [&](std::size_t i) { return network.topology.link(links[i]).rate.time_for(bytes).ps; };
  std::int64_t start = 0;
  for (std::size_t i = 0; i + 1 < links.size(); ++i) {
    const std::int64_t landed = start + kDelay + kRoute + kSwitch;
    start = store ? landed + serialization(i) : std::max(landed, landed + serialization(i) - serialization(i + 1));
  }
  return start + kDelay + serialization(links.size() - 1);
}

class ZeroLoad : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  const Machine& machine() const { return kMachines[std::get<0>(GetParam())]; }
  bool store() const { return std::get<1>(GetParam()); }
  const char* switching() const { return store() ? "store-and-forward" : "cut-through"; }

  std::int64_t formula(std::int64_t h, std::int64_t serialization) const {
    return h * (kRoute + kSwitch) + (h + 1) * kDelay + serialization + (store() ? h * serialization : 0);
  }
  void check_formula(const Fabric& fabric, Bytes payload) const {
    const Outcome run = testing::run_text(scenario(fabric, machine(), switching(), "rate = '10Gbps'\n", payload));
    for (std::size_t i = 0; i < fabric.pairs.size(); ++i) {
      const auto [from, to] = fabric.pairs[i];
      const auto h = default_path(run.network->topology, run.network->routes, {from}, {to}).size() - 1;
      const FlowResult& flow = run.measurements.flows[i];
      EXPECT_EQ((flow.completion - flow.start).ps, formula(static_cast<std::int64_t>(h), (payload + 30) * 800))
          << from << " -> " << to << ", " << payload << " B";
    }
    EXPECT_EQ(run.measurements.classes[0].latency.count(), fabric.pairs.size());
  }
  void check_unequal(const Fabric& fabric, const char* rates) const {
    const Outcome run = testing::run_text(scenario(fabric, machine(), switching(), rates, 1500));
    for (std::size_t i = 0; i < fabric.pairs.size(); ++i) {
      const auto [from, to] = fabric.pairs[i];
      const FlowResult& flow = run.measurements.flows[i];
      EXPECT_EQ((flow.completion - flow.start).ps, expected(*run.network, from, to, 1530, store()))
          << from << " -> " << to << ", " << rates;
    }
  }
};

TEST_P(ZeroLoad, EqualsTheFormula) {
  for (const Fabric& fabric : kFabrics) {
    SCOPED_TRACE(fabric.name);
    for (const Bytes payload : {1, 777, 2000}) check_formula(fabric, payload);
  }
}

TEST_P(ZeroLoad, NeverRunsDryBetweenUnequalLinks) {
  for (const Fabric& fabric : kFabrics) {
    SCOPED_TRACE(fabric.name);
    check_unequal(fabric, "rate = '40Gbps'\nhost_rate = '10Gbps'\n");
    check_unequal(fabric, "rate = '10Gbps'\nhost_rate = '25Gbps'\n");
  }
}

INSTANTIATE_TEST_SUITE_P(All, ZeroLoad,
                         ::testing::Combine(::testing::Range<std::size_t>(0, std::size(kMachines)), ::testing::Bool()),
                         [](const auto& at) {
                           return std::string(kMachines[std::get<0>(at.param)].name) +
                                  (std::get<1>(at.param) ? "_store" : "_cut");
                         });

}  // namespace
}  // namespace weir
