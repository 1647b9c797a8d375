// How the last runs of a sweep or a comparison share the cores.
#include "base/core_share.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(CoreShare, RunsSideBySideComeFirst) {
  CoreShare cores(4);
  const auto a = cores.take(9), b = cores.take(8), c = cores.take(7), d = cores.take(6);
  EXPECT_EQ(a.cores() + b.cores() + c.cores() + d.cores(), 4u);
}
TEST(CoreShare, TheLastRunsShareWhatIsFree) {
  CoreShare cores(8);
  const auto first = cores.take(2), second = cores.take(1);
  EXPECT_EQ(first.cores(), 2u) << "of three";
  EXPECT_EQ(second.cores(), 3u);
  for (int again = 0; again < 2; ++again) EXPECT_EQ(cores.take(0).cores(), 3u) << "given back when it ends";
}
TEST(CoreShare, ARunAloneHasAll) {
  CoreShare cores(16);
  EXPECT_EQ(cores.take(0).cores(), 16u);
}
TEST(CoreShare, NobodyIsLeftWithout) {
  CoreShare cores(1);
  const auto one = cores.take(0), two = cores.take(0);  // more at a time than there are cores
  EXPECT_EQ(one.cores(), 1u);
  EXPECT_EQ(two.cores(), 1u);
}

}  // namespace
}  // namespace weir
