// Which variants a comparison runs, what each of them sets, and which schemes do not fit the scenario. All this is
// known before the first run begins.
#pragma once
#include <string>
#include <vector>

#include "scenario/parse.h"

namespace weir {

struct ComparePlan {
  std::vector<Variant> variants;
  std::vector<std::string> left_out;  // "mvcm: why it does not fit"
};

// `names` are those of --schemes: entries of [[compare]] with such a label, otherwise schemes with their defaults.
// Without names: all entries of [[compare]], or every scheme if there are none. What somebody asked for must fit, or it
// is an InputError that begins with the label; of "every scheme" those that do not fit are left out.
ComparePlan plan_comparison(const Scenario& scenario, const std::vector<std::string>& names, unsigned threads = 0);

}  // namespace weir
