// What every scheme must keep, whatever it does against congestion: nothing is lost, and a connection's packets arrive
// in order. A new scheme is tested here as soon as it stands in the registry.
#include <gtest/gtest.h>

#include "schemes/fingerprint.h"
#include "schemes/lab.h"

namespace weir {
namespace {

// Half of the hosts send a pulse to host 0, the others to random hosts; some flows run beside them.
std::string hot_spot(std::string_view scheme, const char* switches, const char* adapter) {
  return fmt::format(
      "[topology]\nkind = \"k-ary-n-tree\"\nk = 2\nn = 3\n[link]\nrate = \"8Gbps\"\ndelay = \"10ns\"\n"
      "[packet]\npayload = [256]\nheader = \"22B\"\n[switch]\n{}lanes = 2\n[adapter]\norganisation = \"{}\"\nack_lane "
      "= 1\n{}\n"
      "[[traffic]]\nname = \"hot\"\npattern = \"hotspot\"\nclass = \"hot\"\ntarget = 0\nshare = 0.5\nload = "
      "0.8\npackets = 200\n"
      "after_received = 20\n"
      "[[traffic]]\npattern = \"uniform\"\nclass = \"cold\"\nexcept = \"hot\"\nload = 0.4\nstop = \"60us\"\n"
      "[[traffic]]\npattern = \"shift\"\noffset = 3\nclass = \"flows\"\nbytes = \"10kB\"\n"
      "[run]\nuntil = \"flows\"\nsettle = \"5ms\"\nmax_time = \"50ms\"\n",
      switches, adapter, scheme);
}

void check(const SchemeInfo& scheme, const char* switches, const char* adapter, std::size_t& ran) {
  const std::string text = hot_spot(scheme.example, switches, adapter);
  SCOPED_TRACE(text);
  try {
    const Outcome run = testing::run_text(text);
    const Measurements& m = run.measurements;
    ++ran;
    EXPECT_EQ(m.ending, Ending::finished) << m.ending_text;
    for (const ClassResult& c : m.classes) {
      EXPECT_GT(c.received, 0u) << c.name;
      EXPECT_EQ(c.received, c.generated) << c.name;
      EXPECT_EQ(c.received_bytes, c.generated_bytes) << c.name;
      EXPECT_EQ(c.out_of_order, 0u) << c.name;
    }
    for (const FlowResult& flow : m.flows) EXPECT_EQ(flow.delivered, flow.bytes);
  } catch (const InputError&) {  // a scheme may refuse an organisation that it cannot work with, but not all of them
  }
}

TEST(Conformance, EverySchemeOnEverySwitchAndAdapter) {
  const char* kSwitches[] = {
      "organisation = \"voq-input\"\nbuffer = \"2kB\"\n",
      "organisation = \"voq-input\"\narbitration = \"round-robin\"\nbuffer = \"2kB\"\npriority = \"preemptive\"\n",
      "organisation = \"fifo-in-out\"\nbuffer = \"1KiB\"\n",
      "organisation = \"output-queued\"\nflow_control = \"pause\"\nbuffer = \"4kB\"\n",
  };
  const char* kAdapters[] = {"fifo", "per-destination", "modulo", "shared", "per-flow"};
  for (const SchemeInfo& scheme : schemes()) {
    std::size_t ran = 0;
    for (const char* switches : kSwitches)
      for (const char* adapter : kAdapters) check(scheme, switches, adapter, ran);
    EXPECT_GT(ran, 0u) << scheme.name << " refuses every combination";
  }
}

TEST(Conformance, EverySchemeGivesTheSameBitsAgain) {
  for (const SchemeInfo& scheme : schemes()) {
    const std::string text =
        hot_spot(scheme.example, "organisation = \"fifo-in-out\"\nbuffer = \"1KiB\"\n", "per-destination");
    try {
      const std::string first = testing::Fingerprint::of(testing::run_text(text).measurements);
      EXPECT_EQ(testing::Fingerprint::of(testing::run_text(text).measurements), first) << scheme.name;
    } catch (const InputError&) {  // as above
    }
  }
}

TEST(Conformance, EveryExampleIsAScheme) {
  for (const SchemeInfo& scheme : schemes()) {
    EXPECT_FALSE(scheme.summary.empty()) << scheme.name;
    EXPECT_EQ(&scheme_named(scheme.name), &scheme);
    EXPECT_NE(scheme.example.find(fmt::format("name = \"{}\"", scheme.name)), std::string_view::npos) << scheme.name;
  }
}

}  // namespace
}  // namespace weir
