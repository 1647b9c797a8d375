// Builds the graph of an application operation by operation: who sends what to whom, and what it waits for. A rank goes
// through its operations in order; what its next one waits for is the rank's *frontier*.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "traffic/trace.h"

namespace weir {

struct Transfer {
  std::uint32_t source, destination;  // ranks
  Bytes bytes;
};

class Schedule {
 public:
  explicit Schedule(std::uint32_t ranks) : frontier_(ranks) { trace_.ranks = ranks; }

  // Messages that belong together. Each begins when its sender has come to the end of what it did before: all that it
  // sent has been delivered, and all that it was sent has arrived. Empty ones, and those to oneself, cost nothing.
  void round(std::span<const Transfer> transfers);
  // The rank computes for so long.
  void compute(std::uint32_t rank, Time duration);
  // Nobody goes on before all of these ranks have come here.
  void join(std::span<const std::uint32_t> ranks);

  // For schedules that are no rounds: a message, or a step of a rank, that waits for these nodes and for nothing else.
  WorkNode message(const Transfer& transfer, std::span<const WorkNode> before);
  WorkNode step(std::uint32_t rank, Time duration, std::span<const WorkNode> before);
  void wait(WorkNode node, WorkNode before, bool own_message = false);
  const std::vector<WorkNode>& frontier(std::uint32_t rank) const { return frontier_[rank]; }
  void set_frontier(std::uint32_t rank, std::vector<WorkNode> nodes) { frontier_[rank] = std::move(nodes); }

  void at_line(std::uint32_t line) { line_ = line; }  // of the nodes that follow
  // The operation whose messages are those from `first` on.
  void record(CollectiveRecord record, std::uint32_t first);

  std::uint32_t messages() const { return static_cast<std::uint32_t>(trace_.messages.size()); }
  Trace finish() && { return std::move(trace_); }

 private:
  Trace trace_;
  std::uint32_t line_ = 0;
  std::vector<std::vector<WorkNode>> frontier_;  // by rank
};

}  // namespace weir
