// "Did you mean ...?": the nearest valid name to one that is not valid.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir {

// Insertions, deletions, replacements and swaps of neighbours; upper and lower case, '-' and '_' are the same.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate that `name` was probably meant to be (the first of equally near ones), or nothing.
std::optional<std::string_view> nearest(std::string_view name, std::span<const std::string_view> candidates);

// "a, b, c"
std::string joined(std::span<const std::string_view> names);

// "`a`, `b`, `c`"
std::string quoted(std::span<const std::string_view> names);

// The end of an error message: "; did you mean `x`?", or else "; <list_intro> `a`, `b`, `c`".
std::string suggestion(std::string_view name, std::span<const std::string_view> candidates,
                       std::string_view list_intro);

// The same for a fraction that may have been meant in per cent: "; did you mean \"50%\"?" where 50 was given.
std::string percent_suggestion(double given);

}  // namespace weir
