// Multistage networks: the butterfly and the perfect shuffle, the 512-host network of five stages included.
#include <gtest/gtest.h>

#include <set>

#include "fabrics.h"
#include "says.h"

namespace weir {
namespace {

using testing::kLink;
using testing::switches_between;

TEST(Umin, EveryPathCrossesEachStageOnce) {
  for (const auto& [k, n] : {std::pair{2u, 3u}, {3u, 3u}, {4u, 2u}, {5u, 1u}}) {
    const Topology t = umin({k, n}, kLink, kLink);
    const RouteTable routes = digit_routes(t);
    for (std::uint32_t a = 0; a < t.hosts(); ++a) {
      for (std::uint32_t b = 0; b < t.hosts(); ++b) {
        if (a == b) continue;
        ASSERT_EQ(switches_between(t, routes, a, b), n);
      }
    }
    for (std::uint32_t p = 0; p < t.ports(); ++p) {
      EXPECT_TRUE(t.to({p}).valid());
      EXPECT_TRUE(t.from({p}).valid());
    }
  }
}

TEST(Umin, HostsSendIntoTheFirstStageAndReceiveFromTheLast) {
  const Topology t = umin({4, 4}, kLink, kLink);
  EXPECT_EQ(t.hosts(), 256u);
  EXPECT_EQ(t.switches(), 256u);
  for (std::uint32_t h = 0; h < t.hosts(); ++h) {
    EXPECT_EQ(t.level(t.node_of(t.to(t.host_port({h})))), 0);
    EXPECT_EQ(t.level(t.node_of(t.from(t.host_port({h})))), 3);
  }
}

// By definition: the first stage from which a packet going left can reach the destination, when going right it may take
// any port. Found by searching, so that it shares nothing with the digit rules.
std::vector<int> turn_stages_by_search(const Topology& t, HostId from) {
  std::vector<int> stage_of(t.hosts(), -1);
  std::set<NodeId> front{t.node_of(t.to(t.host_port(from)))};
  for (int stage = 0; !front.empty(); ++stage) {
    std::set<NodeId> below = front, next;
    while (!below.empty()) {
      std::set<NodeId> lower;
      for (NodeId n : below) {
        for (std::uint32_t p = 0; p < t.arity(); ++p) {
          const NodeId m = t.node_of(t.to(t.port(n, p)));
          if (t.is_host(m)) {
            if (stage_of[m.index] < 0) stage_of[m.index] = stage;
          } else {
            lower.insert(m);
          }
        }
      }
      below = std::move(lower);
    }
    for (NodeId n : front) {
      for (std::uint32_t p = t.arity(); p < t.port_count(n); ++p) next.insert(t.node_of(t.to(t.port(n, p))));
    }
    front = std::move(next);
  }
  return stage_of;
}

TEST(Bmin, TurnsAtTheFirstStageThatCanReach) {
  const std::vector<ShuffleShape> shapes = {{2, 3, 0},  {3, 3, 0}, {4, 3, 0}, {4, 3, 32},
                                            {8, 2, 32}, {4, 2, 8}, {3, 1, 0}};
  for (const ShuffleShape& shape : shapes) {
    const Topology t = bmin(shape, kLink, kLink);
    for (const UpDigits up : {UpDigits::destination, UpDigits::source, UpDigits::hash}) {
      const RouteTable routes = digit_routes(t, up);
      for (std::uint32_t a = 0; a < t.hosts(); ++a) {
        const std::vector<int> stage = turn_stages_by_search(t, {a});
        for (std::uint32_t b = 0; b < t.hosts(); ++b) {
          if (a == b) continue;
          ASSERT_EQ(switches_between(t, routes, a, b), 2 * stage[b] + 1) << shape.k << " " << shape.hosts;
        }
      }
    }
  }
}

TEST(Bmin, FiveStagesOf128SwitchesJoin512Hosts) {
  const Topology t = bmin({4, 5, 512}, kLink, kLink);
  EXPECT_EQ(t.hosts(), 512u);
  EXPECT_EQ(t.switches(), 640u);
  EXPECT_EQ(t.ports(), 512u + 4 * 128 * 8 + 128 * 4);
  const RouteTable routes = digit_routes(t);
  std::size_t longest = 0;
  for (std::uint32_t a = 0; a < 512; ++a) {
    for (std::uint32_t b = 0; b < 512; ++b) {
      if (a != b) longest = std::max(longest, switches_between(t, routes, a, b));
    }
  }
  EXPECT_EQ(longest, 9u);
  // Stage 0 replaces bits 0 and 1, stage 1 bits 7 and 8, stage 2 bits 5 and 6, stage 3 bits 3 and 4, stage 4 bit 2.
  EXPECT_EQ(switches_between(t, routes, 0, 3), 1u);
  EXPECT_EQ(switches_between(t, routes, 0, 1u << 8), 3u);
  EXPECT_EQ(switches_between(t, routes, 0, 1u << 5), 5u);
  EXPECT_EQ(switches_between(t, routes, 0, 1u << 3), 7u);
  EXPECT_EQ(switches_between(t, routes, 0, 1u << 2), 9u);
}

TEST(Bmin, UpDigitsFollowTheirOption) {
  const Topology t = bmin({4, 3, 0}, kLink, kLink);
  const HostId source{0 + 4 * 2 + 16 * 1}, destination{3 + 4 * 1 + 16 * 2};
  const SwitchId first{source.index / 4};
  EXPECT_EQ(t.local(digit_routes(t).default_port(first, source, destination)), 4 + 3u);
  EXPECT_EQ(t.local(digit_routes(t, UpDigits::source).default_port(first, source, destination)), 4 + 0u);
  std::set<std::uint32_t> hashed;
  const RouteTable routes = digit_routes(t, UpDigits::hash);
  for (std::uint32_t d = 16 + 3; d < 64; d += 4) hashed.insert(t.local(routes.default_port({0}, {0}, {d})));
  EXPECT_GT(hashed.size(), 1u);  // the lowest digit alone does not decide
}

TEST(Bmin, RefusesOtherNumbersOfStagesAndHosts) {
  const auto error = [](ShuffleShape shape) { return error_of([&] { bmin(shape, kLink, kLink); }); };
  EXPECT_TRUE(says(error({4, 4, 512}), "needs n = 5 stages"));
  EXPECT_TRUE(says(error({4, 6, 512}), "needs n = 5 stages"));
  EXPECT_TRUE(says(error({3, 3, 26}), "must be a power of k"));
  EXPECT_TRUE(says(error({3, 4, 32}), "must be a power of k"));
  EXPECT_TRUE(says(error({8, 1, 4}), "must be a power of k"));
  EXPECT_EQ(bmin({3, 3, 27}, kLink, kLink).hosts(), 27u);
}

}  // namespace
}  // namespace weir
