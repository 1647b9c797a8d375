// Runs on a torus: packets change lanes at the dateline, and so never wait for each other in a circle.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"
#include "scale.h"

namespace weir {
namespace {

constexpr const char* kCrossbar = "organisation = 'fifo-in-out'\nbuffer = '1KiB'\n";
constexpr const char* kSwitches[] = {
    "organisation = 'voq-input'\nbuffer = '1KiB'\n",
    "organisation = 'voq-input'\narbitration = 'round-robin'\nbuffer = '1KiB'\n",
    "organisation = 'voq-input'\nflow_control = 'pause'\nbuffer = '4kB'\n",
    "organisation = 'output-queued'\nbuffer = '1KiB'\n",
    kCrossbar,
    "organisation = 'fifo-in-out'\narbitration = 'round-robin'\nbuffer = '1KiB'\n",
};

// Little room in the buffers, and more traffic than the rings can carry.
std::string torus_text(const std::string& switches, const std::string& routing, const std::string& traffic,
                       const std::string& more = "") {
  return fmt::format(
      R"([topology]
kind = "torus"
sizes = [6, 4]
hosts = 2
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [256]
header = "22B"
[switch]
{}[routing]
{}{}{})",
      switches, routing, traffic, more);
}
std::string shifts(std::uint32_t lane = 0) {
  std::string text;
  for (const int offset : {5, 17, 23, 31})
    text += fmt::format("[[traffic]]\npattern = 'shift'\noffset = {}\nbytes = '20kB'\nlane = {}\n", offset, lane);
  return text + "[run]\nuntil = 'flows'\nmax_time = '50ms'\n";
}

void expect_complete(const Measurements& m) {
  EXPECT_EQ(m.ending, Ending::finished) << m.ending_text;
  for (const ClassResult& c : m.classes) {
    EXPECT_GT(c.received, 0u) << c.name;
    EXPECT_EQ(c.received, c.generated) << c.name;
    EXPECT_EQ(c.out_of_order, 0u) << c.name;
  }
}

TEST(TorusRun, SaturatedRingsGoOnWithADatelineAndDeadlockWithout) {
  for (const char* switches : kSwitches) {
    SCOPED_TRACE(switches);
    const Outcome cut = testing::run_text(torus_text(std::string(switches) + "lanes = 2\n", "", shifts()));
    EXPECT_TRUE(cut.warnings.empty());
    EXPECT_TRUE(cut.routes_proven);
    expect_complete(cut.measurements);
    const Outcome whole = testing::run_text(
        torus_text(std::string(switches) + "lanes = 2\n", "kind = 'dor'\nlanes = 'none'\n", shifts()));
    EXPECT_FALSE(whole.routes_proven);
    ASSERT_EQ(whole.warnings.size(), 1u);
    EXPECT_TRUE(says(whole.warnings[0], "S0.0:2, S1.0:2, S2.0:2, S3.0:2, S4.0:2, S5.0:2, S0.0:2"))
        << whole.warnings[0];
    EXPECT_EQ(whole.measurements.ending, Ending::deadlock);
  }
}

TEST(TorusRun, EndlessOverloadNeverStops) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const std::string overload = "[[traffic]]\npattern = 'uniform'\nload = 1.0\n[run]\nduration = '500us'\n";
  for (const char* switches : kSwitches) {
    const Measurements m =
        testing::run_text(torus_text(std::string(switches) + "lanes = 2\n", "", overload)).measurements;
    EXPECT_EQ(m.ending, Ending::duration) << m.ending_text;
    ASSERT_EQ(m.classes.size(), 1u);
    EXPECT_GT(m.classes[0].received, m.classes[0].generated / 5);
  }
}

// Two blocks of lanes: the upper one overtakes the lower one, and both change lanes within themselves.
TEST(TorusRun, BlocksOfLanesAreNetworksOfTheirOwn) {
  const std::string both =
      R"([[traffic]]
pattern = "shift"
offset = 17
class = "low"
bytes = "40kB"
lane = 0
[[traffic]]
pattern = "shift"
offset = 17
class = "high"
bytes = "10kB"
lane = 2
[run]
until = "flows"
max_time = "50ms"
)";
  for (const char* priority : {"", "priority = 'preemptive'\n"}) {
    for (const char* switches : kSwitches) {
      SCOPED_TRACE(std::string(switches) + priority);
      const Measurements m =
          testing::run_text(torus_text(std::string(switches) + "lanes = 4\n" + priority, "", both)).measurements;
      expect_complete(m);
      Time last[2];  // of the low and of the high flows
      for (const FlowResult& flow : m.flows) {
        Time& t = last[flow.traffic_class.index];
        t = std::max(t, flow.completion);
      }
      EXPECT_LT(last[1], last[0]);
    }
  }
}

TEST(TorusRun, LanesThatDoNotFitAreRefused) {
  const auto refused = [](const std::string& switches, const std::string& traffic, const std::string& more = "") {
    return testing::refusal(torus_text(switches, "", traffic, more));
  };
  EXPECT_TRUE(says(refused("lanes = 1\n", shifts()),
                   "to avoid deadlock, the routing needs 2 lanes on every link: set lanes = 2"));
  EXPECT_TRUE(says(refused("", shifts()), "set lanes = 2"));
  EXPECT_TRUE(says(refused("lanes = 3\n", shifts()), "of 3 lanes, 1 would be unused; set lanes = 2"));
  EXPECT_TRUE(says(refused("lanes = 4\n", shifts(1)), "no packet starts on lane 1"));
  EXPECT_TRUE(says(refused("lanes = 4\n", shifts(), "[adapter]\nack_lane = 3\n"), "such as 2"));
  EXPECT_TRUE(says(refused("lanes = 4\npriority = 'preemptive'\nexpress_from = 1\n", shifts()), "lane 1"));
  EXPECT_TRUE(says(refused("lanes = 2\npriority = 'preemptive'\n", shifts()), "set lanes = 4"));
  EXPECT_EQ(refused("lanes = 4\n", shifts(2), "[adapter]\nack_lane = 2\n"), "no error");
  EXPECT_EQ(testing::refusal(torus_text("", "kind = 'up-down'\n", shifts())), "no error");
}

TEST(TorusRun, AdaptiveChoicesAndOtherRoutingsWork) {
  for (const char* choice : {"live-queue", "flow-setup"})
    expect_complete(testing::run_text(torus_text(std::string(kCrossbar) + "lanes = 4\n",
                                                 fmt::format("choice = '{}'\n", choice), shifts()))
                        .measurements);
  for (const char* choice : {"fixed", "live-queue"})
    EXPECT_EQ(testing::run_text(torus_text("", fmt::format("kind = 'up-down'\nchoice = '{}'\n", choice), shifts()))
                  .measurements.ending,
              Ending::finished);
}

// Acknowledgements, notifications, control and management packets of every scheme find their way on the upper block.
TEST(TorusRun, EverySchemeRuns) {
  const std::string traffic =
      R"([[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
target = 0
share = 0.5
load = 0.8
packets = 100
[[traffic]]
pattern = "shift"
offset = 7
class = "flows"
bytes = "10kB"
[adapter]
organisation = "per-destination"
ack_lane = 2
[run]
until = "flows"
settle = "5ms"
max_time = "50ms"
)";
  for (const SchemeInfo& scheme : schemes()) {
    for (const char* switches : {kSwitches[0], kSwitches[1], kCrossbar}) {
      SCOPED_TRACE(fmt::format("{} on {}", scheme.name, switches));
      expect_complete(
          testing::run_text(torus_text(std::string(switches) + "lanes = 4\n", "", traffic, std::string(scheme.example)))
              .measurements);
    }
  }
}

}  // namespace
}  // namespace weir
