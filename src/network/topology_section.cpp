// Reads [topology] and [link] and calls the builder of that kind. Errors of the builders get the place of the section.
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "network/fabric.h"
#include "network/network.h"
#include "network/topologies.h"
#include "scenario/quantity.h"

namespace weir {

namespace {

struct Cables {
  LinkProperties host, fabric;
};

Cables read_cables(const Section& link) {
  const LinkProperties fabric{link.rate("rate"), link.time("delay"), 0};
  LinkProperties host = fabric;
  if (link.has("host_rate")) host.rate = link.rate("host_rate");
  if (link.has("host_delay")) host.delay = link.time("host_delay");
  return {host, fabric};
}

std::uint32_t count(const Section& section, std::string_view key) {
  return static_cast<std::uint32_t>(section.integer(key));
}

TorusShape read_torus(const Section& section) {
  TorusShape shape{{}, count(section, "hosts")};
  for (const std::int64_t size : section.at("sizes").integers) shape.sizes.push_back(static_cast<std::uint32_t>(size));
  return shape;
}

Topology read_two_switch(const Section& section, const Cables& cables) {
  LinkProperties middle = cables.fabric;
  if (section.has("middle_rate")) middle.rate = section.rate("middle_rate");
  if (section.has("middle_delay")) middle.delay = section.time("middle_delay");
  return two_switch({count(section, "left"), count(section, "right"), count(section, "links")}, cables.host, middle);
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

SourcePosition place(const Value& value, std::size_t item) {
  return item < value.row_positions.size() ? value.row_positions[item] : value.where;
}

class GraphReader {
 public:
  GraphReader(const Section& section, const Cables& cables) : section_(section), cables_(cables) {}

  GraphSpec read() {
    const Value& hosts = section_.at("hosts");
    for (std::size_t i = 0; i < hosts.texts.size(); ++i) spec_.hosts.push_back({hosts.texts[i], place(hosts, i)});
    const Value& switches = section_.at("switches");
    for (std::size_t i = 0; i < switches.texts.size(); ++i) read_switch(switches.texts[i], place(switches, i));
    for (const GraphHost& host : spec_.hosts) hosts_.insert(host.name);
    for (const GraphSwitch& s : spec_.switches) switches_.insert(s.name);
    const Value& links = section_.at("links");
    for (std::size_t i = 0; i < links.rows.size(); ++i) read_cable(links.rows[i], place(links, i));
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

Topology read_file(const Section& section, const Section& link, std::vector<std::string>* warnings) {
  const Fabric fabric = read_fabric(section);
  ImportedFabric imported = import_fabric(fabric, link);
  if (warnings != nullptr) {
    for (std::string& warning : import_warnings(fabric, imported, link)) warnings->push_back(std::move(warning));
  }
  return std::move(imported.topology);
}

Topology build_kind(const Section& section, const Section& link, std::vector<std::string>* warnings) {
  const Cables cables = read_cables(link);
  const auto k = [&] { return count(section, "k"); };
  const auto n = [&] { return count(section, "n"); };
  if (section.kind == "k-ary-n-tree") return k_ary_n_tree({k(), n(), 0}, cables.host, cables.fabric);
  if (section.kind == "modified-k-ary-n-tree")
    return k_ary_n_tree({k(), n(), count(section, "width")}, cables.host, cables.fabric);
  if (section.kind == "umin") return umin({k(), n()}, cables.host, cables.fabric);
  if (section.kind == "bmin")
    return bmin({k(), n(), section.has("hosts") ? count(section, "hosts") : 0}, cables.host, cables.fabric);
  if (section.kind == "torus") return torus(read_torus(section), cables.host, cables.fabric);
  if (section.kind == "two-switch") return read_two_switch(section, cables);
  if (section.kind == "star") return star(count(section, "hosts"), cables.host);
  if (section.kind == "graph") return graph(GraphReader(section, cables).read());
  if (section.kind == "file") return read_file(section, link, warnings);
  throw InputError(section.kind_where, "unknown topology " + section.kind);
}

}  // namespace

Fabric read_fabric(const Section& section) {
  const std::string& format = section.text("format");
  return read_fabric(section.text("path"), format == "ibnetdiscover" ? FabricFormat::ibnetdiscover
                                           : format == "ibdm"        ? FabricFormat::ibdm
                                                                     : FabricFormat::automatic);
}

// Rates come from the file. A rate in [link] is for cables whose speed the file does not tell, and idle if there are
// none.
ImportedFabric import_fabric(const Fabric& fabric, const Section& link) {
  const Cables cables = read_cables(link);
  ImportedFabric imported = to_topology(fabric, {cables.host, cables.fabric});
  for (const std::string_view key : {"rate", "host_rate"}) {
    if (imported.unknown_speeds == 0 && link.given(key))
      link.refuse(key, std::string(key) + ": has no effect, because the file tells the speed of every cable");
  }
  return imported;
}

Topology build_topology(const Scenario& scenario, std::vector<std::string>* warnings) {
  const Section& section = scenario.section("topology");
  const Section& link = scenario.section("link");
  try {
    return build_kind(section, link, warnings);
  } catch (const InputError& e) {
    if (!e.where().file.empty()) throw;
    throw InputError(section.where, e.what());
  }
}

}  // namespace weir
