// The lists of components that a scenario chooses by name, and the keys that components bring along.
#include <gtest/gtest.h>

#include <set>

#include "base/type_list.h"
#include "packet/config/config.h"
#include "packet/config/component_keys.h"

namespace weir {

TypeList<> numbers(TypePlace<0>);
WEIR_JOIN(numbers, char)
WEIR_JOIN(numbers, int)
WEIR_JOIN(numbers, long)

namespace {

TEST(TypeList, KeepsTheOrderOfItsLines) {
  static_assert(std::is_same_v<WEIR_LIST(numbers), TypeList<char, int, long>>);
}

const ParamSpec& param_of(const std::vector<ParamSpec>& params, std::string_view name) {
  return *std::find_if(params.begin(), params.end(), [&](const ParamSpec& p) { return p.name == name; });
}

template <class Kind>
void check_list(const std::vector<ParamSpec>& params, std::string_view key) {
  const ParamSpec& choice = param_of(params, key);
  ASSERT_EQ(choice.choices.size(), Kind::all().size());
  EXPECT_EQ(choice.fallback, Kind::all().front()->spec.name);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < Kind::all().size(); ++i) {
    const ComponentSpec& component = Kind::all()[i]->spec;
    EXPECT_TRUE(names.insert(component.name).second) << component.name;
    EXPECT_EQ(choice.choices[i], component.name);
    EXPECT_NE(choice.help.find(component.help), choice.help.npos) << component.name;
    EXPECT_EQ(&component_named<Kind>(component.name).spec, &component);
    for (const ParamSpec& own : component.params)
      EXPECT_NE(param_of(params, own.name).applies_when[0].is, Condition::Is::always) << own.name;
  }
}

TEST(Components, AreWhatTheVocabularyOffers) {
  check_list<OrganisationKind>(switch_params(), "organisation");
  check_list<FlowControlKind>(switch_params(), "flow_control");
  check_list<RouteChoiceKind>(route_choice_params(), "choice");
}

TEST(Components, AreTheFirstOnesUnlessTheScenarioSaysOtherwise) {
  const SwitchConfig config;
  EXPECT_EQ(config.organisation->spec.name, "voq-input");
  EXPECT_TRUE(config.flow_control->by_credits);
  EXPECT_TRUE(config.choice->fixed());
}

constexpr ParamSpec kFewParams[] = {{"b_one", ParamType::flag, "true", "help"}};
constexpr ParamSpec kManyParams[] = {
    {"a_one", ParamType::bytes, kUnset, "help"},
    ParamSpec{"a_two", ParamType::flag, "true", "help"}.applying(when_given({"a_one"})),
    ParamSpec{"a_three", ParamType::flag, "true", "help"}.applying(unless_given({"a_one"})),
};

TEST(Components, BringKeysThatNeedThem) {
  const ComponentSpec plain{.name = "plain"}, many{.name = "many", .help = "has keys", .params = kManyParams},
      few{.name = "few", .help = "has a key", .params = kFewParams};
  const config::ComponentKeys keys("which", {&plain, &many, &few}, "one of: ", "; no more");
  EXPECT_EQ(keys.choice().help, "one of: plain; many: has keys; few: has a key; no more");
  EXPECT_EQ(keys.choice().fallback, "plain");
  const std::vector<ParamSpec>& own = keys.of_components();
  ASSERT_EQ(own.size(), 4u);
  EXPECT_EQ(own[0].name, "b_one") << "fewer keys come first";
  EXPECT_EQ(own[0].applies_when[0].values[0], "few");
  EXPECT_EQ(own[1].applies_when[0].values[0], "many");
  EXPECT_EQ(own[2].applies_when[0].is, Condition::Is::given) << "the key that it needs needs the component";
  EXPECT_EQ(own[3].applies_when[0].values[0], "many");
  EXPECT_EQ(own[3].applies_when[1].is, Condition::Is::not_given);
}

}  // namespace
}  // namespace weir
