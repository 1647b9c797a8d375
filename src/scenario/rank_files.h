// Inputs that lie in several files, one for each rank: NAME.0.et, NAME.1.et and so on. A scenario names the first one;
// the others belong to it wherever the contents of a file matter (its hash, the copy of a result).
#pragma once
#include <string>
#include <vector>

namespace weir {

// The file itself, and behind NAME.0.et those of the other ranks, in order. An InputError where one is missing between
// them.
std::vector<std::string> rank_files(const std::string& path);

}  // namespace weir
