// Writes a fabric the way `ibnetdiscover` prints one, so that the tools around it can read what weir has built.
#include <fmt/format.h>

#include <algorithm>

#include "network/fabric/fabric.h"
#include "network/fabric/identities.h"
#include "scenario/quantity.h"

namespace weir {

namespace {

class Writer {
 public:
  explicit Writer(const Fabric& fabric) : fabric_(fabric), names_(distinct_names(fabric)) {
    make_guids();
    by_end_.resize(fabric.nodes.size());
    for (const FabricCable& cable : fabric.cables) {
      by_end_[cable.a.node].push_back({cable.a, cable.b, &cable});
      if (cable.a < cable.b) by_end_[cable.b.node].push_back({cable.b, cable.a, &cable});
    }
    for (auto& ends : by_end_)
      std::sort(ends.begin(), ends.end(), [](const Plug& x, const Plug& y) { return x.here < y.here; });
  }

  std::string write() {
    std::string text = "#\n# Topology file: written by weir\n#\n";
    for (const bool switches : {true, false}) {
      for (std::uint32_t n = 0; n < fabric_.nodes.size(); ++n) {
        if ((fabric_.nodes[n].kind == FabricNode::Kind::fabric_switch) == switches) text += node(n);
      }
    }
    return text;
  }

 private:
  struct Plug {
    FabricEnd here, there;
    const FabricCable* cable;
  };

  void make_guids() {
    for (const FabricNode& node : fabric_.nodes) guids_.push_back(node.guid);
    guids_ = complete_guids(std::move(guids_));
  }

  // Names that the source gives twice are written as they are; GUIDs tell the nodes apart. Nodes without any name get
  // the one that weir would use.
  std::string name(std::uint32_t n) const {
    const FabricNode& node = fabric_.nodes[n];
    return clean_description(node.guid != 0 || !node.name.empty() ? node.name : names_[n]);
  }

  std::string id(std::uint32_t n) const {
    const FabricNode::Kind kind = fabric_.nodes[n].kind;
    const char letter = kind == FabricNode::Kind::fabric_switch ? 'S' : kind == FabricNode::Kind::adapter ? 'H' : 'R';
    return fmt::format("\"{}-{:016x}\"", letter, guids_[n]);
  }

  bool is_switch(std::uint32_t n) const { return fabric_.nodes[n].kind == FabricNode::Kind::fabric_switch; }

  std::string port_guid(const FabricEnd& end) const {
    if (is_switch(end.node)) return "";
    return fmt::format("({:x})", end.guid != 0 ? end.guid : guids_[end.node] + end.port);
  }

  std::uint32_t port_count(std::uint32_t n) const {
    std::uint32_t most = std::max(1u, fabric_.nodes[n].ports);
    for (const Plug& plug : by_end_[n]) most = std::max(most, plug.here.port);
    return most;
  }

  std::string node(std::uint32_t n) const {
    const FabricNode& node = fabric_.nodes[n];
    const bool sw = is_switch(n);
    const char* word = sw ? "Switch" : node.kind == FabricNode::Kind::adapter ? "Ca" : "Rt";
    std::string text = "\n";
    if (node.vendor != 0) text += fmt::format("vendid=0x{:x}\n", node.vendor);
    if (node.device != 0) text += fmt::format("devid=0x{:x}\n", node.device);
    text += fmt::format("{0}guid=0x{1:x}{2}\n", sw ? "switch" : node.kind == FabricNode::Kind::adapter ? "ca" : "rt",
                        guids_[n], sw ? fmt::format("({:x})", guids_[n]) : "");
    text += fmt::format("{}\t{} {}\t\t# \"{}\"", word, port_count(n), id(n), name(n));
    text += sw ? fmt::format(" enhanced port 0 lid {} lmc 0\n", node.lid) : "\n";
    for (const Plug& plug : by_end_[n]) text += port(plug);
    return text;
  }

  std::string port(const Plug& plug) const {
    const FabricNode& there = fabric_.nodes[plug.there.node];
    std::string text = fmt::format("[{}]{}\t{}[{}]{}\t\t# ", plug.here.port, port_guid(plug.here), id(plug.there.node),
                                   plug.there.port, port_guid(plug.there));
    if (!is_switch(plug.here.node)) text += fmt::format("lid {} lmc 0 ", plug.here.lid);
    text +=
        fmt::format("\"{}\" lid {}", name(plug.there.node), is_switch(plug.there.node) ? there.lid : plug.there.lid);
    return text + speed(plug) + "\n";
  }

  std::string speed(const Plug& plug) const {
    const FabricCable& cable = *plug.cable;
    if (cable.speed) return " " + cable.speed->text();
    if (cable.rate.bits_per_second == 0) return "";
    const auto found = link_speed_of(cable.rate);
    if (!found)
      throw InputError("the link between " + names_[cable.a.node] + " and " + names_[cable.b.node] + " has " +
                       to_text(cable.rate) +
                       ", which no InfiniBand link has; ibnetdiscover format knows rates such as 8Gbps (4xSDR), "
                       "32Gbps (4xQDR), 40Gbps (4xFDR10), 100Gbps (4xEDR), 200Gbps (4xHDR)");
    return " " + found->text();
  }

  const Fabric& fabric_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> guids_;
  std::vector<std::vector<Plug>> by_end_;
};

}  // namespace

std::string write_ibnetdiscover(const Fabric& fabric) { return Writer(fabric).write(); }

}  // namespace weir
