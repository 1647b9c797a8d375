// Lanes: a higher lane goes first; with preemption it interrupts, and the interrupted packet is late by exactly what
// was put in between, however many links it spans at that moment.
#include <gtest/gtest.h>

#include "run/lab.h"

namespace weir {
namespace {

using testing::completion;
using testing::kNs;
using testing::run_text;
using testing::Star;

// A packet of 8000 B (8 us) from host 0 to host 2 on lane 0, and 500 B from hosts 1 and 3 on lane 1 that come in
// between.
Star crossing(const std::string& priority, const std::string& express) {
  Star star;
  star.payload = "[8000]";
  star.switches = "lanes = 2\nbuffer = '64kB'\npriority = '" + priority + "'\n";
  star.traffic = testing::flows("[0, 2, 8000]") + testing::flows(express, "lane = 1\n");
  return star;
}

TEST(Lanes, PreemptionWaitsForNothingButItsOwnLane) {
  const Outcome one = run_text(crossing("preemptive", R"([1, 2, 500, "1us"])").text());
  EXPECT_EQ(completion(one, 1), 1500 * kNs);
  EXPECT_EQ(completion(one, 0), 8500 * kNs);
  const Outcome two = run_text(crossing("preemptive", R"([1, 2, 500, "1us"], [3, 2, 500, "1us"])").text());
  EXPECT_EQ(completion(two, 1), 1500 * kNs);
  EXPECT_EQ(completion(two, 2), 2000 * kNs) << "waits for the packet of its own lane ahead of it";
  EXPECT_EQ(completion(two, 0), 9000 * kNs);
}

// 8000 B on lane 0 and on lane 1, and 500 B on lane 2 while the one or the other is on the wire.
Star three_lanes(const std::string& more) {
  Star star;
  star.hosts = 8;
  star.payload = "[8000]";
  star.switches = "lanes = 3\nbuffer = '64kB'\npriority = 'preemptive'\n" + more;
  star.traffic = testing::flows("[0, 2, 8000]") + testing::flows(R"([1, 2, 8000, "1us"])", "lane = 1\n") +
                 testing::flows(R"([3, 2, 500, "4us"], [3, 2, 500, "12us"])", "lane = 2\n");
  return star;
}

TEST(Lanes, TheHighestLaneInterruptsAllOthers) {
  const Outcome run = run_text(three_lanes("").text());
  EXPECT_EQ(completion(run, 2), 4500 * kNs) << "lane 0 is interrupted";
  EXPECT_EQ(completion(run, 3), 12'500 * kNs) << "lane 1 is interrupted";
  EXPECT_EQ(completion(run, 0), 8500 * kNs) << "lane 1 waits for it";
  EXPECT_EQ(completion(run, 1), 17'000 * kNs);
}

TEST(Lanes, MoreThanOneMayInterrupt) {
  const Outcome run = run_text(three_lanes("express_from = 1\n").text());
  EXPECT_EQ(completion(run, 2), 9500 * kNs) << "waits for lane 1, which interrupts as well";
  EXPECT_EQ(completion(run, 1), 9000 * kNs);
  EXPECT_EQ(completion(run, 3), 12'500 * kNs);
  EXPECT_EQ(completion(run, 0), 17'000 * kNs);
}

TEST(Lanes, WithoutPreemptionTheWireIsWaitedFor) {
  const Outcome run = run_text(crossing("non-preemptive", R"([1, 2, 500, "1us"])").text());
  EXPECT_EQ(completion(run, 0), 8000 * kNs);
  EXPECT_EQ(completion(run, 1), 8500 * kNs);
}

TEST(Lanes, TheHigherLaneIsServedFirst) {
  for (const char* organisation : {"voq-input", "fifo-in-out", "output-queued"}) {
    Star star;
    star.hosts = 6;
    star.switches = fmt::format("organisation = '{}'\nlanes = 3\n", organisation);
    // While host 0 sends to host 5, one packet of each lane comes and waits.
    star.traffic = testing::flows(R"([0, 5, 1000], [1, 5, 1000, "0.1us"])") +
                   testing::flows(R"([2, 5, 1000, "0.2us"])", "lane = 1\n") +
                   testing::flows(R"([3, 5, 1000, "0.3us"])", "lane = 2\n");
    const Outcome run = run_text(star.text());
    EXPECT_EQ(completion(run, 0), 1000 * kNs) << organisation;
    EXPECT_EQ(completion(run, 3), 2000 * kNs) << organisation;
    EXPECT_EQ(completion(run, 2), 3000 * kNs) << organisation;
    EXPECT_EQ(completion(run, 1), 4000 * kNs) << organisation;
  }
}

TEST(Lanes, ALaneWithoutSpaceDoesNotStopAnother) {
  Star star;
  star.hosts = 5;
  star.switches = "lanes = 2\nbuffer_packets = 1\n";
  // Lane 0 of host 0 waits behind three others for host 4; lane 1 goes on to host 3.
  star.traffic = testing::flows("[0, 4, 10000], [1, 4, 10000], [2, 4, 10000]") +
                 testing::flows(R"([0, 3, 1000, "5us"])", "lane = 1\n");
  const Outcome run = run_text(star.text());
  EXPECT_LE(completion(run, 3), 7000 * kNs);
  const PortResult& port = run.measurements.ports[run.network->topology.host_port({0}).index];
  EXPECT_LE(port.busy.ps + port.wait.ps, run.measurements.end.ps);
  EXPECT_GT(port.wait.ps, 10'000 * kNs) << "lane 0 still waits after lane 1 has had the link";
}

// ---- preemption across several links ----

constexpr const char* kOrganisations[] = {"voq-input", "fifo-in-out", "output-queued"};

// A chain of four switches; A at the first, Z at the last, and a host on every switch in between.
std::string chain(const std::string& organisation, const std::string& switching, const std::string& express) {
  return fmt::format(
      R"([topology]
kind = "graph"
hosts = ["A", "Z", "H1", "H2", "H3", "H4"]
switches = ["S1", "S2", "S3", "S4"]
links = [["A", "S1"], ["S1", "S2"], ["S2", "S3"], ["S3", "S4"], ["Z", "S4"], ["H1", "S1"], ["H2", "S2"], ["H3", "S3"],
         ["H4", "S4"]]
[link]
rate = "8Gbps"
delay = "40ns"
[packet]
payload = [8000]
[switch]
organisation = "{}"
switching = "{}"
route_delay = "5ns"
switch_delay = "10ns"
lanes = 2
priority = "preemptive"
buffer = "64kB"
[run]
until = "flows"
{}{})",
      organisation, switching, testing::flows(R"(["A", "Z", 8000])"),
      express.empty() ? "" : testing::flows(express, "lane = 1\n"));
}

std::int64_t lateness(const std::string& organisation, const std::string& switching, const std::string& express) {
  const std::int64_t alone = completion(run_text(chain(organisation, switching, "")), 0);
  return completion(run_text(chain(organisation, switching, express)), 0) - alone;
}

TEST(Preemption, OneInterruptionDelaysByItsLength) {
  for (const char* organisation : kOrganisations) {
    // The head is far ahead when the tail is interrupted: at the source, in the middle, at the last link.
    EXPECT_EQ(lateness(organisation, "cut-through", R"(["A", "H1", 500, "4us"])"), 500 * kNs) << organisation;
    EXPECT_EQ(lateness(organisation, "cut-through", R"(["H1", "H2", 500, "4us"])"), 500 * kNs) << organisation;
    EXPECT_EQ(lateness(organisation, "cut-through", R"(["H2", "H3", 500, "4us"])"), 500 * kNs) << organisation;
    EXPECT_EQ(lateness(organisation, "cut-through", R"(["H3", "Z", 500, "4us"])"), 500 * kNs) << organisation;
    // Before the head has left the next switch: it goes on, but its tail does not come any sooner.
    EXPECT_EQ(lateness(organisation, "cut-through", R"(["A", "H1", 500, "10ns"])"), 500 * kNs) << organisation;
    EXPECT_EQ(lateness(organisation, "store-and-forward", R"(["A", "H1", 500, "4us"])"), 500 * kNs) << organisation;
    EXPECT_EQ(lateness(organisation, "store-and-forward", R"(["H1", "H2", 500, "9us"])"), 500 * kNs) << organisation;
    EXPECT_EQ(lateness(organisation, "cut-through", R"(["H1", "H2", 500, "20us"])"), 0) << "after it has passed";
  }
}

TEST(Preemption, SeparateInterruptionsAdd) {
  for (const char* organisation : kOrganisations) {
    EXPECT_EQ(lateness(organisation, "cut-through",
                       R"(["A", "H1", 500, "1us"], ["H1", "H2", 300, "3us"], ["H2", "H3", 200, "5us"], )"
                       R"(["H3", "Z", 700, "6.5us"])"),
              1700 * kNs)
        << organisation;
    EXPECT_EQ(lateness(organisation, "cut-through", R"(["H1", "H2", 500, "2us"], ["H1", "H2", 500, "6us"])"),
              1000 * kNs)
        << organisation;
  }
}

// The express packet tears one gap into the stream of the data packet and travels in it: it does not delay it again.
TEST(Preemption, AnExpressPacketOnTheSameWayDelaysOnce) {
  for (const char* organisation : kOrganisations) {
    const std::string express = R"(["A", "Z", 500, "3us"])";
    EXPECT_EQ(lateness(organisation, "cut-through", express), 500 * kNs) << organisation;
    const Outcome run = run_text(chain(organisation, "cut-through", express));
    EXPECT_EQ(completion(run, 1), (3000 + 4 * 15 + 5 * 40 + 500) * kNs) << "as in an empty fabric, " << organisation;
  }
}

TEST(Preemption, ExpressTrafficSeesAnEmptyFabric) {
  for (const char* organisation : kOrganisations) {
    const Outcome run = run_text(fmt::format(
        R"([topology]
kind = "k-ary-n-tree"
k = 3
n = 2
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [2000]
[switch]
organisation = "{}"
lanes = 2
priority = "preemptive"
route_delay = "5ns"
switch_delay = "5ns"
[[traffic]]
pattern = "uniform"
class = "bulk"
load = 0.9
[[traffic]]
pattern = "hotspot"
class = "express"
lane = 1
hosts = [0]
target = 8
payload = [100]
load = 0.03
[run]
duration = "2ms"
)",
        organisation));
    const ClassResult& express = run.measurements.classes[1];
    ASSERT_GT(express.received, 500u);
    const std::uint64_t alone = (3 * 10 + 4 * 10 + 100) * kNs;
    EXPECT_EQ(express.network_latency.min(), alone) << organisation;
    EXPECT_EQ(express.network_latency.max(), alone) << organisation;
    EXPECT_GT(run.measurements.classes[0].network_latency.mean(), 2.0 * 2000 * kNs) << "while the others wait";
  }
}

}  // namespace
}  // namespace weir
