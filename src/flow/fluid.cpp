// Events are starts and completions at whole picoseconds; all of one instant are handled before the rates are
// calculated, so that a barrier that releases a thousand flows costs one calculation.
#include "flow/fluid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "base/error.h"
#include "base/latest.h"
#include "flow/solvers/incremental.h"

namespace weir {
namespace {

constexpr double kPicosecondsPerSecond = 1e12;

Bytes whole_bytes(double bytes) {
  constexpr double kMost = 9e18;
  if (bytes > kMost) throw InputError(fmt::format("{:.3g} B have moved, and {:.3g} B can be counted", bytes, kMost));
  return std::llround(bytes);
}

class FluidRun {
 public:
  FluidRun(const Topology& topology, const RouteTable& routes, const Workload& workload, const FluidOptions& options)
      : topology_(topology),
        workload_(workload),
        options_(options),
        progress_(workload),
        router_(topology, routes, options.routing, options.seed),
        rates_(options.algorithm, capacities(), reserved(), workload.flows.size(), options.priority),
        state_(workload.flows.size()) {
    refuse_impossible();
    prepare_results();
    for (const FlowProgress::Start& s : progress_.initial()) starts_.push({s.at, s.flow.index, 0});
  }

  FluidResult run() && {
    while (true) {
      const Time next = std::min(next_of(starts_), next_finish());
      if (next == kNever || next > options_.duration) break;
      if (next >= options_.warmup) end_warmup();
      now_ = next;
      handle_instant();
      recalculate();
    }
    const bool unfinished = active_ > 0 || !starts_.empty() || progress_.remaining() > 0;
    if (unfinished && options_.duration == kNever) refuse_too_long();
    if (unfinished) {
      if (options_.duration >= options_.warmup) end_warmup();
      now_ = options_.duration;
    }
    finish_measurements(unfinished);
    return std::move(out_);
  }

 private:
  struct Event {
    Time at;
    std::uint32_t flow;
    std::uint32_t version;
    friend auto operator<=>(const Event&, const Event&) = default;
  };
  using Queue = std::priority_queue<Event, std::vector<Event>, std::greater<>>;
  struct FlowState {
    double remaining = 0;  // bytes, at `since`
    double rate = 0;       // bytes per second
    Time since;
    std::uint32_t version = 0;  // of its latest completion event
    std::vector<std::uint32_t> path;
  };

  std::vector<double> reserved() const {
    return options_.reserved.empty() ? std::vector<double>(topology_.ports(), 0.0) : options_.reserved;
  }
  std::vector<double> capacities() const {
    std::vector<double> out(topology_.ports());
    for (std::uint32_t p = 0; p < out.size(); ++p)
      out[p] = topology_.link({p}).rate.bytes_per_second() * options_.efficiency;
    return out;
  }

  void refuse_impossible() {
    if (!workload_.sources.empty())
      throw InputError(
          "the fluid engine moves flows; sources of packets have no rate to calculate, use the packet engine");
    if (!workload_.triggers.empty())
      throw InputError("the fluid engine counts no packets; `after_received` needs the packet engine");
    for (const double share : options_.reserved)
      if (!(share >= 0 && share < 1)) throw InputError("the reserved share must be at least 0 and below 1");
    if (!(options_.efficiency > 0 && options_.efficiency <= 1))
      throw InputError("the efficiency must be above 0 and at most 1");
    const auto endless = [](const Flow& f) { return f.bytes == kEndless; };
    const bool some_endless = std::any_of(workload_.flows.begin(), workload_.flows.end(), endless);
    if (some_endless && options_.duration == kNever)
      throw InputError("some flows never end: the fluid engine needs a duration");
    weigh_by_size_ = !some_endless && options_.algorithm != RateAlgorithm::ffa;
  }

  // Nothing happens any more in a time that can be counted, and no end was given.
  [[noreturn]] void refuse_too_long() const {
    std::uint32_t slowest = 0;
    double longest = -1;
    for (std::uint32_t f = 0; f < state_.size(); ++f) {
      if (!rates_.active(f)) continue;
      const double seconds = state_[f].remaining / state_[f].rate;
      if (seconds > longest) {
        slowest = f;
        longest = seconds;
      }
    }
    if (longest < 0)
      throw InputError(fmt::format("{} flows would start after {:.3g} s, the latest time there is; give run.max_time",
                                   progress_.remaining(), kLatest.seconds()));
    const Flow& flow = workload_.flows[{slowest}];
    throw InputError(fmt::format(
        "flow {} (host {} to host {}) needs {:.3g} s more for {} B at {:.3g} bit/s; times above {:.3g} s cannot be "
        "counted. Give run.max_time or run.duration, or send less",
        slowest, flow.source.index, flow.destination.index, longest, flow.bytes, 8 * state_[slowest].rate,
        kLatest.seconds()));
  }

  static Time next_of(const Queue& queue) { return queue.empty() ? kNever : queue.top().at; }
  Time next_finish() {
    while (!finishes_.empty() && finishes_.top().version != state_[finishes_.top().flow].version) finishes_.pop();
    return next_of(finishes_);
  }

  // Notes what every flow has delivered by then.
  void end_warmup() {
    if (warm_) return;
    warm_ = true;
    now_ = options_.warmup;
    for (std::uint32_t f = 0; f < state_.size(); ++f)
      if (rates_.active(f)) settle(f);
    before_window_ = delivered_;
  }

  void handle_instant() {
    while (true) {
      if (next_finish() == now_) {
        const std::uint32_t flow = finishes_.top().flow;
        finishes_.pop();
        end_flow(flow);
      } else if (next_of(starts_) == now_) {
        const std::uint32_t flow = starts_.top().flow;
        starts_.pop();
        start_flow(flow);
      } else {
        return;
      }
      ++out_.measurements.totals.events;
    }
  }

  void start_flow(std::uint32_t f) {
    const Flow& flow = workload_.flows[{f}];
    FlowState& state = state_[f];
    FlowResult& result = out_.measurements.flows[f];
    result.start = now_;
    state.remaining = flow.bytes == kEndless ? 0 : static_cast<double>(flow.bytes);
    state.since = now_;
    if (flow.source == flow.destination || flow.bytes == 0) {
      if (flow.bytes != kEndless) complete(f);
      return;
    }
    router_.set_up(flow.source, flow.destination, flow.weight, state.path);
    rates_.add(f, state.path, weight(flow), flow.app.index);
    ++active_;
  }

  double weight(const Flow& flow) const {
    return weigh_by_size_ ? flow.weight * static_cast<double>(flow.bytes) : flow.weight;
  }

  void end_flow(std::uint32_t f) {
    const Flow& flow = workload_.flows[{f}];
    FlowState& state = state_[f];
    carry(f, static_cast<double>(flow.bytes) - delivered_[f]);
    router_.tear_down(flow.source, flow.destination, flow.weight, state.path);
    rates_.remove(f);
    state.path = {};
    ++state.version;
    --active_;
    complete(f);
  }

  void complete(std::uint32_t f) {
    FlowResult& result = out_.measurements.flows[f];
    result.completion = now_;
    result.delivered = workload_.flows[{f}].bytes;
    released_.clear();
    progress_.completed({f}, now_, released_);
    for (const FlowProgress::Start& s : released_) starts_.push({s.at, s.flow.index, 0});
  }

  // `bytes` more of the flow have crossed its links.
  void carry(std::uint32_t f, double bytes) {
    delivered_[f] += bytes;
    for (const std::uint32_t link : state_[f].path) carried_[link] += bytes;
  }

  // Brings the flow's remaining bytes up to the present.
  void settle(std::uint32_t f) {
    FlowState& state = state_[f];
    const bool endless = workload_.flows[{f}].bytes == kEndless;
    double bytes = state.rate * (static_cast<double>((now_ - state.since).ps) / kPicosecondsPerSecond);
    if (!endless) bytes = std::min(bytes, state.remaining);
    carry(f, bytes);
    if (!endless) state.remaining -= bytes;
    state.since = now_;
  }

  void recalculate() {
    const std::span<const std::uint32_t> flows = rates_.recalculate();
    if (flows.empty()) return;
    ++out_.recalculations;
    out_.flows_recalculated += flows.size();
    for (const std::uint32_t f : flows) {
      FlowState& state = state_[f];
      const double rate = rates_.rate(f);
      if (!(rate > 0) || !std::isfinite(rate))
        throw InputError(fmt::format("the rate of flow {} cannot be calculated: weights and sizes of the flows differ "
                                     "too much", f));
      // A rate that came out the same to the last bits is no change: its completion stays scheduled as it is.
      if (std::abs(rate - state.rate) <= 1e-15 * state.rate) continue;
      settle(f);
      state.rate = rate;
      out_.measurements.flows[f].offered_rate = 8 * rate;
      ++out_.rates_changed;
      if (workload_.flows[{f}].bytes == kEndless) continue;
      const Time span = whole_ps(std::ceil(std::max(0.0, state.remaining / rate * kPicosecondsPerSecond - 1e-3)));
      const Time end = later(now_, span);
      ++state.version;
      if (end != kNever) finishes_.push({end, f, state.version});
    }
  }

  void prepare_results() {
    Measurements& m = out_.measurements;
    for (const ClassInfo& c : workload_.classes) m.classes.emplace_back().name = c.name;
    for (const Flow& flow : workload_.flows) {
      FlowResult& result = m.flows.emplace_back();
      result.source = flow.source;
      result.destination = flow.destination;
      result.traffic_class = flow.traffic_class;
      result.app = flow.app;
      result.phase = flow.phase;
      result.bytes = flow.bytes;
    }
    delivered_.assign(workload_.flows.size(), 0.0);
    carried_.assign(topology_.ports(), 0.0);
  }

  void finish_measurements(bool unfinished) {
    Measurements& m = out_.measurements;
    double moved = 0;
    m.end = now_;
    m.warmup = options_.warmup;
    m.ending = unfinished ? Ending::duration : Ending::finished;
    m.hosts.resize(topology_.hosts());
    for (std::uint32_t f = 0; f < workload_.flows.size(); ++f) {
      FlowResult& result = m.flows[f];
      if (rates_.active(f)) {
        settle(f);
        result.delivered = whole_bytes(delivered_[f]);
      }
      const auto early = whole_bytes(warm_ ? before_window_[f] : delivered_[f]);
      result.delivered_in_window = std::max<Bytes>(0, result.delivered - early);
      whole_bytes(moved += static_cast<double>(result.delivered));  // no sum below runs over
      const auto bytes = static_cast<std::uint64_t>(result.delivered);
      m.hosts[result.source.index].injected_bytes += bytes;
      m.hosts[result.destination.index].received_bytes += bytes;
      ClassResult& c = m.classes[result.traffic_class.index];
      c.generated_bytes += bytes;
      c.injected_bytes += bytes;
      c.received_bytes += bytes;
      c.received_bytes_in_window += static_cast<std::uint64_t>(result.delivered_in_window);
    }
    m.ports.resize(topology_.ports());
    for (std::uint32_t p = 0; p < m.ports.size(); ++p) {
      const double rate = topology_.link({p}).rate.bytes_per_second() * options_.efficiency;
      m.ports[p].xmit_bytes = static_cast<std::uint64_t>(whole_bytes(carried_[p]));
      if (carried_[p] > 0) m.ports[p].busy = Time{std::llround(carried_[p] / rate * kPicosecondsPerSecond)};
      if (topology_.to({p}).valid()) m.ports[topology_.to({p}).index].rcv_bytes = m.ports[p].xmit_bytes;
    }
    m.phase_ends = progress_.phase_ends();
  }

  const Topology& topology_;
  const Workload& workload_;
  const FluidOptions& options_;
  FlowProgress progress_;
  FlowRouter router_;
  IncrementalRates rates_;
  std::vector<FlowState> state_;
  std::vector<double> delivered_, carried_;  // bytes per flow, per link
  std::vector<double> before_window_;        // per flow: delivered at the end of the warm-up
  bool warm_ = false;                        // it has ended
  Queue starts_, finishes_;
  std::vector<FlowProgress::Start> released_;
  bool weigh_by_size_ = false;
  std::size_t active_ = 0;
  Time now_;
  FluidResult out_;
};

}  // namespace

FluidResult run_fluid(const Topology& topology, const RouteTable& routes, const Workload& workload,
                      const FluidOptions& options) {
  return FluidRun(topology, routes, workload, options).run();
}

}  // namespace weir
