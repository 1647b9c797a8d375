// From a scenario file to Scenarios: one for a run, one per entry of [[compare]], one per combination of [sweep].
// Everything wrong with the file, also in the variants of a comparison and at each point of an axis of a sweep, is
// refused here with file and line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/spec.h"

namespace weir {

// From `--set key=value`. The value is a TOML literal, or else a bare text. Keys: "seed", "link.rate", and for repeated
// sections the index or the entry's name: "traffic.0.load", "traffic.hot.load"; "sweep.KEY" changes the table of
// sweeps.
struct Override {
  std::string key;
  std::string value;
};
// Splits "a.b=v" at the first '='.
Override parse_override(std::string_view text);

struct Variant {
  std::string label;
  Scenario scenario;
  std::vector<Override> settings;  // of a sweep: what this variant sets, in the order of the axes
  std::string point = {};          // of a sweep: the label without the seed; repetitions of a point share it
};

// Overrides are taken together: if they pick another kind of a section, keys that only the old kind had are dropped.
Scenario parse_scenario_file(const std::string& path, const Vocabulary& vocabulary,
                             const std::vector<Override>& overrides = {});
Scenario parse_scenario_text(std::string_view text, const std::string& filename, const Vocabulary& vocabulary,
                             const std::vector<Override>& overrides = {});
Scenario with_overrides(const Scenario& base, const std::vector<Override>& overrides, const Vocabulary& vocabulary);

// One per entry of [[compare]], in the order of the file. They keep the base's sweep.
std::vector<Variant> compare_variants(const Scenario& base, const Vocabulary& vocabulary);
// All combinations of the axes of [sweep]: axes in the order of the file, the last one fastest, repetitions innermost.
// They keep the base's compare. Without [sweep], the base alone, with an empty label.
std::vector<Variant> sweep_variants(const Scenario& base, const Vocabulary& vocabulary);
// The same one at a time, for sweeps that are too large to be held as scenarios.
std::size_t sweep_size(const Scenario& base);
Variant sweep_variant(const Scenario& base, std::size_t number, const Vocabulary& vocabulary);

}  // namespace weir
