// How thorough the long tests are: WEIR_TEST_SCALE=small for slow builds, =full before a release.
#pragma once
#include <gtest/gtest.h>

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

// For tests of many whole runs, which find nothing with sanitizers that smaller ones do not find.
#define WEIR_LEAVE_OUT_OF_SLOW_BUILDS() \
  if (weir::scaled_count(0, 1, 1) == 0) GTEST_SKIP() << "takes too long here; release builds run it"
