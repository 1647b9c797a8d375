// Priority flow control over one shared memory: nothing is lost, headroom is exact to the byte, and lanes are stopped
// one by one. (The engine recounts pools and headroom at the end of each run here, and a packet without room ends it.)
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "packet/flow_control/shared_memory.h"
#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::flows;
using testing::refusal;
using testing::refusal_of_run;
using testing::run_text;

std::int64_t last_number(const std::string& sentence) {
  const std::size_t end = sentence.find_last_of("0123456789");
  const std::size_t start = sentence.find_last_not_of("0123456789", end) + 1;
  return std::stoll(sentence.substr(start, end + 1 - start));
}

TEST(SharedMemory, GivesAnInputAlphaTimesWhatIsFree) {
  SharedMemory memory(9000, 2);
  MemoryUse a, b;
  for (int i = 0; i < 7; ++i) memory.land(a, 1000, 1000);  // one of them in its reserve
  EXPECT_EQ(a.headroom, 0);
  EXPECT_EQ(memory.used(), 6000);
  EXPECT_EQ(memory.threshold(), 6000);  // twice the 3000 that are free
  EXPECT_TRUE(memory.should_stop(a, 1000));
  EXPECT_FALSE(memory.should_stop(b, 1000));
  memory.land(a, 1000, 1000);
  EXPECT_EQ(a.headroom, 1000);
  memory.land(b, 1000, 1000);  // its own reserve
  memory.land(b, 1000, 1000);
  EXPECT_EQ(memory.used(), 7000);
  EXPECT_EQ(memory.threshold(), 4000);

  MemoryUse* uses[] = {&a, &b};
  const auto use_of = [&](ChannelId c) -> MemoryUse& { return *uses[c.index]; };
  memory.leaves({10, {0}, 1000, 1000});
  memory.leaves({20, {0}, 1000, 1000});
  memory.fold(9, use_of);
  EXPECT_EQ(a.headroom, 1000);
  memory.fold(10, use_of);
  EXPECT_EQ(a.headroom, 0);  // which empties first
  EXPECT_EQ(a.pooled, 7000);
  EXPECT_FALSE(memory.may_go_on(a, 1000, 0));
  memory.fold(20, use_of);
  EXPECT_EQ(memory.used(), 6000);
  EXPECT_TRUE(memory.may_go_on(a, 1000, 1000));   // 5000 of 6000
  EXPECT_FALSE(memory.may_go_on(a, 1000, 1001));
}

RC_GTEST_PROP(SharedMemory, NeverGivesMoreThanThereIs, ()) {
  const auto shared = *rc::gen::inRange<std::int64_t>(1, 20'000);
  SharedMemory memory(shared, *rc::gen::element(0.125, 1.0, 8.0, 64.0));
  std::array<MemoryUse, 3> uses;
  std::array<std::vector<std::int32_t>, 3> standing;
  for (std::int64_t time = 1; time < 60; ++time) {
    const auto which = *rc::gen::inRange<std::uint32_t>(0, 3);
    if (*rc::gen::arbitrary<bool>() || standing[which].empty()) {
      const auto cost = *rc::gen::inRange<std::int32_t>(1, 9000);
      memory.land(uses[which], cost, 4096);
      standing[which].push_back(cost);
    } else {
      memory.leaves({time, {which}, standing[which].front(), 4096});
      standing[which].erase(standing[which].begin());
      memory.fold(time, [&](ChannelId c) -> MemoryUse& { return uses[c.index]; });
    }
    std::int64_t used = 0;
    for (std::size_t i = 0; i < uses.size(); ++i) {
      std::int64_t sum = 0;
      for (const std::int32_t cost : standing[i]) sum += cost;
      RC_ASSERT(uses[i].pooled + uses[i].headroom == sum);
      RC_ASSERT(uses[i].pooled >= 0 && uses[i].headroom >= 0);
      used += uses[i].shared(4096);
    }
    RC_ASSERT(used == memory.used() && used <= shared);
  }
}

// Host 1 takes nothing in: host 2 fills its buffer, and its port stands. Then host 0 sends to it at full rate, while a
// packet to host 0 has begun, one picosecond before, on the link that the stop must take. The pool is empty from the
// start, so the first packet of host 0 crosses the threshold.
struct WorstCase {
  std::int64_t gbps = 100, metres = 40, response_ns = 0;
  std::int64_t bytes = 0;        // that host 0 sends before a packet of the largest size
  std::string headroom;          // lines of [switch]
  std::int64_t memory = 1;
  bool store_and_forward = false;

  std::string text() const {
    return fmt::format(R"([topology]
kind = "star"
hosts = 4
[link]
rate = "{}Gbps"
delay = "{}ps"
[packet]
payload = ["1500B"]
header = 0
[switch]
organisation = "output-queued"
flow_control = "pfc"
switching = "{}"
shared_buffer = "{}B"
pfc_reserve = 0
credit_delay = "{}ns"
{}[adapter]
organisation = "fifo"
receive_rate = "100kbps"
receive_hosts = [1]
[run]
duration = "250us"
)", gbps, metres * 1'000'000'000 / 198'000, store_and_forward ? "store-and-forward" : "cut-through", memory,
                       response_ns, headroom) +
           flows(fmt::format("[2, 1, 1000000, '0us'], [3, 0, 1500, '199999999ps'], [0, 1, {}, '200us'], "
                             "[0, 1, 1000000, '200us']", bytes));
  }
};

// What stood behind the port of host 0 at most.
std::uint64_t peak_of_host_0(const Outcome& outcome) {
  return outcome.measurements.ports.at(outcome.network->topology.host_port({0}).index).peak_input_bytes;
}

TEST(Pfc, HeadroomIsExactToTheByte) {
  for (const std::int64_t gbps : {25, 100, 400}) {
    for (const std::int64_t metres : {5, 40, 300}) {
      for (const bool store_and_forward : {false, true}) {
        WorstCase w;
        w.gbps = gbps;
        w.metres = metres;
        w.response_ns = gbps == 100 ? 500 : 0;
        w.store_and_forward = store_and_forward;
        w.bytes = 1500;
        w.headroom = "pfc_headroom = 1\n";
        const std::int64_t needed = last_number(refusal(w.text()));
        EXPECT_TRUE(says(refusal(w.text()), "can still arrive after a stop is decided"));
        w.headroom = fmt::format("pfc_headroom = {}\n", needed);
        w.memory = last_number(refusal(w.text())) + 1;
        w.bytes = needed - 1500;
        const Outcome outcome = run_text(w.text());
        EXPECT_EQ(peak_of_host_0(outcome), static_cast<std::uint64_t>(needed)) << gbps << " " << metres;
        w.headroom = fmt::format("pfc_headroom = {}\n", needed - 1);
        EXPECT_TRUE(says(refusal(w.text()), "too few"));
        w.headroom += "pfc_check = false\n";
        EXPECT_TRUE(says(refusal_of_run(w.text()), "would be lost: its headroom of")) << gbps << " " << metres;
      }
    }
  }
}

struct Setting {
  std::int64_t rate_gbps = 10, middle_gbps = 10, delay_ns = 100, response_ns = 0, payload = 1500, second = 64;
  std::int64_t lanes = 1;
  std::string switches, adapter;

  std::string text() const {
    std::string t = fmt::format(R"([topology]
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
flow_control = "pfc"
credit_delay = "{}ns"
lanes = {}
{}[adapter]
organisation = "per-destination"
{})", middle_gbps, rate_gbps, delay_ns, payload, second, response_ns, lanes, switches, adapter);
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      t += fmt::format(R"([[traffic]]
pattern = "hotspot"
name = "hot{0}"
class = "hot"
lane = {0}
target = 4
load = 0.9
packets_each = 100
[[traffic]]
pattern = "hotspot"
name = "back{0}"
class = "hot"
lane = {0}
target = 0
load = 0.5
packets_each = 50
)", lane);
    return t + "[run]\nuntil = 'class'\nclass = 'hot'\nmax_time = '1s'\n";
  }
};

RC_GTEST_PROP(Pfc, NothingIsLostInAnySharedMemory, ()) {
  Setting s;
  s.rate_gbps = *rc::gen::element<std::int64_t>(1, 10, 40, 100, 33);
  s.middle_gbps = *rc::gen::element<std::int64_t>(1, 10, 100);
  s.delay_ns = *rc::gen::inRange<std::int64_t>(0, 5'000);
  s.response_ns = *rc::gen::inRange<std::int64_t>(0, 2'000);
  s.payload = *rc::gen::element<std::int64_t>(64, 1500, 9000);
  s.second = *rc::gen::element<std::int64_t>(64, 777, 1500);
  s.lanes = *rc::gen::inRange<std::int64_t>(1, 4);
  const std::string common = fmt::format(
      "organisation = '{}'\nswitching = '{}'\narbitration = '{}'\npfc_reserve = {}\npfc_alpha = {}\npfc_resume = {}\n",
      *rc::gen::element("output-queued", "voq-input"), *rc::gen::element("cut-through", "store-and-forward"), "fcfs",
      *rc::gen::element(0, 1000, 4096), *rc::gen::element(0.01, 0.125, 1.0, 16.0), *rc::gen::element(0, 3072));
  if (*rc::gen::arbitrary<bool>()) s.adapter = "receive_rate = '700Mbps'\nreceive_hosts = [4]\n";
  if (s.lanes == 3)
    s.switches = *rc::gen::element<std::string>("", "lane_weights = [2, 0, 1]\n",
                                                "vlarb_high = '2:1'\nvlarb_high_limit = 1\nvlarb_low = '0:9, 1:30'\n");
  s.switches += common + "shared_buffer = 1\n";
  const std::int64_t least = last_number(refusal(s.text())) + 1;
  s.switches.replace(s.switches.rfind("= 1"), 3,
                     fmt::format("= {}", least + *rc::gen::element(0, 1, 2000, 50'000, 1'000'000)));
  const Outcome outcome = run_text(s.text());
  RC_ASSERT(outcome.measurements.ending == Ending::finished);
  const ClassResult& all = outcome.measurements.classes.at(0);
  RC_ASSERT(all.generated == static_cast<std::uint64_t>(5 * 150 * s.lanes));
  RC_ASSERT(all.received == all.generated);
}

TEST(Pfc, StopsOneLaneAndLeavesTheOtherAlone) {
  const Outcome outcome = run_text(R"([topology]
kind = "star"
hosts = 4
[link]
rate = "10Gbps"
delay = "100ns"
[packet]
payload = ["1500B"]
[switch]
organisation = "output-queued"
flow_control = "pfc"
lanes = 2
shared_buffer = "200kB"
[adapter]
organisation = "per-flow"
[run]
until = "flows"
[[traffic]]
pattern = "flows"
lane = 0
list = [[0, 2, 1500000], [1, 2, 1500000]]
[[traffic]]
pattern = "flows"
lane = 1
list = [[0, 3, 300000]]
)");
  const Measurements& m = outcome.measurements;
  ASSERT_EQ(m.lanes, 2u);
  const auto pause = [&](std::uint32_t host, std::uint32_t lane) {
    return m.pauses.at(outcome.network->topology.host_port({host}).index * 2 + lane);
  };
  EXPECT_GT(pause(0, 0).stops, 10u);
  EXPECT_GT(pause(0, 0).paused.ps, m.end.ps / 10);
  EXPECT_LT(pause(0, 0).paused, m.end);
  EXPECT_EQ(pause(0, 1).stops, 0u);
  EXPECT_EQ(pause(2, 0).stops, 0u);
  // The lane above has the link to itself, but for stops of the other direction.
  EXPECT_NEAR(m.flows[2].completion.seconds(), 300000 * 8e-10, 3e-6);
}

TEST(Pfc, RefusesWhatItCannotDo) {
  Setting s;
  s.switches = "organisation = 'fifo-in-out'\n";
  EXPECT_TRUE(says(refusal(s.text()), "switches whose inputs share one memory"));
  s.switches = "buffer = '1MB'\n";
  EXPECT_TRUE(says(refusal(s.text()), "share its memory")) << refusal(s.text());
  s.switches = "buffer_counts = 'packets'\n";
  EXPECT_TRUE(says(refusal(s.text()), "PFC works on bytes"));
  s.switches = "shared_buffer = '10kB'\n";
  EXPECT_TRUE(says(refusal(s.text()), "cannot hold the reserve"));
}

}  // namespace
}  // namespace weir
