// [failures]: cables that are missing, and cables that are slow, by name or drawn with the run's seed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "network/host_names.h"
#include "network/network.h"
#include "network/short_names.h"
#include "scenario/suggest.h"

namespace weir {

namespace {

constexpr const char* kNames =
    "a port, as in \"L0:4\"; two nodes, as in \"L0 - S1\", for all cables between them; or one node, as in \"S1\", for "
    "all of its cables. Names may be patterns, as in \"L* - S1\"";

bool is_between_switches(const Topology& t, PortId p) {
  return t.to(p).valid() && !t.is_host(t.node_of(p)) && !t.is_host(t.node_of(t.to(p)));
}
// A cable goes by its lower port.
PortId cable_of(const Topology& t, PortId p) { return t.to(t.to(p)) == p ? std::min(p, t.to(p)) : p; }

class CableNames {
 public:
  explicit CableNames(const Topology& topology) : t_(topology), short_names_(topology) {
    for (std::uint32_t n = 0; n < t_.nodes(); ++n) nodes_.emplace(t_.name({n}), NodeId{n});
  }

  std::vector<PortId> find(const Section& section, std::string_view key, const std::string& name) const {
    std::vector<PortId> found;
    if (const std::size_t dash = name.find(" - "); dash != name.npos) {
      const std::vector<NodeId> ends = nodes(section, key, name.substr(dash + 3));
      for (const NodeId a : nodes(section, key, name.substr(0, dash)))
        for (const PortId p : cables_of(a))
          if (std::find(ends.begin(), ends.end(), t_.node_of(t_.to(p))) != ends.end()) found.push_back(p);
      if (found.empty()) section.refuse(key, fmt::format("{}: no cable joins {}", key, name));
      return found;
    }
    if (const std::size_t colon = name.rfind(':'); colon != name.npos && !nodes_.contains(name)) {
      for (const NodeId owner : nodes(section, key, name.substr(0, colon)))
        for (const PortId p : cables_of(owner))
          if (matches_pattern(name.substr(colon + 1), std::to_string(t_.port_label(p)))) found.push_back(p);
      if (found.empty())
        section.refuse(key, fmt::format("{}: {} has no cable at port {}", key, name.substr(0, colon),
                                        name.substr(colon + 1)));
      return found;
    }
    refuse_missing_blanks(section, key, name);
    for (const NodeId node : nodes(section, key, name))
      for (const PortId p : cables_of(node)) found.push_back(p);
    if (found.empty()) section.refuse(key, fmt::format("{}: {} has no cable", key, name));
    return found;
  }

 private:
  std::vector<PortId> cables_of(NodeId node) const {
    std::vector<PortId> found;
    for (std::uint32_t i = 0; i < t_.port_count(node); ++i)
      if (const PortId p = t_.port(node, i); t_.to(p).valid()) found.push_back(p);
    return found;
  }

  // A name, or all nodes that a pattern describes.
  std::vector<NodeId> nodes(const Section& section, std::string_view key, const std::string& name) const {
    if (const auto found = nodes_.find(name); found != nodes_.end()) return {found->second};
    std::vector<NodeId> found;
    if (is_pattern(name))
      for (std::uint32_t n = 0; n < t_.nodes(); ++n)
        if (matches_pattern(name, t_.name({n}))) found.push_back({n});
    if (!found.empty()) return found;
    for (std::uint32_t n = 0; n < t_.nodes(); ++n)  // as tables show it
      if (short_names_.node({n}) == name) found.push_back({n});
    if (found.size() == 1) return found;
    std::vector<std::string_view> names;
    for (const auto& [known, number] : nodes_) names.push_back(known);
    const auto near = nearest(name, names);
    section.refuse(key, fmt::format("{}: there is no node named \"{}\"; {}; write {}", key, name,
                                    near ? fmt::format("did you mean `{}`?", *near) : switches(), kNames));
  }

  // Those that fail as a whole. The first and the last few: leaves come first, what is above them last.
  std::string switches() const {
    constexpr std::uint32_t kShown = 8;
    std::string text;
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      if (t_.switches() > 2 * kShown && s == kShown) {
        text += ", ...";
        s = static_cast<std::uint32_t>(t_.switches()) - kShown;
      }
      text += (s == 0 ? "" : ", ") + t_.name(t_.node(SwitchId{s}));
    }
    return "the switches are " + text;
  }

  // "L3-S2": a dash may be part of a name, so only blanks around it separate two.
  void refuse_missing_blanks(const Section& section, std::string_view key, const std::string& name) const {
    if (nodes_.contains(name)) return;
    for (std::size_t dash = name.find('-'); dash != name.npos; dash = name.find('-', dash + 1)) {
      const std::string a = trimmed(name.substr(0, dash)), b = trimmed(name.substr(dash + 1));
      if (is_some(a) && is_some(b))
        section.refuse(key, fmt::format("{}: \"{}\" names no cable; write \"{} - {}\", with blanks around the dash",
                                        key, name, a, b));
    }
  }
  bool is_some(const std::string& name) const { return nodes_.contains(name) || (!name.empty() && is_pattern(name)); }
  static std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
    return from == text.npos ? "" : text.substr(from, to - from + 1);
  }

  const Topology& t_;
  const ShortNames short_names_;
  std::map<std::string, NodeId> nodes_;
};

// How many of the cables between switches are drawn.
std::size_t drawn(const Section& section, const std::string& kind, std::size_t cables) {
  if (section.has(kind + "_count")) {
    const auto count = static_cast<std::size_t>(section.integer(kind + "_count"));
    if (count > cables)
      section.refuse(kind + "_count", fmt::format("{}_count: there are {} cables between switches", kind, cables));
    return count;
  }
  return static_cast<std::size_t>(std::llround(section.number(kind + "_share") * static_cast<double>(cables)));
}

// Named ones first, then those drawn from the rest of `pool`, which is in random order.
std::vector<PortId> chosen(const Section& section, const std::string& kind, const Topology& t, const CableNames& names,
                           std::vector<PortId>& pool) {
  std::vector<PortId> result;
  for (const std::string& name : section.at(kind).texts)
    for (const PortId p : names.find(section, kind, name)) result.push_back(cable_of(t, p));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  const std::size_t count = drawn(section, kind, pool.size());
  for (const PortId p : result) pool.erase(std::remove(pool.begin(), pool.end(), p), pool.end());
  const std::size_t take = std::min(count, pool.size());
  result.insert(result.end(), pool.end() - static_cast<std::ptrdiff_t>(take), pool.end());
  pool.resize(pool.size() - take);
  return result;
}

// Hosts of a fabric from a file go by their names, so those that have lost their cable can be left out. Elsewhere they
// go by their numbers, which would then mean others.
Topology without_lost_hosts(const Scenario& scenario, const Section& section, const Topology& t,
                            std::vector<std::string>* warnings) {
  constexpr std::size_t kNamed = 6;
  std::vector<std::string> lost;
  for (std::uint32_t h = 0; h < t.hosts(); ++h)
    if (!t.to(t.host_port({h})).valid()) lost.push_back(t.name(NodeId{h}));
  if (lost.empty()) return t;
  if (scenario.section("topology").kind != "file")
    section.refuse("failed", fmt::format("failed: {} has no other cable. Only a fabric from a file can lose hosts; "
                                         "describe this one without them: with fewer hosts, or without their switch",
                                         lost.front()));
  if (lost.size() == t.hosts()) section.refuse("failed", "failed: no host is left with a cable");
  if (warnings != nullptr)
    warnings->push_back(fmt::format("[failures] leaves {} without a cable: {}{}. They take no part, and the numbers of "
                                    "the hosts behind them change",
                                    lost.size() == 1 ? "a host" : fmt::format("{} hosts", lost.size()),
                                    fmt::join(lost.begin(), lost.begin() + std::min(lost.size(), kNamed), ", "),
                                    lost.size() > kNamed ? ", ..." : ""));
  return t.without_lost_hosts();
}

constexpr ParamSpec kFailureParams[] = {
    {"failed", ParamType::texts, "[]",
     "cables that are missing during the whole run: a port, as in \"L0:4\"; two nodes, as in \"L0 - S1\", for all "
     "cables "
     "between them; or one node, as in \"S1\", for all of its cables. Names may be patterns, as in \"L* - S1\""},
    {"failed_share", ParamType::fraction, "0", "share of the cables between switches that is missing, drawn at random",
     0, 1},
    {"failed_count", ParamType::integer, kUnset, "number of missing cables to draw, instead of `failed_share`", 0, 1e9},
    {"degraded", ParamType::texts, "[]", "cables that are slow, named in the same way"},
    {"degraded_share", ParamType::fraction, "0",
     "share of the cables between switches that is slow, drawn at "
     "random",
     0, 1},
    {"degraded_count", ParamType::integer, kUnset, "number of slow cables to draw, instead of `degraded_share`", 0,
     1e9},
    {"degraded_to", ParamType::fraction, "0.5", "rate of a slow cable, as a fraction of its full rate", 1e-6, 1},
    {"seed_offset", ParamType::integer, "0", "change this number to draw other cables with the same seed", 0, 16777215},
};

}  // namespace

std::vector<ParamSpec> failure_params() { return {std::begin(kFailureParams), std::end(kFailureParams)}; }

Topology with_failures(const Scenario& scenario, Topology topology, std::vector<std::string>* warnings) {
  const Section* section = scenario.find("failures");
  if (section == nullptr) return topology;
  std::vector<PortId> pool;
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (is_between_switches(topology, {p}) && cable_of(topology, {p}) == PortId{p}) pool.push_back({p});
  RandomStream random(scenario.seed, Purpose::failure, static_cast<std::uint64_t>(section->integer("seed_offset")));
  const bool draws = section->given("failed_share") || section->given("failed_count") ||
                     section->given("degraded_share") || section->given("degraded_count");
  const bool names_some = !section->at("failed").texts.empty() || !section->at("degraded").texts.empty();
  if (!draws && !names_some && !section->given("degraded_to")) return topology;
  if (draws) shuffle(pool, random);
  const CableNames names(topology);
  const std::vector<PortId> failed = chosen(*section, "failed", topology, names, pool);
  const std::vector<PortId> slow = chosen(*section, "degraded", topology, names, pool);
  if (slow.empty() && section->given("degraded_to"))
    section->refuse("degraded_to", "`degraded_to` has no effect here: no cable is degraded");
  return without_lost_hosts(scenario, *section, topology.slowed(slow, section->number("degraded_to")).without(failed),
                            warnings);
}

}  // namespace weir
