// Whether a key has an effect, as its conditions (spec.h) say.
#pragma once
#include <string>

#include "scenario/scenario.h"
#include "scenario/spec.h"

namespace weir {

// Refuses every key that is given and has no effect, at the place where it was written.
void refuse_without_effect(const Scenario& scenario, const Vocabulary& vocabulary);

// "with delay = \"slots\" or \"table\"", "not together with `hosts`": for the reference; may be empty.
std::string describe(const Condition& condition);

// What is wrong with a condition itself: names of no key, values that its choices lack. Empty where it is sound.
std::string condition_problem(const Condition& condition, const SectionSpec& section, const Vocabulary& vocabulary);

}  // namespace weir
