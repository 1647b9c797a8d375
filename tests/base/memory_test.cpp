// What is said when memory has run out.
#include "base/memory.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

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

}  // namespace
}  // namespace weir
