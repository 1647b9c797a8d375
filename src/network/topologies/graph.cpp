// Any graph of hosts and switches. Ports may carry the labels of their source ("S1:15"); cables without labels take the
// next free number from 1. The local order of a switch's ports follows the labels, so "lowest port wins" means what an
// operator reads on the switch. Every mistake is reported at the row that made it.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"
#include "scenario/quantity.h"

namespace weir {

namespace {

constexpr std::uint32_t kHighestLabel = 1'000'000;

struct GraphNode {
  bool is_host = false;
  std::uint32_t index = 0;
  std::uint32_t most_ports = 0;  // 0 = no limit
  std::set<std::uint32_t> labels;
  std::uint32_t next_free = 1;
};

// One end of a single cable, before local port numbers are known.
struct Plug {
  GraphNode* node = nullptr;
  std::uint32_t label = 0;
};

struct Wire {
  Plug a, b;
  LinkProperties link;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(const GraphSpec& spec) : spec_(spec) {}

  Topology build() {
    for (const GraphHost& h : spec_.hosts) add_node(h.name, h.where, {true, hosts_++, 1, {}, 1});
    for (const GraphSwitch& s : spec_.switches) add_node(s.name, s.where, {false, switches_++, s.ports, {}, 1});
    for (const GraphCable& cable : spec_.cables) check_ends(cable);
    claim_given_labels();
    claim_free_labels();
    return connect();
  }

 private:
  void add_node(const std::string& name, const SourcePosition& where, GraphNode node) {
    if (name.empty()) throw InputError(where, "a node needs a name");
    if (!nodes_.emplace(name, std::move(node)).second)
      throw InputError(where, "there is already a node named " + name + "; names of hosts and switches must differ");
  }

  GraphNode& find(const std::string& name, const SourcePosition& where) {
    const auto place = nodes_.find(name);
    if (place != nodes_.end()) return place->second;
    std::string known;
    for (const auto& [other, node] : nodes_) {
      if (known.size() > 60) {
        known += ", ...";
        break;
      }
      known += (known.empty() ? "" : ", ") + other;
    }
    throw InputError(where, "unknown node " + name + "; the nodes are " + (known.empty() ? "none" : known));
  }

  void check_ends(const GraphCable& cable) {
    const GraphNode& a = find(cable.a.node, cable.where);
    const GraphNode& b = find(cable.b.node, cable.where);
    if (cable.count == 0 || cable.count > kMostParallel)
      throw InputError(cable.where, "a link has 1 to " + std::to_string(kMostParallel) + " parallel cables, not " +
                                        std::to_string(cable.count));
    for (const GraphEnd& end : {cable.a, cable.b}) {
      if (end.has_label && end.label > kHighestLabel)
        throw InputError(cable.where, "port numbers go up to " + std::to_string(kHighestLabel) + ", not " +
                                          std::to_string(end.label));
    }
    if (cable.link.rate.bits_per_second <= 0) throw InputError(cable.where, "the rate of a link must be above 0");
    if (cable.link.delay < Time{}) throw InputError(cable.where, "the delay of a link cannot be negative");
    if (a.is_host && &a == &b) throw InputError(cable.where, "host " + cable.a.node + " is connected to itself");
    if (a.is_host && b.is_host)
      throw InputError(cable.where, "hosts " + cable.a.node + " and " + cable.b.node +
                                        " are connected to each other; a host is connected to a switch");
    if ((a.is_host || b.is_host) && cable.count > 1)
      throw InputError(cable.where, "host " + (a.is_host ? cable.a.node : cable.b.node) + " has one port, not " +
                                        std::to_string(cable.count));
    wires_.resize(wires_.size() + cable.count);
  }

  void claim(GraphNode& node, const std::string& name, std::uint32_t label, const SourcePosition& where) {
    if (node.is_host && !node.labels.empty())
      throw InputError(where, "host " + name + " is connected twice; a host has one port");
    if (!node.labels.insert(label).second)
      throw InputError(where, "port " + name + ":" + std::to_string(label) + " is used twice");
    if (!node.is_host && node.most_ports > 0 && label > node.most_ports)
      throw InputError(where, "switch " + name + " has " + std::to_string(node.most_ports) + " ports; port " +
                                  std::to_string(label) + " does not exist");
  }

  // Labels that the source gives are taken before any free number is handed out.
  void claim_given_labels() {
    std::size_t next = 0;
    for (const GraphCable& cable : spec_.cables) {
      for (std::uint32_t i = 0; i < cable.count; ++i) {
        Wire& wire = wires_[next++];
        wire.link = cable.link;
        wire.a.node = &find(cable.a.node, cable.where);
        wire.b.node = &find(cable.b.node, cable.where);
        if (cable.a.has_label) claim(*wire.a.node, cable.a.node, wire.a.label = cable.a.label + i, cable.where);
        if (cable.b.has_label) claim(*wire.b.node, cable.b.node, wire.b.label = cable.b.label + i, cable.where);
      }
    }
  }

  void claim_free_labels() {
    std::size_t next = 0;
    for (const GraphCable& cable : spec_.cables) {
      for (std::uint32_t i = 0; i < cable.count; ++i) {
        Wire& wire = wires_[next++];
        if (!cable.a.has_label) claim_free(wire.a, cable.a.node, cable.where);
        if (!cable.b.has_label) claim_free(wire.b, cable.b.node, cable.where);
      }
    }
  }

  void claim_free(Plug& plug, const std::string& name, const SourcePosition& where) {
    GraphNode& node = *plug.node;
    while (node.labels.contains(node.next_free)) ++node.next_free;
    plug.label = node.next_free;
    if (!node.is_host && node.most_ports > 0 && plug.label > node.most_ports)
      throw InputError(where, "switch " + name + " has only " + std::to_string(node.most_ports) + " ports, all in use");
    claim(node, name, plug.label, where);
  }

  TopologyBuilder::End end(const Plug& plug) const {
    if (plug.node->is_host) return TopologyBuilder::at(HostId{plug.node->index});
    const auto& order = local_[plug.node->index];
    return TopologyBuilder::at(SwitchId{plug.node->index}, order.at(plug.label));
  }

  Topology connect() {
    TopologyBuilder builder;
    for (const GraphHost& host : spec_.hosts) {
      if (nodes_.at(host.name).labels.empty())
        throw InputError(host.where, "host " + host.name + " is not connected; links need a row with it and a switch");
      builder.add_host(host.name);
    }
    for (const GraphSwitch& s : spec_.switches) {
      const GraphNode& node = nodes_.at(s.name);
      auto& order = local_.emplace_back();
      for (std::uint32_t label : node.labels) order.emplace(label, static_cast<std::uint32_t>(order.size()));
      builder.add_switch(s.name, static_cast<std::uint32_t>(order.size()), 0, node.index);
    }
    for (const Wire& wire : wires_) builder.connect(end(wire.a), end(wire.b), wire.link);
    for (const Wire& wire : wires_) {
      builder.set_label(end(wire.a), wire.a.label);
      builder.set_label(end(wire.b), wire.b.label);
    }
    identify(builder);
    return std::move(builder).build();
  }

  void identify(TopologyBuilder& builder) const {
    const auto known = [](const NodeIdentity& i) { return i.guid != 0 || i.port_guid != 0 || i.lid != 0; };
    for (std::uint32_t h = 0; h < spec_.hosts.size(); ++h)
      if (known(spec_.hosts[h].identity)) builder.set_identity(TopologyBuilder::at(HostId{h}), spec_.hosts[h].identity);
    for (std::uint32_t s = 0; s < spec_.switches.size(); ++s)
      if (known(spec_.switches[s].identity) && !local_[s].empty())
        builder.set_identity(TopologyBuilder::at(SwitchId{s}, 0), spec_.switches[s].identity);
  }

  const GraphSpec& spec_;
  std::map<std::string, GraphNode> nodes_;
  std::vector<Wire> wires_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> local_;  // per switch: label -> local port
  std::uint32_t hosts_ = 0, switches_ = 0;
};

}  // namespace

Topology graph(const GraphSpec& spec) {
  if (spec.hosts.empty()) throw InputError("a graph needs at least one host");
  return GraphBuilder(spec).build();
}

namespace {

constexpr ParamSpec kGraphParams[] = {
    {"hosts", ParamType::texts, kRequired, "names of the hosts"},
    {"switches", ParamType::texts, kRequired, "names of the switches; \"S1:36\" allows 36 ports at most"},
    {"links", ParamType::rows, kRequired,
     "one row per link: both ends, each with a port number if wanted (\"S1:15\"), then optionally a rate, a delay and "
     "a number of parallel links (\"x3\"), in any order"},
};

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

SourcePosition place_of(const Value& value, std::size_t item) {
  return item < value.row_positions.size() ? value.row_positions[item] : value.where;
}

class GraphReader {
 public:
  GraphReader(const Section& section, const Cables& cables) : section_(section), cables_(cables) {}

  GraphSpec read() {
    const Value& hosts = section_.at("hosts");
    for (std::size_t i = 0; i < hosts.texts.size(); ++i) spec_.hosts.push_back({hosts.texts[i], place_of(hosts, i)});
    const Value& switches = section_.at("switches");
    for (std::size_t i = 0; i < switches.texts.size(); ++i) read_switch(switches.texts[i], place_of(switches, i));
    for (const GraphHost& host : spec_.hosts) hosts_.insert(host.name);
    for (const GraphSwitch& s : spec_.switches) switches_.insert(s.name);
    const Value& links = section_.at("links");
    for (std::size_t i = 0; i < links.rows.size(); ++i) read_cable(links.rows[i], place_of(links, i));
    return std::move(spec_);
  }

 private:
  void read_switch(const std::string& text, const SourcePosition& where) {
    const std::size_t colon = text.rfind(':');
    const auto ports =
        colon == std::string::npos ? std::nullopt : whole_number(std::string_view(text).substr(colon + 1));
    if (ports && *ports == 0) throw InputError(where, "switch " + text + " allows no ports; write a number above 0");
    if (ports) spec_.switches.push_back({text.substr(0, colon), *ports, where});
    else spec_.switches.push_back({text, 0, where});
  }

  // A colon may be part of a name, so the whole text is tried first.
  GraphEnd read_end(const std::string& text) const {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || hosts_.contains(text) || switches_.contains(text)) return {text};
    const auto label = whole_number(std::string_view(text).substr(colon + 1));
    if (!label) return {text};
    return {text.substr(0, colon), true, *label};
  }

  void read_cable(const std::vector<std::string>& row, const SourcePosition& where) {
    if (row.size() < 2)
      throw InputError(where,
                       "a link needs two ends, as in [\"H1\", \"S1\"] or [\"S1:15\", \"S2:20\", \"32Gbps\", \"10ns\"]");
    GraphCable cable{read_end(row[0]), read_end(row[1]), cables_.fabric, 1, where};
    if (hosts_.contains(cable.a.node) || hosts_.contains(cable.b.node)) cable.link = cables_.host;
    std::set<Word> seen;
    for (std::size_t i = 2; i < row.size(); ++i) {
      const Word word = kind_of(row[i]);
      if (!seen.insert(word).second)
        throw InputError(where, "the link has two " + std::string(plural(word)) + "; write one");
      try {
        apply(word, row[i], cable);
      } catch (const InputError& e) {
        throw InputError(where, std::string(e.what()) + " (a link takes a rate, a delay and a count such as \"x3\")");
      }
    }
    spec_.cables.push_back(std::move(cable));
  }

  enum class Word { rate, delay, count };
  static Word kind_of(std::string_view text) {
    if (text.starts_with('x') && whole_number(text.substr(1))) return Word::count;
    return text.ends_with("bps") || text.ends_with("/s") ? Word::rate : Word::delay;
  }
  static const char* plural(Word word) {
    return word == Word::rate ? "rates" : word == Word::delay ? "delays" : "counts";
  }
  static void apply(Word word, std::string_view text, GraphCable& cable) {
    switch (word) {
      case Word::rate: cable.link.rate = parse_rate(text); break;
      case Word::delay: cable.link.delay = parse_time(text); break;
      case Word::count: cable.count = *whole_number(text.substr(1)); break;
    }
  }

  const Section& section_;
  Cables cables_;
  GraphSpec spec_;
  std::set<std::string> hosts_, switches_;
};

// "x3" among the words behind a link's ends.
double parallel(const std::vector<std::string>& row) {
  for (std::size_t i = 2; i < row.size(); ++i)
    if (row[i].starts_with('x'))
      return std::clamp(std::strtod(row[i].c_str() + 1, nullptr), 1.0, double{kMostParallel});
  return 1;
}

FabricSize size_of_graph(const Section& s) {
  double cables = 0;
  for (const std::vector<std::string>& row : s.at("links").rows) cables += parallel(row);
  return {s.at("hosts").texts.size(), s.at("switches").texts.size(), counted(2 * cables), counted(cables)};
}

}  // namespace

extern const TopologyKind graph_topology{
    {"graph", "any graph, with parallel links and mixed speeds", kGraphParams,
     "[topology]\nkind = \"graph\"\nhosts = [\"H1\", \"H2\"]\nswitches = [\"S1\", \"S2:36\"]\n"
     "links = [[\"H1\", \"S1\"], [\"H2\", \"S2\"], [\"S1:15\", \"S2:20\", \"32Gbps\", \"10ns\"], "
     "[\"S1\", \"S2\", \"x2\"]]\n"},
    [](const TopologyRequest& r) { return graph(GraphReader(r.section, r.cables).read()); },
    size_of_graph};

}  // namespace weir
