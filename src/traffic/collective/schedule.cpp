#include "traffic/collective/schedule.h"

#include <utility>

namespace weir {

namespace {

constexpr std::uint32_t kNoRank = ~0u;

}  // namespace

WorkNode Schedule::message(const Transfer& transfer, std::span<const WorkNode> before) {
  const WorkNode node{WorkNode::Kind::flow, messages()};
  trace_.messages.push_back({transfer.source, transfer.destination, transfer.bytes, {}, line_});
  for (const WorkNode earlier : before) wait(node, earlier);
  return node;
}

WorkNode Schedule::step(std::uint32_t rank, Time duration, std::span<const WorkNode> before) {
  const WorkNode node{WorkNode::Kind::step, static_cast<std::uint32_t>(trace_.steps.size())};
  trace_.steps.push_back({duration, line_, rank});
  for (const WorkNode earlier : before) wait(node, earlier);
  return node;
}

void Schedule::wait(WorkNode node, WorkNode before, bool own_message) {
  trace_.conditions.push_back({node, before, {}, false, own_message});
}

void Schedule::record(CollectiveRecord record, std::uint32_t first) {
  record.first = {first};
  record.last = {messages()};
  trace_.collectives.push_back(std::move(record));
}

void Schedule::round(std::span<const Transfer> transfers) {
  std::vector<std::pair<std::uint32_t, WorkNode>> sent, received;
  for (const Transfer& t : transfers) {
    if (t.bytes == 0 || t.source == t.destination) continue;
    const WorkNode node = message(t, frontier_[t.source]);
    sent.emplace_back(t.source, node);
    received.emplace_back(t.destination, node);
  }
  // What a rank has sent has waited for all that was before.
  for (const auto& [rank, node] : sent) frontier_[rank].clear();
  for (const auto& [rank, node] : sent) frontier_[rank].push_back(node);
  for (const auto& [rank, node] : received) frontier_[rank].push_back(node);
}

void Schedule::compute(std::uint32_t rank, Time duration) {
  if (duration <= Time{}) return;
  frontier_[rank] = {step(rank, duration, frontier_[rank])};
}

void Schedule::join(std::span<const std::uint32_t> ranks) {
  std::vector<WorkNode> all;
  for (const std::uint32_t rank : ranks) all.insert(all.end(), frontier_[rank].begin(), frontier_[rank].end());
  if (all.empty()) return;
  const WorkNode node = step(kNoRank, {}, all);
  for (const std::uint32_t rank : ranks) frontier_[rank] = {node};
}

}  // namespace weir
