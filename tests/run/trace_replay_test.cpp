// Traces in the engine: the latency of a message counts from when it exists, and all messages of a pair of hosts are
// one flow to the schemes that hold flows back.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/lab.h"

namespace weir {
namespace {

using testing::completion;
using testing::kUs;
using testing::Star;

constexpr std::string_view kSixMessages =
    "time,source,destination,bytes\n0,0,1,1000\n0,0,1,1000\n0,0,1,1000\n0,0,1,1000\n0,0,1,1000\n0,0,1,1000\n";

std::string six_messages(const std::string&) { return std::string(kSixMessages); }
std::string one_message(const std::string&) { return "time,source,destination,bytes\n0,0,1,6000\n"; }
std::string three_pairs(const std::string&) {
  return "time,source,destination,bytes\n0,0,1,1000\n0,0,1,1000\n0,0,2,1000\n0,0,2,1000\n0,0,3,1000\n0,0,3,1000\n";
}

// Links of 1 byte per ns and packets of 1000 B: one microsecond each. An acknowledgement takes 100 ns.
Outcome replay(FileReader trace, const std::string& scheme, const std::string& adapter) {
  Star star;
  star.hosts = 4;
  star.packet = "header = '0B'\nack = '100B'\n";
  star.adapter = adapter;
  star.scheme = scheme;
  star.traffic = "[[traffic]]\npattern = 'trace'\nfile = 'builtin:t.csv'\n";
  const Scenario scenario = testing::scenario_of(star.text());
  Outcome outcome = simulate(scenario, {}, trace);
  return outcome;
}

TEST(TraceReplay, LatencyCountsFromTheStartOfTheMessage) {
  const Outcome outcome = replay(one_message, "name = 'none'\n", "");
  const ClassResult& all = outcome.measurements.classes[0];
  double sum = 0;
  for (const ClassBin& bin : all.series) sum += bin.latency_sum_ps;
  ASSERT_EQ(all.received, 6u);
  EXPECT_DOUBLE_EQ(sum, static_cast<double>((1 + 2 + 3 + 4 + 5 + 6) * kUs));
  EXPECT_EQ(completion(outcome, 0), 6 * kUs);
}

// With a window of 1 every message waits for the acknowledgement of the one before, 1.1 us; without, 1 us each.
TEST(TraceReplay, MessagesOfAPairShareTheWindow) {
  const std::string window = R"(name = "marking"
detection = "none"
window = "static"
window_packets = 1
delay = "none"
)";
  for (const char* adapter : {"organisation = 'per-destination'\n", "organisation = 'per-flow'\n",
                              "organisation = 'fifo'\n", "organisation = 'modulo'\nqueues = 2\n"}) {
    const Outcome free = replay(six_messages, "name = 'none'\n", adapter);
    const Outcome held = replay(six_messages, window, adapter);
    std::int64_t last_free = 0, last_held = 0;
    for (std::size_t m = 0; m < 6; ++m) {
      last_free = std::max(last_free, completion(free, m));
      last_held = std::max(last_held, completion(held, m));
    }
    EXPECT_EQ(last_free, 6 * kUs) << adapter;
    EXPECT_EQ(last_held, 6 * kUs + 5 * kUs / 10) << adapter;
  }
}

TEST(TraceReplay, MessagesOfDifferentPairsDoNot) {
  const std::string window = R"(name = "marking"
detection = "none"
window = "static"
window_packets = 1
delay = "none"
)";
  const Outcome outcome = replay(three_pairs, window, "organisation = 'per-destination'\n");
  std::int64_t last = 0;
  for (std::size_t m = 0; m < 6; ++m) last = std::max(last, completion(outcome, m));
  EXPECT_EQ(last, 6 * kUs);  // the others fill the wait for an acknowledgement
}

// Pfister's slot is packet time x senders to one destination / ports of a switch: six messages of one host are one
// sender.
TEST(TraceReplay, ManyMessagesOfAHostAreOneSender) {
  const Outcome outcome = replay(six_messages, "name = 'pfister'\n", "");
  const auto& numbers = outcome.measurements.scheme_numbers;
  const auto slot =
      std::find_if(numbers.begin(), numbers.end(), [](const auto& n) { return n.first == "waiting slot [ns]"; });
  ASSERT_NE(slot, numbers.end());
  EXPECT_DOUBLE_EQ(slot->second, 1000.0 * 1 / 4);
}

}  // namespace
}  // namespace weir
