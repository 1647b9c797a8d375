// From a fabric to the tables that routing and simulation work on.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "network/fabric/fabric.h"
#include "network/fabric/identities.h"
#include "network/topologies/topologies.h"

namespace weir {

namespace {

constexpr std::size_t kNamesInRemark = 4;

// Dumps of subnets that are not configured have 0 or 65535 in this place.
std::uint32_t valid_lid(std::uint32_t lid) { return lid <= kLastUnicastLid ? lid : 0; }

// Like things in one remark: how many, and the first few by name.
class Listing {
 public:
  explicit Listing(std::string what) : what_(std::move(what)) {}
  void add(const std::string& name) {
    if (++count_ <= kNamesInRemark) names_ += (names_.empty() ? "" : ", ") + name;
  }
  void report(std::vector<std::string>& remarks) const {
    if (count_ == 0) return;
    remarks.push_back(what_ + ": " + std::to_string(count_) + " (" + names_ + (count_ > kNamesInRemark ? ", ..." : "") +
                      ")");
  }

 private:
  std::string what_, names_;
  std::size_t count_ = 0;
};

class Importer {
 public:
  Importer(const Fabric& fabric, const Cables& links)
      : f_(fabric), links_(links), names_(distinct_names(fabric)), root_(fabric.nodes.size()) {
    std::iota(root_.begin(), root_.end(), 0u);
  }

  ImportedFabric run() {
    result_.remarks = f_.remarks;
    sort_out_cables();
    choose_island();
    name_hosts();
    GraphSpec spec = nodes();
    for (const FabricCable* cable : usable_) add_cable(*cable, spec);
    report_left_out_nodes();
    result_.topology = graph(spec);
    return std::move(result_);
  }

 private:
  struct Host {
    const FabricCable* cable;
    std::uint32_t node, port;          // of the adapter
    std::uint32_t at_switch, at_port;  // what it is connected to
    std::string name;
  };

  void leave_out(const Listing& listing) {
    listing.report(result_.remarks);
    listing.report(result_.left_out);
  }

  bool is_switch(std::uint32_t n) const { return f_.nodes[n].kind == FabricNode::Kind::fabric_switch; }
  bool is_host(std::uint32_t n) const {
    return f_.nodes[n].kind == FabricNode::Kind::adapter && !f_.nodes[n].is_aggregation;
  }
  std::string port_name(const FabricEnd& end) const { return names_[end.node] + ":" + std::to_string(end.port); }
  std::string cable_name(const FabricCable& cable) const { return port_name(cable.a) + " - " + port_name(cable.b); }

  std::uint32_t island(std::uint32_t n) {
    while (root_[n] != n) n = root_[n] = root_[root_[n]];
    return n;
  }

  void sort_out_cables() {
    Listing loops("loop-back cables, left out"), direct("cables between two adapters, left out");
    Listing aggregation("aggregation nodes, left out"), routers("routers, left out");
    for (const FabricCable& cable : f_.cables) {
      const std::uint32_t a = cable.a.node, b = cable.b.node;
      const auto either = [&](auto&& test) { return test(a) ? a : test(b) ? b : kNobody; };
      const std::uint32_t router = either([&](auto n) { return f_.nodes[n].kind == FabricNode::Kind::router; });
      const std::uint32_t aggregator = either([&](auto n) { return f_.nodes[n].is_aggregation; });
      if (a == b) loops.add(cable_name(cable));
      else if (router != kNobody) routers.add(names_[router] + " at " + cable_name(cable));
      else if (aggregator != kNobody) aggregation.add(names_[aggregator] + " at " + cable_name(cable));
      else if (!is_switch(a) && !is_switch(b)) direct.add(cable_name(cable));
      else use(cable);
    }
    for (const Listing* listing : {&loops, &direct, &aggregation, &routers}) leave_out(*listing);
  }

  void use(const FabricCable& cable) {
    usable_.push_back(&cable);
    root_[std::max(island(cable.a.node), island(cable.b.node))] = std::min(island(cable.a.node), island(cable.b.node));
    for (const auto& [mine, other] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      if (is_host(mine.node)) hosts_.push_back({&cable, mine.node, mine.port, other.node, other.port, ""});
    }
  }

  void choose_island() {
    std::vector<std::size_t> hosts(f_.nodes.size(), 0);
    for (const Host& host : hosts_) ++hosts[island(host.at_switch)];
    chosen_ = static_cast<std::uint32_t>(std::max_element(hosts.begin(), hosts.end()) - hosts.begin());
    if (f_.nodes.empty() || hosts[chosen_] == 0)
      throw InputError(SourcePosition{f_.file, 0, 0}, "no adapter is connected to a switch, so there is no host");
    const auto outside = [&](const auto& x) { return island(node_in(x)) != chosen_; };
    hosts_.erase(std::remove_if(hosts_.begin(), hosts_.end(), outside), hosts_.end());
    usable_.erase(std::remove_if(usable_.begin(), usable_.end(), outside), usable_.end());
  }
  static std::uint32_t node_in(const Host& host) { return host.node; }
  static std::uint32_t node_in(const FabricCable* cable) { return cable->a.node; }

  void name_hosts() {
    std::sort(hosts_.begin(), hosts_.end(), [](const Host& x, const Host& y) {
      return std::tuple(x.at_switch, x.at_port) < std::tuple(y.at_switch, y.at_port);
    });
    std::vector<std::uint32_t> ports(f_.nodes.size(), 0);
    for (const Host& host : hosts_) ++ports[host.node];
    std::set<std::string> used(names_.begin(), names_.end());
    Listing several("adapters with several connected ports (each port is a host of its own)");
    std::vector<bool> listed(f_.nodes.size(), false);
    for (Host& host : hosts_) {
      host.name = names_[host.node];
      if (ports[host.node] == 1) continue;
      if (!listed[host.node]) several.add(host.name);
      listed[host.node] = true;
      host.name += "/P" + std::to_string(host.port);
      while (!used.insert(host.name).second) host.name += "'";
    }
    several.report(result_.remarks);
  }

  GraphSpec nodes() {
    GraphSpec spec;
    for (const Host& host : hosts_) {
      const FabricEnd& end = host.cable->a.node == host.node && host.cable->a.port == host.port ? host.cable->a
                                                                                                : host.cable->b;
      spec.hosts.push_back(
          {host.name, f_.nodes[host.node].where, {f_.nodes[host.node].guid, end.guid, valid_lid(end.lid)}});
      host_names_.emplace(std::pair(host.node, host.port), host.name);
    }
    for (std::uint32_t n = 0; n < f_.nodes.size(); ++n) {
      if (is_switch(n) && island(n) == chosen_) {
        const FabricNode& node = f_.nodes[n];
        spec.switches.push_back({names_[n], 0, node.where, {node.guid, node.guid, valid_lid(node.lid)}});
      }
    }
    return spec;
  }

  GraphEnd end(const FabricEnd& e) const {
    if (is_host(e.node)) return {host_names_.at({e.node, e.port}), true, e.port};
    return {names_[e.node], true, e.port};
  }

  void add_cable(const FabricCable& cable, GraphSpec& spec) {
    const bool has_host = is_host(cable.a.node) || is_host(cable.b.node);
    LinkProperties link = has_host ? links_.host : links_.fabric;
    if (cable.speed) link.rate = cable.speed->rate();
    else if (cable.rate.bits_per_second > 0) link.rate = cable.rate;
    else {
      ++result_.unknown_speeds;
      ++result_.guessed[link.rate];
    }
    spec.cables.push_back({end(cable.a), end(cable.b), link, 1, cable.where});
  }

  void report_left_out_nodes() {
    Listing hosts("adapters without a cable to this network, left out"),
        switches("switches without a cable to it, left out");
    std::vector<bool> cabled(f_.nodes.size(), false);
    for (const FabricCable* cable : usable_) cabled[cable->a.node] = cabled[cable->b.node] = true;
    for (std::uint32_t n = 0; n < f_.nodes.size(); ++n) {
      if (is_switch(n) && island(n) != chosen_) switches.add(names_[n]);
      if (is_host(n) && !cabled[n]) hosts.add(names_[n]);
    }
    leave_out(hosts);
    leave_out(switches);
  }

  static constexpr std::uint32_t kNobody = 0xffff'ffff;
  const Fabric& f_;
  const Cables& links_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> root_;  // of the island that a node belongs to
  std::uint32_t chosen_ = 0;
  std::vector<const FabricCable*> usable_;
  std::vector<Host> hosts_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> host_names_;
  ImportedFabric result_;
};

}  // namespace

ImportedFabric to_topology(const Fabric& fabric, const Cables& links) { return Importer(fabric, links).run(); }

}  // namespace weir
