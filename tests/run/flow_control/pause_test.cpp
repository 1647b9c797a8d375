// PAUSE loses nothing at any setting that respects the headroom, and a setting that does not is refused with the value
// that would do. (A buffer that overflows ends the program, so every run here is a check.)
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "packet/flow_control/flow_controls.h"
#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

struct Setting {
  std::int64_t rate_gbps = 10, middle_gbps = 10, delay_ns = 100, extra_ns = 0, route_ns = 0;
  std::int64_t payload = 1500, second = 64;
  std::int64_t buffer = 150'000;
  std::string thresholds;
  bool store_and_forward = false;
  std::int64_t lanes = 1;
};

std::string text(const Setting& s) {
  std::string t = fmt::format(
      R"([topology]
kind = "two-switch"
left = 4
right = 2
links = 1
middle_rate = "{}Gbps"
[link]
rate = "{}Gbps"
delay = "{}ns"
[packet]
payload = [{}, {}]
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "{}B"
{}switching = "{}"
credit_delay = "{}ns"
route_delay = "{}ns"
lanes = {}
[adapter]
organisation = "per-destination"
)",
      s.middle_gbps, s.rate_gbps, s.delay_ns, s.payload, s.second, s.buffer, s.thresholds,
      s.store_and_forward ? "store-and-forward" : "cut-through", s.extra_ns, s.route_ns, s.lanes);
  for (std::int64_t lane = 0; lane < s.lanes;
       ++lane)  // four hosts send to one behind a shared link, a fifth joins at the end
    t += fmt::format(R"([[traffic]]
pattern = "hotspot"
name = "hot{}"
class = "hot"
lane = {}
target = 4
load = 0.9
packets_each = 200
)", lane, lane);
  return t + "[run]\nuntil = 'class'\nclass = 'hot'\nmax_time = '1s'\n";
}

// "... make the buffer at least 12345 B"
std::int64_t number_before_unit(const std::string& sentence) {
  const std::size_t unit = sentence.rfind(" B");
  const std::size_t start = sentence.find_last_not_of("0123456789", unit - 1) + 1;
  return std::stoll(sentence.substr(start, unit - start));
}

RC_GTEST_PROP(Pause, ABufferWithoutHeadroomIsRefusedWithTheValueThatIsJustEnough, ()) {
  Setting s;
  s.rate_gbps = *rc::gen::element<std::int64_t>(1, 10, 40, 100);
  s.middle_gbps = *rc::gen::element<std::int64_t>(1, 10, 100);
  s.delay_ns = *rc::gen::inRange<std::int64_t>(0, 20'000);
  s.extra_ns = *rc::gen::inRange<std::int64_t>(0, 2'000);
  s.route_ns = *rc::gen::inRange<std::int64_t>(0, 500);
  s.buffer = s.payload;
  const std::string sentence = testing::refusal(text(s));
  RC_ASSERT(sentence.find("headroom") != std::string::npos);
  s.buffer = number_before_unit(sentence);
  RC_ASSERT(testing::refusal(text(s)) == "no error");
  --s.buffer;
  RC_ASSERT(testing::refusal(text(s)) != "no error");
}

RC_GTEST_PROP(Pause, NothingIsLostAtAnySettingWithHeadroom, ()) {
  Setting s;
  s.rate_gbps = *rc::gen::element<std::int64_t>(1, 10, 40, 100);
  s.middle_gbps = *rc::gen::element<std::int64_t>(1, 10, 100);
  s.delay_ns = *rc::gen::inRange<std::int64_t>(0, 5'000);
  s.extra_ns = *rc::gen::inRange<std::int64_t>(0, 2'000);
  s.route_ns = *rc::gen::inRange<std::int64_t>(0, 500);
  s.payload = *rc::gen::element<std::int64_t>(64, 1500, 9000);
  s.second = *rc::gen::element<std::int64_t>(64, 777, 1500);
  s.store_and_forward = *rc::gen::arbitrary<bool>();
  s.lanes = *rc::gen::inRange<std::int64_t>(1, 4);
  s.buffer = 1;
  const std::int64_t largest = std::max(s.payload, s.second);
  s.buffer = largest;
  const std::int64_t least = number_before_unit(testing::refusal(text(s)));
  s.buffer = least + *rc::gen::inRange<std::int64_t>(0, 20'000);
  const std::int64_t highest_stop = s.buffer - (least - largest);
  const std::int64_t stop = *rc::gen::inRange<std::int64_t>(0, highest_stop + 1);
  const std::int64_t go = *rc::gen::inRange<std::int64_t>(0, stop + 1);
  s.thresholds = fmt::format("pause_stop = '{}B'\npause_go = '{}B'\n", stop, go);
  const Outcome outcome = testing::run_text(text(s));
  const ClassResult& hot = outcome.measurements.classes.at(0);
  RC_ASSERT(outcome.measurements.ending == Ending::finished);
  RC_ASSERT(hot.generated == static_cast<std::uint64_t>(5 * 200 * s.lanes));
  RC_ASSERT(hot.received == hot.generated);
  for (const PortResult& port : outcome.measurements.ports)
    RC_ASSERT(port.peak_input_bytes <= static_cast<std::uint64_t>(s.buffer * s.lanes));
}

TEST(Pause, ThresholdsThatLeaveTooLittleRoomAreRefusedWithTheHighestPossible) {
  Setting s;
  s.thresholds = "pause_stop = '149kB'\n";
  const std::string sentence = testing::refusal(text(s));
  ASSERT_TRUE(says(sentence, "can still arrive"));
  s.thresholds = fmt::format("pause_stop = '{}B'\n", number_before_unit(sentence));
  EXPECT_EQ(testing::refusal(text(s)), "no error");
  s.thresholds = fmt::format("pause_stop = '{}B'\n", number_before_unit(sentence) + 1);
  EXPECT_NE(testing::refusal(text(s)), "no error");
  s.thresholds = "pause_stop = '10kB'\npause_go = '11kB'\n";
  EXPECT_NE(testing::refusal(text(s)), "no error");
}

TEST(Pause, ReallyStopsTheSenders) {
  Setting s;
  s.buffer = 20'000;
  const Outcome outcome = testing::run_text(text(s));
  Time waited;
  std::uint64_t most = 0;
  for (const PortResult& port : outcome.measurements.ports) {
    waited += port.wait;
    most = std::max(most, port.peak_input_bytes);
  }
  EXPECT_GT(waited.ps, 0);
  EXPECT_GT(most, 10'000u);  // the headroom is used
}

// What arrives after the stop was decided: one link delay until the sender hears, what is on the wire by then, and the
// frame it has begun. The computed headroom must hold it, and not be far too large.
TEST(Pause, TheHeadroomIsNeeded) {
  Setting s;
  s.delay_ns = 10'000;  // 12.5 kB each way
  s.middle_gbps = 1;
  s.buffer = 60'000;
  const PacketConfig config = [&] {
    const Scenario scenario = testing::scenario_of(text(s));
    const Topology topology = build_topology(scenario);
    return packet_config(scenario, topology, build_workload(scenario, topology));
  }();
  const Outcome outcome = testing::run_text(text(s));
  std::uint64_t most = 0;
  for (const PortResult& port : outcome.measurements.ports) most = std::max(most, port.peak_input_bytes);
  const Bytes stop = config.switches.flow_control.values<PauseConfig>().stop;
  EXPECT_GT(most, static_cast<std::uint64_t>(stop) + 20'000);
  EXPECT_LE(most, 60'000u);
}

}  // namespace
}  // namespace weir
