// What a scenario may say, all layers together: every default, range, choice and condition of a key makes sense.
#include "run/vocabulary.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Vocabulary, HasNoProblems) { EXPECT_EQ(vocabulary_problems(vocabulary()), std::vector<std::string>{}); }

}  // namespace
}  // namespace weir
