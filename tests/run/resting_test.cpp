// Sources whose packets only pile up at their host take no events (resting.h). Everything measured must be the same, to
// the bit, as when each packet is made in its time: whichever queues there are, whenever sources end, and also where
// several packets are made at one instant.
#include <gtest/gtest.h>

#include <string>

#include "run/fingerprint.h"
#include "run/simulate.h"
#include "scenario/parse.h"

namespace weir {
namespace {

using testing::Fingerprint;

Measurements run_it(const std::string& text, bool rest, std::uint32_t threads = 1) {
  const Scenario scenario = parse_scenario_text(text, "test", vocabulary(), {});
  const RunSetup setup = set_up(scenario);
  RunInput run = run_input(setup);
  run.sources_rest = rest;
  run.threads = threads;
  return setup.scheme.run(run);
}

// Six times as much as hosts can send, by two sources each. PAUSE has no other shortcut.
std::string overloaded(const std::string& sources, const std::string& adapter, const std::string& run = "",
                       const std::string& fabric = "flow_control = 'pause'\n") {
  return R"([topology]
kind = "k-ary-n-tree"
k = 2
n = 3
[packet]
payload = ["300B", "1000B"]
[switch]
buffer = "40kB"
)" + fabric + R"([link]
rate = '10Gbps'
delay = '7ns'
[adapter]
)" + adapter + R"(
[[traffic]]
name = "most"
pattern = "uniform"
load = 4.0
)" + sources + R"(
[[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
target = 5
share = 0.5
load = 2.0
)" + sources + R"(
[run]
duration = '200us'
warmup = '20us'
)" + run;
}

void expect_same(const std::string& text) {
  const Measurements rested = run_it(text, true), made = run_it(text, false);
  EXPECT_EQ(Fingerprint::of(rested), Fingerprint::of(made));
  EXPECT_LT(rested.totals.events, made.totals.events);
  const Measurements divided = run_it(text, true, 2);
  EXPECT_EQ(Fingerprint::of(divided), Fingerprint::of(made));
}

TEST(RestingSources, OneQueueForAll) { expect_same(overloaded("", "organisation = 'fifo'")); }
TEST(RestingSources, AQueueForEach) { expect_same(overloaded("", "organisation = 'per-flow'")); }
TEST(RestingSources, ManyPacketsAtOneInstant) {
  for (const char* adapter : {"organisation = 'fifo'", "organisation = 'per-flow'"})
    expect_same(overloaded("arrivals = 'constant'\naligned = true\n", adapter));
}
TEST(RestingSources, Slots) {
  std::string text = overloaded("arrivals = 'bernoulli'\n", "organisation = 'fifo'");
  for (const char* load : {"4.0", "2.0"}) text.replace(text.find(load), 3, "0.6");
  expect_same(text);
}
TEST(RestingSources, ThatStop) {
  expect_same(overloaded("stop = '60us'\n", "organisation = 'fifo'"));
  expect_same(overloaded("stop = '9us'\n", "organisation = 'fifo'"));  // and all is sent
}
TEST(RestingSources, BinsOfAGivenWidth) {
  expect_same(overloaded("", "organisation = 'fifo'", "[measure]\nbin = '3us'\n"));
}
TEST(RestingSources, TwoLanes) {
  expect_same(overloaded("", "organisation = 'fifo'", "", "flow_control = 'credits'\nlanes = 2\n"));
}
TEST(RestingSources, CrossbarAndPlainSwitches) {
  for (const char* organisation : {"voq-input", "fifo-in-out"})
    expect_same(overloaded("", "organisation = 'fifo'", "",
                           std::string("flow_control = 'credits'\norganisation = '") + organisation + "'\n"));
}
TEST(RestingSources, HostsThatMayDrawThemselves) {
  std::string text = overloaded("", "organisation = 'fifo'");
  text.insert(text.find("load = 4.0"), "include_self = true\n");
  expect_same(text);
}

// A deadlock is found at the same moment, while sources go on and when they have stopped.
TEST(RestingSources, DeadlockIsNoticedAsSoon) {
  for (const char* stop : {"", "stop = '30us'\n"}) {
    const std::string text = std::string(R"([topology]
kind = "graph"
hosts = ["H1", "H2", "H3", "H4", "H5"]
switches = ["S1", "S2", "S3", "S4", "S5"]
links = [["S1:1", "S2:2"], ["S2:1", "S3:2"], ["S3:1", "S4:2"], ["S4:1", "S5:2"], ["S5:1", "S1:2"],
         ["H1", "S1:3"], ["H2", "S2:3"], ["H3", "S3:3"], ["H4", "S4:3"], ["H5", "S5:3"]]
[routing]
kind = "min-hop"
[packet]
payload = ["1kB"]
[switch]
buffer_packets = 1
[[traffic]]
pattern = "shift"
offset = 2
load = 1.0
)") + stop + "[run]\nduration = '400us'\n";
    const Measurements rested = run_it(text, true), made = run_it(text, false);
    EXPECT_EQ(made.ending, Ending::deadlock);
    EXPECT_EQ(rested.end, made.end);
    EXPECT_EQ(Fingerprint::of(rested), Fingerprint::of(made));
  }
}

// Where so many could be made that they end the run, each is made in its time.
TEST(RestingSources, NotWhereTheBacklogMayEndTheRun) {
  const std::string text = overloaded("", "organisation = 'fifo'", "max_backlog = 500\n");
  const Measurements rested = run_it(text, true), made = run_it(text, false);
  EXPECT_EQ(made.ending, Ending::saturated);
  EXPECT_EQ(Fingerprint::of(rested), Fingerprint::of(made));
  EXPECT_EQ(rested.totals.events, made.totals.events);
}

}  // namespace
}  // namespace weir
