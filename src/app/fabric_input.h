// A fabric as commands take it: a scenario of which only the network counts, or the file of a fabric directly (an
// ibnetdiscover dump, an ibdm topology, a fabric of htsim or ns-3).
#pragma once
#include <string>
#include <vector>

#include "scenario/parse.h"

namespace weir {

inline const std::vector<std::string> kFabricFormats{"auto", "ibnetdiscover", "ibdm", "htsim", "ns3"};
// The scenario needs no [[traffic]]. `format` is for the file of a fabric: auto, or one of kFabricFormats.
Scenario read_fabric_scenario(const std::string& file, const std::string& format, const std::vector<std::string>& set);

// The fabric of such a file in another format: dot, htsim, ns3 or ibnetdiscover.
std::string converted_fabric(const std::string& file, const std::string& from, const std::string& to);

}  // namespace weir
