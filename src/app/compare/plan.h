// Which variants a comparison runs, what each of them sets, and which schemes do not fit the scenario. All this is
// known, and every variant is set up, before the first run begins.
#pragma once
#include <string>
#include <vector>

#include "run/simulate.h"
#include "scenario/parse.h"

namespace weir {

struct ComparePlan {
  std::vector<Variant> variants;
  std::vector<RunSetup> setups;       // of the variants: whatever is wrong with them has been said
  std::vector<std::string> left_out;  // "mvcm: why it does not fit"
};

// Settings of --set, of which some are for the schemes that are compared: `scheme.KEY`, where the scenario's own scheme
// has no such key.
struct ComparedSettings {
  std::vector<Override> of_scenario, of_schemes;
};
ComparedSettings split_settings(const std::string& file, const std::vector<Override>& settings);

// `names` are those of --schemes: entries of [[compare]] with such a label, otherwise schemes with their defaults.
// Without names: all entries of [[compare]], or every scheme if there are none. What somebody asked for must fit, or it
// is an InputError that begins with the label; of "every scheme" those that do not fit are left out. `of_schemes` are
// set in the variants whose scheme has the key; a key that none has is an InputError.
ComparePlan plan_comparison(const Scenario& scenario, const std::vector<std::string>& names, unsigned threads = 0,
                            const std::vector<Override>& of_schemes = {});

}  // namespace weir
