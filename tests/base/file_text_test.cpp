// Reading a whole file: every byte of it, or the news that it cannot be read.
#include "base/file_text.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "temp_dir.h"

namespace weir {
namespace {

TEST(FileText, EveryByte) {
  const TempDir dir;
  EXPECT_EQ(file_text(dir.write("empty", "")), "");
  std::string long_text(300'001, 'x');
  long_text[70'000] = '\0';
  long_text[200'000] = '\r';
  EXPECT_EQ(file_text(dir.write("long", long_text)), long_text);
}

TEST(FileText, WhatCannotBeReadIsNotEmpty) {
  const TempDir dir;
  EXPECT_EQ(file_text((dir / "missing").string()), std::nullopt);
  EXPECT_EQ(file_text(dir.path().string()), std::nullopt) << "a directory";
  EXPECT_EQ(error_of([&] { read_text_file(dir.path().string()); }), dir.path().string() + ": cannot be read");
}

}  // namespace
}  // namespace weir
