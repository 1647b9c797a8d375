// Throws arbitrary bytes at the readers of fabric files. They may refuse them only with an InputError; what they accept
// must survive being written and read again, and must become a topology or be refused in a sentence.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "network/fabric/fabric.h"
#include "network/fabric/irregularities.h"
#include "network/topologies/topology_files.h"

namespace {

using namespace weir;

void expect(bool condition, const char* what) {
  if (condition) return;
  fmt::print(stderr, "{}\n", what);
  std::abort();
}

void check(const Fabric& fabric) {
  const std::string text = write_ibnetdiscover(fabric);
  const Fabric again = parse_ibnetdiscover("again", text);
  expect(again.nodes.size() == fabric.nodes.size(), "nodes changed");
  expect(again.cables.size() == fabric.cables.size(), "cables changed");
  expect(write_ibnetdiscover(again) == text, "the written text is not a fixed point");
  const LinkProperties link{Rate{8'000'000'000}, Time{1000}, 0};
  const Topology topology = to_topology(fabric, {link, link}).topology;
  const TreeLevels tree = tree_levels(topology);
  describe_levels(topology, tree);
  irregularities(topology, tree);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const FabricFormat format : {FabricFormat::ibnetdiscover, FabricFormat::ibdm}) {
    try {
      check(parse_fabric("fuzz.topo", text, format));
    } catch (const InputError& error) {
      expect(std::string_view(error.what()).find("again:") != 0, error.what());
    }
  }
  try {
    parse_htsim_fabric("fuzz.topo", text);
  } catch (const InputError&) {
  }
  try {
    graph(parse_ns3_fabric("topology.txt", text).graph);
  } catch (const InputError&) {
  }
  return 0;
}
