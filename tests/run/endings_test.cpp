// Every run ends, and says why: finished, at its duration, saturated, or in a deadlock with its cycle; and what starts
// when others have ended does so in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "run/lab.h"
#include "says.h"
#include "temp_dir.h"

namespace weir {
namespace {

using testing::completion;
using testing::kNs;
using testing::run_text;
using testing::Star;

// Switches in a ring, one host each; every host sends `offset` switches further, all the same way round.
std::string ring(const std::string& switches, const std::string& routing,
                 const std::string& run = "until = 'flows'\n", int size = 5, int offset = 2) {
  std::string hosts, names, links;
  for (int i = 0; i < size; ++i) {
    hosts += fmt::format(R"("H{}", )", i);
    names += fmt::format(R"("S{}", )", i);
    links += fmt::format(R"(["H{0}", "S{0}"], ["S{0}", "S{1}"], )", i, (i + 1) % size);
  }
  return fmt::format(
      R"([topology]
kind = "graph"
hosts = [{}]
switches = [{}]
links = [{}]
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [1000]
[switch]
{}[routing]
kind = "{}"
[[traffic]]
pattern = "shift"
offset = {}
bytes = "200kB"
[run]
{})",
      hosts, names, links, switches, routing, offset, run);
}

TEST(Deadlock, OfARingIsRecognisedAndItsCycleNamed) {
  for (const char* switches :
       {"buffer_packets = 1\n", "buffer_packets = 1\narbitration = 'round-robin'\n",
        "buffer_packets = 2\norganisation = 'output-queued'\n",
        "buffer_packets = 1\nswitching = 'store-and-forward'\n", "buffer_packets = 1\nlanes = 2\n",
        "flow_control = 'pause'\nbuffer = '4kB'\norganisation = 'output-queued'\n",
        "flow_control = 'pfc'\nshared_buffer = '24kB'\norganisation = 'output-queued'\n",
        "flow_control = 'pfc'\nshared_buffer = '24kB'\n"}) {
    const Outcome run = run_text(ring(switches, "min-hop"));
    ASSERT_EQ(run.warnings.size(), 1u);
    EXPECT_TRUE(says(run.warnings[0], "deadlock")) << run.warnings[0];
    ASSERT_EQ(run.measurements.ending, Ending::deadlock) << switches << run.measurements.ending_text;
    const std::string& text = run.measurements.ending_text;
    EXPECT_TRUE(says(text, "each of these ports waits for the next: "));
    EXPECT_EQ(std::count(text.begin(), text.end(), ','), 5) << text;
    for (const char* name : {"S0:", "S1:", "S2:", "S3:", "S4:"}) EXPECT_TRUE(says(text, name));
    EXPECT_LT(run.measurements.end.ps, 1000 * testing::kUs) << "recognised soon";
  }
}

// The output buffers of a crossbar are places more, so it takes a longer ring.
TEST(Deadlock, OfACrossbarIsRecognised) {
  for (const char* arbitration : {"fcfs", "round-robin"}) {
    const std::string switches =
        fmt::format("buffer_packets = 1\norganisation = 'fifo-in-out'\narbitration = '{}'\n", arbitration);
    const Outcome run = run_text(ring(switches, "min-hop", "until = 'flows'\nmax_time = '50ms'\n", 9, 4));
    ASSERT_EQ(run.measurements.ending, Ending::deadlock) << arbitration << run.measurements.ending_text;
    EXPECT_TRUE(says(run.measurements.ending_text, "each of these ports waits for the next: "));
  }
}

TEST(Deadlock, IsFoundBesideTrafficThatStillFlows) {
  // Lane 1 crosses the stuck links all the time.
  const std::string endless = "[[traffic]]\npattern = 'shift'\noffset = 1\nload = 0.3\nlane = 1\n";
  const Outcome run = run_text(
      ring("buffer_packets = 1\nlanes = 2\n", "min-hop", "until = 'flows'\nmax_time = '50ms'\n") + endless);
  EXPECT_EQ(run.measurements.ending, Ending::deadlock) << run.measurements.ending_text;
}

// Links wait from the beginning on, so that searches have become rare when the ring locks.
TEST(Deadlock, IsNoticedAtTheEndOfTheRunAtTheLatest) {
  std::string text = ring("buffer_packets = 1\n", "min-hop", "duration = '10ms'\n");
  text.replace(text.find(R"(bytes = "200kB")"), 15, "bytes = '200kB'\nstart = '9990us'");
  text += "[[traffic]]\npattern = 'hotspot'\ntarget = 0\nhosts = [1, 4]\nload = 0.9\n";
  const Outcome run = run_text(text);
  EXPECT_EQ(run.measurements.ending, Ending::deadlock) << run.measurements.ending_text;
  EXPECT_EQ(run.measurements.end.ps, 10'000 * testing::kUs);
}

TEST(Deadlock, DoesNotHappenWithUpDownRoutes) {
  for (const char* switches : {"buffer_packets = 1\n", "buffer_packets = 1\norganisation = 'fifo-in-out'\n"}) {
    const Outcome run = run_text(ring(switches, "up-down"));
    EXPECT_TRUE(run.warnings.empty());
    EXPECT_EQ(run.measurements.ending, Ending::finished) << run.measurements.ending_text;
    EXPECT_EQ(run.measurements.classes[0].received, 5 * 200u);
  }
}

// With one packet of each flow on its way and two places per buffer the ring cannot lock, though at times every link
// waits for space, and for long: it is on its way back.
TEST(Deadlock, SlowCreditsAreNotMistakenForOne) {
  for (const char* delay : {"20us", "60us", "133us"}) {
    const std::string text = ring(fmt::format("buffer_packets = 2\ncredit_delay = '{}'\n", delay), "min-hop") +
                             "[scheme]\nname = 'window'\npackets = 1\n";
    EXPECT_EQ(run_text(text).measurements.ending, Ending::finished) << delay;
  }
}

std::string overload(const std::string& run) {
  Star star;
  star.run = run;
  star.traffic = "[[traffic]]\npattern = 'hotspot'\nname = 'hot'\ntarget = 0\nload = 1.0\n";
  return star.text();
}

TEST(Endings, TooMuchBacklogIsSaturation) {
  const Outcome run = run_text(overload("duration = '100ms'\nmax_backlog = 2000\n"));
  EXPECT_EQ(run.measurements.ending, Ending::saturated);
  EXPECT_TRUE(says(run.measurements.ending_text, "2000"));
  // Three hosts make 3 packets per us, one leaves: 2000 wait after 1 ms.
  EXPECT_NEAR(static_cast<double>(run.measurements.end.ps), 1'000.0 * testing::kUs, 100.0 * testing::kUs);
  EXPECT_LE(run.measurements.totals.peak_packets_alive, 2001u + 64u) << "and what stands in the switch";
}

// Neither a moment at which sources make a billion packets nor a rate of a packet per picosecond takes memory for them.
TEST(Endings, BacklogIsBoundedWithinAnInstant) {
  for (const char* amount : {"packets = 1000000000\n", "packets = 1000000000\nrate = '1000Tbps'\n"}) {
    Star star;
    star.run = "duration = '100ms'\nmax_backlog = 2000\n";
    star.traffic = fmt::format("[[traffic]]\npattern = 'burst'\ntarget = 0\nspread = '1ns'\n{}", amount);
    const Measurements m = run_text(star.text()).measurements;
    EXPECT_EQ(m.ending, Ending::saturated) << amount;
    EXPECT_LT(m.end.ps, 10 * testing::kUs) << amount;
    EXPECT_LE(m.totals.peak_packets_alive, 2001u + 64u) << amount;
  }
}

// How long a run without a duration takes is not known before. Marking keeps bins of its own.
TEST(Endings, TooManyBinsOfAGivenWidthAreRefused) {
  for (const char* scheme : {"none", "renato"}) {
    Star star;
    star.traffic = testing::flows("[0, 1, 500000], [2, 1, 500000], [3, 1, 500000]") + "[measure]\nbin = '1ps'\n";
    star.scheme = fmt::format("name = '{}'\n", scheme);
    const std::string said = error_of([&] { run_text(star.text()); });
    EXPECT_TRUE(says(said, "bin = 1ps is too narrow: the run is not over after 1000000 bins"));
    EXPECT_EQ(said.find("test:"), 0u) << said;
  }
}

TEST(Endings, MaxTimeIsSaturation) {
  const Outcome run = run_text(ring("", "up-down", "until = 'flows'\nmax_time = '100us'\n"));
  EXPECT_EQ(run.measurements.ending, Ending::saturated);
  EXPECT_TRUE(says(run.measurements.ending_text, "max_time"));
  EXPECT_EQ(run.measurements.end.ps, 100 * testing::kUs);
}

TEST(Endings, DurationIsExact) {
  const Outcome run = run_text(overload("duration = '123.456us'\nwarmup = '23us'\n"));
  EXPECT_EQ(run.measurements.ending, Ending::duration);
  EXPECT_EQ(run.measurements.end.ps, 123'456 * kNs);
  EXPECT_NEAR(static_cast<double>(run.measurements.classes[0].received_in_window), 100, 1);
}

TEST(Endings, FlowsAndSettle) {
  Star star;
  star.traffic = testing::flows("[0, 1, 5000], [2, 1, 3000]");
  EXPECT_EQ(run_text(star.text()).measurements.end.ps, 8'000 * kNs);
  star.run = "until = 'flows'\nsettle = '7us'\n";
  const Outcome run = run_text(star.text());
  EXPECT_EQ(run.measurements.end.ps, 15'000 * kNs);
  EXPECT_EQ(run.measurements.ending, Ending::finished);
}

std::string hot_and_cold(const std::string& hot, const std::string& run) {
  Star star;
  star.run = run;
  star.traffic =
      R"([[traffic]]
name = "cold"
pattern = "uniform"
class = "cold"
load = 0.2
stop = "200us"
[[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
target = 0
load = 1.0
)" +
      hot;
  return star.text();
}

TEST(Endings, AClassIsDelivered) {
  const Outcome run = run_text(hot_and_cold("packets = 30\n", "until = 'class'\nclass = 'hot'\n"));
  const ClassResult& hot = run.measurements.classes[1];
  EXPECT_EQ(run.measurements.ending, Ending::finished);
  EXPECT_EQ(hot.received, 30u);
  EXPECT_EQ(hot.generated, 30u);
  EXPECT_LT(run.measurements.end.ps, 60 * testing::kUs) << "the others need not be complete";
}

TEST(Endings, AClassThatNeverEndsIsRefused) {
  EXPECT_TRUE(says(testing::refusal(hot_and_cold("", "until = 'class'\nclass = 'hot'\n")), "never ends"));
  EXPECT_EQ(testing::refusal(hot_and_cold("", "until = 'class'\nclass = 'hot'\nmax_time = '1ms'\n")), "no error");
  EXPECT_EQ(testing::refusal(hot_and_cold("stop = '50us'\n", "until = 'class'\nclass = 'hot'\n")), "no error");
}

TEST(Endings, ADurationThatBoundsNothingIsRefusedByName) {
  testing::Star star;
  star.run = "until = 'flows'\nduration = '1ms'\n";
  star.traffic = testing::flows("[0, 1, '1kB']");
  EXPECT_TRUE(says(testing::refusal(star.text()), "duration: has no effect with until = \"flows\"; use max_time"));
}

TEST(Endings, AClassWithoutPacketsHasEnded) {
  const Outcome run =
      run_text(hot_and_cold("start = '10us'\nstop = '10.000001us'\n", "until = 'class'\nclass = 'hot'\n"));
  EXPECT_EQ(run.measurements.ending, Ending::finished);
  EXPECT_EQ(run.measurements.classes[1].generated, 0u);
}

TEST(Endings, AnUnknownClassIsRefusedWithTheKnownOnes) {
  EXPECT_TRUE(says(testing::refusal(hot_and_cold("packets = 3\n", "until = 'class'\nclass = 'warm'\n")), "cold, hot"));
}

TEST(Triggers, TrafficStartsAfterSoManyReceived) {
  const std::string run_until = "until = 'class'\nclass = 'hot'\n";
  const Measurements m = run_text(hot_and_cold("packets = 30\nafter_received = 40\n", run_until)).measurements;
  EXPECT_EQ(m.classes[1].received, 30u);
  // When the first hot packet was made, 40 cold ones had been received.
  std::uint64_t received_before = 0;
  for (std::size_t i = 0; i < m.classes[0].series.size() && m.classes[1].series[i].generated == 0; ++i)
    received_before += m.classes[0].series[i].received;
  EXPECT_LE(received_before, 40u);
  EXPECT_GE(received_before, 20u);
}

TEST(Triggers, ATriggerThatNeverComesIsReported) {
  const Measurements m =
      run_text(hot_and_cold("packets = 30\nafter_received = 100000\n", "until = 'class'\nclass = 'hot'\n"))
          .measurements;
  EXPECT_EQ(m.ending, Ending::saturated);
  EXPECT_TRUE(says(m.ending_text, "waits for more packets"));
  EXPECT_EQ(m.classes[1].generated, 0u);
  EXPECT_EQ(m.classes[0].generated, m.classes[0].received);
}

TEST(Phases, BarriersSeparateThem) {
  Star star;
  star.hosts = 6;
  star.traffic =
      R"([[traffic]]
pattern = "phases"
phases = 3
compute = "4us"
exchange = ["shift", "all-to-all"]
bytes = "5kB"
)";
  const Outcome run = run_text(star.text());
  const Measurements& m = run.measurements;
  ASSERT_EQ(m.phase_ends.size(), 1u);
  ASSERT_EQ(m.phase_ends[0].size(), 3u);
  std::vector<Time> last(3, Time{}), first(3, kNever);
  for (const FlowResult& flow : m.flows) {
    last[flow.phase] = std::max(last[flow.phase], flow.completion);
    first[flow.phase] = std::min(first[flow.phase], flow.start);
  }
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(m.phase_ends[0][p], last[p]);
    if (p > 0) {
      EXPECT_EQ(first[p].ps, last[p - 1].ps + 4'000 * kNs);
    }
  }
  EXPECT_EQ(last[0].ps, 5'000 * kNs) << "a shift has every link to itself";
}

// The numbers of phases only order them: a phase without flows does not exist, and takes no memory.
TEST(Phases, MayHaveAnyNumber) {
  const TempDir dir;
  std::ofstream(dir.path() / "phases.csv") << "src,dst,bytes,phase\n0,1,1000,7\n0,1,1000,1000000000\n";
  Star star;
  star.traffic =
      fmt::format("[[traffic]]\npattern = 'flows'\nfile = '{}'\n", (dir.path() / "phases.csv").string());
  const Measurements m = run_text(star.text()).measurements;
  ASSERT_EQ(m.phase_ends.size(), 1u);
  EXPECT_EQ(m.phase_ends[0], (std::vector<Time>{m.flows[0].completion, m.flows[1].completion}));
}

}  // namespace
}  // namespace weir
