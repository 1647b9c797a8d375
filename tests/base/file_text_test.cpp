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
  EXPECT_EQ(error_of([] { read_text_file("no/such.csv"); }), "no/such.csv: there is no such file");
}

TEST(FileText, WhatNeverEndsIsRefused) {
  const TempDir dir;
  EXPECT_EQ(error_of([] { file_text("/dev/zero"); }), "/dev/zero: is a device; a file is needed");
  const std::string large = dir.write("large", "");
  std::filesystem::resize_file(large, kLargestFile + 1);
  EXPECT_EQ(error_of([&] { file_text(large); }),
            large + ": is larger than 1024 MiB, the most that is read in one piece");
  EXPECT_EQ(error_of([&] { file_text(dir.write("small", std::string(3 << 20, 'x')), 2 << 20); }),
            (dir / "small").string() + ": is larger than 2 MiB, the most that is read in one piece");
}

}  // namespace
}  // namespace weir
