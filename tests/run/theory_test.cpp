// What queueing theory knows, in runs short enough for every build; `weir reproduce theory` has the long ones.
#include <gtest/gtest.h>

#include "run/lab.h"

namespace weir {
namespace {

using testing::run_text;

TEST(Theory, AnOutputWithPoissonArrivalsIsAnMD1Queue) {
  std::string hosts = R"("D")", links = R"(["S", "D", "8Gbps"])";
  for (int i = 0; i < 16; ++i) {
    hosts += fmt::format(R"(, "A{}")", i);
    links += fmt::format(R"(, ["A{}", "S", "8Tbps"])", i);
  }
  const double load = 0.6;
  const Outcome run = run_text(fmt::format(
      R"([topology]
kind = "graph"
hosts = [{}]
switches = ["S"]
links = [{}]
[link]
delay = "0ns"
[packet]
payload = [1000]
[switch]
buffer = "100MB"
route_delay = "0ns"
switch_delay = "0ns"
[[traffic]]
pattern = "hotspot"
target = 0
rate = "{}Gbps"
[run]
duration = "300ms"
warmup = "5ms"
)",
      hosts, links, load * 8 / 16));
  const ClassResult& all = run.measurements.classes[0];
  ASSERT_GT(all.received, 150'000u);
  const double wait = all.latency.mean() / 1e6 - 1;  // in packet times
  EXPECT_NEAR(wait, load / (2 * (1 - load)), 0.05 * load / (2 * (1 - load)));
}

// The share of the links' rate that 32 hosts with always something to send for random others get through one switch.
double saturation(const std::string& switches) {
  testing::Star star;
  star.hosts = 32;
  star.switches = switches;
  star.run = "duration = '6ms'\nwarmup = '1ms'\n";
  star.traffic = "[[traffic]]\npattern = 'uniform'\nload = 1.0\narrivals = 'constant'\naligned = true\n";
  const Outcome run = run_text(star.text());
  const auto bytes = static_cast<double>(run.measurements.classes[0].received_bytes_in_window);
  return bytes / (32 * 5e6);  // 5 ms of 1 byte per ns
}

TEST(Theory, HeadOfLineBlockingLimitsFifosToTwoMinusRootTwo) {
  EXPECT_NEAR(saturation("organisation = 'fifo-in-out'\nspeedup = 1\nbuffer_packets = 4\noutput_buffer = '10MB'\n"),
              0.5858, 0.02);
}

TEST(Theory, VirtualOutputQueuesDoNotSufferFromIt) {
  EXPECT_GT(saturation("organisation = 'voq-input'\nbuffer = '10MB'\n"), 0.95);
  EXPECT_GT(saturation("organisation = 'voq-input'\narbitration = 'round-robin'\nbuffer = '10MB'\n"), 0.95);
}

TEST(Theory, SpeedupTwoAlmostHealsFifos) {
  EXPECT_GT(saturation("organisation = 'fifo-in-out'\nspeedup = 2\nbuffer_packets = 4\noutput_buffer = '10MB'\n"),
            0.9);
}

}  // namespace
}  // namespace weir
