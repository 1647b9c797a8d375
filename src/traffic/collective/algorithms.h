// Collective operations as schedules of messages, exact in their dependencies. A rank begins a step when all that it
// sent and was sent in the step before has been delivered.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/collective/schedule.h"

namespace weir {

enum class Collective : std::uint8_t { all_reduce, reduce_scatter, all_gather, all_to_all, broadcast, barrier };
enum class Algorithm : std::uint8_t {
  automatic,
  ring,
  bidirectional_ring,
  double_binary_tree,
  recursive_doubling,
  halving_doubling,
  shift,
  pairwise,
  binomial,
  dissemination
};
inline constexpr std::string_view kCollectives[] = {"all-reduce", "reduce-scatter", "all-gather",
                                                    "all-to-all", "broadcast",      "barrier"};
inline constexpr std::string_view kAlgorithms[] = {
    "auto",  "ring",     "bidirectional-ring", "double-binary-tree", "recursive-doubling", "halving-doubling",
    "shift", "pairwise", "binomial",           "dissemination"};

// The usual one, where none is named.
Algorithm usual_algorithm(Collective operation);
// Can the operation be done in this way?
bool is_possible(Collective operation, Algorithm algorithm);
std::string able(Collective operation);  // the names of those that can do it

struct CollectiveCall {
  Collective operation = Collective::all_reduce;
  Algorithm algorithm = Algorithm::ring;
  // Of a rank's buffer, as NCCL's tests count it: what is reduced; what all ranks together gather or scatter; what a
  // rank sends to all others and itself in an all-to-all.
  Bytes bytes = 0;
  std::uint32_t root = 0;    // broadcast
  std::uint32_t chunks = 1;  // double binary tree: parts that follow each other through the trees
  // all-to-all-v: bytes from the i-th rank to the j-th, row by row; empty: equal shares.
  std::vector<Bytes> matrix;
};

// At most so many messages does it take.
double most_messages(const CollectiveCall& call, double ranks);
// Refuses a schedule of so many messages and computing steps that no machine could hold it.
void refuse_too_large(double nodes);

// The operation among these ranks of the schedule.
void add_collective(Schedule& schedule, std::span<const std::uint32_t> ranks, const CollectiveCall& call);
// The same, with a record of it for the results: of which group, and the how manieth.
void add_recorded(Schedule& schedule, std::span<const std::uint32_t> ranks, const CollectiveCall& call,
                  std::uint32_t group, std::uint32_t repetition);

// Bus bandwidth over bytes per time, as NCCL's tests define it: what the operation has to move over the slowest link of
// a rank, in units of its bytes.
double bus_factor(Collective operation, std::size_t ranks);

// The i-th of n parts of a number of bytes, as even as whole bytes allow; the first ones are larger.
constexpr Bytes part_of(Bytes bytes, std::uint64_t n, std::uint64_t i) {
  const auto count = static_cast<Bytes>(n);
  return bytes / count + (static_cast<Bytes>(i) < bytes % count ? 1 : 0);
}

}  // namespace weir
