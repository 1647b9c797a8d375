// Keys that have no effect are refused as their conditions say.
#include "scenario/conditions.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "says.h"
#include "scenario/parse.h"

namespace weir {
namespace {

constexpr std::string_view kModes[] = {"slow", "fast"};
constexpr ParamSpec kOfA[] = {
    {"mode", ParamType::choice, "slow", "how", 0, 0, kModes},
    ParamSpec{"speed", ParamType::integer, "1", "how fast"}.applying(when("mode", {"fast"})),
    ParamSpec{"pace", ParamType::integer, "1", "or so"}.applying(unless_given({"speed"})),
};
constexpr ParamSpec kOfB[] = {
    ParamSpec{"speed", ParamType::integer, "1", "how fast"}.applying(when("mode", {"fast"})),
};
constexpr KeyCondition kConditionsOfB[] = {{"late", never("b is always in time")}};

Vocabulary words() {
  return {{{.name = "thing",
            .summary = "a thing",
            .selector = "kind",
            .common = {{"late", ParamType::flag, "false", "too late"},
                       ParamSpec{"excuse", ParamType::text, kUnset, "why"}.applying(when_given({"late"}))},
            .kinds = {{"a", "first", kOfA}, {"b", "second", kOfB, "", "", kConditionsOfB}}},
           {.name = "other",
            .summary = "another",
            .common = {ParamSpec{"width", ParamType::integer, "1", "across"}.applying(when("run.engine", {"packet"}))}},
           {.name = "run",
            .summary = "how",
            .common = {{"engine", ParamType::text, "packet", "which"}}}}};
}

std::string refusal(const std::string& text) {
  return error_of([&] { parse_scenario_text(text, "s.toml", words()); });
}

TEST(Conditions, AKeyWithoutEffectIsRefusedWhereItIsWritten) {
  EXPECT_EQ(refusal("[thing]\nkind = 'a'\nspeed = 3\n"),
            R"(s.toml:3: `speed` has no effect here: it belongs to mode = "fast")");
  EXPECT_EQ(refusal("[thing]\nkind = 'a'\nmode = 'fast'\nspeed = 3\npace = 2\n"),
            "s.toml:5: `pace` has no effect here: `speed` is given");
  EXPECT_EQ(refusal("[thing]\nkind = 'a'\nexcuse = 'rain'\n"),
            "s.toml:3: `excuse` has no effect here: `late` is not given");
  EXPECT_EQ(refusal("[thing]\nkind = 'b'\nlate = true\n"), "s.toml:3: `late` has no effect here: b is always in time");
}

TEST(Conditions, ASettingBesideTheKeyOfTheFileHasAWayOut) {
  EXPECT_EQ(error_of([] {
              parse_scenario_text("[thing]\nkind = 'a'\nmode = 'fast'\npace = 2\n", "s.toml", words(),
                                  {{"thing.speed", "3"}});
            }),
            "s.toml:4: `pace` and `speed` (from --set) exclude each other: set thing.pace instead, or remove `pace` "
            "from "
            "the file");
}

TEST(Conditions, ADefaultThatIsWrittenOutIsNotRefused) {
  EXPECT_EQ(refusal("[thing]\nkind = 'a'\nspeed = 1\n"), "no error");
}

TEST(Conditions, AKeyThatTheKindDoesNotHaveIsNoObstacle) {
  EXPECT_EQ(refusal("[thing]\nkind = 'b'\nspeed = 3\n"), "no error");
}

TEST(Conditions, ReachOtherSections) {
  EXPECT_EQ(refusal("[other]\nwidth = 2\n"), "no error");
  EXPECT_EQ(refusal("[other]\nwidth = 2\n[run]\nengine = 'fluid'\n"),
            R"(s.toml:2: `width` has no effect here: it belongs to run.engine = "packet")");
}

TEST(Conditions, MistakesInTheTablesAreFound) {
  EXPECT_TRUE(vocabulary_problems(words()).empty());
  Vocabulary wrong = words();
  wrong.sections[1].common[0] = ParamSpec{"width", ParamType::integer, "1", "across"}.applying(when_given({"depth"}));
  ASSERT_EQ(vocabulary_problems(wrong).size(), 1u);
  EXPECT_TRUE(says(vocabulary_problems(wrong)[0], "`depth`, which does not exist"));
}

}  // namespace
}  // namespace weir
