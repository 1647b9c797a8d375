// Ranges in [sweep], such as { from = "10%", to = "100%", step = "10%" }: stepped in integers of the base unit or in
// exact decimals, so that the tenth step from 0.1 is 1 and not 0.9999999999999999.
#pragma once
#include <string>
#include <vector>

#include "scenario/spec.h"
#include "scenario/toml/toml_tree.h"

namespace weir {

inline constexpr std::size_t kMaxSweepPoints = 10'000;  // on one axis

// True for a table that was meant as a range, also where it is not a right one.
bool is_range(const Node& table);
// The points as TOML literals.
std::vector<std::string> range_points(const Node& table, const ParamSpec& param);

}  // namespace weir
