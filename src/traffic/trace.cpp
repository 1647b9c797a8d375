// What the two formats have in common: circles of conditions, and the way into a workload.
#include "traffic/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "base/latest.h"

namespace weir {

namespace {

Time scaled(Time time, double factor) { return whole_ps(std::round(static_cast<double>(time.ps) * factor)); }

std::uint32_t number(const Trace& trace, WorkNode node) {
  const auto messages = static_cast<std::uint32_t>(trace.messages.size());
  return node.kind == WorkNode::Kind::flow ? node.index : messages + node.index;
}

std::uint32_t line_of(const Trace& trace, std::uint32_t node) {
  return node < trace.messages.size() ? trace.messages[node].line : trace.steps[node - trace.messages.size()].line;
}

// Takes away what has no open condition, again and again; what stays is on a circle or behind one.
std::vector<std::uint32_t> open_conditions(const Trace& trace) {
  const std::size_t nodes = trace.messages.size() + trace.steps.size();
  std::vector<std::uint32_t> waits(nodes, 0);
  std::vector<std::vector<std::uint32_t>> dependants(nodes);
  for (const Trace::Condition& c : trace.conditions) {
    ++waits[number(trace, c.node)];
    dependants[number(trace, c.before)].push_back(number(trace, c.node));
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (waits[n] == 0) ready.push_back(n);
  }
  while (!ready.empty()) {
    const std::uint32_t node = ready.back();
    ready.pop_back();
    for (std::uint32_t next : dependants[node]) {
      if (--waits[next] == 0) ready.push_back(next);
    }
  }
  return waits;
}

class Adder {
 public:
  Adder(Workload& workload, const Trace& trace, const TraceOptions& options) : w_(workload), t_(trace), o_(options) {
    has_condition_.resize(trace.messages.size() + trace.steps.size());
    for (const Trace::Condition& c : trace.conditions) has_condition_[number(trace, c.node)] = true;
  }

  void add() {
    first_of_all_ = static_cast<std::uint32_t>(w_.flows.size());
    if (o_.after_received > 0) {
      trigger_ = {WorkNode::Kind::trigger, static_cast<std::uint32_t>(w_.triggers.size())};
      w_.triggers.push_back(o_.after_received);
    }
    for (std::uint32_t i = 0; i < o_.repeat; ++i) {
      add_once(o_.basics.start + o_.period * std::int64_t{i});
      add_collectives(i);
    }
    w_.apps = std::max(w_.apps, o_.basics.app.index + 1);
  }

 private:
  WorkNode here(WorkNode node) const {
    node.index += node.kind == WorkNode::Kind::flow ? first_flow_ : first_step_;
    return node;
  }

  // Everything without a condition of its own begins with `origin`, which is over when the trace begins.
  void add_once(Time begin) {
    const bool waits = o_.after_received > 0 || begin > Time{};
    WorkNode origin{WorkNode::Kind::step, static_cast<std::uint32_t>(w_.steps.size())};
    if (waits) w_.steps.push_back(begin);
    if (o_.after_received > 0) w_.dependencies.push_back({origin, trigger_, {}, false});
    first_flow_ = static_cast<std::uint32_t>(w_.flows.size());
    first_step_ = static_cast<std::uint32_t>(w_.steps.size());
    for (const Trace::Message& m : t_.messages) w_.flows.push_back(flow(m));
    for (const Trace::Step& s : t_.steps) w_.steps.push_back(scaled(s.duration, o_.time_scale));
    for (const Trace::Condition& c : t_.conditions) add_condition(c);
    for (std::uint32_t n = 0; n < has_condition_.size() && waits; ++n) {
      if (has_condition_[n]) continue;
      const auto messages = static_cast<std::uint32_t>(t_.messages.size());
      const WorkNode root = n < messages ? WorkNode{WorkNode::Kind::flow, n}
                                         : WorkNode{WorkNode::Kind::step, n - messages};
      w_.dependencies.push_back({here(root), origin, {}, false});
    }
  }

  void add_collectives(std::uint32_t turn) {
    std::uint32_t each = 0;
    for (const CollectiveRecord& record : t_.collectives) each = std::max(each, record.repetition + 1);
    for (CollectiveRecord record : t_.collectives) {
      record.app = o_.basics.app;
      record.repetition += turn * each;
      record.first.index += first_flow_;
      record.last.index += first_flow_;
      w_.collectives.push_back(std::move(record));
    }
  }

  FlowId hashed_as(const Trace::Message& m) {
    if (o_.queue_pairs == 0) return {};
    if (o_.queue_pairs == 1) return {first_of_all_};
    const std::uint64_t pair = std::uint64_t{m.source} << 32 | m.destination;
    return {first_of_all_ + sent_[pair]++ % o_.queue_pairs};
  }

  Flow flow(const Trace::Message& m) {
    Flow f;
    f.source = o_.hosts[m.source];
    f.destination = o_.hosts[m.destination];
    f.bytes = m.bytes;
    f.start = scaled(m.time, o_.time_scale);
    f.weight = o_.basics.weight;
    f.app = o_.basics.app;
    f.traffic_class = o_.basics.traffic_class;
    f.lane = o_.basics.lane;
    f.message = true;
    f.hashed_as = hashed_as(m);
    return f;
  }

  void add_condition(const Trace::Condition& c) {
    Dependency d{here(c.node), here(c.before), scaled(c.delay, o_.time_scale), c.on_start};
    if (c.same_rank && !c.on_start && o_.injected) {
      const Flow& sent = w_.flows[{d.before.index}];
      d.on_start = true;
      const Rate rate = o_.rates[sent.source.index];
      const bool never = static_cast<double>(sent.bytes) / rate.bytes_per_second() > kLatest.seconds();
      d.delay = never ? kNever : later(d.delay, rate.time_for(sent.bytes));
    }
    w_.dependencies.push_back(d);
  }

  Workload& w_;
  const Trace& t_;
  const TraceOptions& o_;
  std::vector<bool> has_condition_;
  WorkNode trigger_;
  std::uint32_t first_flow_ = 0, first_step_ = 0;
  std::uint32_t first_of_all_ = 0;                         // over all repetitions
  std::unordered_map<std::uint64_t, std::uint32_t> sent_;  // messages by pair of ranks
};

}  // namespace

void check_trace(const Trace& trace, const PlaceOfLine& place) {
  const std::vector<std::uint32_t> waits = open_conditions(trace);
  const auto stuck = std::find_if(waits.begin(), waits.end(), [](std::uint32_t w) { return w > 0; });
  if (stuck == waits.end()) return;
  // Backwards over open conditions one must come to a node for the second time: it lies on a circle.
  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> before(waits.size(), kNone);
  for (const Trace::Condition& c : trace.conditions) {
    const std::uint32_t earlier = number(trace, c.before);
    if (waits[earlier] > 0 && before[number(trace, c.node)] == kNone) before[number(trace, c.node)] = earlier;
  }
  std::vector<bool> seen(waits.size(), false);
  auto node = static_cast<std::uint32_t>(stuck - waits.begin());
  for (; !seen[node]; node = before[node]) seen[node] = true;
  std::vector<std::uint32_t> lines{line_of(trace, node)};
  for (std::uint32_t n = before[node]; n != node; n = before[n]) lines.push_back(line_of(trace, n));
  std::rotate(lines.begin(), std::min_element(lines.begin(), lines.end()), lines.end());
  const auto shown = [&](std::uint32_t line) { return place ? place(line) : fmt::to_string(line); };
  std::string circle;
  for (std::uint32_t line : lines) circle += shown(line) + " <- ";
  throw InputError(SourcePosition{trace.file, place ? 0 : lines.front(), 0},
                   fmt::format("conditions form a cycle, so none of these can begin: {}{}{}",
                               place ? "" : "lines ", circle, shown(lines.front())));
}

void add_trace(Workload& workload, const Trace& trace, const TraceOptions& options) {
  Adder(workload, trace, options).add();
}

}  // namespace weir
