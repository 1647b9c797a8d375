// What the parser accepts and what it gives: values, defaults, overrides, canonical text and hash.
#include "scenario/parse.h"

#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "says.h"
#include "scenario/test_vocabulary.h"
#include "temp_dir.h"

namespace weir {
namespace {

constexpr std::string_view kTree = "[topology]\nkind = 'tree'\nk = 4\n";

Scenario parse(const std::string& text, const std::vector<Override>& overrides = {}) {
  return parse_scenario_text(text, "s.toml", kVocabulary, overrides);
}
Scenario parse_tree(const std::string& text, const std::vector<Override>& overrides = {}) {
  return parse(std::string(kTree) + text, overrides);
}

TEST(Vocabulary, TheTestVocabularyIsSound) { EXPECT_EQ(vocabulary_problems(kVocabulary), std::vector<std::string>{}); }

TEST(Vocabulary, ProblemsAreFound) {
  Vocabulary bad = kVocabulary;
  bad.sections[2].common[0].fallback = "8kB";  // not a rate
  bad.sections[2].common[1].name = "rate";     // twice
  bad.sections[3].default_kind = "digits";     // no such kind
  bad.sections[4].common[1].fallback = "1.5";  // out of range
  bad.sections.push_back({.name = "link", .summary = ""});
  bad.sections.push_back({.name = "sweep", .summary = ""});
  EXPECT_EQ(vocabulary_problems(bad).size(), 6u);
}

TEST(Parse, DefaultsAreFilledIn) {
  const Scenario s = parse_tree("");
  EXPECT_EQ(s.name, "s");
  EXPECT_EQ(s.seed, 1u);
  EXPECT_EQ(s.section("topology").kind, "tree");
  EXPECT_EQ(s.section("topology").integer("k"), 4);
  EXPECT_EQ(s.section("topology").integer("n"), 3);
  EXPECT_TRUE(s.section("topology").at("n").is_default);
  EXPECT_FALSE(s.section("topology").at("k").is_default);
  EXPECT_EQ(s.section("link").rate("rate").bits_per_second, 8'000'000'000);
  EXPECT_EQ(s.section("link").time("delay").ps, 15'000);
  EXPECT_EQ(s.section("link").bytes("buffer"), 2000);
  EXPECT_TRUE(s.section("link").flag("credits"));
  EXPECT_TRUE(std::isinf(s.section("link").number("speedup")));
  EXPECT_EQ(s.section("scheme").kind, "none");
  EXPECT_EQ(s.section("").time("duration").ps, 1'000'000'000);
  EXPECT_TRUE(s.all("traffic").empty());
  EXPECT_EQ(s.find("probe"), nullptr);  // optional, and without a default for its key
}

TEST(Parse, EveryTypeIsRead) {
  const Scenario s = parse(R"(
name = "all"
seed = 7
duration = "2 us"
[topology]
kind = "graph"
links = [["a", "b", "10Gbps"], ["b", 3, 1.5]]
nodes = ["a", "b"]
weights = [1, 2.5]
ports = [3, 4]
[link]
credits = false
speedup = 2
delay = 0
[[traffic]]
pattern = "hotspot"
name = "hot"
load = "66%"
arrival = "bernoulli"
target = 3
sizes = [64, "1KiB"]
[[traffic]]
pattern = "uniform"
load = 1
[probe]
host = 5
)");
  EXPECT_EQ(s.name, "all");
  EXPECT_EQ(s.seed, 7u);
  const Section& topology = s.section("topology");
  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ(topology.at("links").rows, (Rows{{"a", "b", "10Gbps"}, {"b", "3", "1.5"}}));
  EXPECT_EQ(topology.at("links").row_positions.size(), 2u);
  EXPECT_EQ(topology.at("nodes").texts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(topology.at("weights").numbers, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(topology.at("ports").integers, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(topology.at("ports").where.line, 10u);
  EXPECT_EQ(s.section("link").time("delay").ps, 0);
  EXPECT_EQ(s.section("link").number("speedup"), 2.0);
  const auto traffic = s.all("traffic");
  ASSERT_EQ(traffic.size(), 2u);
  EXPECT_EQ(traffic[0]->text("name"), "hot");
  EXPECT_EQ(traffic[0]->number("load"), 0.66);
  EXPECT_EQ(traffic[0]->text("arrival"), "bernoulli");
  EXPECT_EQ(traffic[0]->at("sizes").integers, (std::vector<std::int64_t>{64, 1024}));
  EXPECT_EQ(traffic[0]->where.line, 15u);
  EXPECT_EQ(traffic[0]->kind_where.line, 16u);
  EXPECT_FALSE(traffic[1]->has("name"));
  EXPECT_EQ(s.section("probe").integer("host"), 5);
}

TEST(Parse, LaterLayersRefuseWithThePlace) {
  const Scenario s = parse_tree("[link]\nrate = '1Gbps'\n");
  const auto message = [&](std::string_view key) {
    return error_of([&] { s.section("link").refuse(key, "no"); });
  };
  EXPECT_EQ(message("rate"), "s.toml:5: no");
  EXPECT_EQ(message("delay"), "s.toml:4: no");
}

TEST(ParseDeathTest, AskingForWhatTheVocabularyLacksAborts) {
  const Scenario s = parse_tree("");
  EXPECT_DEATH(s.section("link").at("colour"), "no such key");
  EXPECT_DEATH(s.section("link").integer("delay"), "another type");
  EXPECT_DEATH(s.section("traffic"), "there are 0");
}

TEST(Overrides, SetAndCreateValues) {
  const Scenario s =
      parse_tree("[[traffic]]\npattern = 'uniform'\nname = 'cold'\n", {{"seed", "9"},
                                                                           {"link.rate", "10Gbps"},
                                                                           {"traffic.0.load", "0.25"},
                                                                           {"traffic.cold.arrival", R"("constant")"},
                                                                           {"topology.n", "2"},
                                                                           {"link.credits", "false"}});
  EXPECT_EQ(s.seed, 9u);
  EXPECT_EQ(s.section("link").rate("rate").bits_per_second, 10'000'000'000);
  EXPECT_EQ(s.all("traffic")[0]->number("load"), 0.25);
  EXPECT_EQ(s.all("traffic")[0]->text("arrival"), "constant");
  EXPECT_EQ(s.section("topology").integer("n"), 2);
  EXPECT_FALSE(s.section("link").flag("credits"));
}

TEST(Overrides, CreateTheFirstEntryOfAList) {
  const Scenario s = parse_tree("", {{"traffic.0.pattern", "hotspot"}, {"traffic.0.target", "2"}});
  ASSERT_EQ(s.all("traffic").size(), 1u);
  EXPECT_EQ(s.all("traffic")[0]->integer("target"), 2);
}

TEST(Overrides, ATextMayLookLikeANumber) {
  EXPECT_EQ(parse_tree("", {{"name", "12"}}).name, "12");
  EXPECT_EQ(parse_tree("", {{"name", "true"}}).name, "true");
  EXPECT_EQ(parse_tree("", {{"name", "a = \"b"}}).name, "a = \"b");
  EXPECT_EQ(parse_tree("", {{"name", "1\nseed = 5"}}).name, "1\nseed = 5");
}

TEST(Overrides, AnotherKindDropsTheKeysOfTheOld) {
  const std::string window = "[scheme]\nname = 'window'\npackets = 2\nlevel = 'high'\n";
  EXPECT_EQ(parse_tree(window, {{"scheme.name", "none"}}).section("scheme").kind, "none");
  // `packets` means the same in both kinds and stays; `level` has another type and goes.
  const Scenario marking = parse_tree(window, {{"scheme.name", "marking"}});
  EXPECT_EQ(marking.section("scheme").integer("packets"), 2);
  EXPECT_EQ(marking.section("scheme").integer("level"), 1);
  // The same, in two steps.
  EXPECT_EQ(with_overrides(parse_tree(window), {{"scheme.name", "marking"}}, kVocabulary).canonical(),
            marking.canonical());
  // The order within a set does not matter.
  const Scenario both = parse_tree(window, {{"scheme.gain", "0.25"}, {"scheme.name", "marking"}});
  EXPECT_EQ(both.section("scheme").number("gain"), 0.25);
}

TEST(Overrides, AreSplitAtTheFirstEqualsSign) {
  const Override o = parse_override("a.b = x=y ");
  EXPECT_EQ(o.key, "a.b");
  EXPECT_EQ(o.value, "x=y");
  EXPECT_EQ(parse_override("sweep.\"scheme.name\"=[\"none\"]").key, "sweep.scheme.name");
  EXPECT_THROW(parse_override("a.b"), InputError);
  EXPECT_THROW(parse_override("=3"), InputError);
}

TEST(Canonical, HasEveryValueInOneSpelling) {
  EXPECT_EQ(parse_tree("[[traffic]]\nload = '50%'\npattern='uniform'\n").canonical(), R"(seed = 1
duration = "1ms"

[topology]
kind = "tree"
k = 4
n = 3

[link]
rate = "8Gbps"
delay = "15ns"
buffer = "2kB"
credits = true
speedup = inf

[routing]
name = "digit"

[[traffic]]
pattern = "uniform"
load = 0.5
arrival = "poisson"

[scheme]
name = "none"
)");
}

TEST(Canonical, DoesNotDependOnOrderCommentsAndUnits) {
  const Scenario a =
      parse(R"(seed = 2
[link]
buffer = "1000B"
delay = "0.5us"
[topology]
kind = "tree"
k = 4
)");
  const Scenario b = parse(
      R"(# other
seed = 2
topology = { k = 4, n = 3, kind = "tree" }
link.delay = "500 ns"  # same
link.buffer = 1000
)");
  EXPECT_EQ(a.canonical(), b.canonical());
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(a.hash().size(), 32u);
}

TEST(Canonical, ReadsBackAsTheSame) {
  const Scenario s =
      parse_tree(R"([[traffic]]
pattern = "hotspot"
target = 1
name = "a \"b\" \u0001"
load = 1e-7
)");
  const Scenario again = parse(s.canonical());
  EXPECT_EQ(again.canonical(), s.canonical());
  EXPECT_EQ(again.hash(), s.hash());
}

TEST(Hash, SeesEveryValueButNotTheTitle) {
  const std::string base = parse_tree("").hash();
  EXPECT_NE(parse_tree("", {{"seed", "2"}}).hash(), base);
  EXPECT_NE(parse_tree("", {{"link.delay", "15001ps"}}).hash(), base);
  EXPECT_NE(parse_tree("", {{"traffic.0.pattern", "uniform"}}).hash(), base);
  EXPECT_EQ(parse_tree("", {{"name", "other"}, {"description", "text"}}).hash(), base);
  EXPECT_EQ(parse_tree("[sweep]\nrepetitions = 2\n[[compare]]\nscheme = { name = 'window' }\n").hash(), base);
  EXPECT_EQ(parse_scenario_text(kTree, "elsewhere/t.toml", kVocabulary).hash(), base);
}

TEST(Hash, CoversTheContentsOfFilesNotTheirPlace) {
  const TempDir one, two;
  const std::string text = "[topology]\nkind = 'import'\nfile = './net.txt'\n";
  one.write("net.txt", "switch 1");
  two.write("net.txt", "switch 1");
  const std::string first = one.write("s.toml", text), second = two.write("t.toml", text);
  const Scenario a = parse_scenario_file(first, kVocabulary), b = parse_scenario_file(second, kVocabulary);
  EXPECT_EQ(a.canonical(), b.canonical());
  EXPECT_TRUE(says(a.canonical(), R"(file = "net.txt")"));
  EXPECT_EQ(a.hash(), b.hash());
  two.write("other.txt", "switch 1");
  EXPECT_EQ(parse_scenario_file(second, kVocabulary, {{"topology.file", "other.txt"}}).hash(), a.hash());
  two.write("net.txt", "switch 2");
  EXPECT_NE(b.hash(), a.hash());
  std::ifstream in(a.section("topology").text("file"));
  EXPECT_TRUE(in.good());
}

}  // namespace
}  // namespace weir
