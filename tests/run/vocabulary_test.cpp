// What a scenario may say, all layers together: every default, range, choice and condition of a key makes sense.
#include "run/vocabulary.h"

#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

TEST(Vocabulary, HasNoProblems) { EXPECT_EQ(vocabulary_problems(vocabulary()), std::vector<std::string>{}); }

// A word of users that is no scheme gets an answer that helps, and not the nearest name.
TEST(Vocabulary, KnowsWhatPeopleMeanByOtherWords) {
  const auto said = [](const std::string& scheme) {
    testing::Star star;
    star.scheme = "name = '" + scheme + "'\n";
    star.traffic = testing::flows("[0, 1, 1000]");
    return testing::refusal(star.text());
  };
  for (const char* word : {"pfc", "PFC", "pause"})
    EXPECT_TRUE(says(said(word), "choose it with flow_control in [switch]")) << word;
  for (const char* word : {"ecn", "red", "WRED"})
    EXPECT_TRUE(says(said(word), "part of the scheme `dcqcn`, with the keys kmin, kmax and pmax")) << word;
  EXPECT_TRUE(says(said("rocev2"), "its usual congestion control is the scheme `dcqcn`"));
  EXPECT_TRUE(says(said("dcqnc"), "did you mean `dcqcn`?"));
  for (const OtherWord& other : other_words_for_schemes())
    for (const SchemeInfo& scheme : schemes()) EXPECT_NE(other.word, scheme.name);
}

}  // namespace
}  // namespace weir
