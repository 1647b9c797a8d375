// The edit distance, and when it is near enough to suggest a name.
#include "scenario/suggest.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace weir {
namespace {

TEST(Suggest, DistanceCountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("packets", "pakets"), 1u);
  EXPECT_EQ(edit_distance("delay", "dealy"), 1u);  // neighbours swapped
  EXPECT_EQ(edit_distance("Packet-Size", "packet_size"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggest, OnlyNearNamesAreSuggested) {
  const std::vector<std::string_view> names{"rate", "delay", "buffer"};
  EXPECT_EQ(nearest("dealy", names), "delay");
  EXPECT_EQ(nearest("Rate", names), "rate");
  EXPECT_EQ(nearest("colour", names), std::nullopt);
  EXPECT_EQ(nearest("x", std::vector<std::string_view>{"k", "n"}), std::nullopt);
  EXPECT_EQ(nearest("rates", {}), std::nullopt);
  EXPECT_EQ(suggestion("zzz", names, "the keys are"), "; the keys are `rate`, `delay`, `buffer`");
  const std::vector<std::string_view> schemes{"qcn", "window", "dcqcn"};
  EXPECT_EQ(suggestion("dqcn", schemes, ""), "; did you mean `qcn` or `dcqcn`?");
  EXPECT_EQ(suggestion("buffr", names, "there are"), "; did you mean `buffer`?");
}

TEST(Suggest, PerCentWhereAFractionIsFarTooLarge) {
  EXPECT_EQ(percent_suggestion(50), "; did you mean \"50%\"?");
  EXPECT_EQ(percent_suggestion(2.5), "; did you mean \"2.5%\"?");
  EXPECT_EQ(percent_suggestion(1.2), "");
  EXPECT_EQ(percent_suggestion(101), "");
}

RC_GTEST_PROP(SuggestProperty, DistanceIsSymmetricAndBounded, (const std::string& a, const std::string& b)) {
  const std::size_t distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= std::max(a.size(), b.size()));
  RC_ASSERT(distance >= std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
}

}  // namespace
}  // namespace weir
