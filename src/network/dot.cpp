// A topology as Graphviz text. Parallel cables of one rate become one edge with a count, so that pictures stay
// readable.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "network/hops.h"
#include "network/network.h"
#include "scenario/quantity.h"

namespace weir {

namespace {

std::string quoted_name(const std::string& name) {
  std::string result = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// Nodes of one level on one line of the picture; graphs and tori have no levels.
std::string levels(const Topology& t) {
  std::map<int, std::string> names;
  for (std::uint32_t n = 0; n < t.nodes(); ++n) names[t.level({n})] += " " + quoted_name(t.name({n})) + ";";
  std::string text;
  for (const auto& [level, list] : names) text += "  { rank=same;" + list + " }\n";
  return text;
}

}  // namespace

std::string to_dot(const Topology& topology) {
  const bool directed = !is_full_duplex(topology);
  std::string text = directed ? "digraph weir {\n  rankdir=LR;\n" : "graph weir {\n  rankdir=BT;\n";
  text += "  node [shape=box];\n";
  for (std::uint32_t h = 0; h < topology.hosts(); ++h)
    text += "  " + quoted_name(topology.name(topology.node(HostId{h}))) + " [shape=ellipse];\n";
  for (std::uint32_t s = 0; s < topology.switches(); ++s)
    text += "  " + quoted_name(topology.name(topology.node(SwitchId{s}))) + ";\n";
  if (topology.has_levels()) text += levels(topology);

  std::map<std::tuple<NodeId, NodeId, Rate>, int> cables;
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    const PortId to = topology.to({p});
    if (!to.valid() || (!directed && to.index < p)) continue;
    ++cables[{topology.node_of({p}), topology.node_of(to), topology.link({p}).rate}];
  }
  std::set<Rate> rates;
  for (const auto& [key, count] : cables) rates.insert(std::get<Rate>(key));
  for (const auto& [key, count] : cables) {
    const auto& [from, to, rate] = key;
    std::string label = count > 1 ? "x" + std::to_string(count) : "";
    if (rates.size() > 1) label += (label.empty() ? "" : " ") + to_text(rate);
    text += "  " + quoted_name(topology.name(from)) + (directed ? " -> " : " -- ") + quoted_name(topology.name(to));
    text += label.empty() ? ";\n" : " [label=" + quoted_name(label) + "];\n";
  }
  return text + "}\n";
}

}  // namespace weir
