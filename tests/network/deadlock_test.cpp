// The deadlock check: cycles by hand, freedom of trees and MINs proved two ways, and speed on a large tree.
#include "network/deadlock/deadlock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ctime>

#include "base/random.h"
#include "fabrics.h"

namespace weir {
namespace {

using testing::kLink;
using testing::switch_graph;
using testing::tree;

// Port 2 leads clockwise and port 3 back, so that the lowest port sends all ties the same way round.
Topology ring_of(std::uint32_t n) {
  GraphSpec spec = switch_graph(n, {});
  for (std::uint32_t s = 0; s < n; ++s)
    spec.cables.push_back(
        {{"S" + std::to_string(s), true, 2}, {"S" + std::to_string((s + 1) % n), true, 3}, kLink, 1, {}});
  return graph(spec);
}

// Every step of the cycle is possible: the next channel starts where the last one ends.
void expect_cycle(const Topology& t, const DeadlockVerdict& verdict) {
  ASSERT_FALSE(verdict.free);
  ASSERT_FALSE(verdict.cycle.empty());
  for (std::size_t i = 0; i < verdict.cycle.size(); ++i) {
    const PortId here = verdict.cycle[i].port, next = verdict.cycle[(i + 1) % verdict.cycle.size()].port;
    EXPECT_EQ(t.node_of(t.to(here)), t.node_of(next));
  }
}

TEST(Deadlock, RingsDeadlockUnderMinHopAndNotUnderUpDown) {
  for (std::uint32_t n = 4; n <= 9; ++n) {
    const Topology t = ring_of(n);
    const DeadlockVerdict verdict = check_deadlock(t, min_hop_routes(t), Dependencies::default_ports);
    expect_cycle(t, verdict);
    EXPECT_EQ(verdict.cycle.size(), n);
    EXPECT_TRUE(check_deadlock(t, up_down_routes(t), Dependencies::all_candidates).free);
  }
}

TEST(Deadlock, ARingOfThreeIsFreeBecauseNobodyGoesTwoHops) {
  const Topology t = ring_of(3);
  EXPECT_TRUE(check_deadlock(t, min_hop_routes(t), Dependencies::default_ports).free);
}

TEST(Deadlock, NamesTheCycleOnOneLine) {
  const Topology t = ring_of(4);
  const DeadlockVerdict verdict = check_deadlock(t, min_hop_routes(t), Dependencies::default_ports);
  EXPECT_EQ(verdict.text(t), "S0:2, S1:2, S2:2, S3:2, S0:2 (each waits for the next)");
  EXPECT_EQ(DeadlockVerdict{}.text(t), "free of deadlock");
}

TEST(Deadlock, OnlyArrivalsThatCanHappenCount) {
  // A ring of four in which only S0 and S1 have hosts: min-hop uses one link, and the idle rest is no danger.
  GraphSpec spec = switch_graph(2, {{0, 1}});
  spec.switches.push_back({"S2", 0, {}});
  spec.switches.push_back({"S3", 0, {}});
  for (const auto& [a, b] : {std::pair{"S1", "S2"}, {"S2", "S3"}, {"S3", "S0"}})
    spec.cables.push_back({{a}, {b}, kLink, 1, {}});
  const Topology t = graph(spec);
  EXPECT_TRUE(check_deadlock(t, min_hop_routes(t), Dependencies::all_candidates).free);
}

TEST(Deadlock, DefaultPortsAndAllCandidatesDiffer) {
  // Two parallel rings of alternatives: the default goes straight, the alternatives go round.
  const Topology t = ring_of(4);
  std::vector<std::vector<RouteStep>> straight(4 * 4), round(4 * 4);
  for (std::uint32_t s = 0; s < 4; ++s) {
    for (std::uint32_t d = 0; d < 4; ++d) {
      const NodeId node = t.node(SwitchId{s});
      std::vector<RouteStep>& list = straight[s * 4 + d];
      const auto towards = [&](std::uint32_t next) {
        for (std::uint32_t p = 0; p < t.port_count(node); ++p) {
          if (t.node_of(t.to(t.port(node, p))) == t.node(SwitchId{next})) return t.port(node, p);
        }
        return PortId{};
      };
      if (s == d) list = {t.from(t.host_port({d}))};
      else list = {towards(s < d ? s + 1 : s - 1)};  // along the line 0-1-2-3
      round[s * 4 + d] = list;
      if (s < d) round[s * 4 + d].push_back(towards((s + 3) % 4));
    }
  }
  EXPECT_TRUE(check_deadlock(t, RouteTable::stored("line", 4, straight), Dependencies::all_candidates).free);
  const RouteTable routes = RouteTable::stored("round", 4, round);
  EXPECT_TRUE(check_deadlock(t, routes, Dependencies::default_ports).free);
  expect_cycle(t, check_deadlock(t, routes, Dependencies::all_candidates));
}

TEST(Deadlock, TreesAndMultistageNetworksAreFreeByProofAndBySearch) {
  std::vector<Topology> fabrics;
  fabrics.push_back(tree(2, 3));
  fabrics.push_back(tree(3, 3, 2));
  fabrics.push_back(tree(5, 1));
  fabrics.push_back(umin({3, 3}, kLink, kLink));
  fabrics.push_back(bmin({2, 4, 0}, kLink, kLink));
  fabrics.push_back(bmin({4, 3, 32}, kLink, kLink));
  fabrics.push_back(bmin({4, 5, 512}, kLink, kLink));
  fabrics.push_back(bmin({3, 3, 0}, kLink, kLink));
  for (const Topology& t : fabrics) {
    for (const UpDigits up : {UpDigits::destination, UpDigits::source, UpDigits::hash}) {
      if (up != UpDigits::destination && (t.shape() != Shape::bidirectional_min || t.hosts() > 100)) continue;
      const RouteTable routes = digit_routes(t, up);
      EXPECT_TRUE(ranks_prove_no_cycle(t, routes));
      EXPECT_TRUE(search_cycle(t, routes, Dependencies::all_candidates).free);
      EXPECT_TRUE(search_cycle(t, routes, Dependencies::default_ports).free);
    }
    EXPECT_TRUE(check_deadlock(t, min_hop_routes(t, true), Dependencies::all_candidates).free ||
                t.horizontal_width() > 0);
  }
}

TEST(Deadlock, TheProofRefusesRulesThatGoUpAfterDown) {
  const Topology t = tree(2, 3);
  const RouteTable good = digit_routes(t);
  std::vector<std::uint32_t> addresses(8);
  for (std::uint32_t h = 0; h < 8; ++h) addresses[h] = h;
  std::vector<DigitRule> rules(good.rules().begin(), good.rules().end());
  rules[5].coordinate ^= 4;  // a switch of level 1 that thinks it belongs to another subtree
  EXPECT_FALSE(ranks_prove_no_cycle(t, RouteTable::by_digits("bad", rules, addresses, addresses)));
  EXPECT_FALSE(ranks_prove_no_cycle(t, min_hop_routes(t)));
}

// Sanitizers and debug builds are a hundred times slower; there a smaller tree serves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
constexpr bool kSlowBuild = true;
#elif defined(__has_feature)
constexpr bool kSlowBuild = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSlowBuild = false;
#endif

TEST(Deadlock, TakesSecondsAtMostOn4096Hosts) {
  const bool large = !kSlowBuild;
  const Topology t = tree(large ? 16 : 8, 3);
  const std::clock_t start = std::clock();
  EXPECT_TRUE(search_cycle(t, digit_routes(t), Dependencies::all_candidates).free);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("cpu_seconds", std::to_string(seconds));
  EXPECT_TRUE(seconds < 10 || !large);  // half a second on a machine of today
}

// Against a plain depth-first search over pairs of channels, built the slow way.
RC_GTEST_PROP(DeadlockProperty, AgreesWithANaiveSearch, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(3, 12);
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), Purpose::test, n);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t s = 0; s < n; ++s) all.push_back({s, (s + 1) % n});
  for (std::uint64_t chords = random.below(4); chords > 0; --chords)
    all.push_back({static_cast<std::uint32_t>(random.below(n)), static_cast<std::uint32_t>(random.below(n))});
  shuffle(all, random);  // also the ports
  const Topology t = graph(switch_graph(n, all));
  const RouteTable routes = min_hop_routes(t, *rc::gen::arbitrary<bool>());
  std::vector<std::vector<bool>> reaches(t.ports(), std::vector<bool>(t.ports(), false));
  for (std::uint32_t a = 0; a < t.hosts(); ++a) {
    for (std::uint32_t b = 0; b < t.hosts(); ++b) {
      const auto links = default_path(t, routes, {a}, {b});
      for (std::size_t i = 1; i < links.size(); ++i) reaches[links[i - 1].index][links[i].index] = true;
    }
  }
  for (std::size_t k = 0; k < t.ports(); ++k) {
    for (std::size_t i = 0; i < t.ports(); ++i) {
      for (std::size_t j = 0; reaches[i][k] && j < t.ports(); ++j) {
        if (reaches[k][j]) reaches[i][j] = true;
      }
    }
  }
  bool has_cycle = false;
  for (std::size_t i = 0; i < t.ports(); ++i) has_cycle = has_cycle || reaches[i][i];
  RC_CLASSIFY(has_cycle, "deadlocks");
  const DeadlockVerdict verdict = check_deadlock(t, routes, Dependencies::default_ports);
  RC_ASSERT(verdict.free == !has_cycle);
  if (has_cycle) expect_cycle(t, verdict);
}

}  // namespace
}  // namespace weir
