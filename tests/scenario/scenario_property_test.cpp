// Properties of random scenarios: the canonical text is a fixed point, and neither the order of keys nor the spelling
// of units matters.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "scenario/parse.h"
#include "scenario/quantity.h"
#include "scenario/test_vocabulary.h"

namespace weir {
namespace {

// A section as lines, so that they can be shuffled.
struct Block {
  std::string header;
  std::vector<std::string> lines;
};

// The same quantity in one of several spellings; which one must not matter.
std::string spelled_time(std::int64_t ns, int spelling) {
  switch (spelling) {
    case 0:
      return "\"" + std::to_string(ns) + "ns\"";
    case 1:
      return "\"" + std::to_string(ns) + "000 ps\"";
    case 2:
      return "\"" + to_text(Time{ns * 1000}) + "\"";
    default:
      return "\"" + std::to_string(ns) + "e-3us\"";
  }
}
std::string spelled_bytes(std::int64_t bytes, int spelling) {
  switch (spelling) {
    case 0:
      return std::to_string(bytes);
    case 1:
      return "\"" + std::to_string(bytes) + " B\"";
    case 2:
      return "\"" + bytes_to_text(bytes) + "\"";
    default:
      return "\"" + std::to_string(bytes) + "e-3kB\"";
  }
}
std::string spelled_percent(int percent, int spelling) {
  if (spelling == 0) return "\"" + std::to_string(percent) + "%\"";
  return spelling == 1 ? to_text(Decimal{percent, -2}) : "\"" + to_text(Decimal{percent, -2}) + "\"";
}

struct Choices {
  std::int64_t delay = *rc::gen::inRange<std::int64_t>(0, 10'000'000);
  std::int64_t buffer = *rc::gen::inRange<std::int64_t>(0, 10'000'000);
  int k = *rc::gen::inRange(2, 65);
  int seed = *rc::gen::inRange(0, 1000);
  int scheme = *rc::gen::inRange(0, 3);
  std::vector<int> loads = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 101));
  bool has_name = *rc::gen::arbitrary<bool>();
};

std::vector<Block> blocks_of(const Choices& choices, int spelling) {
  std::vector<Block> blocks;
  blocks.push_back({"", {"seed = " + std::to_string(choices.seed)}});
  if (choices.has_name) blocks[0].lines.push_back(R"(name = "x")");
  blocks.push_back({"[topology]", {R"(kind = "tree")", "k = " + std::to_string(choices.k)}});
  blocks.push_back(
      {"[link]",
       {"delay = " + spelled_time(choices.delay, spelling), "buffer = " + spelled_bytes(choices.buffer, spelling)}});
  if (choices.scheme == 1) blocks.push_back({"[scheme]", {R"(name = "window")", "packets = 3", R"(level = "high")"}});
  if (choices.scheme == 2)
    blocks.push_back({"[scheme]", {R"(name = "marking")", "threshold = " + spelled_bytes(4096, spelling)}});
  for (const int load : choices.loads) {
    blocks.push_back(
        {"[[traffic]]", {R"(pattern = "hotspot")", "load = " + spelled_percent(load, spelling % 3), "target = 1"}});
  }
  return blocks;
}

std::string text_of(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) {
    text += block.header + "\n";
    for (const std::string& line : block.lines) text += line + "\n";
  }
  return text;
}

// Keys within a section, and sections other than lists, in any order.
void shuffle_order(std::vector<Block>& blocks, std::uint64_t seed) {
  RandomStream random(seed, Purpose::test, 0);
  for (Block& block : blocks) shuffle(block.lines, random);
  const auto is_list = [](const Block& block) { return block.header.starts_with("[["); };
  const auto lists = std::find_if(blocks.begin(), blocks.end(), is_list);
  std::vector<Block> single(blocks.begin() + 1, lists);
  shuffle(single, random);
  std::copy(single.begin(), single.end(), blocks.begin() + 1);
}

RC_GTEST_PROP(ScenarioProperty, OrderAndSpellingDoNotMatter, ()) {
  const Choices choices;
  const std::vector<Block> first = blocks_of(choices, *rc::gen::inRange(0, 4));
  std::vector<Block> second = blocks_of(choices, *rc::gen::inRange(0, 4));
  shuffle_order(second, *rc::gen::arbitrary<std::uint64_t>());
  const Scenario a = parse_scenario_text(text_of(first), "a.toml", kVocabulary);
  const Scenario b = parse_scenario_text(text_of(second), "elsewhere/b.toml", kVocabulary);
  RC_ASSERT(a.canonical() == b.canonical());
  RC_ASSERT(a.hash() == b.hash());
}

RC_GTEST_PROP(ScenarioProperty, CanonicalIsAFixedPoint, ()) {
  const Choices choices;
  const Scenario a = parse_scenario_text(text_of(blocks_of(choices, 0)), "a.toml", kVocabulary);
  const Scenario b = parse_scenario_text(a.canonical(), "b.toml", kVocabulary);
  RC_ASSERT(b.canonical() == a.canonical());
  RC_ASSERT(b.hash() == a.hash());
  RC_ASSERT(b.sections.size() == a.sections.size());
}

RC_GTEST_PROP(ScenarioProperty, OverridesAreTheSameAsWriting, ()) {
  Choices choices;
  const Scenario written = parse_scenario_text(text_of(blocks_of(choices, 0)), "a.toml", kVocabulary);
  const std::string delay = spelled_time(choices.delay, 2);
  const int k = choices.k;
  choices.delay = 1;
  choices.k = 2;
  const std::vector<Override> overrides{{"link.delay", delay.substr(1, delay.size() - 2)},
                                        {"topology.k", std::to_string(k)}};
  const Scenario changed = parse_scenario_text(text_of(blocks_of(choices, 0)), "a.toml", kVocabulary, overrides);
  RC_ASSERT(changed.hash() == written.hash());
}

// Any text that begins with a letter is taken as it is, also control characters and quotes.
RC_GTEST_PROP(ScenarioProperty, AnyTextSurvivesAsAnOverride, ()) {
  const auto any_character = rc::gen::map(rc::gen::inRange(1, 128), [](int c) { return static_cast<char>(c); });
  const std::string text = "w" + *rc::gen::container<std::string>(any_character);
  const std::string base = "[topology]\nkind=\"tree\"\nk=2\n[[traffic]]\npattern=\"uniform\"\nname=\"n\"\n";
  const Scenario a = parse_scenario_text(base, "a.toml", kVocabulary);
  const Scenario b = with_overrides(a, {{"traffic.n.name", text}}, kVocabulary);
  RC_ASSERT(b.all("traffic")[0]->text("name") == text);
  RC_ASSERT(parse_scenario_text(b.canonical(), "a.toml", kVocabulary).canonical() == b.canonical());
}

RC_GTEST_PROP(ScenarioProperty, DamagedTextThrowsOnlyInputErrors, ()) {
  std::string text = text_of(blocks_of(Choices(), 0));
  const auto changes = *rc::gen::inRange(1, 6);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    text[at] = *rc::gen::element('"', '[', ']', '=', '\n', '.', '{', '0', 'x', '\0', '\xff');
  }
  try {
    const Scenario s = parse_scenario_text(text, "a.toml", kVocabulary);
    RC_ASSERT(parse_scenario_text(s.canonical(), "a.toml", kVocabulary).canonical() == s.canonical());
  } catch (const InputError& error) {
    RC_ASSERT(std::string(error.what()).starts_with("a.toml:"));
  }
}

}  // namespace
}  // namespace weir
