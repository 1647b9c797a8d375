// Traffic that waits for traffic, and runs that end with a class: what happens in one part of the fabric begins
// something in another one at the same moment. Threads and ranks foresee it, and give the bits of one thread.
#include <gtest/gtest.h>

#include "run/fingerprint.h"
#include "run/parts/divided_tree.h"
#include "run/parts/memory_ranks.h"
#include "scenario/parse.h"

namespace weir {
namespace {

using testing::Fingerprint;
using testing::run_by_ranks;

std::string tree(const std::string& traffic, const std::string& run) {
  return R"([topology]
kind = "k-ary-n-tree"
k = 3
n = 3
[link]
rate = "10Gbps"
delay = "17ns"
[packet]
payload = ["1000B"]
header = "20B"
[switch]
buffer_packets = 4
route_delay = "50ns"
)" + traffic + "[run]\n" + run;
}

Scenario parsed(const std::string& text) { return parse_scenario_text(text, "test", vocabulary()); }

void expect_same_bits(const std::string& text) {
  const Scenario scenario = parsed(text);
  const Measurements one = simulate(scenario).measurements;
  const std::string expected = Fingerprint::of(one);
  for (const std::uint32_t threads : testing::numbers_of_threads()) {
    const Measurements many = simulate(scenario, {}, nullptr, threads).measurements;
    EXPECT_EQ(many.totals.threads, threads) << many.totals.one_thread << "\n" << text;
    EXPECT_EQ(expected, Fingerprint::of(many)) << threads << " threads\n" << text;
    EXPECT_EQ(one.end, many.end) << text;
  }
  const Measurements ranks = run_by_ranks(scenario, 2, 2);
  EXPECT_EQ(ranks.totals.ranks, 2u) << ranks.totals.one_rank << "\n" << text;
  EXPECT_EQ(expected, Fingerprint::of(ranks)) << "2 ranks\n" << text;
}

const char* const kUntilFlows = "until = 'flows'\nsettle = '1us'\n";

TEST(TrafficThatWaits, Collectives) {
  for (const char* operation : {"operation = 'all-reduce'\nbytes = '20kB'\n",
                                "operation = 'all-to-all'\nbytes = '30kB'\n",
                                "operation = 'barrier'\nrepeat = 3\ncompute = '1us'\n",
                                "operation = 'broadcast'\nbytes = '9kB'\nrepeat = 2\n"})
    expect_same_bits(tree("[[traffic]]\npattern = 'collective'\n" + std::string(operation), kUntilFlows));
}
TEST(TrafficThatWaits, PhasesWithAndWithoutComputing) {
  for (const char* compute : {"0s", "40ns", "3us"})
    expect_same_bits(tree(std::string("[[traffic]]\npattern = 'phases'\nphases = 4\nbytes = '4kB'\n") +
                              "exchange = ['shift', 'permutation']\ncompute = '" + compute + "'\n",
                          kUntilFlows));
}
TEST(TrafficThatWaits, ForATimeThatIsGiven) {
  // The run ends in the midst of phases: those that would come later are not there.
  for (const char* duration : {"7us", "7.4us", "9us"})
    expect_same_bits(tree("[[traffic]]\npattern = 'phases'\nphases = 40\nbytes = '4kB'\nexchange = ['shift']\n",
                          std::string("duration = '") + duration + "'\n"));
}
const char* const kTwoClasses = R"([[traffic]]
name = "cold"
pattern = "uniform"
class = "cold"
load = 0.4
[[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
share = 0.5
target = 4
load = 0.5
packets = 20
after_received = 2000
)";
TEST(TrafficThatWaits, ForANumberOfPackets) {
  expect_same_bits(tree(kTwoClasses, "duration = '120us'\n"));
}
TEST(RunsThatEnd, WithAClassOfSources) {
  for (const char* settle : {"0s", "10us"})
    expect_same_bits(tree(kTwoClasses, std::string("until = 'class'\nclass = 'hot'\nsettle = '") + settle + "'\n"));
}
TEST(RunsThatEnd, WithAClassOfFlows) {
  expect_same_bits(tree(R"([[traffic]]
pattern = "uniform"
class = "cold"
load = 0.4
[[traffic]]
pattern = "phases"
class = "hot"
phases = 2
exchange = ["shift"]
bytes = "30kB"
)", "until = 'class'\nclass = 'hot'\n"));
}
TEST(RunsThatEnd, AtAMomentThatNobodyForesees) {
  const auto why = [](const std::string& text) {
    const Scenario scenario = parsed(text);
    const Measurements many = simulate(scenario, {}, nullptr, 2).measurements;
    EXPECT_EQ(many.totals.threads, 1u);
    EXPECT_EQ(Fingerprint::of(simulate(scenario).measurements), Fingerprint::of(many));
    return many.totals.one_thread;
  };
  EXPECT_EQ(why(tree("[[traffic]]\nclass = 'a'\npattern = 'uniform'\ninclude_self = true\nload = 0.4\nstop = '4us'\n",
                     "until = 'class'\nclass = 'a'\n")),
            "the run ends with a class of traffic, and hosts send to themselves");
  EXPECT_EQ(why(tree("[adapter]\nqueue_limit = '3kB'\n"
                     "[[traffic]]\nclass = 'a'\npattern = 'hotspot'\ntarget = 2\nload = 0.9\npackets = 9\n",
                     "until = 'class'\nclass = 'a'\n")),
            "the run ends with a class of traffic, and hosts refuse packets");
}

}  // namespace
}  // namespace weir
