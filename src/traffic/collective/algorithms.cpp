#include "traffic/collective/algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/memory.h"

namespace weir {

namespace {

// Positions within the group stand for its ranks.
class Group {
 public:
  Group(Schedule& schedule, std::span<const std::uint32_t> ranks) : schedule_(schedule), ranks_(ranks) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks_.size()); }
  void add(std::uint32_t from, std::uint32_t to, Bytes bytes) { round_.push_back({ranks_[from], ranks_[to], bytes}); }
  void end_round() {
    schedule_.round(round_);
    round_.clear();
  }
  Schedule& schedule() { return schedule_; }
  std::uint32_t rank(std::uint32_t position) const { return ranks_[position]; }

 private:
  Schedule& schedule_;
  std::span<const std::uint32_t> ranks_;
  std::vector<Transfer> round_;
};

// n - 1 steps round the ring, in each of which every rank hands one part on. In step k, position i hands on part i - k,
// or i + 1 - k where it gathers what it has just reduced. Backwards the ring runs the other way.
void ring_steps(Group& g, Bytes bytes, bool gathers, bool both_ways) {
  const std::uint32_t n = g.size();
  for (std::uint32_t k = 0; k + 1 < n; ++k) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t part = (i + (gathers ? 1 : 0) + n - k) % n;
      const Bytes whole = part_of(bytes, n, part);
      g.add(i, (i + 1) % n, both_ways ? (whole + 1) / 2 : whole);
      const std::uint32_t mirrored = (i + n - (gathers ? 1 : 0) + k) % n;
      if (both_ways) g.add(i, (i + n - 1) % n, part_of(bytes, n, mirrored) / 2);
    }
    g.end_round();
  }
}

void ring(Group& g, const CollectiveCall& call) {
  const bool both_ways = call.algorithm == Algorithm::bidirectional_ring;
  if (call.operation != Collective::all_gather) ring_steps(g, call.bytes, false, both_ways);
  if (call.operation != Collective::reduce_scatter)
    ring_steps(g, call.bytes, call.operation == Collective::all_reduce, both_ways);
}

// Bytes of parts [first, first + count).
Bytes range_of(const std::vector<Bytes>& parts, std::uint32_t first, std::uint32_t count) {
  return std::accumulate(parts.begin() + first, parts.begin() + first + count, Bytes{0});
}

// Recursive halving: partners at half the distance of the step before exchange the half that the other one keeps.
// Recursive doubling is the same backwards. There is a part for each of the positions, which are a power of two.
void halving(Group& g, const std::vector<Bytes>& parts) {
  const auto m = static_cast<std::uint32_t>(parts.size());
  for (std::uint32_t distance = m / 2; distance > 0; distance /= 2) {
    for (std::uint32_t i = 0; i < m; ++i) {
      const std::uint32_t partner = i ^ distance;
      g.add(i, partner, range_of(parts, partner / distance * distance, distance));
    }
    g.end_round();
  }
}
void doubling(Group& g, const std::vector<Bytes>& parts) {
  const auto m = static_cast<std::uint32_t>(parts.size());
  for (std::uint32_t distance = 1; distance < m; distance *= 2) {
    for (std::uint32_t i = 0; i < m; ++i) g.add(i, i ^ distance, range_of(parts, i / distance * distance, distance));
    g.end_round();
  }
}
void full_exchange(Group& g, std::uint32_t m, Bytes bytes) {
  for (std::uint32_t distance = 1; distance < m; distance *= 2) {
    for (std::uint32_t i = 0; i < m; ++i) g.add(i, i ^ distance, bytes);
    g.end_round();
  }
}

// With other numbers of ranks, those beyond the largest power of two hand theirs to a partner first, and get the result
// from it at the end. Where every rank has a part of its own, the partner stands for both.
void recursive(Group& g, const CollectiveCall& call) {
  const std::uint32_t n = g.size(), m = std::bit_floor(n);
  const bool gathers = call.operation == Collective::all_gather,
             scatters = call.operation == Collective::reduce_scatter;
  std::vector<Bytes> parts(m, 0);
  for (std::uint32_t i = 0; i < m; ++i) parts[i] = part_of(call.bytes, gathers || scatters ? n : m, i);
  for (std::uint32_t i = m; i < n && (gathers || scatters); ++i) parts[i - m] += part_of(call.bytes, n, i);
  for (std::uint32_t i = m; i < n; ++i) g.add(i, i - m, gathers ? part_of(call.bytes, n, i) : call.bytes);
  g.end_round();
  if (call.algorithm == Algorithm::recursive_doubling && !gathers)
    full_exchange(g, m, call.bytes);
  else if (!gathers)
    halving(g, parts);
  if (gathers || (call.algorithm == Algorithm::halving_doubling && !scatters)) doubling(g, parts);
  for (std::uint32_t i = m; i < n; ++i) g.add(i - m, i, scatters ? part_of(call.bytes, n, i) : call.bytes);
  g.end_round();
}

void all_to_all(Group& g, const CollectiveCall& call) {
  const std::uint32_t n = g.size();
  const bool is_power = std::has_single_bit(n);
  const auto bytes = [&](std::uint32_t i, std::uint32_t j) {
    return call.matrix.empty() ? part_of(call.bytes, n, j) : call.matrix[std::size_t{i} * n + j];
  };
  // Pairwise: in each step ranks exchange in pairs; where n is no power of two, those whose numbers add up to the step.
  for (std::uint32_t k = call.algorithm == Algorithm::pairwise && !is_power ? 0 : 1; k < n; ++k) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t to = call.algorithm == Algorithm::shift ? (i + k) % n : is_power ? i ^ k : (k + n - i) % n;
      g.add(i, to, bytes(i, to));
    }
    g.end_round();
  }
}

// A binomial tree: in each step all that have the data hand it on to one more.
void binomial(Group& g, const CollectiveCall& call) {
  const std::uint32_t n = g.size();
  for (std::uint32_t have = 1; have < n; have *= 2) {
    for (std::uint32_t i = 0; i < have && i + have < n; ++i)
      g.add((i + call.root) % n, (i + have + call.root) % n, call.bytes);
    g.end_round();
  }
}

// In step k everybody signals to the one 2^k further on; after the last, each has heard from all.
void dissemination(Group& g) {
  const std::uint32_t n = g.size();
  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    for (std::uint32_t i = 0; i < n; ++i) g.add(i, (i + distance) % n, 1);
    g.end_round();
  }
}

// A binary tree in which a position's subtrees lie to both sides of it. Position 0 is the root, with one child. The
// parent of another is found from its lowest set bit: the neighbour of twice that distance, if there is one, else the
// one below.
std::uint32_t parent_of(std::uint32_t position, std::uint32_t n) {
  const std::uint32_t bit = position & (~position + 1);
  const std::uint32_t above = (position ^ bit) | bit << 1;
  return above < n ? above : position ^ bit;
}

// One of the two trees: each half of the data goes up one tree, is reduced on the way, and comes down again. Leaves of
// one tree are inner positions of the other: the second is the first, mirrored where n is even and turned by one where
// it is odd.
class Tree {
 public:
  Tree(Group& g, bool second) : g_(g), children_(g.size()) {
    const std::uint32_t n = g.size();
    const auto place = [&](std::uint32_t position) {
      return !second ? position : n % 2 == 0 ? n - 1 - position : (position + 1) % n;
    };
    parent_.assign(n, n);
    for (std::uint32_t i = 1; i < n; ++i) {
      parent_[place(i)] = place(parent_of(i, n));
      children_[place(parent_of(i, n))].push_back(place(i));
    }
    root_ = place(0);
    order_ = {root_};
    for (std::size_t i = 0; i < order_.size(); ++i)
      order_.insert(order_.end(), children_[order_[i]].begin(), children_[order_[i]].end());
    up_.resize(n);
    down_.resize(n);
  }

  // One part. A message up waits for the same part from all children, and for the rank's part before; one down for that
  // part from the parent.
  void pass(Bytes bytes, const std::vector<std::vector<WorkNode>>& begin, std::vector<std::vector<WorkNode>>& end) {
    if (bytes == 0) return;
    std::vector<std::vector<WorkNode>> arrived(g_.size());
    for (std::size_t i = order_.size(); i-- > 1;) {
      const std::uint32_t at = order_[i];
      std::vector<WorkNode> before = arrived[at];
      before.insert(before.end(), begin[at].begin(), begin[at].end());
      before.insert(before.end(), up_[at].begin(), up_[at].end());
      const WorkNode node = g_.schedule().message({g_.rank(at), g_.rank(parent_[at]), bytes}, before);
      up_[at] = {node};
      arrived[parent_[at]].push_back(node);
      end[at].push_back(node);
    }
    for (const std::uint32_t at : order_) {
      std::vector<WorkNode> before = arrived[at];
      if (at == root_) before.insert(before.end(), begin[at].begin(), begin[at].end());
      before.insert(before.end(), down_[at].begin(), down_[at].end());
      down_[at].clear();
      for (const std::uint32_t child : children_[at]) {
        const WorkNode node = g_.schedule().message({g_.rank(at), g_.rank(child), bytes}, before);
        down_[at].push_back(node);
        end[at].push_back(node);
        end[child].push_back(node);
        arrived[child] = {node};
      }
    }
  }

 private:
  Group& g_;
  std::uint32_t root_ = 0;
  std::vector<std::uint32_t> parent_, order_;  // order: from the root down
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::vector<WorkNode>> up_, down_;  // by position: messages of the part before
};

void double_binary_tree(Group& g, const CollectiveCall& call) {
  const std::uint32_t n = g.size();
  std::vector<std::vector<WorkNode>> begin(n), end(n);
  for (std::uint32_t i = 0; i < n; ++i) begin[i] = g.schedule().frontier(g.rank(i));
  Tree first(g, false), second(g, true);
  for (std::uint32_t c = 0; c < call.chunks; ++c) {
    first.pass(part_of(part_of(call.bytes, 2, 0), call.chunks, c), begin, end);
    second.pass(part_of(part_of(call.bytes, 2, 1), call.chunks, c), begin, end);
  }
  for (std::uint32_t i = 0; i < n; ++i)
    if (!end[i].empty()) g.schedule().set_frontier(g.rank(i), std::move(end[i]));
}

}  // namespace

Algorithm usual_algorithm(Collective operation) {
  switch (operation) {
    case Collective::all_to_all:
      return Algorithm::shift;
    case Collective::broadcast:
      return Algorithm::binomial;
    case Collective::barrier:
      return Algorithm::dissemination;
    default:
      return Algorithm::ring;
  }
}

bool is_possible(Collective operation, Algorithm a) {
  switch (operation) {
    case Collective::all_reduce:
      return a == Algorithm::ring || a == Algorithm::bidirectional_ring || a == Algorithm::double_binary_tree ||
             a == Algorithm::recursive_doubling || a == Algorithm::halving_doubling;
    case Collective::reduce_scatter:
      return a == Algorithm::ring || a == Algorithm::bidirectional_ring || a == Algorithm::halving_doubling;
    case Collective::all_gather:
      return a == Algorithm::ring || a == Algorithm::bidirectional_ring || a == Algorithm::recursive_doubling;
    case Collective::all_to_all:
      return a == Algorithm::shift || a == Algorithm::pairwise;
    case Collective::broadcast:
      return a == Algorithm::binomial;
    case Collective::barrier:
      return a == Algorithm::dissemination;
  }
  return false;
}

std::string able(Collective operation) {
  std::string names;
  for (std::size_t a = 1; a < std::size(kAlgorithms); ++a)
    if (is_possible(operation, static_cast<Algorithm>(a)))
      names += (names.empty() ? "" : ", ") + std::string(kAlgorithms[a]);
  return names;
}

double most_messages(const CollectiveCall& call, double n) {
  switch (call.algorithm) {
    case Algorithm::ring:
      return 2 * n * n;
    case Algorithm::bidirectional_ring:
      return 4 * n * n;
    case Algorithm::double_binary_tree:
      return 4 * n * call.chunks;
    case Algorithm::shift:
    case Algorithm::pairwise:
      return n * n;
    default:
      return 2 * n * (std::log2(n) + 2);
  }
}

void refuse_too_large(double nodes) {
  constexpr double kMost = 2e7;
  if (nodes > kMost)
    throw InputError(
        fmt::format("this makes up to {:.3g} messages and computing steps, but at most {:.0g} are possible; use fewer "
                    "ranks, repetitions, micro-batches or chunks",
                    nodes, kMost));
  need_memory(nodes * 2 * (sizeof(Flow) + sizeof(Dependency)), "the messages of a collective", "Use fewer ranks");
}

void add_collective(Schedule& schedule, std::span<const std::uint32_t> ranks, const CollectiveCall& call) {
  Group g(schedule, ranks);
  if (g.size() < 2) return;
  switch (call.algorithm) {
    case Algorithm::automatic:
      break;
    case Algorithm::ring:
    case Algorithm::bidirectional_ring:
      return ring(g, call);
    case Algorithm::double_binary_tree:
      return double_binary_tree(g, call);
    case Algorithm::recursive_doubling:
    case Algorithm::halving_doubling:
      return recursive(g, call);
    case Algorithm::shift:
    case Algorithm::pairwise:
      return all_to_all(g, call);
    case Algorithm::binomial:
      return binomial(g, call);
    case Algorithm::dissemination:
      return dissemination(g);
  }
}

void add_recorded(Schedule& schedule, std::span<const std::uint32_t> ranks, const CollectiveCall& call,
                  std::uint32_t group, std::uint32_t repetition) {
  CollectiveRecord record;
  record.operation = kCollectives[static_cast<std::size_t>(call.operation)];
  record.group = group;
  record.repetition = repetition;
  record.ranks = static_cast<std::uint32_t>(ranks.size());
  record.bytes = call.bytes;
  record.bus_factor = bus_factor(call.operation, ranks.size());
  const std::uint32_t first = schedule.messages();
  add_collective(schedule, ranks, call);
  schedule.record(std::move(record), first);
}

double bus_factor(Collective operation, std::size_t ranks) {
  const auto n = static_cast<double>(ranks);
  switch (operation) {
    case Collective::all_reduce:
      return 2 * (n - 1) / n;
    case Collective::reduce_scatter:
    case Collective::all_gather:
    case Collective::all_to_all:
      return (n - 1) / n;
    case Collective::broadcast:
    case Collective::barrier:
      break;
  }
  return 1;
}

}  // namespace weir
