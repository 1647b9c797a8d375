// Phrases that more than one text uses: how a link is called, what a class is, the answer of a run in one sentence.
#pragma once
#include <string>
#include <vector>

#include "store/run_record.h"

namespace weir {

std::string link_name(const Topology& topology, PortId port);  // "S12:3 -> host5"
std::string joined(const std::vector<std::string>& names);     // "a, b and c"
std::vector<std::string> class_names(const PreparedRun& run, bool aggressor);
std::string headline(const PreparedRun& run);  // one sentence, no line break

}  // namespace weir
