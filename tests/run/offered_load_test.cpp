// What traffic asks of the links between switches, said before the run.
#include "run/offered_load.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::scenario_of;

std::string overload_of(const std::string& text) {
  const RunSetup setup = set_up(scenario_of(text));
  return fmt::format("{}", fmt::join(setup.overloads, "\n"));
}

// 4 leaves with 8 hosts each; uplinks of a quarter of that.
std::string four_to_one(const std::string& traffic, const std::string& topology = "spines = 2\n",
                        const std::string& header = "0B") {
  return "[topology]\nkind = 'leaf-spine'\nleaves = 4\nhosts = 8\n" + topology +
         "[link]\nrate = '100Gbps'\n[packet]\npayload = ['1000B']\nheader = '" + header + "'\n" + traffic +
         "[run]\nduration = '10us'\n";
}

std::string uniform(double load) {
  return "[[traffic]]\npattern = 'uniform'\nload = " + std::to_string(load) + "\n";
}

// Of what a host sends, 24 of 31 parts leave its leaf: 0.5 x 4 x 24/31 = 1.548.
TEST(OfferedLoad, CountsWhatLeavesTheLeaves) {
  const std::string said = overload_of(four_to_one(uniform(0.5)));
  EXPECT_TRUE(says(said, "needs 155 % of the total capacity of")) << said;
  EXPECT_TRUE(says(said, "level 0")) << said;
  EXPECT_EQ(overload_of(four_to_one(uniform(0.32))), "");
  EXPECT_TRUE(says(overload_of(four_to_one(uniform(0.33))), "102 %"));
  EXPECT_EQ(overload_of(four_to_one(uniform(0.9), "spines = 8\n")), "");
}

TEST(OfferedLoad, HeadersCountOnce) {
  // A load is that of whole packets.
  EXPECT_TRUE(says(overload_of(four_to_one(uniform(0.5), "spines = 2\n", "500B")), "155 %"));
}

// One host takes in no more than its link: what a hot spot asks for beyond that is its own trouble.
TEST(OfferedLoad, AHotSpotDoesNotCount) {
  EXPECT_EQ(overload_of(four_to_one("[[traffic]]\npattern = 'hotspot'\ntarget = 0\nload = 1\n")), "");
}

TEST(OfferedLoad, OfTrafficThatStopsNothingIsSaid) {
  EXPECT_EQ(overload_of(four_to_one("[[traffic]]\npattern = 'uniform'\nload = 0.5\nstop = '5us'\n")), "");
}

std::string arrivals(const std::string& load, const std::string& stop) {
  return "[[traffic]]\nname = 'web'\npattern = 'flow-arrivals'\nsizes = 'fixed'\nbytes = '100kB'\nload = " + load +
         "\nstop = '" + stop + "'\n";
}

// 0.5 x 4 x 24/31, as configured: however long they arrive, and whatever was drawn.
TEST(OfferedLoad, FlowsThatArriveAreALoadToo) {
  for (const char* stop : {"30us", "300us", "3ms"})
    EXPECT_TRUE(says(overload_of(four_to_one(arrivals("0.5", stop))), "needs 155 % of the total capacity")) << stop;
  EXPECT_EQ(overload_of(four_to_one(arrivals("0.1", "300us"))), "");
  // All at once is no load.
  EXPECT_EQ(overload_of(four_to_one("[[traffic]]\npattern = 'permutation'\nbytes = '1MB'\n")), "");
}

TEST(OfferedLoad, HostsCannotSendMoreThanTheirLinks) {
  const std::string plenty = "spines = 8\n";
  EXPECT_TRUE(says(overload_of(four_to_one(uniform(1.2), plenty)),
                   "the traffic asks 32 hosts to send more than they can; the worst is H0, with 120 % of what its "
                   "link carries"));
  EXPECT_TRUE(says(overload_of(four_to_one(arrivals("50", "30us"), plenty)), "the worst is H0, with 5000 %"));
  EXPECT_EQ(overload_of(four_to_one(uniform(1.0), plenty)), "");
}

TEST(OfferedLoad, HostsCannotReceiveMoreThanTheirLinks) {
  const std::string incast = "[[traffic]]\npattern = 'incast-arrivals'\nsenders = 20\nbytes = '10kB'\nto = [3]\n"
                             "stop = '1ms'\nload = ";
  // 32 hosts with a load of 0.05 on average: 1.6 times the link of host 3.
  EXPECT_TRUE(says(overload_of(four_to_one(incast + "0.05\n", "spines = 8\n")),
                   "the traffic asks H3 to receive 160 % of what its link carries. Queues"));
  EXPECT_EQ(overload_of(four_to_one(incast + "0.03\n", "spines = 8\n")), "");
}

TEST(OfferedLoad, ASlowReceiverTakesInLess) {
  const std::string slow = "[adapter]\nreceive_rate = '40Gbps'\nreceive_hosts = [5]\n";
  EXPECT_TRUE(says(overload_of(four_to_one(uniform(0.5) + slow, "spines = 8\n")),
                   "the traffic asks H5 to receive 125 % of what its adapter takes in (adapter.receive_rate). Queues"));
  EXPECT_EQ(overload_of(four_to_one(uniform(0.3) + slow, "spines = 8\n")), "");
}

TEST(OfferedLoad, CountsTheLinksOfEachSwitch) {
  // Leaf 0 sends 8 x 0.2 of its links through 2 of them; the others send nothing.
  const std::string leaf = "[[traffic]]\npattern = 'uniform'\nload = 0.5\nhosts = [0, 1, 2, 3, 4, 5, 6, 7]\n"
                           "to = [8, 9, 10, 11, 12, 13, 14, 15]\n";
  EXPECT_TRUE(says(overload_of(four_to_one(leaf)), "needs 200 % of the total capacity of the links"));
}

// In a ring of three switches most traffic of the first goes to the second: the one link, and not its other direction.
TEST(OfferedLoad, CountsEachDirectionWhereThereAreNoLevels) {
  const auto ring = [](double load) {
    return "[topology]\nkind = 'torus'\nsizes = [3]\nhosts = 4\n[link]\nrate = '100Gbps'\n[packet]\n"
           "payload = ['1000B']\nheader = '0B'\n[routing]\nkind = 'up-down'\n"
           "[[traffic]]\npattern = 'uniform'\nhosts = [0, 1, 2, 3]\nto = [4, 5, 6, 7]\nload = " +
           std::to_string(load) + "\n[run]\nduration = '10us'\n";
  };
  EXPECT_TRUE(says(overload_of(ring(0.5)), "200 % of the total capacity of the links from S0 to S1"));
  EXPECT_EQ(overload_of(ring(0.2)), "");
}

// Leaves that share no spine make it no tree, and change nothing about what leaves a switch.
TEST(OfferedLoad, CountsWhatLeavesASwitchWhereThereAreNoLevels) {
  const auto with_failures = [](const std::string& failed, double load) {
    return "[topology]\nkind = 'leaf-spine'\nhosts = 4\nleaves = 4\nspines = 4\n[failures]\nfailed = " + failed +
           "\n[routing]\nchoice = 'ecmp'\n[[traffic]]\npattern = 'uniform'\nload = " + std::to_string(load) +
           "\n[run]\nduration = '10us'\n";
  };
  EXPECT_TRUE(says(overload_of(with_failures("['L0 - S0', 'L0 - S1']", 0.9)), "of the links up from L0"));
  const std::string apart = "['L0 - S0', 'L0 - S1', 'L1 - S2', 'L1 - S3']";
  EXPECT_TRUE(says(overload_of(with_failures(apart, 0.9)), "of the links from L0 to other switches"));
  EXPECT_EQ(overload_of(with_failures(apart, 0.3)), "");
}

TEST(OfferedLoad, SaysWhatWasDrawnOtherwise) {
  const auto drawn = [](const std::string& traffic) {
    const RunSetup setup = set_up(scenario_of(four_to_one(traffic, "spines = 8\n")));
    return fmt::format("{}", fmt::join(drawn_otherwise(*setup.workload, setup.config.format), "\n"));
  };
  const std::string incasts = "[[traffic]]\nname = 'i'\npattern = 'incast-arrivals'\nsenders = 10\nbytes = '10kB'\n"
                              "period = '10us'\nstop = '15us'\n";
  EXPECT_TRUE(says(drawn(incasts + "arrivals = 'constant'\n"),
                   "with this seed, traffic \"i\" offers 133 % of its configured load: 2 incasts were drawn (1.5 "
                   "expected). "));
  EXPECT_EQ(drawn(arrivals("0.3", "3ms")), "");
}

TEST(OfferedLoad, ARunSaysIt) {
  const RunSetup setup = set_up(scenario_of(four_to_one(uniform(0.5))));
  ASSERT_EQ(setup.warnings.size(), 1u);
  EXPECT_TRUE(says(setup.warnings[0], "155 %"));
}

TEST(OfferedLoad, MoreThanTheLinksOfHostsCarryIsSaid) {
  const auto said = [](const std::string& load) {
    const std::string text =
        four_to_one("[[traffic]]\npattern = 'flow-arrivals'\nsizes = 'websearch'\nflows = 10\nload = " + load + "\n");
    std::string all;
    for (const std::string& warning : set_up(scenario_of(text)).warnings) all += warning + "\n";
    return all;
  };
  EXPECT_TRUE(says(said("50"),
                   "load = 50 of traffic `flow-arrivals` is more than the links of the hosts carry; did "
                   "you mean \"50%\"?"));
  EXPECT_FALSE(says(said("1.2"), "did you mean"));
  EXPECT_FALSE(says(said("1"), "more than the links of the hosts carry"));
}

}  // namespace
}  // namespace weir
