// Collective operations on an idle crossbar take exactly what their closed forms say, to the picosecond: one switch, no
// contention, so that a message of s bytes takes the latency of the crossbar and the time of s bytes on a link. Sizes
// that do not divide evenly have no closed form: collective_exactness_test.cpp has them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "run/lab.h"
#include "says.h"
#include "traffic/collective/algorithms.h"

namespace weir {
namespace {

// 8 Gb/s: a byte is a nanosecond. Packets of 500 B with 20 B of headers; links of 10 ns, a switch of 100 ns that cuts
// through: the head of a packet is one header-less moment behind, so a message takes a constant and its wire time.
constexpr std::int64_t kPayload = 500, kHeader = 20;

Outcome run(int ranks, const std::string& traffic) {
  testing::Star star;
  star.hosts = ranks;
  star.payload = "[500]";
  star.packet = "header = '20B'\n";
  star.link = "delay = '10ns'\n";
  star.traffic = "[[traffic]]\npattern = 'collective'\n" + traffic;
  return testing::run_text(star.text());
}

// On the wire, with headers.
std::int64_t wire_ps(std::int64_t bytes) {
  const std::int64_t packets = (bytes + kPayload - 1) / kPayload;
  return 1000 * (bytes + packets * kHeader);
}
// What one message takes alone, measured: from its start to its end, and what of that is no wire time.
std::int64_t message_ps(std::int64_t bytes) {
  testing::Star star;
  star.payload = "[500]";
  star.packet = "header = '20B'\n";
  star.link = "delay = '10ns'\n";
  star.traffic = testing::flows(fmt::format("[0, 1, {}]", bytes));
  return testing::completion(testing::run_text(star.text()), 0);
}
std::int64_t latency_ps() {
  static const std::int64_t latency = message_ps(kPayload) - wire_ps(kPayload);
  return latency;
}

std::int64_t time_of(const Outcome& outcome, std::size_t i = 0) {
  const CollectiveResult& c = outcome.measurements.collectives.at(i);
  return (*c.completion - *c.start).ps;
}

TEST(CollectiveRun, AMessageTakesALatencyAndItsWireTime) {
  EXPECT_GE(latency_ps(), 20 * testing::kNs);
  for (const std::int64_t bytes : {1, 499, 500, 501, 12'345})
    EXPECT_EQ(message_ps(bytes), wire_ps(bytes) + latency_ps()) << bytes;
}

TEST(CollectiveRun, RingsHaveTheirClosedForm) {
  for (const int n : {2, 3, 5, 8, 16, 33, 64}) {
    const std::int64_t part = 3000, bytes = part * n, step = wire_ps(part) + latency_ps();
    const std::string size = fmt::format("bytes = {}\n", bytes);
    EXPECT_EQ(time_of(run(n, "algorithm = 'ring'\n" + size)), 2 * (n - 1) * step) << n;
    EXPECT_EQ(time_of(run(n, "operation = 'reduce-scatter'\n" + size)), (n - 1) * step) << n;
    EXPECT_EQ(time_of(run(n, "operation = 'all-gather'\n" + size)), (n - 1) * step) << n;
  }
}

TEST(CollectiveRun, RecursiveOnesHaveTheirClosedForm) {
  for (const int n : {2, 4, 8, 32, 64}) {
    const std::int64_t part = 1500, bytes = part * n;
    const std::string size = fmt::format("bytes = {}\n", bytes);
    const int steps = std::countr_zero(static_cast<unsigned>(n));
    EXPECT_EQ(time_of(run(n, "algorithm = 'recursive-doubling'\n" + size)), steps * (wire_ps(bytes) + latency_ps()))
        << n;
    const std::int64_t once = steps * latency_ps() + wire_ps(part * (n - 1));
    EXPECT_EQ(time_of(run(n, "algorithm = 'halving-doubling'\n" + size)), 2 * once) << n;
    EXPECT_EQ(time_of(run(n, "operation = 'reduce-scatter'\nalgorithm = 'halving-doubling'\n" + size)), once) << n;
    EXPECT_EQ(time_of(run(n, "operation = 'all-gather'\nalgorithm = 'recursive-doubling'\n" + size)), once) << n;
  }
}

TEST(CollectiveRun, AllToAllBroadcastAndBarrierHaveTheirClosedForm) {
  for (const int n : {2, 3, 7, 8, 24, 64}) {
    const std::int64_t each = 2100, step = wire_ps(each) + latency_ps();
    const std::string size = fmt::format("bytes = {}\n", each * n);
    EXPECT_EQ(time_of(run(n, "operation = 'all-to-all'\n" + size)), (n - 1) * step) << n;
    if (std::has_single_bit(static_cast<unsigned>(n))) {
      EXPECT_EQ(time_of(run(n, "operation = 'all-to-all'\nalgorithm = 'pairwise'\n" + size)), (n - 1) * step) << n;
    }
    const std::int64_t rounds = std::bit_width(static_cast<unsigned>(n - 1));
    EXPECT_EQ(time_of(run(n, "operation = 'broadcast'\nbytes = 2100\n")), rounds * step) << n;
    EXPECT_EQ(time_of(run(n, "operation = 'barrier'\n")), rounds * (wire_ps(1) + latency_ps())) << n;
  }
}

// Three ranks: rank 1 is below 2, which is below the root, 0; the second tree is turned by one.
TEST(CollectiveRun, TreesGoUpAndDown) {
  const std::int64_t half = 4000, one = wire_ps(half) + latency_ps();
  const Outcome two = run(2, "algorithm = 'double-binary-tree'\nbytes = 8000\n");
  EXPECT_EQ(time_of(two), 2 * one);  // up and down; the trees use opposite directions
  std::map<HostId, Bytes> sent;
  const Outcome many = run(16, "algorithm = 'double-binary-tree'\nbytes = 160000\nchunks = 8\n");
  for (const FlowResult& f : many.measurements.flows) sent[f.source] += f.bytes;
  EXPECT_EQ(many.measurements.flows.size(), 2u * 2 * 15 * 8);
  for (const auto& [host, bytes] : sent) EXPECT_LE(bytes, 2 * 160'000 + 80'000) << host.index;
  EXPECT_EQ(many.measurements.ending, Ending::finished);
}

TEST(CollectiveRun, EveryAlgorithmEndsForEveryNumberOfRanks) {
  for (std::size_t operation = 0; operation < std::size(kCollectives); ++operation)
    for (std::size_t algorithm = 1; algorithm < std::size(kAlgorithms); ++algorithm) {
      if (!is_possible(static_cast<Collective>(operation), static_cast<Algorithm>(algorithm))) continue;
      for (const int n : {2, 3, 6, 8, 13}) {
        const std::string size = kCollectives[operation] == "barrier" ? "" : "bytes = 10007\n";
        const Outcome outcome = run(n, fmt::format("operation = '{}'\nalgorithm = '{}'\n{}", kCollectives[operation],
                                                   kAlgorithms[algorithm], size));
        EXPECT_EQ(outcome.measurements.ending, Ending::finished);
        EXPECT_TRUE(outcome.measurements.collectives.at(0).completion) << kAlgorithms[algorithm] << n;
      }
    }
}

TEST(CollectiveRun, BusBandwidthIsAsNcclsTestsDefineIt) {
  const Outcome outcome = run(4, "bytes = 8000000\nrepeat = 2\ncompute = '1ms'\n");
  ASSERT_EQ(outcome.measurements.collectives.size(), 2u);
  for (const CollectiveResult& c : outcome.measurements.collectives) {
    const double seconds = (*c.completion - *c.start).seconds();
    EXPECT_DOUBLE_EQ(c.algorithm_bps, 64e6 / seconds);
    EXPECT_DOUBLE_EQ(c.bus_bps, 64e6 / seconds * 1.5);
    EXPECT_NEAR(c.bus_bps, 8e9 * 500 / 520, 0.01e9);  // what the link carries of payload
    EXPECT_EQ(*c.completion, *c.first_done);
  }
  EXPECT_EQ((*outcome.measurements.collectives[1].start - *outcome.measurements.collectives[0].completion).ps,
            1'000 * testing::kUs);
}

TEST(CollectiveRun, GroupsWorkSideBySide) {
  const Outcome apart = run(8, "bytes = 40000\ngroup = 2\nstride = 4\n");
  EXPECT_EQ(apart.measurements.collectives.size(), 4u);
  EXPECT_EQ(apart.measurements.flows[0].destination.index, 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(time_of(apart, i), 2 * (wire_ps(20'000) + latency_ps()));
  const Outcome by_rail = run(8, "bytes = 40000\ngroup = 4\nmapping = 'by-rail'\nrails = 2\n");
  EXPECT_EQ(by_rail.measurements.flows[0].destination.index, 2u);
}

TEST(CollectiveRun, RanksAreOnTheHostsAsListed) {
  const Outcome outcome = run(8, "bytes = 40000\nhosts = [6, 1, 4]\n");
  const std::map<std::uint32_t, std::uint32_t> next{{6, 1}, {1, 4}, {4, 6}};
  for (const FlowResult& flow : outcome.measurements.flows)
    EXPECT_EQ(flow.destination.index, next.at(flow.source.index));
}

TEST(CollectiveRun, UnevenAllToAll) {
  const Outcome outcome = run(3, "operation = 'all-to-all'\nmatrix = [[0, '1kB', 0], ['2kB', 0, '500B'], [0, 0, 0]]\n");
  EXPECT_EQ(outcome.measurements.flows.size(), 3u);
  EXPECT_EQ(outcome.measurements.collectives[0].bytes, 2500);
}

TEST(CollectiveRun, WhatCannotBeMeantIsRefused) {
  EXPECT_TRUE(says(error_of([] { run(4, "operation = 'broadcast'\nalgorithm = 'ring'\nbytes = 8\n"); }),
                   "broadcast can be done by binomial"));
  EXPECT_TRUE(says(error_of([] { run(4, "bytes = 8\ngroup = 3\n"); }), "cannot be divided into groups of 3"));
  EXPECT_TRUE(says(error_of([] { run(4, ""); }), "bytes must be given"));
  EXPECT_TRUE(says(error_of([] { run(3, "operation = 'all-to-all'\nmatrix = [[0, 1, 2]]\n"); }), "1 rows for 3 ranks"));
  EXPECT_TRUE(says(error_of([] { run(2, "operation = 'all-to-all'\nmatrix = [[0, 'x'], [1, 0]]\n"); }),
                   "\"x\" is no number of bytes"));
}

// Two stages, two micro-batches, no other traffic: forwards the second stage begins after the first activation, and
// then all goes back.
TEST(TrainingRun, PipelinesOverlap) {
  testing::Star star;
  star.hosts = 2;
  star.payload = "[500]";
  star.packet = "header = '20B'\n";
  star.link = "delay = '10ns'\n";
  star.traffic =
      "[[traffic]]\npattern = 'training'\npipeline = 2\nmicrobatches = 2\nforward = '100us'\nbackward = '200us'\n"
      "activation_bytes = 5000\n";
  const Outcome outcome = testing::run_text(star.text());
  ASSERT_EQ(outcome.measurements.flows.size(), 4u);
  const std::int64_t message = wire_ps(5000) + latency_ps(), us = testing::kUs;
  EXPECT_EQ(outcome.measurements.flows[0].start.ps, 100 * us);
  EXPECT_EQ(outcome.measurements.flows[1].start.ps, 200 * us);
  const std::int64_t second = 200 * us + message + 100 * us;  // the second stage has finished its forwards
  EXPECT_EQ(outcome.measurements.flows[2].start.ps, second + 200 * us);
  EXPECT_EQ(outcome.measurements.flows[3].start.ps, second + 400 * us);
}

TEST(TrainingRun, AllGroupsTakePart) {
  testing::Star star;
  star.hosts = 16;
  star.traffic =
      "[[traffic]]\npattern = 'training'\ntensor = 2\npipeline = 2\ndata = 4\nexpert = 2\nmicrobatches = 2\nsteps = 2\n"
      "forward = '10us'\nbackward = '20us'\ntensor_bytes = '10kB'\nexpert_bytes = '8kB'\nactivation_bytes = '4kB'\n"
      "gradient_bytes = '40kB'\nmapping = 'random'\n";
  const Outcome outcome = testing::run_text(star.text());
  EXPECT_EQ(outcome.measurements.ending, Ending::finished);
  std::map<std::string, int> count;
  for (const CollectiveResult& c : outcome.measurements.collectives) {
    EXPECT_TRUE(c.completion);
    ++count[c.operation + std::to_string(c.ranks)];
  }
  EXPECT_EQ(count["all-reduce2"], 2 * 2 * 2 * 2 * 4);      // steps, senses, micro-batches, stages, copies
  EXPECT_EQ(count["all-to-all2"], 2 * 2 * 2 * 2 * 2 * 4);  // the same, there and back, groups of two among 8 ranks
  EXPECT_EQ(count["all-reduce4"], 2 * 2 * 2);              // steps, stages, parts
}

}  // namespace
}  // namespace weir
