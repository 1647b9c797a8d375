// k-ary n-trees: structure, digit routing, and the two contention properties that make it the static baseline.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "base/random.h"
#include "fabrics.h"
#include "network/digits.h"
#include "says.h"

namespace weir {
namespace {

using testing::kLink;
using testing::switches_between;
using testing::tree;

// Levels up to the first common ancestor: the highest digit in which the hosts differ.
std::uint32_t turning_level(std::uint32_t a, std::uint32_t b, std::uint32_t k) {
  std::uint32_t level = 0;
  for (a /= k, b /= k; a != b; a /= k, b /= k) ++level;
  return level;
}

TEST(Tree, BinaryTreeOfHeightThreeHasTheseDistances) {
  const Topology t = tree(2, 3);
  const RouteTable routes = digit_routes(t);
  EXPECT_EQ(t.hosts(), 8u);
  EXPECT_EQ(t.switches(), 12u);
  EXPECT_EQ(t.ports(), 8u + 8 * 4 + 4 * 2);
  const int expected[8] = {0, 1, 3, 3, 5, 5, 5, 5};  // from host 0
  for (std::uint32_t b = 1; b < 8; ++b) EXPECT_EQ(switches_between(t, routes, 0, b), expected[b]) << b;
  EXPECT_EQ(switches_between(t, routes, 5, 6), 3u);
  EXPECT_EQ(switches_between(t, routes, 6, 1), 5u);
}

TEST(Tree, EveryPairHasTheMinimalLength) {
  for (const auto& [k, n] : {std::pair{2u, 1u}, {5u, 1u}, {3u, 2u}, {4u, 2u}, {2u, 4u}, {3u, 3u}}) {
    for (const std::uint32_t width : {0u, 2u}) {
      const Topology t = tree(k, n, width);
      const RouteTable routes = digit_routes(t);
      for (std::uint32_t a = 0; a < t.hosts(); ++a) {
        for (std::uint32_t b = 0; b < t.hosts(); ++b) {
          if (a == b) continue;
          ASSERT_EQ(switches_between(t, routes, a, b), 2 * turning_level(a, b, k) + 1) << k << n << a << b;
        }
      }
    }
  }
}

TEST(Tree, PortsLeadWhereTheDigitsSay) {
  const Topology t = tree(3, 3);
  // Switch of level 1 with digits (w0, w1) = (2, 1): position 2 + 3.
  const SwitchId s{9 + 5};
  const NodeId node = t.node(s);
  EXPECT_EQ(t.level(node), 1);
  EXPECT_EQ(t.position(node), 5u);
  const auto neighbour = [&](std::uint32_t local) { return t.node_of(t.to(t.port(node, local))); };
  for (std::uint32_t c = 0; c < 3; ++c) {
    EXPECT_EQ(t.level(neighbour(c)), 0);
    EXPECT_EQ(t.position(neighbour(c)), with_digit(5, 3, 0, c));
    EXPECT_EQ(t.level(neighbour(3 + c)), 2);
    EXPECT_EQ(t.position(neighbour(3 + c)), with_digit(5, 3, 1, c));
  }
}

TEST(Tree, RootsHaveNoUpPorts) {
  const Topology t = tree(4, 3);
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const NodeId node = t.node(SwitchId{s});
    EXPECT_EQ(t.port_count(node), t.level(node) == 2 ? 4u : 8u);
  }
  for (std::uint32_t p = 0; p < t.ports(); ++p) EXPECT_TRUE(t.to({p}).valid());
}

TEST(Tree, AscendingCandidatesAreAllUpPortsDefaultFirst) {
  const Topology t = tree(4, 3);
  const RouteTable routes = digit_routes(t);
  std::vector<RouteStep> scratch;
  const SwitchId leaf{0};
  const HostId far{61};  // digits 1, 3, 3
  const auto up = routes.candidates(leaf, {0}, far, scratch);
  ASSERT_EQ(up.size(), 4u);
  EXPECT_EQ(t.local(up[0].port()), 4 + 1u);
  EXPECT_EQ(t.local(up[1].port()), 4u);
  EXPECT_EQ(t.local(up[2].port()), 6u);
  EXPECT_EQ(t.local(up[3].port()), 7u);
  const auto down = routes.candidates(leaf, {61}, {2}, scratch);
  ASSERT_EQ(down.size(), 1u);
  EXPECT_EQ(t.local(down[0].port()), 2u);
}

// How many flows of a permutation cross each link direction, and which of them go down.
struct Contention {
  int up = 0, down = 0;
};
Contention worst_contention(const Topology& t, const RouteTable& routes, const std::vector<std::uint32_t>& target) {
  std::map<PortId, int> flows;
  for (std::uint32_t a = 0; a < t.hosts(); ++a) {
    for (PortId p : default_path(t, routes, {a}, {target[a]})) ++flows[p];
  }
  Contention worst;
  for (const auto& [p, count] : flows) {
    const bool is_down = t.level(t.node_of(p)) > t.level(t.node_of(t.to(p)));
    int& most = is_down ? worst.down : worst.up;
    most = std::max(most, count);
  }
  return worst;
}

TEST(Tree, PermutationsNeverMeetOnTheWayDown) {
  const Topology t = tree(4, 3);
  const RouteTable routes = digit_routes(t);
  std::vector<std::uint32_t> target(t.hosts());
  int worst_up = 0;
  for (std::uint64_t run = 0; run < 50; ++run) {
    std::iota(target.begin(), target.end(), 0u);
    RandomStream random(7, Purpose::test, run);
    shuffle(target, random);
    const Contention c = worst_contention(t, routes, target);
    EXPECT_LE(c.down, 1);
    worst_up = std::max(worst_up, c.up);
  }
  EXPECT_GT(worst_up, 1);  // going up they do meet, or the test proves nothing
}

TEST(Tree, ShiftsNeverMeetAtAll) {
  const Topology t = tree(4, 3);
  const RouteTable routes = digit_routes(t);
  const auto hosts = static_cast<std::uint32_t>(t.hosts());
  std::vector<std::uint32_t> target(hosts);
  for (std::uint32_t shift = 1; shift < hosts; ++shift) {
    for (std::uint32_t a = 0; a < hosts; ++a) target[a] = (a + shift) % hosts;
    const Contention c = worst_contention(t, routes, target);
    EXPECT_LE(std::max(c.up, c.down), 1) << shift;
  }
}

TEST(Tree, PortOverheadReproducesTheCostTable) {
  const double table[3][4] = {{.33, .17, .11, .08}, {.40, .20, .13, .10}, {.43, .21, .14, .11}};
  const std::uint32_t radix[4] = {4, 8, 12, 16};
  for (std::uint32_t n = 2; n <= 4; ++n) {
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(port_overhead(radix[i], n, 2), table[n - 2][i], 0.005) << n << " " << radix[i];
  }
}

TEST(Tree, RefusesImpossibleShapes) {
  EXPECT_TRUE(says(error_of([] { tree(1, 3); }), "k of at least 2"));
  EXPECT_TRUE(says(error_of([] { tree(2, 0); }), "n of at least 1"));
  EXPECT_TRUE(says(error_of([] { tree(64, 9); }), "the most that weir builds"));
  EXPECT_TRUE(says(error_of([] { tree(2, 22); }), "more than 16777216 ports"));
  EXPECT_TRUE(says(error_of([] { digit_routes(tree(2, 2), UpDigits::source); }), "only in a `bmin`"));
}

}  // namespace
}  // namespace weir
