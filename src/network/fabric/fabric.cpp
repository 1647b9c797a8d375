#include "network/fabric/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/file_text.h"
#include "base/text_cursor.h"
#include "network/fabric/identities.h"

namespace weir {

namespace {

// ibnetdiscover writes attributes with an equal sign and nodes with an identifier in quotes; ibdm has neither.
bool looks_like_ibnetdiscover(std::string_view text) {
  bool found = false;
  for_each_line(text, [&](std::string_view line, std::uint32_t) {
    TextCursor cursor(line);
    cursor.skip_blanks();
    for (const std::string_view word : {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid="})
      found = found || cursor.rest().starts_with(word);
    for (const std::string_view word : {"\"S-", "\"H-", "\"R-"}) found = found || line.find(word) != line.npos;
  });
  return found;
}

}  // namespace

Fabric parse_fabric(const std::string& file, std::string_view text, FabricFormat format) {
  if (text.find("PortXmitData:") != text.npos)
    throw InputError(SourcePosition{file, 0, 0}, "this is a dump of counters (perfquery), not of a fabric");
  if (format == FabricFormat::automatic)
    format = looks_like_ibnetdiscover(text) ? FabricFormat::ibnetdiscover : FabricFormat::ibdm;
  return format == FabricFormat::ibnetdiscover ? parse_ibnetdiscover(file, text) : parse_ibdm(file, text);
}

Fabric read_fabric(const std::string& path, FabricFormat format) {
  return parse_fabric(path, read_text_file(path), format);
}

std::string clean_description(std::string_view text) {
  std::string clean(text);
  for (char& c : clean) {
    if (c == '"') c = '\'';
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return clean;
}

std::vector<std::string> distinct_names(const Fabric& fabric) {
  std::map<std::string, int> count;
  for (const FabricNode& node : fabric.nodes) ++count[node.name];
  std::set<std::string> used;
  std::vector<std::string> names;
  for (const FabricNode& node : fabric.nodes) {
    std::string name = node.name;
    if (name.empty()) name = node.kind == FabricNode::Kind::fabric_switch ? "switch" : "node";
    if (count[node.name] > 1 || node.name.empty()) {
      if (node.guid != 0) name += fmt::format(" {:016x}", node.guid);
    }
    const std::string base = name;
    for (int n = 2; !used.insert(name).second; ++n) name = base + " #" + std::to_string(n);
    names.push_back(name);
  }
  return names;
}

Fabric fabric_of(const Topology& topology) {
  Fabric fabric;
  const Identities identities(topology);
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    FabricNode node;
    node.kind = topology.is_host({n}) ? FabricNode::Kind::adapter : FabricNode::Kind::fabric_switch;
    node.name = topology.name({n});
    node.ports = identities.highest_number({n});
    fabric.nodes.push_back(std::move(node));
  }
  const auto end = [&](PortId p) {
    const std::uint32_t node = topology.node_of(p).index;
    return FabricEnd{node, identities.number(p), 0, 0};
  };
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    const PortId to = topology.to({p});
    if (to != topology.from({p}))
      throw InputError("this network has one-way links; InfiniBand has none");
    if (!to.valid() || to.index < p) continue;
    fabric.cables.push_back({end({p}), end(to), link_speed_of(topology.link({p}).rate), topology.link({p}).rate, {}});
  }
  return fabric;
}

}  // namespace weir
