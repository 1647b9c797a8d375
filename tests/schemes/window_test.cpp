// The static window: never more than its packets outstanding, one window per round trip, and adaptive routing's
// disorder as the measurements show it.
#include <gtest/gtest.h>

#include "run/lab.h"

namespace weir {
namespace {

using testing::completion;
using testing::kNs;
using testing::run_text;
using testing::Star;

Star one_flow(int window, int packets) {
  Star star;
  star.hosts = 2;
  star.link = "delay = '1us'\n";
  star.scheme = fmt::format("name = 'window'\npackets = {}\n", window);
  star.traffic = testing::flows(fmt::format("[0, 1, {}]", packets * 1000));
  return star;
}

double largest_window(const Outcome& run) { return testing::number_of(run, "largest window in use"); }

TEST(Window, OneWindowPerRoundTrip) {
  // There: 2 us of cable and 1 us of packet; back: 2 us and 22 ns.
  constexpr std::int64_t kAlone = 3000, kRoundTrip = 3000 + 2022;
  for (const int window : {1, 2, 4}) {
    const Outcome run = run_text(one_flow(window, 20).text());
    EXPECT_EQ(completion(run, 0), ((20 / window - 1) * kRoundTrip + (window - 1) * 1000 + kAlone) * kNs) << window;
    EXPECT_EQ(largest_window(run), window);
  }
  const Outcome wide = run_text(one_flow(50, 20).text());
  EXPECT_EQ(completion(wide, 0), 22'000 * kNs) << "wider than the pipe: full rate";
  EXPECT_EQ(run_text(one_flow(4, 20).text()).measurements.totals.acks, 20u);
}

// Two sources of a host for the same destination share the window of the pair, and both queues are woken by its
// acknowledgements.
TEST(Window, QueuesThatWaitForOneConnectionAllMoveOn) {
  for (const char* organisation : {"fifo", "per-flow", "per-destination", "shared"}) {
    Star star;
    star.scheme = "name = 'window'\npackets = 1\n";
    star.adapter = fmt::format("organisation = '{}'\n", organisation);
    star.run = "duration = '2ms'\n";
    star.traffic =
        R"([[traffic]]
pattern = "burst"
class = "a"
target = 3
packets = 40
spread = "1us"
hosts = [0, 1]
[[traffic]]
pattern = "burst"
class = "b"
target = 3
packets = 40
spread = "1us"
hosts = [0, 1]
)";
    const Outcome run = run_text(star.text());
    for (const ClassResult& c : run.measurements.classes) EXPECT_EQ(c.received, 80u) << organisation;
    EXPECT_EQ(largest_window(run), 1);
  }
}

TEST(Window, PacketsToOneselfNeedNone) {
  Star star;
  star.scheme = "name = 'window'\npackets = 1\n";
  star.run = "duration = '1ms'\n";
  star.traffic = "[[traffic]]\npattern = 'uniform'\nload = 0.3\ninclude_self = true\nstop = '500us'\n";
  const Measurements m = run_text(star.text()).measurements;
  EXPECT_EQ(m.classes[0].received, m.classes[0].generated);
  EXPECT_LT(m.totals.acks, m.classes[0].received);
  EXPECT_GT(m.totals.acks, m.classes[0].received / 2);
}

TEST(Window, KeepsAHotSpotFromFillingTheFabric) {
  const auto cold_latency = [](const char* scheme) {
    const Outcome run = run_text(fmt::format(
        R"([topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[link]
delay = "10ns"
[packet]
payload = [256]
[adapter]
organisation = "per-destination"
[scheme]
{}[run]
duration = "400us"
warmup = "100us"
[[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
target = 0
load = 0.5
share = 0.5
[[traffic]]
pattern = "uniform"
class = "cold"
except = "hot"
load = 0.2
avoid = [0]
)",
        scheme));
    const auto& classes = run.measurements.classes;
    return classes[classes[0].name == "cold" ? 0 : 1].latency.mean();
  };
  EXPECT_GT(cold_latency("name = 'none'\n"), 3 * cold_latency("name = 'window'\npackets = 1\n"));
}

std::string tree_permutation(const char* choice) {
  return fmt::format(
      R"([topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[link]
delay = "10ns"
[packet]
payload = [500]
[routing]
choice = "{}"
[run]
until = "flows"
[[traffic]]
pattern = "permutation"
count = 3
bytes = "100kB"
)",
      choice);
}

TEST(LiveQueue, ReordersAndTheReceiverIsMeasured) {
  const Measurements fixed = run_text(tree_permutation("fixed")).measurements;
  const Measurements adaptive = run_text(tree_permutation("live-queue")).measurements;
  EXPECT_EQ(fixed.resequencing.out_of_order, 0u);
  EXPECT_EQ(fixed.classes[0].out_of_order, 0u);
  EXPECT_GT(adaptive.resequencing.out_of_order, 0u);
  EXPECT_EQ(adaptive.resequencing.out_of_order, adaptive.classes[0].out_of_order);
  EXPECT_GT(adaptive.resequencing.peak_packets, 0u);
  EXPECT_GT(adaptive.resequencing.mean_packets, 0.0);
  EXPECT_LE(adaptive.resequencing.mean_packets, 16.0 * static_cast<double>(adaptive.resequencing.peak_packets))
      << "the mean is of all receivers";
  EXPECT_LT(adaptive.end, fixed.end) << "and it pays: the ways up are shared better";
}

}  // namespace
}  // namespace weir
