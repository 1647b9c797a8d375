#include "run/demands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir {
namespace {

constexpr std::size_t kMostPairs = 1 << 16;   // of sources and destinations drawn at random; more are sampled
constexpr std::size_t kFewestFlows = 30;      // of one entry, from which on their starts make a rate
constexpr double kArrivalsPerFlow = 4;        // the starts last so many times as long as a flow takes, at least
constexpr double kFewestArrivals = 2;         // expected: one is no rate

// Flows of one entry of [[traffic]] that are given one by one, and that nothing else releases.
struct ListedFlows {
  std::size_t flows = 0;
  Time first = kNever, last;
  double seconds_alone = 0;  // at the rate of their hosts, of all together
  bool free = true;

  double span() const { return (last - first).seconds(); }
  bool make_a_rate() const {
    return free && flows >= kFewestFlows && span() >= kArrivalsPerFlow * seconds_alone / static_cast<double>(flows);
  }
};

}  // namespace

double bytes_on_wire_per_byte(const PacketFormat& format) {
  const double payload = static_cast<double>(format.payloads.empty() ? 1 : format.payloads[0].payload);
  return (payload + static_cast<double>(format.header)) / payload;
}

Demands::Demands(const Topology& topology, const Workload& workload, const PacketConfig& config)
    : topology_(topology), workload_(workload), format_(config.format), sent_(topology.hosts(), 0.0),
      asked_(topology.hosts(), 0.0), aimed_(topology.hosts(), 0.0), slow_(topology.hosts(), 0.0) {
  find_slow_receivers(config.adapter);
  add_sources();
  add_arriving();
  add_listed_flows();
}

void Demands::find_slow_receivers(const AdapterConfig& adapter) {
  const auto has_rate = [&](HostId host) {
    return adapter.receive_hosts.empty() ||
           std::binary_search(adapter.receive_hosts.begin(), adapter.receive_hosts.end(), host);
  };
  const double rate = adapter.receive_rate.bytes_per_second();
  for (std::uint32_t h = 0; h < topology_.hosts(); ++h)
    if (rate > 0 && has_rate({h}) && rate < rate_into({h})) slow_[h] = rate;
}

bool Demands::lasts(const Source& source) const {
  const Activity& activity = workload_.groups[source.group].activity;
  return activity.stop == kNever && activity.after_received == 0 && std::isfinite(source.packets_per_second) &&
         source.packets == std::numeric_limits<std::uint64_t>::max();
}

double Demands::wire_rate(const Source& source) const {
  double size = static_cast<double>(format_.header);
  for (const SizeShare& s : workload_.groups[source.group].sizes) size += static_cast<double>(s.payload) * s.share;
  return source.packets_per_second * size;
}

void Demands::add(const Demand& demand) {
  if (demand.source == demand.destination || demand.rate <= 0) return;
  sent_[demand.source.index] += demand.rate;
  asked_[demand.destination.index] += demand.rate;
  list_.push_back(demand);
}

void Demands::add_sources() {
  std::vector<HostId> all(topology_.hosts());
  for (std::uint32_t h = 0; h < all.size(); ++h) all[h] = {h};
  std::vector<std::vector<ArrivingLoad::Sender>> uniform(workload_.groups.size());
  for (const Source& source : workload_.sources) {
    if (!lasts(source)) continue;
    const SourceGroup& group = workload_.groups[source.group];
    const double rate = wire_rate(source);
    if (group.rule == DestinationRule::uniform) {
      const double hosts = static_cast<double>(topology_.hosts());
      const double to_others = group.include_self && group.targets.empty() ? (hosts - 1) / hosts : 1;
      uniform[source.group].push_back({source.host, rate * to_others});
      continue;
    }
    const HostId to = group.targets[group.rule == DestinationRule::fixed ? 0 : source.host.index];
    if (!to.valid()) continue;
    add({source.host, to, rate});
    if (group.rule == DestinationRule::fixed && source.host != to) aimed_[to.index] += rate;
  }
  for (std::size_t g = 0; g < uniform.size(); ++g) {
    if (uniform[g].empty()) continue;  // the targets of other groups are no list of destinations
    DestinationChoice to;
    to.allowed = workload_.groups[g].targets.empty() ? all : workload_.groups[g].targets;
    spread(uniform[g], to);
  }
}

void Demands::add_arriving() {
  for (const ArrivingLoad& load : workload_.arriving)
    if (load.expected >= kFewestArrivals) spread(load.senders, load.to);
}

void Demands::spread(const std::vector<ArrivingLoad::Sender>& senders, const DestinationChoice& to) {
  const std::size_t most = kMostPairs / std::max<std::size_t>(1, senders.size());
  std::vector<double> more(to.allowed.size() + 1, 0.0);  // asked of the host at this place than of the one before
  const auto ask = [&](Destinations::Range range, double rate) {
    more[range.from] += rate;
    more[range.to] -= rate;
  };
  for (const ArrivingLoad::Sender& sender : senders) {
    const Destinations destinations(to, sender.host);
    const std::size_t all = destinations.count();
    if (all == 0) continue;
    sent_[sender.host.index] += sender.bytes_per_second;
    const double each = sender.bytes_per_second / static_cast<double>(all);
    ask(destinations.before_gap(), each);
    ask(destinations.behind_gap(), each);
    // Of many destinations a sample at equal distances, so that all parts of the fabric have their share.
    const std::size_t count = std::clamp<std::size_t>(most, 1, all);
    const std::size_t first = count < all ? random_.below(all) : 0;
    for (std::size_t i = 0; i < count; ++i)
      list_.push_back({sender.host, destinations.at((first + i * all / count) % all),
                       sender.bytes_per_second / static_cast<double>(count)});
  }
  double now = 0;
  for (std::size_t i = 0; i < to.allowed.size(); ++i) asked_[to.allowed[i].index] += now += more[i];
}

void Demands::add_listed_flows() {
  if (!workload_.dependencies.empty()) return;
  const double on_wire = bytes_on_wire_per_byte(format_);
  std::vector<ListedFlows> apps(workload_.apps);
  for (std::uint32_t f = 0; f < workload_.flows.size(); ++f) {
    const Flow& flow = workload_.flows[{f}];
    ListedFlows& app = apps[flow.app.index];
    ++app.flows;
    app.first = std::min(app.first, flow.start);
    app.last = std::max(app.last, flow.start);
    app.free = app.free && !flow.after.valid() && flow.phase == 0 && flow.bytes != kEndless;
    app.seconds_alone +=
        static_cast<double>(flow.bytes) * on_wire / rate_of(topology_.host_port(flow.source));
  }
  for (const ArrivingLoad& load : workload_.arriving) apps[load.app.index].free = false;  // counted as configured
  for (std::uint32_t f = 0; f < workload_.flows.size(); ++f) {
    const Flow& flow = workload_.flows[{f}];
    const ListedFlows& app = apps[flow.app.index];
    if (app.make_a_rate())
      add({flow.source, flow.destination, static_cast<double>(flow.bytes) * on_wire / app.span()});
  }
}

}  // namespace weir
