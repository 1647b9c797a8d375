// Edit distance with swaps of neighbours: most typos are one edit away from what was meant.
#include "scenario/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace weir {
namespace {

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '-' ? '_' : c;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& best = cost[i * width + j];
      if (i == 0 || j == 0) {
        best = i + j;
        continue;
      }
      const char x = folded(a[i - 1]), y = folded(b[j - 1]);
      best = std::min({cost[(i - 1) * width + j] + 1, cost[i * width + j - 1] + 1,
                       cost[(i - 1) * width + j - 1] + (x == y ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && x == folded(b[j - 2]) && y == folded(a[i - 2]);
      if (swapped) best = std::min(best, cost[(i - 2) * width + j - 2] + 1);
    }
  }
  return cost.back();
}

namespace {

// All that are equally near, in their order.
std::vector<std::string_view> all_nearest(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > 64) return {};  // no typo is that long, and the table would be large
  std::vector<std::string_view> best;
  // A third of the letters may be wrong; in very short names, one.
  std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > limit || distance >= std::max(name.size(), candidate.size())) continue;
    if (distance < limit) best.clear();
    limit = distance;
    best.push_back(candidate);
  }
  return best;
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view name, std::span<const std::string_view> candidates) {
  const std::vector<std::string_view> all = all_nearest(name, candidates);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::string joined(std::span<const std::string_view> names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string quoted(std::span<const std::string_view> names) {
  return names.empty() ? "" : fmt::format("`{}`", fmt::join(names, "`, `"));
}

std::string suggestion(std::string_view name, std::span<const std::string_view> candidates,
                       std::string_view list_intro) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string_view> near = all_nearest(name, candidates);
  near.resize(std::min(near.size(), kMost));
  if (!near.empty()) return fmt::format("; did you mean `{}`?", fmt::join(near, "` or `"));
  return candidates.empty() ? "" : fmt::format("; {} {}", list_intro, quoted(candidates));
}

std::string percent_suggestion(double given) {
  return given >= 2 && given <= 100 ? fmt::format("; did you mean \"{}%\"?", given) : "";
}

}  // namespace weir
