// What is asymmetric or odd about a fabric, in sentences for its operator: where cables are missing, where speeds are
// mixed, where hosts sit that nobody expects. Each of them is a place where congestion starts for no good reason.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "network/topologies/tree_levels.h"

namespace weir {

// Levels, hosts per leaf, and the capacity between levels; empty where the fabric is no tree.
std::vector<std::string> describe_levels(const Topology& topology, const TreeLevels& tree);

// Empty where everything is regular. `guessed`: rates, and numbers of cables that have them for want of a known speed;
// such a rate is not called by the name of a speed.
std::vector<std::string> irregularities(const Topology& topology, const TreeLevels& tree,
                                        const std::map<Rate, std::size_t>& guessed = {});

}  // namespace weir
