// A choice of the scenario as an enumeration: the names in the order of its values.
#pragma once
#include <cstddef>
#include <string_view>

#include "base/check.h"
#include "scenario/scenario.h"

namespace weir {

template <class Enum, std::size_t N>
Enum choice_of(const Section& section, std::string_view key, const std::string_view (&names)[N]) {
  const std::string_view text = section.text(key);
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  fail(__FILE__, __LINE__, "a choice without a name in its table");
}

}  // namespace weir
