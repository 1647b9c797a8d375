#include "run/offered_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <vector>

#include "measure/flows/flow_ways.h"
#include "network/hops.h"
#include "network/topologies/tree_levels.h"
#include "run/demands.h"

namespace weir {
namespace {

constexpr double kOverload = 1.01;        // less is within what a sample tells
constexpr double kStandsOut = 1.05;       // times as much as its level on average
constexpr double kDrawnOtherwise = 1.25;  // times as much, or as little
constexpr double kOtherSizes = 0.1;       // away from the mean size: worth a word

std::string with_consequence(const std::string& overload) {
  return overload + ". Queues will grow as long as it lasts, with every scheme";
}

// The links between switches, in sets that carry together what is asked of them. A link may be in several.
class LinkSets {
 public:
  LinkSets(const Topology& topology, bool fixed_routes)
      : topology_(topology), fixed_routes_(fixed_routes), sets_of_(topology.ports()) {
    if (topology.has_levels()) {
      for (std::uint32_t s = 0; s < topology.switches(); ++s)
        level_.push_back(topology.level(topology.node(SwitchId{s})));
    } else if (const TreeLevels tree = tree_levels(topology); tree.is_tree) {
      level_.assign(tree.level.begin(), tree.level.end());
    }
    for (std::uint32_t p = 0; p < topology.ports(); ++p) {
      if (!topology.to({p}).valid()) continue;
      for (const Key& key : keys_of({p})) sets_of_[p].push_back(with_capacity(key, {p}));
      if (level_.empty()) add_capacity_of_ends({p});
    }
  }

  void add(PortId port, double rate) {
    for (const std::uint32_t set : sets_of_[port.index]) sets_[set].asked += rate;
  }
  // From hosts of one switch to those of another one: on any way it leaves the one and comes into the other.
  void add_between(SwitchId from, SwitchId to, double rate) {
    if (!level_.empty() || from == to) return;
    for (const Key& key : {Key{Kind::out_of, from.index}, Key{Kind::into, 0, to.index}})
      if (const auto found = numbers_.find(key); found != numbers_.end()) sets_[found->second].asked += rate;
  }

  // Of the set that is asked for most, against what it carries; of a whole level where none of its switches stands out.
  std::string overload() const {
    const auto rank = [](const Set& set) { return set.load() * (set.key.kind == Kind::level ? kStandsOut : 1); };
    const auto worst = std::max_element(sets_.begin(), sets_.end(),
                                        [&](const Set& a, const Set& b) { return rank(a) < rank(b); });
    if (worst == sets_.end() || worst->load() < kOverload) return "";
    return with_consequence(fmt::format("this traffic needs {:.0f} % of the total capacity of {}", 100 * worst->load(),
                                        name_of(worst->key)));
  }

 private:
  enum class Kind { all, level, up_from, down_to, pair, out_of, into };
  struct Key {
    Kind kind;
    std::uint32_t from = 0, to = 0;  // switches, or levels
    auto operator<=>(const Key&) const = default;
  };
  struct Set {
    Key key;
    double capacity = 0, asked = 0;
    double load() const { return asked / capacity; }
  };

  std::uint32_t with_capacity(const Key& key, PortId port) {
    const auto [at, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(sets_.size()));
    if (fresh) sets_.push_back({key});
    sets_[at->second].capacity += topology_.link(port).rate.bytes_per_second();
    return at->second;
  }
  void add_capacity_of_ends(PortId port) {
    const NodeId from = topology_.node_of(port), to = topology_.node_of(topology_.to(port));
    if (topology_.is_host(from) || topology_.is_host(to) || from == to) return;
    with_capacity({Kind::out_of, topology_.switch_of(from).index}, port);
    with_capacity({Kind::into, 0, topology_.switch_of(to).index}, port);
  }

  // None for a link to a host, and for one that passes no or several levels.
  std::vector<Key> keys_of(PortId port) const {
    const NodeId from = topology_.node_of(port), to = topology_.node_of(topology_.to(port));
    if (topology_.is_host(from) || topology_.is_host(to)) return {};
    const std::uint32_t a = topology_.switch_of(from).index, b = topology_.switch_of(to).index;
    if (level_.empty() && !fixed_routes_) return {{Kind::all}};
    if (level_.empty()) return {{Kind::pair, a, b}};
    const int low = level_[a], high = level_[b];
    if (std::abs(low - high) != 1) return {};
    const Key level{Kind::level, static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high)};
    return {level, low < high ? Key{Kind::up_from, a} : Key{Kind::down_to, 0, b}};
  }

  std::string name_of(const Key& key) const {
    const auto name = [&](std::uint32_t s) { return topology_.name(topology_.node(SwitchId{s})); };
    switch (key.kind) {
      case Kind::all: break;
      case Kind::level: return fmt::format("the links from level {} to level {}", key.from, key.to);
      case Kind::up_from: return "the links up from " + name(key.from);
      case Kind::down_to: return "the links down to " + name(key.to);
      case Kind::out_of: return fmt::format("the links from {} to other switches", name(key.from));
      case Kind::into: return fmt::format("the links from other switches to {}", name(key.to));
      case Kind::pair: return fmt::format("the links from {} to {}", name(key.from), name(key.to));
    }
    return "the links between switches";
  }

  const Topology& topology_;
  bool fixed_routes_;
  std::vector<int> level_;  // by switch; empty: there are none
  std::vector<Set> sets_;
  std::map<Key, std::uint32_t> numbers_;  // of the sets
  std::vector<std::vector<std::uint32_t>> sets_of_;  // by port
};

// "the traffic asks H0 to receive 178 % of what its link carries", "the traffic asks 3 hosts to send more than they
// can; the worst is H0, with 120 % of what its link carries"
template <class Share, class Limit>
std::string overload_of_hosts(const Topology& topology, std::string_view what, const Share& share,
                              const Limit& limit) {
  std::size_t over = 0;
  HostId worst;
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    if (share({h}) < kOverload) continue;
    ++over;
    if (!worst.valid() || share({h}) > share(worst)) worst = {h};
  }
  if (over == 0) return "";
  const std::string name = topology.name(topology.node(worst));
  const std::string part = fmt::format("{:.0f} % of what its {}", 100 * share(worst), limit(worst));
  return with_consequence(
      over == 1 ? fmt::format("the traffic asks {} to {} {}", name, what, part)
                : fmt::format("the traffic asks {} hosts to {} more than they can; the worst is {}, with {}", over,
                              what, name, part));
}

}  // namespace

std::vector<std::string> overloads(const OfferedLoad& offered) {
  const Topology& topology = offered.network.topology;
  const RouteTable& routes = offered.network.routes;
  const Demands demands(topology, offered.workload, offered.config);
  if (demands.none()) return {};
  LinkSets sets(topology, offered.config.switches.choice->fixed());
  FlowWays ways(topology, routes);
  const auto switch_at = [&](HostId host) { return next_switch(topology, topology.host_port(host)); };
  demands.each([&](HostId source, HostId destination, double rate) {
    sets.add_between(switch_at(source), switch_at(destination), rate);
    ways.each_link({0}, source, destination, [&](PortId port) {
      if (port.valid()) sets.add(port, rate);
      return port.valid();
    });
  });
  std::vector<std::string> said{
      overload_of_hosts(topology, "send", [&](HostId h) { return demands.sent_share(h); },
                        [](HostId) { return "link carries"; }),
      overload_of_hosts(topology, "receive", [&](HostId h) { return demands.asked_share(h); },
                        [&](HostId h) {
                          return demands.slow_receiver(h) ? "adapter takes in (adapter.receive_rate)" : "link carries";
                        }),
      sets.overload()};
  std::erase(said, "");
  return said;
}

std::vector<std::string> drawn_otherwise(const Workload& workload, const PacketFormat& format) {
  struct Drawn {
    std::size_t flows = 0;
    double bytes = 0;
  };
  std::vector<Drawn> drawn(workload.apps);
  for (std::uint32_t f = 0; f < workload.flows.size(); ++f) {
    const Flow& flow = workload.flows[{f}];
    ++drawn[flow.app.index].flows;
    drawn[flow.app.index].bytes += static_cast<double>(flow.bytes) * bytes_on_wire_per_byte(format);
  }
  std::vector<std::string> said;
  for (const ArrivingLoad& load : workload.arriving) {
    const auto& [flows, bytes] = drawn[load.app.index];
    const double per_second = load.bytes_per_second();
    if (load.counted || per_second <= 0) continue;
    const double share = bytes / (per_second * load.seconds);
    if (share < kDrawnOtherwise && share * kDrawnOtherwise > 1) continue;
    const std::size_t events = flows / load.flows_each;
    const double size_share = events > 0 ? share * load.expected / static_cast<double>(events) : 1;
    const std::string sizes = std::abs(size_share - 1) < kOtherSizes
                                  ? ""
                                  : fmt::format(", and their mean size is {:.0f} % of the expected one",
                                                100 * size_share);
    said.push_back(fmt::format("with this seed, traffic \"{}\" offers {:.0f} % of its configured load: {} {}s were "
                               "drawn ({:.1f} expected){}. With a later `stop`, the load comes closer to the "
                               "configured one",
                               workload.app_names[load.app.index], 100 * share, events, load.what, load.expected,
                               sizes));
  }
  return said;
}

}  // namespace weir
