// How thorough the long tests are: WEIR_TEST_SCALE=small for slow builds, =full before a release.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace weir {

inline std::size_t scaled_count(std::size_t small, std::size_t normal, std::size_t full) {
  const char* scale = std::getenv("WEIR_TEST_SCALE");
  const std::string_view text = scale == nullptr ? "" : scale;
  return text == "small" ? small : text == "full" ? full : normal;
}

}  // namespace weir
