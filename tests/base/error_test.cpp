// Bad input is answered with the place first, in the form that editors and terminals make clickable.
#include "base/error.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(SourcePosition, Text) {
  EXPECT_EQ((SourcePosition{"a.toml", 3, 7}.text()), "a.toml:3: ");
  EXPECT_EQ((SourcePosition{"--set", 0, 0}.text()), "--set: ") << "a command line has no lines";
  EXPECT_EQ(SourcePosition{}.text(), "") << "a default was not written anywhere";
}

TEST(InputError, SaysWhereAndWhat) {
  const InputError error({"a.toml", 3, 1}, "unknown key 'sede'; did you mean 'seed'?");
  EXPECT_STREQ(error.what(), "a.toml:3: unknown key 'sede'; did you mean 'seed'?");
  EXPECT_EQ(error.where().line, 3u);
}

TEST(InputError, CanDoWithoutAPlace) {
  const InputError error("no such file");
  EXPECT_STREQ(error.what(), "no such file");
  EXPECT_TRUE(error.where().file.empty());
}

}  // namespace
}  // namespace weir
