// A fabric as commands take it: a scenario of which only the network counts, or the file of a fabric directly (an
// ibnetdiscover dump, an ibdm topology).
#pragma once
#include <string>
#include <vector>

#include "scenario/parse.h"

namespace weir {

// The scenario needs no [[traffic]]. `format` is for the file of a fabric: auto, ibnetdiscover or ibdm.
Scenario read_fabric_scenario(const std::string& file, const std::string& format, const std::vector<std::string>& set);

}  // namespace weir
