// How the page draws a fabric: what it was built as decides, never its names. Cables that are lost later do not move
// anything.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "network/topology.h"

namespace weir {

struct Drawing {
  std::string shape;                     // "tree", "umin", "bmin", "ring" (of groups), "grid" or "graph"
  std::vector<std::int32_t> level;       // by node; hosts -1
  std::vector<std::string> level_names;  // of switches; empty: numbered
  std::vector<std::int32_t> group;       // by switch: pod, unit, plane or group; -1: none; empty: there are none
  std::vector<std::string> group_names;
  std::vector<std::uint32_t> sizes;      // of a grid
  bool wraps = false;                    // its rows are rings
  bool all_joined = false;               // all switches of a row are joined to each other
};

Drawing drawing_of(const Topology& topology);

}  // namespace weir
