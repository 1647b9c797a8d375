// The [sweep] table: which keys take which values, and the order in which the combinations come.
#pragma once
#include <vector>

#include "scenario/scenario.h"
#include "scenario/spec.h"
#include "scenario/toml/toml_tree.h"

namespace weir {

// The axes in the order of the file, zipped keys as one axis at the place of their first key, and the axis of
// `repetitions` (over seeds) last. Empty where the document has no [sweep].
std::vector<SweepAxis> read_sweep(const Node& document, std::uint64_t seed, const Vocabulary& vocabulary);

}  // namespace weir
