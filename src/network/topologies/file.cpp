// A fabric from a file, as a topology: its cables tell the rates, [link] the delays.
#include <string>
#include <utility>

#include "network/fabric/fabric.h"
#include "network/topologies/topology_kind.h"

namespace weir {

namespace {

constexpr std::string_view kFileFormats[] = {"auto", "ibnetdiscover", "ibdm"};
constexpr ParamSpec kFileParams[] = {
    ParamSpec{"path", ParamType::file, kRequired, "file that describes the fabric"}.with_example("cluster.topo"),
    {.name = "format",
     .type = ParamType::choice,
     .fallback = "\"auto\"",
     .help = "format of the file: a dump of `ibnetdiscover`, or a topology or cable file of ibdm",
     .choices = kFileFormats},
};

Topology configure_file(const TopologyRequest& r) {
  const Fabric fabric = read_fabric(r.section);
  ImportedFabric imported = import_fabric(fabric, r.link);
  if (r.warnings != nullptr) {
    for (std::string& warning : import_warnings(fabric, imported, r.link)) r.warnings->push_back(std::move(warning));
  }
  return std::move(imported.topology);
}

}  // namespace

Fabric read_fabric(const Section& section) {
  return read_fabric(section.text("path"), section.choice<FabricFormat>("format"));
}

// Rates come from the file. A rate in [link] is for cables whose speed the file does not tell, and idle if there are
// none.
ImportedFabric import_fabric(const Fabric& fabric, const Section& link) {
  ImportedFabric imported = to_topology(fabric, read_cables(link));
  for (const std::string_view key : {"rate", "host_rate"}) {
    if (imported.unknown_speeds == 0 && link.given(key))
      link.refuse(key, "`" + std::string(key) + "` has no effect here: the fabric file gives the speed of every cable");
  }
  return imported;
}

extern const TopologyKind file_topology{
    {"file", "a fabric from a file: ibnetdiscover dump or ibdm topology; rates from the cables' speeds", kFileParams,
     "[topology]\nkind = \"file\"\npath = \"cluster.topo\"\n"},
    configure_file};

}  // namespace weir
