// What traffic asks of the links between switches, said before the run.
#include "run/offered_load.h"

#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::scenario_of;

std::string overload_of(const std::string& text) {
  const RunSetup setup = set_up(scenario_of(text));
  return overload_between_switches(*setup.network, *setup.workload, setup.config.format);
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

TEST(OfferedLoad, FlowsThatArriveAreALoadToo) {
  const auto arrivals = [](const char* load) {
    return "[[traffic]]\npattern = 'flow-arrivals'\nsizes = 'fbhadoop'\nload = " + std::string(load) +
           "\nstop = '4ms'\n";
  };
  EXPECT_TRUE(says(overload_of(four_to_one(arrivals("0.6"))), "needs 177 % of the total capacity"));
  EXPECT_EQ(overload_of(four_to_one(arrivals("0.1"))), "");
  // All at once is no load.
  EXPECT_EQ(overload_of(four_to_one("[[traffic]]\npattern = 'permutation'\nbytes = '1MB'\n")), "");
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
                   "load = 50 in [[traffic]] (flow-arrivals) is more than the links of the hosts carry; did "
                   "you mean \"50%\"?"));
  EXPECT_FALSE(says(said("1.2"), "did you mean"));
  EXPECT_FALSE(says(said("1"), "more than the links of the hosts carry"));
}

}  // namespace
}  // namespace weir
