// What every scheme must keep, whatever it does against congestion: nothing is lost, and a connection's packets arrive
// in order. A new scheme is tested here as soon as it stands in the registry.
#include <gtest/gtest.h>

#include "run/fingerprint.h"
#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

// Half of the hosts send a pulse to host 0, the others to random hosts; some flows run beside them.
std::string hot_spot(std::string_view scheme, const char* switches, const char* adapter) {
  return fmt::format(
      R"([topology]
kind = "k-ary-n-tree"
k = 2
n = 3
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [256]
header = "22B"
[switch]
{}lanes = 2
[adapter]
organisation = "{}"
ack_lane = 1
{}
[[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
target = 0
share = 0.5
load = 0.8
packets = 200
after_received = 20
[[traffic]]
pattern = "uniform"
class = "cold"
except = "hot"
load = 0.4
stop = "60us"
[[traffic]]
pattern = "shift"
offset = 3
class = "flows"
bytes = "10kB"
[run]
until = "flows"
settle = "5ms"
max_time = "50ms"
)",
      switches, adapter, scheme);
}

struct Kind {
  const char *name, *text;
};
constexpr Kind kSwitches[] = {
    {"virtual output queues", "organisation = 'voq-input'\nbuffer = '2kB'\n"},
    {"round robin, preemptive lanes",
     R"(organisation = "voq-input"
arbitration = "round-robin"
buffer = "2kB"
priority = "preemptive"
)"},
    {"virtual output queues, PAUSE", "organisation = 'voq-input'\nflow_control = 'pause'\nbuffer = '4kB'\n"},
    {"buffered crossbar", "organisation = 'fifo-in-out'\nbuffer = '1KiB'\n"},
    {"buffered crossbar, PAUSE",
     "organisation = 'fifo-in-out'\nflow_control = 'pause'\nbuffer = '4kB'\noutput_buffer = '1KiB'\n"},
    {"output queues", "organisation = 'output-queued'\nbuffer = '2kB'\n"},
    {"virtual output queues, PFC", "organisation = 'voq-input'\nflow_control = 'pfc'\nshared_buffer = '60kB'\n"},
    {"output queues, PFC", "organisation = 'output-queued'\nflow_control = 'pfc'\nshared_buffer = '60kB'\n"},
    {"output queues, PAUSE", "organisation = 'output-queued'\nflow_control = 'pause'\nbuffer = '4kB'\n"},
};
constexpr const char* kAdapterNames[] = {"fifo", "per-destination", "modulo", "shared", "per-flow"};

void expect_sound(const Measurements& m) {
  EXPECT_EQ(m.ending, Ending::finished) << m.ending_text;
  for (const ClassResult& c : m.classes) {
    EXPECT_GT(c.received, 0u) << c.name;
    EXPECT_EQ(c.received, c.generated) << c.name;
    EXPECT_EQ(c.received_bytes, c.generated_bytes) << c.name;
    EXPECT_EQ(c.out_of_order, 0u) << c.name;
  }
  for (const FlowResult& flow : m.flows) EXPECT_EQ(flow.delivered, flow.bytes);
}

// None is refused anywhere. A scheme that cannot work with one of these kinds must say so in its documentation, and
// gets a list of its exceptions here.
void check(const SchemeInfo& scheme, const Kind& switches, const char* adapter) {
  SCOPED_TRACE(fmt::format("{} on {}, adapter {}", scheme.name, switches.name, adapter));
  expect_sound(testing::run_text(hot_spot(scheme.example, switches.text, adapter)).measurements);
}

TEST(Conformance, EverySchemeOnEverySwitchAndAdapter) {
  const std::size_t every = scaled_count(4, 1, 1);
  std::size_t number = 0;
  for (const SchemeInfo& scheme : schemes())
    for (const Kind& switches : kSwitches)
      for (const char* adapter : kAdapterNames)
        if (number++ % every == 0) check(scheme, switches, adapter);
}

TEST(Conformance, EverySchemeGivesTheSameBitsAgain) {
  for (const SchemeInfo& scheme : schemes()) {
    const std::string text =
        hot_spot(scheme.example, "organisation = 'fifo-in-out'\nbuffer = '1KiB'\n", "per-destination");
    const std::string first = testing::Fingerprint::of(testing::run_text(text).measurements);
    EXPECT_EQ(testing::Fingerprint::of(testing::run_text(text).measurements), first) << scheme.name;
  }
}

// Whoever joins this list gives up running on many cores.
TEST(Conformance, OnlySchemesWithACentralPartNeedOneThread) {
  std::string central;
  for (const SchemeInfo& scheme : schemes()) {
    const Outcome run = testing::run_text(hot_spot(scheme.example, kSwitches[0].text, "per-destination"));
    if (!run.measurements.one_thread.empty()) central += fmt::format("{} ", scheme.name);
  }
  EXPECT_EQ(central, "saa saa-m ffa afa dcms ");
  const Outcome exact = testing::run_text(hot_spot("[scheme]\nname = 'ffa'", kSwitches[0].text, "per-destination"));
  EXPECT_EQ(exact.measurements.one_thread, "the solver of this scheme calculates the rates of all flows at once");
}

TEST(Conformance, EveryExampleIsAScheme) {
  for (const SchemeInfo& scheme : schemes()) {
    EXPECT_FALSE(scheme.summary.empty()) << scheme.name;
    EXPECT_EQ(&scheme_named(scheme.name), &scheme);
    EXPECT_TRUE(says(scheme.example, fmt::format(R"(name = "{}")", scheme.name))) << scheme.name;
  }
}

}  // namespace
}  // namespace weir
