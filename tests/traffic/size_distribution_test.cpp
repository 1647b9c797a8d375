// Sizes of flows: exact means, exact inverse, and files that say what is wrong with them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "traffic/arrivals/size_distribution.h"
#include "traffic_helpers.h"

namespace weir {
namespace {

SizeDistribution parsed(const std::string& text) { return parse_sizes("my.cdf", text); }

void expect_bad(const std::string& text, const std::string& message) {
  expect_error([&] { parsed(text); }, message);
}

// The first by hand: 0.15 x 5000.5 + 0.05 x 15000.5 + 0.1 x 25000.5 + ... + 0.03 x 20000000.5.
TEST(SizeDistribution, BuiltInMeansAreThoseOfTheirTables) {
  EXPECT_NEAR(builtin_sizes("websearch")->mean_bytes(), 1'711'250.5, 1e-6);
  EXPECT_NEAR(builtin_sizes("fbhadoop")->mean_bytes(), 120'421.25, 1e-6);
  EXPECT_NEAR(builtin_sizes("alistorage")->mean_bytes(), 40'870.3, 1e-6);
  EXPECT_FALSE(builtin_sizes("web-search"));
}

TEST(SizeDistribution, InverseMeetsEveryPoint) {
  for (const std::string_view name : kBuiltinSizes) {
    const SizeDistribution sizes = *builtin_sizes(name);
    for (const SizeDistribution::Point& p : sizes.points()) {
      if (p.share == 0) continue;
      EXPECT_EQ(sizes.at(p.share), p.bytes) << name;
    }
    EXPECT_EQ(sizes.at(0x1.0p-53), 1) << name;
  }
  // Halfway between 5 MB at 90 % and 10 MB at 97 %.
  EXPECT_NEAR(static_cast<double>(builtin_sizes("websearch")->at(0.935)), 7'500'000, 1);
}

TEST(SizeDistribution, FixedIsAlwaysTheSame) {
  const SizeDistribution sizes = SizeDistribution::fixed(1234);
  RandomStream random = stream();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(sizes.draw(random), 1234);
  EXPECT_EQ(sizes.mean_bytes(), 1234);
  EXPECT_EQ(sizes.mean_packets(1000), 2);
  EXPECT_EQ(SizeDistribution::fixed(1000).mean_packets(1000), 1);
}

// Every size is listed, so that means can be counted out.
TEST(SizeDistribution, MeansAreExact) {
  const SizeDistribution sizes = parsed("0 0\n10 0.5\n10 0.75\n14 1\n");
  double bytes = 0, packets = 0;
  for (int s = 1; s <= 10; ++s) bytes += 0.05 * s, packets += 0.05 * std::ceil(s / 4.0);
  bytes += 0.25 * 10, packets += 0.25 * 3;
  for (int s = 11; s <= 14; ++s) bytes += 0.0625 * s, packets += 0.0625 * std::ceil(s / 4.0);
  EXPECT_NEAR(sizes.mean_bytes(), bytes, 1e-12);
  EXPECT_NEAR(sizes.mean_packets(4), packets, 1e-12);
}

TEST(SizeDistribution, DrawsHaveTheMeanAndTheShares) {
  const SizeDistribution sizes = *builtin_sizes("fbhadoop");
  RandomStream random = stream(7);
  constexpr int kDraws = 200'000;
  double sum = 0;
  int small = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Bytes size = sizes.draw(random);
    sum += static_cast<double>(size);
    small += size <= 1000;
  }
  EXPECT_NEAR(small / double{kDraws}, 0.6, 4 * std::sqrt(0.24 / kDraws));
  // The deviation of a single size is 0.66 MB.
  EXPECT_NEAR(sum / kDraws, sizes.mean_bytes(), 4 * 0.66e6 / std::sqrt(kDraws));
}

RC_GTEST_PROP(SizeDistribution, InverseAndMeanAgree, ()) {
  std::vector<SizeDistribution::Point> points{{*rc::gen::inRange<Bytes>(0, 50), 0}};
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 1; i <= count; ++i)
    points.push_back({points.back().bytes + *rc::gen::inRange<Bytes>(i == 1 ? 1 : 0, 40), i / double(count)});
  const SizeDistribution sizes(points);
  // Equal steps of u, each in the middle of its cell: every size between two points comes equally often.
  constexpr int kSteps = 40 * 39 * 38 * 5;
  double sum = 0;
  Bytes last = 0;
  for (int i = 0; i < kSteps; i += 19) {
    const Bytes size = sizes.at((i + 0.5) / kSteps);
    RC_ASSERT(size >= last && size > points.front().bytes);
    last = size;
    sum += static_cast<double>(size);
  }
  const double mean = sum / std::ceil(kSteps / 19.0);
  RC_ASSERT(std::abs(mean - sizes.mean_bytes()) < 0.02);
}

TEST(SizeFile, PercentsAndFractionsAreTheSame) {
  const SizeDistribution percent = parsed("# HPCC's form\n0 0\n1000 25\n\n2000\t100\n");
  const SizeDistribution fraction = parsed("\xef\xbb\xbf" "0,0\r\n1000, 0.25 # a quarter\r\n2e3,1");
  ASSERT_EQ(percent.points().size(), 3u);
  for (const double u : {0.1, 0.25, 0.3, 0.77, 1.0}) EXPECT_EQ(percent.at(u), fraction.at(u));
  EXPECT_EQ(percent.at(0.25), 1000);
}

TEST(SizeFile, BeginsAtZeroUnlessItSaysOtherwise) {
  EXPECT_EQ(parsed("1000 50\n2000 100\n").at(0.25), 500);
  EXPECT_EQ(parsed("500 0\n1000 50\n2000 100\n").at(0.25), 750);
}

TEST(SizeFile, ErrorsNameFileAndLine) {
  expect_bad("", "my.cdf:1: there is no point");
  expect_bad("# nothing\n", "my.cdf:1: there is no point");
  expect_bad("100\n", "my.cdf:1: the share is missing");
  expect_bad("100 1 0.5\n", "my.cdf:1: more than two columns");
  expect_bad("size share\n", "my.cdf:1: bytes: must be a number from 0");
  expect_bad("0 0\n-5 10\n", "my.cdf:2: bytes: must be a number");
  expect_bad("0 0\n5 101\n", "my.cdf:2: share: must be a number from 0 to 100, not \"101\"");
  expect_bad("0 0\n5 nan\n", "my.cdf:2: share: must be a number");
  expect_bad("0 0\n2.5 100\n", "my.cdf:2: bytes: must be a whole number");
  expect_bad("0 0\n1e16 100\n", "my.cdf:2: bytes");
  expect_bad("0 0\n10 50\n5 100\n", "my.cdf:3: bytes: 5 after 10; sizes must not go down");
  expect_bad("0 0\n10 50\n20 40\n", "my.cdf:3: share: 40 after 50; cumulative shares must not go down");
  expect_bad("0 10\n10 100\n", "my.cdf:1: flows of 0 bytes");
  expect_bad("0 0\n10 50\n20 99\n", "my.cdf:3: the last share is 99; it must be 100 (percent) or 1");
}

}  // namespace
}  // namespace weir
