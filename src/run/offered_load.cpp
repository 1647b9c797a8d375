#include "run/offered_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "measure/flows/flow_ways.h"
#include "network/topologies/tree_levels.h"

namespace weir {
namespace {

constexpr double kOverload = 1.01;            // less is within what a sample tells
constexpr std::size_t kMostPairs = 1 << 16;   // of sources and destinations drawn at random; more are sampled
constexpr std::size_t kFewestFlows = 30;      // of one entry, from which on their arrivals make a rate
constexpr double kArrivalsPerFlow = 4;        // the arrivals last so many times as long as a flow takes, at least

// From one host to another, in wire bytes per second.
struct Demand {
  HostId source, destination;
  double rate;
};

class Demands {
 public:
  Demands(const Topology& topology, const Workload& workload, const PacketFormat& format)
      : topology_(topology), workload_(workload), format_(format), sent_(topology.hosts(), 0.0),
        asked_(topology.hosts(), 0.0) {
    add_sources();
    add_flows();
  }

  bool none() const { return list_.empty(); }

  // What can leave the source and enter the destination.
  template <class Visit>
  void each(const Visit& visit) const {
    for (const Demand& demand : list_) {
      const PortId port = topology_.host_port(demand.source);
      const PortId last = topology_.from(topology_.host_port(demand.destination));
      visit(demand.source, demand.destination,
            demand.rate * std::min(1.0, rate_of(port) / sent_[demand.source.index]) *
                std::min(1.0, rate_of(last) / asked_[demand.destination.index]));
    }
  }

 private:
  double rate_of(PortId port) const { return topology_.link(port).rate.bytes_per_second(); }

  bool lasts(const Source& source) const {
    const Activity& activity = workload_.groups[source.group].activity;
    return activity.stop == kNever && activity.after_received == 0 && std::isfinite(source.packets_per_second) &&
           source.packets == std::numeric_limits<std::uint64_t>::max();
  }

  double wire_rate(const Source& source) const {
    double size = static_cast<double>(format_.header);
    for (const SizeShare& s : workload_.groups[source.group].sizes) size += static_cast<double>(s.payload) * s.share;
    return source.packets_per_second * size;
  }

  void add_sources() {
    std::vector<HostId> all(topology_.hosts());
    for (std::uint32_t h = 0; h < all.size(); ++h) all[h] = {h};
    const std::size_t sources = std::max<std::size_t>(1, workload_.sources.size());
    RandomStream random(1, Purpose::routing, 0);
    std::vector<double> uniform(workload_.groups.size(), 0.0);  // that all sources of a group send together
    for (const Source& source : workload_.sources) {
      if (!lasts(source)) continue;
      const SourceGroup& group = workload_.groups[source.group];
      const double rate = wire_rate(source);
      if (group.rule != DestinationRule::uniform) {
        const HostId to = group.targets[group.rule == DestinationRule::fixed ? 0 : source.host.index];
        if (to.valid()) add({source.host, to, rate});
        continue;
      }
      const std::vector<HostId>& targets = group.targets.empty() ? all : group.targets;
      uniform[source.group] += rate;
      const std::size_t most = std::max<std::size_t>(1, kMostPairs / sources);
      const bool sampled = targets.size() > most;
      const std::size_t count = sampled ? most : targets.size();
      const bool draws_others = !group.include_self && targets.size() > 1;
      const auto all_targets = static_cast<double>(targets.size());
      const double each = rate * (draws_others ? all_targets / (all_targets - 1) : 1) / static_cast<double>(count);
      sent_[source.host.index] += rate;
      for (std::size_t i = 0; i < count; ++i) {
        const HostId to = targets[sampled ? random.below(targets.size()) : i];
        if (to != source.host) list_.push_back({source.host, to, each});
      }
    }
    for (std::size_t g = 0; g < uniform.size(); ++g) {
      if (uniform[g] <= 0) continue;
      const std::vector<HostId>& targets = workload_.groups[g].targets.empty() ? all : workload_.groups[g].targets;
      for (const HostId to : targets) asked_[to.index] += uniform[g] / static_cast<double>(targets.size());
    }
  }

  void add(const Demand& demand) {
    if (demand.source == demand.destination || demand.rate <= 0) return;
    sent_[demand.source.index] += demand.rate;
    asked_[demand.destination.index] += demand.rate;
    list_.push_back(demand);
  }

  // Flows of one entry of [[traffic]] that nothing else releases.
  struct Arriving {
    std::size_t flows = 0;
    Time first = kNever, last;
    double seconds_alone = 0;  // at the rate of their hosts, of all together
    bool free = true;

    double span() const { return (last - first).seconds(); }
    bool make_a_rate() const {
      return free && flows >= kFewestFlows &&
             span() >= kArrivalsPerFlow * seconds_alone / static_cast<double>(flows);
    }
  };

  void add_flows() {
    if (!workload_.dependencies.empty()) return;
    const double payload = static_cast<double>(format_.payloads.empty() ? 1 : format_.payloads[0].payload);
    const double with_headers = (payload + static_cast<double>(format_.header)) / payload;
    std::vector<Arriving> apps(workload_.apps);
    for (std::uint32_t f = 0; f < workload_.flows.size(); ++f) {
      const Flow& flow = workload_.flows[{f}];
      Arriving& app = apps[flow.app.index];
      ++app.flows;
      app.first = std::min(app.first, flow.start);
      app.last = std::max(app.last, flow.start);
      app.free = app.free && !flow.after.valid() && flow.phase == 0 && flow.bytes != kEndless;
      app.seconds_alone +=
          static_cast<double>(flow.bytes) * with_headers / rate_of(topology_.host_port(flow.source));
    }
    for (std::uint32_t f = 0; f < workload_.flows.size(); ++f) {
      const Flow& flow = workload_.flows[{f}];
      const Arriving& app = apps[flow.app.index];
      if (app.make_a_rate())
        add({flow.source, flow.destination, static_cast<double>(flow.bytes) * with_headers / app.span()});
    }
  }

  const Topology& topology_;
  const Workload& workload_;
  const PacketFormat& format_;
  std::vector<double> sent_, asked_;  // by host
  std::vector<Demand> list_;
};

// The links between switches, in sets: up and down between two neighbouring levels; all of them where there are none.
class LinkSets {
 public:
  explicit LinkSets(const Topology& topology) : topology_(topology) {
    if (topology.has_levels()) {
      for (std::uint32_t s = 0; s < topology.switches(); ++s)
        level_.push_back(topology.level(topology.node(SwitchId{s})));
    } else if (const TreeLevels tree = tree_levels(topology); tree.is_tree) {
      level_.assign(tree.level.begin(), tree.level.end());
    }
    const int levels = level_.empty() ? 0 : 1 + *std::max_element(level_.begin(), level_.end());
    sets_.resize(static_cast<std::size_t>(std::max(1, 2 * levels)));
    for (std::uint32_t p = 0; p < topology.ports(); ++p)
      if (topology.to({p}).valid() && !topology.is_host(topology.node_of({p})))
        if (Set* set = set_of({p})) set->capacity += topology.link({p}).rate.bytes_per_second();
  }

  void add(PortId port, double rate) {
    if (Set* set = set_of(port)) set->asked += rate;
  }

  // Of the set that is asked for most, against what it carries.
  std::string overload() const {
    const auto worst = std::max_element(sets_.begin(), sets_.end(),
                                        [](const Set& a, const Set& b) { return a.load() < b.load(); });
    if (worst->load() < kOverload) return "";
    const auto at = static_cast<int>(worst - sets_.begin());
    const std::string links = level_.empty()
                                  ? "the links between switches"
                                  : fmt::format("the links from level {} to level {}", at / 2 + at % 2,
                                                at / 2 + 1 - at % 2);
    return fmt::format("this traffic needs {:.0f} % of the total capacity of {}. Queues will grow as long as it lasts, "
                       "with every scheme",
                       100 * worst->load(), links);
  }

 private:
  struct Set {
    double capacity = 0, asked = 0;
    double load() const { return capacity > 0 ? asked / capacity : 0; }
  };

  // Null for a link to a host, and for one that passes no or several levels.
  Set* set_of(PortId port) {
    const NodeId from = topology_.node_of(port), to = topology_.node_of(topology_.to(port));
    if (topology_.is_host(from) || topology_.is_host(to)) return nullptr;
    if (level_.empty()) return &sets_[0];
    const int a = level_[topology_.switch_of(from).index], b = level_[topology_.switch_of(to).index];
    if (std::abs(a - b) != 1) return nullptr;
    return &sets_[static_cast<std::size_t>(2 * std::min(a, b) + (a < b ? 0 : 1))];
  }

  const Topology& topology_;
  std::vector<int> level_;  // by switch; empty: there are none
  std::vector<Set> sets_;   // up from level 0, down to it, up from level 1, ...
};

}  // namespace

std::string overload_between_switches(const Network& network, const Workload& workload, const PacketFormat& format) {
  const Demands demands(network.topology, workload, format);
  if (demands.none()) return "";
  LinkSets sets(network.topology);
  FlowWays ways(network.topology, network.routes);
  demands.each([&](HostId source, HostId destination, double rate) {
    ways.each_link({0}, source, destination, [&](PortId port) {
      if (port.valid()) sets.add(port, rate);
      return port.valid();
    });
  });
  return sets.overload();
}

}  // namespace weir
