// Does a text have this part? Where it has not, the failure shows both.
#pragma once
#include <gtest/gtest.h>

#include <string_view>

namespace weir {

inline ::testing::AssertionResult says(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return ::testing::AssertionSuccess() << "it says so: " << text;
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in \"" << text << "\"";
}

}  // namespace weir
