// What is said when memory has run out.
#include "base/memory.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "error_of.h"
#include "says.h"

namespace weir {
namespace {

TEST(Memory, RunningOutIsSaidInWords) {
  EXPECT_EQ(error_text(std::bad_alloc()), kOutOfMemory);
  try {
    std::vector<int>().reserve(~std::size_t{0});
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_EQ(error_text(error), kOutOfMemory);
  }
  EXPECT_EQ(error_text(InputError("x.toml is no file")), "x.toml is no file");
}

TEST(Memory, WhatDoesNotFitIsRefusedWithTheNumber) {
  EXPECT_GT(available_memory(), 0);
  need_memory(1e6, "this", "Do less");
  const std::string said = error_of([&] { need_memory(1e18, "this", "Do less"); });
  EXPECT_EQ(said.find("this needs about 1000000000.0 GB of memory, and "), 0u) << said;
  EXPECT_TRUE(says(said, " are left. Do less, or try it with --force"));
  memory_is_forced() = true;
  EXPECT_NO_THROW(need_memory(1e18, "this", "Do less"));
  memory_is_forced() = false;
}

}  // namespace
}  // namespace weir
