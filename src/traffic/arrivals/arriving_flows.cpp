#include "traffic/arrivals/arriving_flows.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

namespace weir {

namespace {

// The moments of one process. What rounding to picoseconds cuts off is kept for the next gap: the mean is exact.
class ArrivalTimes {
 public:
  ArrivalTimes(const ArrivalProcess& process, double mean_gap_ps, std::uint64_t seed, std::uint64_t stream)
      : process_(process), mean_gap_ps_(mean_gap_ps), random_(seed, Purpose::arrival, stream), now_(process.start) {
    const bool constant = process.arrivals == Arrivals::constant;
    advance(!constant ? random_.exponential() : process.aligned ? 0 : random_.unit());
  }
  Time now() const { return now_; }  // kNever: there are no more
  void advance() { advance(process_.arrivals == Arrivals::constant ? 1 : random_.exponential()); }

 private:
  void advance(double gaps) {
    const double ps = fraction_ps_ + gaps * mean_gap_ps_;
    if (!(ps < static_cast<double>(process_.stop.ps - now_.ps))) {
      now_ = kNever;
      return;
    }
    const auto whole = static_cast<std::int64_t>(ps);
    fraction_ps_ = ps - static_cast<double>(whole);
    now_.ps += whole;
  }

  ArrivalProcess process_;
  double mean_gap_ps_, fraction_ps_ = 0;
  RandomStream random_;
  Time now_;
};

struct ArrivingSource {
  HostId host;
  ArrivalTimes times;
  Destinations destinations;
  RandomStream destination, size;
};

Flow flow_of(const FlowBasics& basics) {
  Flow flow;
  flow.bytes = basics.bytes;
  flow.weight = basics.weight;
  flow.app = basics.app;
  flow.phase = basics.phase;
  flow.traffic_class = basics.traffic_class;
  flow.lane = basics.lane;
  return flow;
}

void refuse_too_many(double per_second, const ArrivalProcess& process, double each) {
  const double expected = process.expected(per_second) * each;
  if (expected > static_cast<double>(kMostArrivals))
    throw InputError(fmt::format("about {:.3g} flows would arrive, but at most {} are possible; lower the load, or end "
                                 "the arrivals earlier (stop)",
                                 expected, kMostArrivals));
}

// Only chance can do that: the rate is above 0.
void refuse_none(double per_second, const ArrivalProcess& process, std::string_view what) {
  throw InputError(fmt::format("no {} arrives in {:.3g} s, where {:.3g} are expected; raise the load or let it last "
                               "longer",
                               what, (process.stop - process.start).seconds(),
                               per_second * (process.stop - process.start).seconds()));
}

}  // namespace

void add_arriving_flows(Workload& workload, const ArrivingFlows& flows, std::uint64_t seed, std::uint64_t stream) {
  double per_second = 0;
  for (const double gap : flows.mean_gap_ps) per_second += 1e12 / gap;
  refuse_too_many(per_second, flows.process, 1);
  std::vector<ArrivingSource> sources;
  using Next = std::pair<Time, std::size_t>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  for (std::size_t i = 0; i < flows.sources.size(); ++i) {
    const HostId host = flows.sources[i];
    const std::uint64_t own = stream + host.index;
    sources.push_back({host,
                       {flows.process, flows.mean_gap_ps[i], seed, own},
                       {flows.destinations, host},
                       {seed, Purpose::destination, own},
                       {seed, Purpose::size, own}});
    if (sources.back().destinations.count() == 0)
      throw InputError(fmt::format("host {} has no destination but itself; give more destinations", host.index));
    if (sources.back().times.now() != kNever) next.push({sources.back().times.now(), i});
  }
  if (next.empty()) refuse_none(per_second, flows.process, "flow");
  for (std::uint64_t made = 0; !next.empty() && made < flows.process.most; ++made) {
    const auto [at, i] = next.top();
    next.pop();
    ArrivingSource& source = sources[i];
    Flow flow = flow_of(flows.basics);
    flow.start = at;
    flow.source = source.host;
    flow.destination = source.destinations.at(source.destination.below(source.destinations.count()));
    flow.bytes = flows.sizes.draw(source.size);
    workload.flows.push_back(flow);
    source.times.advance();
    if (source.times.now() != kNever) next.push({source.times.now(), i});
  }
}

void add_arriving_incasts(Workload& workload, const ArrivingIncasts& incasts, std::uint64_t seed,
                          std::uint64_t stream) {
  const double per_second = 1e12 / incasts.mean_gap_ps;
  refuse_too_many(per_second, incasts.process, incasts.senders);
  ArrivalTimes times(incasts.process, incasts.mean_gap_ps, seed, stream);
  if (times.now() == kNever) refuse_none(per_second, incasts.process, "incast");
  RandomStream target_random(seed, Purpose::destination, stream), sender_random(seed, Purpose::permutation, stream),
      start_random(seed, Purpose::jitter, stream);
  std::vector<HostId> pool = incasts.hosts, senders;
  for (std::uint64_t made = 0; times.now() != kNever && made < incasts.process.most; ++made, times.advance()) {
    const HostId target = incasts.targets[target_random.below(incasts.targets.size())];
    // The first places of a shuffle, whatever order the pool has from the incasts before; the target is no candidate.
    std::size_t candidates = pool.size();
    const auto own = std::find(pool.begin(), pool.end(), target);
    if (own != pool.end()) std::swap(*own, pool[--candidates]);
    for (std::size_t i = 0; i < incasts.senders; ++i) std::swap(pool[i], pool[i + sender_random.below(candidates - i)]);
    senders.assign(pool.begin(), pool.begin() + incasts.senders);
    std::sort(senders.begin(), senders.end());
    for (const HostId sender : senders) {
      Flow flow = flow_of(incasts.basics);
      flow.source = sender;
      flow.destination = target;
      flow.start = times.now();
      if (incasts.basics.spread.ps > 0)
        flow.start.ps +=
            static_cast<std::int64_t>(start_random.below(static_cast<std::uint64_t>(incasts.basics.spread.ps)));
      workload.flows.push_back(flow);
    }
  }
}

}  // namespace weir
