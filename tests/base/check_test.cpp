// Invariants are worth something only if a broken one stops the program, names its place, and costs nothing when off.
#include "base/check.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Check, TrueConditionPasses) {
  WEIR_CHECK(1 + 1 == 2);
  if (true) WEIR_CHECK(true);
  else FAIL() << "the macro must be one statement";
}

TEST(CheckDeathTest, FalseConditionStopsATestBuild) {
  if (!kChecks) GTEST_SKIP() << "built without WEIR_CHECKS";
  const int credits = -1;
  EXPECT_DEATH(WEIR_CHECK(credits >= 0), "check_test.cpp:[0-9]+: broken invariant: credits >= 0");
}

TEST(Check, IsNotEvenEvaluatedElsewhere) {
  int evaluated = 0;
  WEIR_CHECK(++evaluated == 1);
  EXPECT_EQ(evaluated, kChecks ? 1 : 0);
}

TEST(CheckDeathTest, FailStopsEveryBuild) {
  EXPECT_DEATH(fail("engine.cpp", 12, "packet lost"), "engine.cpp:12: broken invariant: packet lost");
}

}  // namespace
}  // namespace weir
