// The adapters: which queue a packet waits in decides who waits for whom at the source.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::completion;
using testing::kNs;
using testing::run_text;
using testing::Star;

// Host 0 sends ten packets to host 2 with a window of one, so that it mostly waits for acknowledgements, and one packet
// each to hosts 3 and 4.
Star held_back(const std::string& adapter) {
  Star star;
  star.hosts = 5;
  star.link = "delay = '2us'\n";
  star.scheme = "name = 'window'\npackets = 1\n";
  star.adapter = adapter;
  star.traffic = testing::flows("[0, 2, 10000], [0, 3, 1000], [0, 4, 1000]");
  return star;
}
constexpr std::int64_t kAlone = 5000 * kNs, kRoundTrip = (5000 + 4022) * kNs;

TEST(Adapters, OneFifoWaitsForItsHead) {
  const Outcome run = run_text(held_back("organisation = 'fifo'\n").text());
  EXPECT_EQ(completion(run, 0), 9 * kRoundTrip + kAlone);
  EXPECT_EQ(completion(run, 1), 9 * kRoundTrip + 1000 * kNs + kAlone);
  EXPECT_EQ(completion(run, 2), 9 * kRoundTrip + 2000 * kNs + kAlone);
}

TEST(Adapters, QueuesPerDestinationAndPerFlowDoNotBlockEachOther) {
  for (const char* organisation : {"per-destination", "per-flow", "shared", "auto"}) {
    const Outcome run = run_text(held_back(fmt::format("organisation = '{}'\n", organisation)).text());
    EXPECT_EQ(completion(run, 1), 1000 * kNs + kAlone) << organisation;
    EXPECT_EQ(completion(run, 2), 2000 * kNs + kAlone) << organisation;
    EXPECT_EQ(completion(run, 0), 9 * kRoundTrip + kAlone) << organisation;
  }
}

TEST(Adapters, ModuloSharesAQueueBetweenDestinations) {
  const Outcome run = run_text(held_back("organisation = 'modulo'\nqueues = 2\n").text());
  EXPECT_EQ(completion(run, 1), 1000 * kNs + kAlone) << "host 3 is odd: a queue of its own";
  EXPECT_EQ(completion(run, 2), 9 * kRoundTrip + 1000 * kNs + kAlone) << "host 4 waits behind host 2";
  EXPECT_TRUE(says(testing::refusal(held_back("organisation = 'fifo'\nqueues = 2\n").text()), "modulo"));
}

TEST(Adapters, FlowsOfOneHostTakeTurns) {
  Star star;
  star.adapter = "organisation = 'per-flow'\n";
  star.traffic = testing::flows("[0, 1, 10000], [0, 2, 10000], [0, 3, 5000]");
  const Outcome fair = run_text(star.text());
  EXPECT_EQ(completion(fair, 2), 15'000 * kNs);
  EXPECT_EQ(completion(fair, 0), 24'000 * kNs);
  EXPECT_EQ(completion(fair, 1), 25'000 * kNs);
  star.adapter = "organisation = 'fifo'\n";
  const Outcome fifo = run_text(star.text());
  EXPECT_EQ(completion(fifo, 0), 10'000 * kNs);
  EXPECT_EQ(completion(fifo, 1), 20'000 * kNs);
  EXPECT_EQ(completion(fifo, 2), 25'000 * kNs);
}

TEST(Adapters, OldestFirstServesTheOlderFlow) {
  Star star;
  star.adapter = "organisation = 'per-flow'\nservice = 'oldest-first'\n";
  star.traffic = testing::flows(R"([0, 1, 10000, "0.1us"], [0, 2, 10000, "0us"])");
  const Outcome run = run_text(star.text());
  EXPECT_EQ(completion(run, 1), 10'000 * kNs);
  EXPECT_EQ(completion(run, 0), 20'000 * kNs);
}

// 50 packets at one instant, and memory for two of them: the others wait in the host, in order, and nothing else
// changes.
TEST(Adapters, MemoryLimitsWhatTheAdapterHolds) {
  const auto run = [](const std::string& memory) {
    Star star;
    star.hosts = 3;
    star.adapter = "organisation = 'shared'\n" + memory;
    star.run = "duration = '100us'\n";
    star.traffic = R"([[traffic]]
pattern = "burst"
target = 2
packets = 50
spread = "1ns"
hosts = [0]
)";
    return run_text(star.text()).measurements;
  };
  const Measurements limited = run("memory = '2kB'\n"), free = run("");
  EXPECT_EQ(limited.classes[0].received, 50u);
  EXPECT_EQ(limited.classes[0].latency.max(), free.classes[0].latency.max());
  EXPECT_EQ(limited.classes[0].latency.mean(), free.classes[0].latency.mean());
  Star star;
  star.adapter = "memory = '999B'\n";
  star.traffic = testing::flows("[0, 1, 1000]");
  EXPECT_TRUE(says(testing::refusal(star.text()), "1000 B"));
}

TEST(Adapters, EveryPacketIsAcknowledgedOnce) {
  Star star;
  star.switches = "lanes = 2\n";
  star.adapter = "acks = true\nack_lane = 1\n";
  star.traffic = testing::flows("[0, 1, 10500], [2, 1, 3000], [1, 0, 700]");
  star.run = "until = 'flows'\nsettle = '10us'\n";
  const Outcome run = run_text(star.text());
  EXPECT_EQ(run.measurements.classes[0].received, 15u);
  EXPECT_EQ(run.measurements.totals.acks, 15u);
  EXPECT_EQ(run.measurements.totals.hops, 2 * 2 * 15u);
  EXPECT_EQ(run.measurements.totals.data_hops, 2 * 15u);
  star.adapter = "acks = true\nack_lane = 2\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "lane 2 does not exist"));
}

}  // namespace
}  // namespace weir
