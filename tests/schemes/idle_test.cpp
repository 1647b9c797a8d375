// A scheme that never acted says so, and why, from its own counters; one that acted does not.
#include <gtest/gtest.h>

#include <set>

#include "run/lab.h"
#include "schemes/idle.h"

namespace weir {
namespace {

using testing::flows;
using testing::run_text;
using testing::scenario_of;
using testing::Star;

// Two flows into one host, or a single packet that meets nobody.
Star crowd() {
  Star star;
  star.switches = "buffer = '16KiB'\n";
  star.traffic = flows(R"(["H1", "H0", "200kB", "0s"], ["H2", "H0", "200kB", "0s"], ["H3", "H0", "200kB", "0s"])");
  return star;
}
Star lonely() {
  Star star = crowd();
  star.traffic = flows(R"(["H1", "H0", "1000B", "0s"])");
  return star;
}

std::string idle_of(Star star, const std::string& scheme) {
  star.scheme = scheme;
  return run_text(star.text()).measurements.scheme_idle;
}

std::string named(std::string_view name) { return fmt::format("name = '{}'\n", name); }

TEST(Idle, EverySchemeSaysThatItNeverActed) {
  const std::set<std::string_view> rates{"saa", "saa-m", "ffa", "afa"};
  for (const SchemeInfo& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    const std::string said = idle_of(lonely(), named(scheme.name));
    // One packet is a flow, and gets a rate. None has nothing to do, ever.
    EXPECT_EQ(said.empty(), scheme.name == "none" || rates.contains(scheme.name)) << said;
  }
  for (const std::string_view name : rates) {
    Star star = lonely();
    star.run = "until = 'duration'\nduration = '10us'\n";
    const std::string said = idle_of(star, named(name) + "calculation = '1ms'\n");
    EXPECT_EQ(said, "1 flow had no rate when the run ended") << name;
  }
}

TEST(Idle, WhoActedDoesNotSayIt) {
  EXPECT_EQ(idle_of(crowd(), "name = 'window'\npackets = 1\n"), "");
  EXPECT_EQ(idle_of(crowd(), "name = 'qcn'\nqeq = '2kB'\nsample_interval = '3kB'\n"), "");
  EXPECT_EQ(idle_of(crowd(), "name = 'ecm'\nqeq = '2kB'\nsample_interval = '3kB'\n"), "");
  EXPECT_EQ(idle_of(crowd(), "name = 'dcqcn'\nkmin = '2kB'\nkmax = '4kB'\n"), "");
  EXPECT_EQ(idle_of(crowd(), "name = 'hpcc'\n"), "");
  EXPECT_EQ(idle_of(crowd(), "name = 'timely'\nt_low = '2us'\n"), "");
  EXPECT_EQ(idle_of(crowd(), "name = 'cca'\nthreshold = 15\n"), "");
  for (const char* name : {"mvcm", "iocm", "renato", "pfister", "ffa"})
    EXPECT_EQ(idle_of(crowd(), named(name)), "") << name;
}

// The longest queue is that of a fast link, which has a longer kmin: what the slow ones have is not meant.
TEST(Idle, EachLinkHasAKminOfItsOwn) {
  const std::string said = run_text(R"([topology]
kind = "leaf-spine"
leaves = 2
spines = 1
hosts = 4
uplink_rate = "32Gbps"
[link]
rate = "8Gbps"
[packet]
payload = [1000]
[scheme]
name = "dcqcn"
kmin_per_gbps = "250B"
kmax_per_gbps = "500B"
[run]
until = "flows"
)" + flows(R"(["H0", "H4", "1000B", "0s"], ["H1", "H5", "1000B", "0s"], ["H2", "H6", "1000B", "0s"],
             ["H3", "H7", "1000B", "0s"])")).measurements.scheme_idle;
  EXPECT_TRUE(said.starts_with("the queue nearest to kmin had ")) << said;
  EXPECT_EQ(said.find("no packet was marked"), std::string::npos) << said;
}

TEST(Idle, SaysWhy) {
  EXPECT_EQ(idle_of(lonely(), "name = 'window'\npackets = 4\n"),
            "no flow had more than 1 packet unacknowledged, its window is 4");
  EXPECT_EQ(idle_of(crowd(), "name = 'qcn'\nqeq = '1MB'\n").rfind("the longest queue had ", 0), 0u);
  EXPECT_EQ(idle_of(crowd(), "name = 'qcn'\nqeq = '2kB'\nsample_interval = '100MB'\n")
                .find("but no sample (one in 100MB) asked for a lower rate") == std::string::npos,
            false);
  EXPECT_EQ(idle_of(lonely(), "name = 'dcqcn'\n"), "the queue nearest to kmin had 1kB, kmin there is 2KiB");
  EXPECT_EQ(idle_of(lonely(), "name = 'hpcc'\n"), "0 acknowledgements came back; a rate takes two of one flow");
  const std::string slow = idle_of(crowd(), "name = 'timely'\nt_low = '1ms'\nt_high = '1ms'\n");
  EXPECT_EQ(slow.rfind("the longest round trip took ", 0), 0u) << slow;
  EXPECT_EQ(idle_of(crowd(), "name = 'cca'\nthreshold = 0\n"), "no port has a threshold");
  EXPECT_EQ(idle_of(lonely(), "name = 'iocm'\n"), "no input buffer was filled above 66 % and no output above 33 %");
  const std::string rare = idle_of(lonely(), "name = 'dcms'\n");
  EXPECT_EQ(rare.rfind("its manager found no victim in ", 0), 0u);
  EXPECT_NE(rare.find("set a shorter scheme.calm_period, or let the run last longer"), std::string::npos) << rare;
  EXPECT_EQ(idle::manager({100, Time{1'000'000}, Time{100'000'000}}, ""),
            "its manager found no victim in 100 sweeps; the ports kept marking at their initial rate");
}

// The hot spot of the README with defaults of Ethernet: the set-point lies above the buffer.
TEST(Idle, ASetPointAboveTheBuffer) {
  Star star = crowd();
  star.switches = "organisation = 'fifo-in-out'\nbuffer = '4KiB'\n";
  for (const char* name : {"qcn", "ecm"})
    EXPECT_EQ(idle_of(star, named(name) + "qeq = '33kB'\n"), "the queue holds at most 4KiB, Qeq is 33kB") << name;
}

TEST(Tags, EverySchemeHasOne) {
  std::set<SchemeTag> seen;
  for (const SchemeInfo& scheme : schemes()) seen.insert(scheme.tag);
  EXPECT_EQ(seen.size(), 4u);
  for (const KindSpec& kind : scheme_kinds()) EXPECT_FALSE(kind.tag.empty()) << kind.name;
  EXPECT_EQ(scheme_named("cca").tag, SchemeTag::hardware);
  EXPECT_EQ(scheme_named("qcn").tag, SchemeTag::standard);
  EXPECT_EQ(scheme_named("iocm").tag, SchemeTag::research);
  EXPECT_EQ(scheme_named("saa-m").tag, SchemeTag::ideal);
}

TEST(Tags, DependOnTheScenario) {
  Star star = lonely();
  star.scheme = "name = 'ffa'\n";
  EXPECT_EQ(tag_of(scenario_of(star.text())), SchemeTag::ideal);
  star.switches += "lanes = 2\n";
  star.scheme = "name = 'ffa'\nmethod = 'distributed'\n";
  EXPECT_EQ(tag_of(scenario_of(star.text())), SchemeTag::research);
  star.scheme = "name = 'none'\n";
  EXPECT_EQ(tag_of(scenario_of(star.text())), SchemeTag::hardware);
  star.scheme = "name = 'cca'\n";
  EXPECT_EQ(tag_of(scenario_of(star.text())), SchemeTag::hardware);
  EXPECT_EQ(tag_of(scenario_of(star.text() + "[routing]\nchoice = 'flow-setup'\n")), SchemeTag::research);
  star.switches = "lanes = 2\nflow_control = 'pfc'\n";
  EXPECT_EQ(tag_of(scenario_of(star.text())), SchemeTag::for_infiniband);
  star.scheme = "name = 'dcqcn'\n";
  EXPECT_EQ(tag_of(scenario_of(star.text())), SchemeTag::hardware);
}

}  // namespace
}  // namespace weir
