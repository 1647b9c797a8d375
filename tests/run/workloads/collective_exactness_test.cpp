// Every collective operation by every algorithm, with sizes that do not divide evenly: the messages are those of a
// second description of the algorithm, and they end at the picosecond that a second calculation gives.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "run/lab.h"
#include "run/workloads/collective_plan.h"
#include "run/workloads/crossbar_reference.h"
#include "scale.h"

namespace weir {
namespace {

using testing::Plan;

// 8 Gb/s: a byte is a nanosecond. Buffers that never fill: the crossbar itself holds nobody up.
Outcome run(int ranks, const std::string& traffic) {
  testing::Star star;
  star.hosts = ranks;
  star.payload = "[500]";
  star.packet = "header = '20B'\n";
  star.link = "delay = '10ns'\n";
  star.switches = "buffer = '1GB'\n";
  star.traffic = "[[traffic]]\npattern = 'collective'\n" + traffic;
  return testing::run_text(star.text());
}

using Exchanged = std::map<std::tuple<std::uint32_t, std::uint32_t, Bytes>, int>;

Exchanged exchanged(const Plan& plan) {
  Exchanged result;
  for (const testing::PlannedMessage& m : plan.messages())
    ++result[{static_cast<std::uint32_t>(m.from), static_cast<std::uint32_t>(m.to), m.bytes}];
  return result;
}
Exchanged exchanged(const Outcome& outcome) {
  Exchanged result;
  for (const FlowResult& f : outcome.measurements.flows) ++result[{f.source.index, f.destination.index, f.bytes}];
  return result;
}
std::vector<std::int64_t> ends(const Outcome& outcome) {
  std::vector<std::int64_t> result;
  for (const FlowResult& f : outcome.measurements.flows) result.push_back(f.completion.ps);
  std::sort(result.begin(), result.end());
  return result;
}

// Same messages, and the same ends of all of them.
void expect_exact(const Plan& plan, const std::string& traffic) {
  SCOPED_TRACE(fmt::format("{} ranks\n{}", plan.ranks(), traffic));
  const Outcome outcome = run(plan.ranks(), traffic);
  EXPECT_EQ(exchanged(outcome), exchanged(plan));
  std::vector<std::int64_t> expected = testing::CrossbarReference(plan.ranks(), plan.messages(), {}).run();
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(ends(outcome), expected);
  if (expected.empty()) return;
  const CollectiveResult& c = outcome.measurements.collectives.at(0);
  EXPECT_EQ((*c.completion - *c.start).ps, expected.back());
}

// Every rank holds every block with the contributions of all.
void expect_all_reduced(const Plan& plan, int blocks) {
  for (int rank = 0; rank < plan.ranks(); ++rank)
    for (int b = 0; b < blocks; ++b) EXPECT_EQ(plan.held(rank, b), plan.everybody()) << rank << ", block " << b;
}
void expect_all_gathered(const Plan& plan) {
  for (int rank = 0; rank < plan.ranks(); ++rank)
    for (int b = 0; b < plan.ranks(); ++b) EXPECT_EQ(plan.held(rank, b), 1ull << b) << rank << ", block " << b;
}

void for_ranks_and_sizes(const std::function<void(int, std::int64_t)>& check) {
  // The work grows with the square of the ranks: the largest two of some take nine tenths of it, and no step that
  // smaller numbers of either kind do not take, too.
  const std::vector<int> few{2, 3, 5, 7, 8, 16}, some{2, 3, 5, 7, 8, 16, 33, 64};
  std::vector<int> all(63);
  std::iota(all.begin(), all.end(), 2);
  const std::size_t scale = scaled_count(0, 1, 2);
  for (const int n : scale == 0 ? few : scale == 1 ? some : all)
    for (const std::int64_t bytes : {n - 1, 10'007, n * 1000 + n / 2 + 1}) check(n, bytes);
}
std::string size_line(std::int64_t bytes) { return fmt::format("bytes = {}\n", bytes); }

TEST(CollectiveExactness, Rings) {
  for_ranks_and_sizes([](int n, std::int64_t bytes) {
    for (const bool both : {false, true}) {
      const std::string how =
          fmt::format("algorithm = '{}'\n", both ? "bidirectional-ring" : "ring") + size_line(bytes);
      const Plan reduced = testing::ring_plan(n, bytes, {true, true}, both);
      expect_all_reduced(reduced, both ? 2 * n : n);
      expect_exact(reduced, "operation = 'all-reduce'\n" + how);
      const Plan scattered = testing::ring_plan(n, bytes, {true, false}, both);
      for (int i = 0; i < n; ++i) {
        EXPECT_EQ(scattered.held(i, (i + 1) % n), scattered.everybody());
        if (both) {
          EXPECT_EQ(scattered.held(i, n + (i + n - 1) % n), scattered.everybody());
        }
      }
      expect_exact(scattered, "operation = 'reduce-scatter'\n" + how);
      const Plan gathered = testing::ring_plan(n, bytes, {false, true}, both);
      expect_all_gathered(gathered);
      expect_exact(gathered, "operation = 'all-gather'\n" + how);
    }
  });
}

TEST(CollectiveExactness, RecursiveHalvingAndDoubling) {
  for_ranks_and_sizes([](int n, std::int64_t bytes) {
    const int m = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
    const Plan doubling = testing::recursive_plan(n, bytes, {true, true}, true);
    expect_all_reduced(doubling, 1);
    expect_exact(doubling, "algorithm = 'recursive-doubling'\n" + size_line(bytes));
    const Plan halving = testing::recursive_plan(n, bytes, {true, true}, false);
    expect_all_reduced(halving, m);
    expect_exact(halving, "algorithm = 'halving-doubling'\n" + size_line(bytes));
    const Plan scattered = testing::recursive_plan(n, bytes, {true, false}, false);
    for (int i = 0; i < n; ++i) EXPECT_EQ(scattered.held(i, i), scattered.everybody()) << i;
    expect_exact(scattered, "operation = 'reduce-scatter'\nalgorithm = 'halving-doubling'\n" + size_line(bytes));
    const Plan gathered = testing::recursive_plan(n, bytes, {false, true}, false);
    expect_all_gathered(gathered);
    expect_exact(gathered, "operation = 'all-gather'\nalgorithm = 'recursive-doubling'\n" + size_line(bytes));
  });
}

TEST(CollectiveExactness, DoubleBinaryTrees) {
  for_ranks_and_sizes([](int n, std::int64_t bytes) {
    for (const int chunks : {1, 3}) {
      const Plan plan = testing::TreePlan(n, bytes, chunks).plan();
      expect_all_reduced(plan, 2 * chunks);
      expect_exact(plan, fmt::format("algorithm = 'double-binary-tree'\nchunks = {}\n", chunks) + size_line(bytes));
    }
  });
}

TEST(CollectiveExactness, AllToAll) {
  for_ranks_and_sizes([](int n, std::int64_t bytes) {
    const std::vector<std::int64_t> share = testing::shares(bytes, n);
    for (const bool pairwise : {false, true}) {
      const std::string how =
          fmt::format("operation = 'all-to-all'\nalgorithm = '{}'\n", pairwise ? "pairwise" : "shift");
      const Plan plan = testing::all_to_all_plan(
          n, [&](int, int j) { return share[j]; }, pairwise);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) EXPECT_EQ(plan.held(j, i * n + j), 1ull << i);
      expect_exact(plan, how + size_line(bytes));
    }
  });
}

// Every pair has a size of its own, and some have nothing to say to each other.
TEST(CollectiveExactness, AllToAllV) {
  for_ranks_and_sizes([](int n, std::int64_t bytes) {
    const auto of = [&](int i, int j) -> std::int64_t {
      return i == j || (i + 2 * j) % 5 == 0 ? 0 : (bytes / n + 97 * i + 31 * j) % 2500;
    };
    std::string rows;
    for (int i = 0; i < n; ++i) {
      rows += i == 0 ? "[" : ", [";
      for (int j = 0; j < n; ++j) rows += fmt::format("{}{}", j == 0 ? "" : ", ", of(i, j));
      rows += "]";
    }
    for (const bool pairwise : {false, true}) {
      const Plan plan = testing::all_to_all_plan(n, of, pairwise);
      expect_exact(plan, fmt::format("operation = 'all-to-all'\nalgorithm = '{}'\nmatrix = [{}]\n",
                                     pairwise ? "pairwise" : "shift", rows));
    }
  });
}

TEST(CollectiveExactness, BroadcastAndBarrier) {
  for_ranks_and_sizes([](int n, std::int64_t bytes) {
    for (const int root : {0, n / 2}) {
      const Plan plan = testing::broadcast_plan(n, bytes, root);
      for (int i = 0; i < n; ++i) EXPECT_EQ(plan.held(i, 0), 1ull << root);
      expect_exact(plan, fmt::format("operation = 'broadcast'\nroot = {}\n", root) + size_line(bytes));
    }
    const Plan plan = testing::barrier_plan(n);
    expect_all_reduced(plan, 1);
    expect_exact(plan, "operation = 'barrier'\n");
  });
}

}  // namespace
}  // namespace weir
