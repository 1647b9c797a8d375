// topology.txt of ns-3's HPCC and SimAI simulations: `nodes switches links`, or SimAI's `nodes gpus_per_server
// nvswitches switches links gpu_type`; the numbers of the switches; then a line for each cable: two nodes, rate, delay,
// error rate.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string>

#include "base/file_text.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_files.h"
#include "network/topologies/topology_kind.h"
#include "scenario/quantity.h"

namespace weir {

namespace {

class Ns3Reader {
 public:
  Ns3Reader(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  Ns3Fabric read() {
    read_header();
    is_switch_.assign(nodes_, false);
    for (std::uint64_t i = 0; i < switches_; ++i) {
      const std::uint32_t s = node();
      if (is_switch_[s]) refuse(fmt::format("switch {} is listed twice", s));
      is_switch_[s] = true;
    }
    cables_at_.assign(nodes_, 0);
    fastest_.assign(nodes_, Rate{0});
    for (std::uint64_t i = 0; i < links_; ++i) read_cable();
    // ns-3 stops here, and HPCC's own file goes on with an explanation.
    const bool goes_on = !next_word().empty();
    Ns3Fabric fabric = build();
    if (goes_on) fabric.unread_from = line_;
    return fabric;
  }

 private:
  struct Cable {
    std::uint32_t a, b, line;
    LinkProperties link;
  };

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(SourcePosition{file_, line_, 0}, what); }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string_view next_word() {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n';
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  std::uint64_t number(std::string_view word, std::string_view what) const {
    if (word.empty()) refuse(fmt::format("{} is missing: the file ends here, before its {} links", what, links_));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      refuse(fmt::format("{}: must be a whole number, not \"{}\"", what, word));
    return value;
  }
  std::uint32_t node() {
    const std::uint64_t n = number(next_word(), "node");
    if (n >= nodes_) refuse(fmt::format("there is no node {}; the nodes are 0 to {}", n, nodes_ - 1));
    return static_cast<std::uint32_t>(n);
  }

  void read_header() {
    std::vector<std::uint64_t> numbers;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    while (true) {
      while (at_ < end && is_blank(text_[at_])) ++at_;
      if (at_ >= end || numbers.size() == 5) break;  // behind SimAI's five numbers stands a name
      numbers.push_back(number(next_word(), "the first line"));
    }
    at_ = end;
    if (numbers.size() != 3 && numbers.size() != 5)
      refuse(
          "the first line has the numbers of nodes, switches and links, or SimAI's nodes, gpus_per_server, nvswitches, "
          "switches, links and gpu_type");
    nodes_ = numbers[0];
    switches_ = numbers.size() == 3 ? numbers[1] : numbers[2] + numbers[3];
    links_ = numbers.back();
    const std::uint64_t hosts = nodes_ - std::min(nodes_, switches_);
    if (links_ > text_.size() || switches_ > text_.size() || hosts > 2 * links_)
      refuse(
          fmt::format("{} nodes, {} of them switches, and {} links: the file is too short for that, or a host has no "
                      "cable",
                      nodes_, switches_, links_));
    if (nodes_ == 0 || nodes_ > kMostHosts || switches_ >= nodes_ || links_ > kMostPorts)
      refuse(
          fmt::format("{} nodes, {} of them switches, and {} links: there must be a host, and not more than {} nodes",
                      nodes_, switches_, links_, kMostHosts));
  }

  template <class Parse>
  auto quantity(std::string_view word, std::string_view what, Parse parse) const {
    try {
      return parse(word);
    } catch (const InputError& e) {
      refuse(fmt::format("{}: {}", what, e.what()));
    }
  }
  void read_cable() {
    const std::uint32_t a = node(), line = line_, b = node();
    if (a == b) refuse(fmt::format("node {} is connected to itself", a));
    LinkProperties link;
    link.rate = quantity(next_word(), "rate", [](std::string_view w) { return parse_rate(w); });
    link.delay = quantity(next_word(), "delay", [](std::string_view w) { return parse_time(w); });
    if (link.rate.bits_per_second <= 0) refuse("rate: must be above 0");
    if (link.delay < Time{}) refuse("delay: must not be negative");
    if (next_word().empty()) refuse("the error rate is missing at the end of the line");
    cables_.push_back({a, b, line, link});
    for (const std::uint32_t n : {a, b}) {
      ++cables_at_[n];
      fastest_[n] = std::max(fastest_[n], link.rate);
    }
  }

  std::string switch_name(std::uint32_t n) const { return fmt::format("S{}", n); }
  Ns3Fabric build() const {
    Ns3Fabric fabric;
    const auto where = [&](std::uint32_t line) { return SourcePosition{file_, line, 0}; };
    std::vector<std::string> end_of(nodes_);
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      const std::string host = fmt::format("H{}", n);
      const bool joins = is_switch_[n] || cables_at_[n] > 1;
      if (!is_switch_[n]) fabric.graph.hosts.push_back({host, where(1), {}});
      if (joins) fabric.graph.switches.push_back({switch_name(n), 0, where(1), {}});
      end_of[n] = joins ? switch_name(n) : host;
      if (!joins || is_switch_[n]) continue;
      ++fabric.hosts_with_several_cables;
      fabric.graph.cables.push_back({{host}, {switch_name(n)}, {fastest_[n], Time{}, 0}, 1, where(1)});
    }
    for (const Cable& c : cables_)
      fabric.graph.cables.push_back({{end_of[c.a]}, {end_of[c.b]}, c.link, 1, where(c.line)});
    return fabric;
  }

  std::string file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint64_t nodes_ = 0, switches_ = 0, links_ = 0;
  std::vector<bool> is_switch_;
  std::vector<std::uint32_t> cables_at_;
  std::vector<Rate> fastest_;
  std::vector<Cable> cables_;
};

Topology configure_ns3(const TopologyRequest& r) {
  for (const std::string_view key : {"rate", "delay", "host_rate", "host_delay"})
    if (r.link.given(key))
      r.link.refuse(key, fmt::format("`{}` has no effect here: the fabric file gives it for every cable", key));
  const std::string& path = r.section.text("path");
  const Ns3Fabric fabric = parse_ns3_fabric(path, read_text_file(path));
  if (fabric.hosts_with_several_cables > 0 && r.warnings != nullptr)
    r.warnings->push_back(
        fmt::format("{}: {} hosts have several cables; each has become a switch with a host at the rate of "
                    "its fastest cable",
                    path, fabric.hosts_with_several_cables));
  if (fabric.unread_from > 0 && r.warnings != nullptr)
    r.warnings->push_back(fmt::format("{}:{}: what follows the {} links of the first line is not read", path,
                                      fabric.unread_from, fabric.graph.cables.size()));
  return graph(fabric.graph);
}

// In the largest unit that leaves a whole number.
std::string in_unit(std::int64_t value, std::initializer_list<std::string_view> units) {
  auto unit = units.begin();
  for (; value != 0 && value % 1000 == 0 && unit + 1 != units.end(); ++unit) value /= 1000;
  return fmt::format("{}{}", value, *unit);
}

constexpr ParamSpec kNs3Params[] = {
    ParamSpec{"path", ParamType::file, kRequired, "topology.txt of an ns-3, HPCC or SimAI simulation"}.with_example(
        "topology.txt")};

}  // namespace

Ns3Fabric parse_ns3_fabric(const std::string& file, std::string_view text) { return Ns3Reader(file, text).read(); }

std::string write_ns3_fabric(const Topology& t) {
  std::string cables;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < t.ports(); ++i) {
    const PortId a{i}, b = t.to(a);
    if (!b.valid()) continue;
    const bool alike = t.to(b) == a && t.link(a).rate == t.link(b).rate && t.link(a).delay == t.link(b).delay;
    if (!alike)
      throw InputError(fmt::format("topology.txt has cables that are the same in both directions, and the one at {} "
                                   "is not",
                                   t.port_name(a)));
    if (b < a) continue;
    ++count;
    cables += fmt::format("{} {} {} {} 0\n", t.node_of(a).index, t.node_of(b).index,
                          in_unit(t.link(a).rate.bits_per_second, {"bps", "Kbps", "Mbps", "Gbps"}),
                          in_unit(t.link(a).delay.ps, {"ps", "ns", "us", "ms"}));
  }
  std::string text = fmt::format("{} {} {}\n", t.nodes(), t.switches(), count);
  for (std::size_t s = t.hosts(); s < t.nodes(); ++s) text += fmt::format("{}{}", s == t.hosts() ? "" : " ", s);
  return text + "\n" + cables;
}

std::string_view simulator_of_fabric(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (text.starts_with('#') || text.starts_with('\n') || text.starts_with('\r'))
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line.starts_with("Nodes") && text.find("Tiers") != text.npos) return "htsim";
  std::size_t words = 0, numbers = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t from = at;
    bool digits = true;
    for (; at < line.size() && !is_blank(line[at]); ++at) digits = digits && line[at] >= '0' && line[at] <= '9';
    ++words;
    numbers += digits && at > from;
  }
  return (words == 3 && numbers == 3) || ((words == 5 || words == 6) && numbers == 5) ? "ns3" : "";
}

extern const TopologyKind ns3_topology{{"ns3", "a fabric from the topology.txt of an ns-3, HPCC or SimAI simulation",
                                        kNs3Params, "[topology]\nkind = \"ns3\"\npath = \"topology.txt\"\n"},
                                       configure_ns3};

}  // namespace weir
