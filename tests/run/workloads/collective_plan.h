// Collective operations as textbooks define them, written a second time for the tests: which blocks of data go from
// whom to whom, and what each message waits for. The blocks are followed, so a plan that does not do its operation is
// found out here: nothing is added twice, and nobody sends what it has not got.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace weir::testing {

struct PlannedMessage {
  int from, to;
  std::int64_t bytes;
  std::vector<int> after;  // messages
};

// What a rank holds of every block: the set of ranks whose contributions are in it. At most 64 ranks.
class Plan {
 public:
  // A receiver adds a block to its own, keeps it in place of its own, or learns from it what it did not know.
  enum class Take { add, copy, learn };
  struct Transfer {
    int from, to;
    std::vector<int> blocks;
    Take take;
  };

  Plan(int ranks, std::vector<std::int64_t> blocks)
      : ranks_(ranks),
        size_(std::move(blocks)),
        held_(ranks, std::vector<std::uint64_t>(size_.size(), 0)),
        last_(ranks) {}

  int ranks() const { return ranks_; }
  const std::vector<PlannedMessage>& messages() const { return messages_; }
  std::uint64_t everybody() const { return ranks_ == 64 ? ~0ull : (1ull << ranks_) - 1; }
  std::uint64_t held(int rank, int block) const { return held_[rank][block]; }

  void contribute(int rank, int block) { held_[rank][block] = 1ull << rank; }
  void contribute_all() {
    for (int rank = 0; rank < ranks_; ++rank)
      for (int block = 0; block < static_cast<int>(size_.size()); ++block) contribute(rank, block);
  }

  // Transfers that belong together. A rank goes on when all that it sent and all that it was sent has arrived.
  void step(const std::vector<Transfer>& transfers) {
    std::vector<std::pair<int, int>> involved;  // rank, message
    const auto before = held_;
    for (const Transfer& t : transfers) {
      const auto message = send(t, last_[t.from], before);
      if (!message) continue;
      involved.emplace_back(t.from, *message);
      involved.emplace_back(t.to, *message);
    }
    for (const auto& [rank, message] : involved) last_[rank].push_back(message);
  }
  // One message; nothing if it would be empty.
  std::optional<int> send(const Transfer& t, std::vector<int> after) { return send(t, std::move(after), held_); }

 private:
  using Held = std::vector<std::vector<std::uint64_t>>;  // by rank and block

  std::optional<int> send(const Transfer& t, std::vector<int> after, const Held& from) {
    std::int64_t bytes = 0;
    for (const int b : t.blocks) {
      bytes += size_[b];
      const std::uint64_t sent = from[t.from][b];
      EXPECT_NE(sent, 0u) << t.from << " sends block " << b << ", which it has not";
      if (t.take == Take::add) {
        EXPECT_EQ(held_[t.to][b] & sent, 0u) << t.to << " adds what it has already";
      } else if (t.take == Take::copy) {
        EXPECT_EQ(held_[t.to][b] & ~sent, 0u) << t.to << " loses what it had";
      }
      held_[t.to][b] |= sent;
    }
    if (bytes == 0) return std::nullopt;
    messages_.push_back({t.from, t.to, bytes, std::move(after)});
    return static_cast<int>(messages_.size()) - 1;
  }

  int ranks_;
  std::vector<std::int64_t> size_;
  Held held_;
  std::vector<std::vector<int>> last_;  // by rank: what its next step waits for
  std::vector<PlannedMessage> messages_;
};

// As even as whole bytes allow; the first ones are larger.
inline std::vector<std::int64_t> shares(std::int64_t bytes, int n) {
  std::vector<std::int64_t> result(n, bytes / n);
  for (int i = 0; i < bytes % n; ++i) ++result[i];
  return result;
}

// ---- rings: block b travels from rank to rank, once to be reduced, once to be handed to all ----

struct RingPhases {
  bool reduce, gather;
};
inline Plan ring_plan(int n, std::int64_t bytes, RingPhases phases, bool both_ways) {
  const std::vector<std::int64_t> part = shares(bytes, n);
  std::vector<std::int64_t> blocks;  // those that go forwards, then those that go backwards
  for (const std::int64_t b : part) blocks.push_back(both_ways ? (b + 1) / 2 : b);
  for (const std::int64_t b : part) blocks.push_back(both_ways ? b / 2 : 0);
  Plan plan(n, blocks);
  const auto turn = [n](int i) { return (i % n + n) % n; };
  if (phases.reduce)
    plan.contribute_all();
  else
    for (int i = 0; i < n; ++i) {
      plan.contribute(i, i);
      plan.contribute(i, n + i);
    }
  // In step k the block that began at rank r is handed on by the rank k further on.
  const auto round_the_ring = [&](int first_forwards, int first_backwards, Plan::Take take) {
    for (int k = 0; k + 1 < n; ++k) {
      std::vector<Plan::Transfer> step;
      for (int i = 0; i < n; ++i) {
        step.push_back({i, turn(i + 1), {turn(i - k + first_forwards)}, take});
        if (both_ways) step.push_back({i, turn(i - 1), {n + turn(i + k + first_backwards)}, take});
      }
      plan.step(step);
    }
  };
  if (phases.reduce) round_the_ring(0, 0, Plan::Take::add);
  // After a reduction rank i has block i + 1 complete (backwards: i - 1), otherwise its own.
  if (phases.gather) round_the_ring(phases.reduce ? 1 : 0, phases.reduce ? -1 : 0, Plan::Take::copy);
  return plan;
}

// ---- recursive halving and doubling: ranks beyond the largest power of two m stand behind the rank m before ----

inline Plan recursive_plan(int n, std::int64_t bytes, RingPhases phases, bool whole) {
  const int m = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
  const bool of_ranks = !(phases.reduce && phases.gather);  // every rank has a part of its own
  const std::vector<std::int64_t> blocks = whole ? shares(bytes, 1) : shares(bytes, of_ranks ? n : m);
  Plan plan(n, blocks);
  std::vector<int> all(blocks.size());
  std::iota(all.begin(), all.end(), 0);
  if (phases.reduce)
    plan.contribute_all();
  else
    for (int i = 0; i < n; ++i) plan.contribute(i, i);
  const auto blocks_of = [&](int first, int count) {  // of these places and of those behind them
    std::vector<int> result;
    for (int i = first; i < first + count; ++i) {
      result.push_back(i);
      if (of_ranks && i + m < n) result.push_back(i + m);
    }
    return result;
  };
  std::vector<Plan::Transfer> hand_in, hand_out;
  for (int i = m; i < n; ++i) {
    if (phases.reduce)
      hand_in.push_back({i, i - m, all, Plan::Take::add});
    else
      hand_in.push_back({i, i - m, {i}, Plan::Take::copy});
    hand_out.push_back({i - m, i, phases.gather ? all : std::vector<int>{i}, Plan::Take::copy});
  }
  plan.step(hand_in);
  const auto exchange = [&](int distance, auto of, Plan::Take take) {
    std::vector<Plan::Transfer> step;
    for (int i = 0; i < m; ++i) step.push_back({i, i ^ distance, of(i), take});
    plan.step(step);
  };
  if (whole) {
    for (int d = 1; d < m; d *= 2)
      exchange(
          d, [&](int) { return all; }, Plan::Take::add);
  } else {
    // Halving: I keep the half that I am in, my partner gets the other one. Doubling: each gives all that it has.
    if (phases.reduce)
      for (int d = m / 2; d > 0; d /= 2)
        exchange(
            d, [&](int i) { return blocks_of((i ^ d) & ~(d - 1), d); }, Plan::Take::add);
    if (phases.gather)
      for (int d = 1; d < m; d *= 2)
        exchange(
            d, [&](int i) { return blocks_of(i & ~(d - 1), d); }, Plan::Take::copy);
  }
  plan.step(hand_out);
  return plan;
}

// ---- two binary trees, each with half of the data in chunks ----

// Ranks 1 to n - 1 in order form a binary tree, whose root is below rank 0. Parents by rank; -1: none.
inline std::vector<int> tree_parents(int n) {
  std::vector<int> parent(n, -1);
  const auto build = [&](auto& self, int base, int count, int above) -> void {
    if (count <= 0) return;
    const int half = static_cast<int>(std::bit_floor(static_cast<unsigned>(count))), root = base + half;
    parent[root] = above;
    self(self, base, half - 1, root);
    self(self, root, count - half, root);
  };
  build(build, 0, n - 1, 0);
  return parent;
}

class TreePlan {
 public:
  TreePlan(int n, std::int64_t bytes, int chunks) : plan_(n, blocks(bytes, chunks)) {
    plan_.contribute_all();
    for (int tree = 0; tree < 2; ++tree) {
      std::vector<int>& parent = trees_[tree].parent;
      parent.assign(n, -1);
      const std::vector<int> plain = tree_parents(n);
      const auto place = [&](int i) { return tree == 0 ? i : n % 2 == 0 ? n - 1 - i : (i + 1) % n; };
      trees_[tree].children.resize(n);
      for (int i = 1; i < n; ++i) {
        parent[place(i)] = place(plain[i]);
        trees_[tree].children[place(plain[i])].push_back(place(i));
      }
      trees_[tree].root = place(0);
      trees_[tree].up.resize(n);
      trees_[tree].down.resize(n);
    }
    for (int c = 0; c < chunks; ++c)
      for (int tree = 0; tree < 2; ++tree) pass(trees_[tree], 2 * c + tree);
  }
  Plan plan() && { return std::move(plan_); }

 private:
  struct Tree {
    int root = 0;
    std::vector<int> parent;
    std::vector<std::vector<int>> children;
    std::vector<std::vector<int>> up, down;  // by rank: what it sent of the chunk before
  };
  static std::vector<std::int64_t> blocks(std::int64_t bytes, int chunks) {
    std::vector<std::int64_t> result;
    for (int c = 0; c < chunks; ++c)
      for (int tree = 0; tree < 2; ++tree) result.push_back(shares(shares(bytes, 2)[tree], chunks)[c]);
    return result;
  }
  void pass(Tree& tree, int block) {
    const std::vector<int> arrived = up(tree, tree.root, block);
    down(tree, tree.root, block, arrived);
  }
  // What has arrived at the rank from below. Ranks at equal depth do not wait for each other, so any order will do.
  std::vector<int> up(Tree& tree, int rank, int block) {
    std::vector<int> arrived;
    for (const int child : tree.children[rank]) {
      std::vector<int> after = up(tree, child, block);
      after.insert(after.end(), tree.up[child].begin(), tree.up[child].end());
      const auto message = plan_.send({child, rank, {block}, Plan::Take::add}, after);
      if (!message) continue;
      tree.up[child] = {*message};
      arrived.push_back(*message);
    }
    return arrived;
  }
  void down(Tree& tree, int rank, int block, std::vector<int> after) {
    after.insert(after.end(), tree.down[rank].begin(), tree.down[rank].end());
    std::vector<std::pair<int, std::vector<int>>> next;
    std::vector<int> sent;
    for (const int child : tree.children[rank]) {
      const auto message = plan_.send({rank, child, {block}, Plan::Take::copy}, after);
      if (message) sent.push_back(*message);
      next.emplace_back(child, message ? std::vector{*message} : std::vector<int>{});
    }
    if (!sent.empty()) tree.down[rank] = sent;
    for (auto& [child, message] : next) down(tree, child, block, message);
  }

  Plan plan_;
  Tree trees_[2];
};

// ---- the others ----

// bytes_of(i, j): what rank i has for rank j. Shift: in step k to the rank k further on. Pairwise: partners exchange;
// for a power of two those whose numbers differ in the bits of k, otherwise those whose numbers add up to k.
template <class BytesOf>
Plan all_to_all_plan(int n, BytesOf bytes_of, bool pairwise) {
  std::vector<std::int64_t> blocks;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) blocks.push_back(bytes_of(i, j));
  Plan plan(n, blocks);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) plan.contribute(i, i * n + j);
  const bool is_power = std::has_single_bit(static_cast<unsigned>(n));
  for (int k = 0; k < n; ++k) {
    std::vector<Plan::Transfer> step;
    for (int i = 0; i < n; ++i) {
      const int to = !pairwise ? (i + k) % n : is_power ? i ^ k : (k - i + n) % n;
      if (to != i) step.push_back({i, to, {i * n + to}, Plan::Take::copy});
    }
    plan.step(step);
  }
  return plan;
}

inline Plan broadcast_plan(int n, std::int64_t bytes, int root) {
  Plan plan(n, {bytes});
  plan.contribute(root, 0);
  for (int have = 1; have < n; have *= 2) {
    std::vector<Plan::Transfer> step;
    for (int i = 0; i < have && i + have < n; ++i)
      step.push_back({(root + i) % n, (root + i + have) % n, {0}, Plan::Take::copy});
    plan.step(step);
  }
  return plan;
}

// A signal is a byte and says who has come, as far as its sender knows.
inline Plan barrier_plan(int n) {
  Plan plan(n, {1});
  for (int i = 0; i < n; ++i) plan.contribute(i, 0);
  for (int distance = 1; distance < n; distance *= 2) {
    std::vector<Plan::Transfer> step;
    for (int i = 0; i < n; ++i) step.push_back({i, (i + distance) % n, {0}, Plan::Take::learn});
    plan.step(step);
  }
  return plan;
}

}  // namespace weir::testing
