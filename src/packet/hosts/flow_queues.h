// The queues of flows, where each flow has its own: those of a host lie side by side, so that they can be fetched ahead
// of time by the number of the host alone.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "packet/ids.h"
#include "traffic/workload.h"

namespace weir {

// Of a flow whose rank only the scheme knows.
inline constexpr double kUnranked = std::numeric_limits<double>::infinity();

class FlowQueues {
 public:
  FlowQueues() = default;
  FlowQueues(const Workload& workload, std::uint32_t hosts) {
    if (workload.flows.empty()) return;
    first_.assign(hosts + 1, 0);
    for (const Flow& flow : workload.flows) ++first_[flow.source.index + 1];
    for (std::uint32_t h = 0; h < hosts; ++h) first_[h + 1] += first_[h];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    flow_.resize(workload.flows.size());
    for (const Flow& flow : workload.flows) {
      const QueueId queue{next[flow.source.index]++};
      flow_[queue.index] = {static_cast<std::uint32_t>(queue_.size())};
      queue_.push_back(queue);
    }
  }

  // `number`: of a flow, or, behind all flows, of a source.
  QueueId queue(std::uint32_t number) const { return number < queue_.size() ? queue_[number] : QueueId{number}; }
  // None if this is no queue of a flow.
  FlowId flow(QueueId queue) const { return queue.index < flow_.size() ? flow_[queue.index] : FlowId{}; }
  // Calls visit(queue) for those of a host; not for all of very many.
  template <class Visit>
  [[gnu::always_inline]] void each(HostId host, const Visit& visit) const {
    if (queue_.empty()) return;
    const std::uint32_t last = std::min(first_[host.index] + kMany, first_[host.index + 1]);
    for (std::uint32_t q = first_[host.index]; q < last; ++q) visit(QueueId{q});
  }
  std::size_t count() const { return flow_.size(); }
  std::size_t bytes_of_state() const { return (queue_.capacity() + flow_.capacity() + first_.capacity()) * 4; }

 private:
  static constexpr std::uint32_t kMany = 8;

  std::vector<QueueId> queue_;        // per flow
  std::vector<FlowId> flow_;          // per queue
  std::vector<std::uint32_t> first_;  // per host, and one more
};

// What a scheme ranks its flows by, where it says so beforehand: those of a host lie side by side, as their queues do.
class FlowRanks {
 public:
  void prepare(const FlowQueues& queues) { queues_ = &queues; }
  void set(FlowId flow, double rank) {
    const QueueId queue = queues_->queue(flow.index);
    if (!queues_->flow(queue).valid()) return;  // flows share their queues
    if (ranks_.empty()) ranks_.assign(queues_->count(), kUnranked);
    ranks_[queue.index] = rank;
  }
  double of(QueueId queue) const { return queue.index < ranks_.size() ? ranks_[queue.index] : kUnranked; }
  [[gnu::always_inline]] void fetch(QueueId queue) const {
    if (!ranks_.empty()) __builtin_prefetch(&ranks_[queue.index], 1);
  }
  std::size_t bytes_of_state() const { return ranks_.capacity() * sizeof(double); }

 private:
  const FlowQueues* queues_ = nullptr;
  std::vector<double> ranks_;  // per queue of a flow
};

}  // namespace weir
