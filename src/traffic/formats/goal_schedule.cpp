#include "traffic/formats/goal_schedule.h"

#include <fmt/format.h>

#include "base/error.h"

namespace weir {

namespace {

class Scheduler {
 public:
  explicit Scheduler(const Trace& trace) : t_(trace), ranks_(trace.ranks) {}

  GoalSchedule build() {
    add_steps();
    add_messages();
    std::vector<std::vector<const Trace::Condition*>> by_node(t_.messages.size() + t_.steps.size());
    for (const Trace::Condition& c : t_.conditions) by_node[number(c.node)].push_back(&c);
    for (std::size_t n = 0; n < by_node.size(); ++n) connect(n, by_node[n]);
    return std::move(ranks_);
  }

 private:
  using Type = GoalOperation::Type;
  std::size_t number(WorkNode node) const {
    return node.kind == WorkNode::Kind::flow ? node.index : t_.messages.size() + node.index;
  }
  std::uint32_t rank_of(std::size_t node) const {
    return node < t_.messages.size() ? t_.messages[node].source : t_.steps[node - t_.messages.size()].rank;
  }
  std::uint32_t add(std::uint32_t rank, GoalOperation operation) {
    ranks_[rank].push_back(std::move(operation));
    return static_cast<std::uint32_t>(ranks_[rank].size() - 1);
  }
  static std::uint64_t nanoseconds(Time time) {
    if (time.ps % 1000 != 0)
      throw InputError(fmt::format("a GOAL schedule has whole nanoseconds only, but here is a time of {} ps", time.ps));
    return static_cast<std::uint64_t>(time.ps / 1000);
  }

  void add_steps() {
    for (const Trace::Step& s : t_.steps) {
      if (s.rank >= t_.ranks)
        throw InputError("this workload has a point that several ranks wait for, which a GOAL schedule cannot say");
      own_.push_back(add(s.rank, {Type::calculate, 0, 0, nanoseconds(s.duration), {}, {}}));
    }
  }
  void add_messages() {
    std::vector<std::uint32_t> sends;
    for (std::uint32_t i = 0; i < t_.messages.size(); ++i) {
      const Trace::Message& m = t_.messages[i];
      if (m.bytes == kEndless) throw InputError("a GOAL schedule has only messages with an end");
      const auto bytes = static_cast<std::uint64_t>(m.bytes);
      sends.push_back(add(m.source, {Type::send, m.destination, i, bytes, {}, {}}));
      received_.push_back(add(m.destination, {Type::receive, m.source, i, bytes, {}, {}}));
    }
    own_.insert(own_.begin(), sends.begin(), sends.end());
  }

  // What a rank waits for when it waits for a node: its own operation, or what it receives of it.
  std::uint32_t seen_by(std::uint32_t rank, std::size_t node, bool on_start) const {
    if (rank_of(node) == rank) return own_[node];
    const bool received = node < t_.messages.size() && t_.messages[node].destination == rank && !on_start;
    if (!received)
      throw InputError(
          fmt::format("rank {} waits for rank {} without receiving from it, which a GOAL schedule cannot say", rank,
                      rank_of(node)));
    return received_[node];
  }
  void connect(std::size_t node, const std::vector<const Trace::Condition*>& conditions) {
    const std::uint32_t rank = rank_of(node);
    std::uint32_t target = own_[node];
    const Time late = node < t_.messages.size() ? t_.messages[node].time : Time{};
    if (late > Time{}) {
      const std::uint32_t wait = add(rank, {Type::calculate, 0, 0, nanoseconds(late), {}, {}});
      ranks_[rank][target].requires_end.push_back(wait);
      target = wait;
    }
    for (const Trace::Condition* c : conditions) {
      const std::uint32_t before = seen_by(rank, number(c->before), c->on_start);
      std::uint32_t waits = target;
      if (c->delay > Time{}) {
        waits = add(rank, {Type::calculate, 0, 0, nanoseconds(c->delay), {}, {}});
        ranks_[rank][target].requires_end.push_back(waits);
      }
      GoalOperation& operation = ranks_[rank][waits];
      (c->on_start ? operation.requires_start : operation.requires_end).push_back(before);
    }
  }

  const Trace& t_;
  GoalSchedule ranks_;
  std::vector<std::uint32_t> own_;       // by node: its operation
  std::vector<std::uint32_t> received_;  // by message: the operation that receives it
};

}  // namespace

GoalSchedule goal_schedule(const Trace& trace) { return Scheduler(trace).build(); }

}  // namespace weir
