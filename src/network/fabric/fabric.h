// A fabric as its own tools describe it: adapters, switches and the cables between their numbered ports, with names,
// GUIDs and speeds, before anything is decided about simulation. Read from files, written to files, and turned into a
// Topology; what is odd about it is kept as remarks, because an operator wants to know.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "network/fabric/link_speed.h"
#include "network/topologies/topologies.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

struct FabricNode {
  enum class Kind : std::uint8_t { adapter, fabric_switch, router };
  Kind kind = Kind::adapter;
  std::uint64_t guid = 0;   // 0 = the source has none
  std::string name;         // the node description; not always unique
  std::uint32_t ports = 0;  // external ports; 0 = not known
  std::uint32_t lid = 0;    // of a switch; 0 = none
  std::uint32_t vendor = 0, device = 0;
  bool is_aggregation = false;  // computes inside a switch; no host
  SourcePosition where;
};

struct FabricEnd {
  std::uint32_t node = 0;  // index into Fabric::nodes
  std::uint32_t port = 0;  // as printed on the device, from 1
  std::uint32_t lid = 0;   // of an adapter's port; 0 = none
  std::uint64_t guid = 0;  // of an adapter's port; 0 = none

  friend bool operator<(const FabricEnd& x, const FabricEnd& y) {
    return x.node != y.node ? x.node < y.node : x.port < y.port;
  }
};

struct FabricCable {
  FabricEnd a, b;  // a < b
  std::optional<LinkSpeed> speed;
  Rate rate;  // of a cable that is no InfiniBand link; 0 = speed says it, or nobody knows
  SourcePosition where;
};

struct Fabric {
  std::string file;
  std::vector<FabricNode> nodes;    // in the order of the source
  std::vector<FabricCable> cables;  // sorted by (a, b)
  std::vector<std::string> remarks;
};

enum class FabricFormat : std::uint8_t { automatic, ibnetdiscover, ibdm };

// Parsers throw InputErrors with file and line.
Fabric parse_ibnetdiscover(const std::string& file, std::string_view text);
Fabric parse_ibdm(const std::string& file, std::string_view text);
Fabric parse_fabric(const std::string& file, std::string_view text, FabricFormat format = FabricFormat::automatic);
Fabric read_fabric(const std::string& path, FabricFormat format = FabricFormat::automatic);

// Without quotes and control characters: ibnetdiscover writes descriptions in quotes.
std::string clean_description(std::string_view text);

// In the format of ibnetdiscover. Nodes without a GUID get one made up from their number. A cable whose rate no
// InfiniBand link has is refused by name.
std::string write_ibnetdiscover(const Fabric& fabric);

// Any full-duplex topology as a fabric, so that it can be written.
Fabric fabric_of(const Topology& topology);

// Names that tell nodes apart: the node's own, with the GUID or a number behind it where several have the same.
std::vector<std::string> distinct_names(const Fabric& fabric);

// Adapters become hosts, one per cabled port ("name/P2" where there are several), numbered by switch and port. What
// cannot take part in routing is left out, with a remark: loop-back cables, aggregation nodes, routers, cables between
// two adapters, adapters without a cable, and all islands but the one with the most hosts.
struct ImportedFabric {
  Topology topology;
  std::vector<std::string> remarks;     // of the fabric, and of what was made of it
  std::vector<std::string> left_out;    // those of the remarks that say what the topology lacks
  std::size_t unknown_speeds = 0;       // cables that took their rate from `links`
  std::map<Rate, std::size_t> guessed;  // the same, by that rate
};
// `links`: the delay of all cables, and the rate of those whose speed is unknown.
ImportedFabric to_topology(const Fabric& fabric, const Cables& links);

// What the sections [topology], of kind "file", and [link] say (topologies/file.cpp). A rate in [link] that no cable
// takes is refused.
Fabric read_fabric(const Section& topology);
ImportedFabric import_fabric(const Fabric& fabric, const Section& link);

// What whoever simulates this fabric should know, in a few sentences that name the file: rates that nobody gave, what
// was left out, and whether the file contradicts itself. Empty where nothing was guessed or left out.
std::vector<std::string> import_warnings(const Fabric& fabric, const ImportedFabric& imported, const Section& link);

}  // namespace weir
