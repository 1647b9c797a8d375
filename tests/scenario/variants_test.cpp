// [[compare]] and [sweep]: which scenarios they give, in which order, and what is refused.
#include <gtest/gtest.h>

#include "error_of.h"
#include "scenario/parse.h"
#include "scenario/test_vocabulary.h"

namespace weir {
namespace {

// The text begins on line 7.
constexpr std::string_view kBase =
    R"([topology]
kind = "tree"
k = 4
[[traffic]]
pattern = "uniform"
name = "cold"
)";

Scenario parsed(const std::string& text, const std::vector<Override>& overrides = {}) {
  return parse_scenario_text(std::string(kBase) + text, "s.toml", kVocabulary, overrides);
}
std::string refusal_of(const std::string& text) {
  return error_of([&] { parsed(text); });
}
std::vector<std::string> labels(const std::vector<Variant>& variants) {
  std::vector<std::string> names;
  for (const Variant& variant : variants) names.push_back(variant.label);
  return names;
}
std::vector<std::string> sweep_labels(const std::string& lines) {
  return labels(sweep_variants(parsed("[sweep]\n" + lines), kVocabulary));
}
using Labels = std::vector<std::string>;

TEST(Compare, FragmentsAreLaidOverTheBase) {
  const Scenario base = parsed(R"(
[scheme]
name = "window"
packets = 2
level = "high"
[link]
delay = "1us"
[[compare]]
scheme = { packets = 3 }
[[compare]]
label = "more"
scheme = { name = "window", packets = 4 }
link = { rate = "1Gbps" }
[[compare]]
scheme = { name = "marking", gain = 0.25 }
routing = { name = "adaptive" }
[[compare]]
label = "light"
seed = 5
set = { "traffic.cold.load" = "10%", "scheme.name" = "none" }
)");
  ASSERT_EQ(base.compare.size(), 4u);
  EXPECT_EQ(base.compare[1].toml,
            R"(label = "more"
scheme = { name = "window", packets = 4 }
link = { rate = "1Gbps" }
)");
  EXPECT_EQ(base.compare[2].where.line, 20u);
  const auto variants = compare_variants(base, kVocabulary);
  EXPECT_EQ(labels(variants), (Labels{"window", "more", "marking + adaptive", "light"}));
  const Section& merged = variants[0].scenario.section("scheme");
  EXPECT_EQ(merged.integer("packets"), 3);
  EXPECT_EQ(merged.text("level"), "high");
  EXPECT_EQ(variants[1].scenario.section("scheme").integer("packets"), 4);
  EXPECT_EQ(variants[1].scenario.section("link").time("delay").ps, 1'000'000);
  EXPECT_EQ(variants[1].scenario.section("link").rate("rate").bits_per_second, 1'000'000'000);
  // Another kind replaces the section: `packets` is the default of the new kind.
  EXPECT_EQ(variants[2].scenario.section("scheme").integer("packets"), 8);
  EXPECT_EQ(variants[2].scenario.section("scheme").number("gain"), 0.25);
  EXPECT_EQ(variants[3].scenario.all("traffic")[0]->number("load"), 0.1);
  EXPECT_EQ(variants[3].scenario.section("scheme").kind, "none");
  EXPECT_EQ(variants[3].scenario.seed, 5u);
  EXPECT_TRUE(variants[0].scenario.compare.empty());
  // A variant is the same run as the scenario written out.
  EXPECT_EQ(variants[0].scenario.hash(), with_overrides(base, {{"scheme.packets", "3"}}, kVocabulary).hash());
}

TEST(Compare, OverridesLieBelowTheFragments) {
  const Scenario base = parsed("[[compare]]\nscheme = { name = 'window' }\n", {{"link.delay", "5ns"}});
  EXPECT_EQ(compare_variants(base, kVocabulary)[0].scenario.section("link").time("delay").ps, 5'000);
}

TEST(Compare, Refusals) {
  EXPECT_EQ(refusal_of("[[compare]]\nscheme = { name = 'window', pakets = 2 }\n"),
            "s.toml:8: unknown key `pakets` in [scheme] with name = \"window\"; did you mean `packets`?");
  EXPECT_EQ(refusal_of("[[compare]]\nshceme = { name = 'window' }\n"),
            "s.toml:8: unknown section [shceme] in [[compare]]; did you mean `scheme`?");
  EXPECT_EQ(refusal_of("[[compare]]\nscheme = 'window'\n"),
            R"(s.toml:8: `scheme` needs a table such as { name = ... }, not the text "window")");
  EXPECT_EQ(refusal_of("[[compare]]\ntraffic = [{ load = 0.1 }]\n"),
            R"(s.toml:8: [[traffic]] cannot be replaced in [[compare]]; use set = { "traffic.0.pattern" = ... })");
  EXPECT_EQ(refusal_of("[[compare]]\nset = { 'traffic.warm.load' = 0.1 }\n"),
            "s.toml:8: no [[traffic]] is named `warm`; the names are `cold`");
  EXPECT_EQ(refusal_of("[[compare]]\nset = { link.delay = '1ns' }\n"),
            R"(s.toml:8: put the whole key in quotes: "link.delay" = ...)");
  EXPECT_EQ(refusal_of("[compare]\n"), "s.toml:7: `compare` is a list: write [[compare]] with double brackets");
  EXPECT_EQ(refusal_of("[[compare]]\nlabel = 3\n"),
            R"(s.toml:8: `label` needs a text such as "small window", not the integer 3)");
  EXPECT_EQ(
      refusal_of(
          R"([[compare]]
scheme = { name = "window" }
[[compare]]
scheme = { name = "window", packets = 2 }
)"),
      R"(s.toml:9: two entries of [[compare]] are called "window"; give this one another `label`)");
}

TEST(Sweep, AllCombinationsTheLastAxisFastest) {
  const Scenario base =
      parsed("[sweep]\n'traffic.cold.load' = [0.1, '20%']\nlink.delay = ['1ns', '2ns']\nrepetitions = 2\n",
            {{"seed", "5"}});
  const auto variants = sweep_variants(base, kVocabulary);
  EXPECT_EQ(labels(variants),
            (Labels{"traffic.cold.load=0.1, link.delay=1ns, seed=5", "traffic.cold.load=0.1, link.delay=1ns, seed=6",
                    "traffic.cold.load=0.1, link.delay=2ns, seed=5", "traffic.cold.load=0.1, link.delay=2ns, seed=6",
                    "traffic.cold.load=0.2, link.delay=1ns, seed=5", "traffic.cold.load=0.2, link.delay=1ns, seed=6",
                    "traffic.cold.load=0.2, link.delay=2ns, seed=5", "traffic.cold.load=0.2, link.delay=2ns, seed=6"}));
  EXPECT_EQ(variants[7].scenario.seed, 6u);
  EXPECT_EQ(variants[7].scenario.all("traffic")[0]->number("load"), 0.2);
  EXPECT_EQ(variants[7].scenario.section("link").time("delay").ps, 2'000);
  EXPECT_TRUE(variants[7].scenario.sweep.empty());
  ASSERT_EQ(variants[7].settings.size(), 3u);
  EXPECT_EQ(variants[7].settings[0].value, "0.2") << "as a range has it";
  EXPECT_EQ(variants[7].settings[1].key, "link.delay");
  EXPECT_EQ(variants[7].settings[1].value, R"("2ns")");
}

TEST(Sweep, WithoutATableThereIsTheBaseAlone) {
  const Scenario base = parsed("");
  const auto variants = sweep_variants(base, kVocabulary);
  ASSERT_EQ(variants.size(), 1u);
  EXPECT_EQ(variants[0].label, "");
  EXPECT_EQ(variants[0].scenario.hash(), base.hash());
}

TEST(Sweep, RangesAreExact) {
  EXPECT_EQ(sweep_labels("'traffic.0.load' = { from = 0.1, to = 1, step = 0.1 }\n").back(), "traffic.0.load=1");
  EXPECT_EQ(sweep_labels("'traffic.0.load' = { from = 0.1, to = 1, step = 0.1 }\n")[2], "traffic.0.load=0.3");
  EXPECT_EQ(sweep_labels("'traffic.0.load' = { from = '10%', to = '30%', step = '10%' }\n"),
            (Labels{"traffic.0.load=0.1", "traffic.0.load=0.2", "traffic.0.load=0.3"}));
  EXPECT_EQ(sweep_labels("'link.delay' = { from = '0.1ns', to = '0.4ns', step = '100ps' }\n"),
            (Labels{"link.delay=100ps", "link.delay=200ps", "link.delay=300ps", "link.delay=400ps"}));
  EXPECT_EQ(sweep_labels("'link.buffer' = { from = '2kB', to = '500B', step = '-1kB' }\n"),
            (Labels{"link.buffer=2kB", "link.buffer=1kB"}));
  EXPECT_EQ(sweep_labels("'topology.n' = { from = 1, to = 6, step = 2 }\n"),
            (Labels{"topology.n=1", "topology.n=3", "topology.n=5"}));
  EXPECT_EQ(sweep_labels("'topology.n' = { from = 2, to = 2, step = 1 }\n"), (Labels{"topology.n=2"}));
}

TEST(Sweep, PointsOnLinearAndLogarithmicScales) {
  EXPECT_EQ(sweep_labels("'topology.k' = { from = 2, to = 32, points = 5, scale = 'log' }\n"),
            (Labels{"topology.k=2", "topology.k=4", "topology.k=8", "topology.k=16", "topology.k=32"}));
  EXPECT_EQ(sweep_labels("'link.rate' = { from = '1Gbps', to = '100Gbps', points = 3, scale = 'log' }\n"),
            (Labels{"link.rate=1Gbps", "link.rate=10Gbps", "link.rate=100Gbps"}));
  EXPECT_EQ(sweep_labels("'traffic.0.load' = { from = 0.1, to = 0.3, points = 3 }\n"),
            (Labels{"traffic.0.load=0.1", "traffic.0.load=0.2", "traffic.0.load=0.3"}));
  EXPECT_EQ(sweep_labels("'traffic.0.load' = { from = 0.01, to = 1, points = 5, scale = 'log' }\n")[1],
            "traffic.0.load=0.0316228");
  EXPECT_EQ(sweep_labels("'link.delay' = { from = '10ps', to = '1ps', points = 3, scale = 'linear' }\n"),
            (Labels{"link.delay=10ps", "link.delay=6ps", "link.delay=1ps"}));
}

TEST(Sweep, ZippedKeysAdvanceTogether) {
  EXPECT_EQ(sweep_labels(R"("link.delay" = ["1ns", "2ns"]
seed = [1, 2]
"link.rate" = ["1Gbps", "2Gbps"]
zip = [["link.delay", "link.rate"]]
)"),
            (Labels{"link.delay=1ns, link.rate=1Gbps, seed=1", "link.delay=1ns, link.rate=1Gbps, seed=2",
                    "link.delay=2ns, link.rate=2Gbps, seed=1", "link.delay=2ns, link.rate=2Gbps, seed=2"}));
  // A kind and a key that only this kind has.
  const auto variants = sweep_variants(parsed("[sweep]\n'scheme.name' = ['window', 'marking']\n"), kVocabulary);
  EXPECT_EQ(variants[1].scenario.section("scheme").kind, "marking");
}

// One of the keys may keep its value, but not all of them.
TEST(Sweep, ZippedKeysMayRepeatAValue) {
  EXPECT_EQ(sweep_labels("'link.delay' = ['1ns', '1ns', '2ns']\n'link.rate' = ['1Gbps', '2Gbps', '2Gbps']\n"
                         "zip = [['link.delay', 'link.rate']]\n"),
            (Labels{"link.delay=1ns, link.rate=1Gbps", "link.delay=1ns, link.rate=2Gbps",
                    "link.delay=2ns, link.rate=2Gbps"}));
  EXPECT_EQ(refusal_of("[sweep]\n'link.delay' = ['1ns', '1ns']\n'link.rate' = ['2Gbps', '2Gbps']\n"
                       "zip.speed = ['link.delay', 'link.rate']\n"),
            "s.toml:8: the sweep of `speed` has the point \"1ns\", \"2Gbps\" twice");
}

TEST(Sweep, ZippedKeysMayHaveAName) {
  const Scenario base = parsed(R"([sweep]
"link.delay" = ["1ns", "2ns"]
"link.rate" = ["1Gbps", "2Gbps"]
zip.speed = ["link.delay", "link.rate"]
)");
  ASSERT_EQ(base.sweep.size(), 1u);
  EXPECT_EQ(base.sweep[0].key, "speed");
  EXPECT_EQ(labels(sweep_variants(base, kVocabulary)),
            (Labels{"link.delay=1ns, link.rate=1Gbps", "link.delay=2ns, link.rate=2Gbps"}));
  EXPECT_EQ(refusal_of("[sweep]\nseed = [1, 2]\nzip = { a = 1 }\n"),
            R"(s.toml:9: `zip` needs lists of keys that advance together, as in [["link.rate", "link.delay"]])");
}

// `packets` is a key of window and marking, which none does not have.
TEST(Sweep, KeysOfOneKindAreLeftOutForTheOthers) {
  const auto all = sweep_variants(
      parsed("[sweep]\n'scheme.name' = ['none', 'window']\n'scheme.packets' = [2, 4]\n"), kVocabulary);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].label, "scheme.name=none, scheme.packets=2");
  EXPECT_EQ(all[0].scenario.hash(), all[1].scenario.hash());
  EXPECT_EQ(all[0].scenario.section("scheme").kind, "none");
  EXPECT_EQ(all[2].scenario.section("scheme").integer("packets"), 2);
  EXPECT_EQ(all[3].scenario.section("scheme").integer("packets"), 4);
}

TEST(Sweep, KeysThatNoListedKindHasAreRefused) {
  const std::string misspelt = refusal_of("[sweep]\n'scheme.name' = ['none', 'window']\n'scheme.pakcets' = [2, 4]\n");
  EXPECT_TRUE(misspelt.find("unknown key `pakcets`") != std::string::npos) << misspelt;
  const std::string alone = refusal_of("[sweep]\n'scheme.name' = ['none']\n'scheme.packets' = [2, 4]\n");
  EXPECT_TRUE(alone.find("`packets` is not a key of scheme `none`") != std::string::npos) << alone;
}

TEST(Sweep, VariantsOneAtATime) {
  const Scenario base =
      parsed("[sweep]\n'link.delay' = ['1ns', '2ns']\nseed = [1, 2, 5]\n'topology.k' = [2, 4]\n");
  const auto all = sweep_variants(base, kVocabulary);
  ASSERT_EQ(sweep_size(base), 12u);
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Variant one = sweep_variant(base, n, kVocabulary);
    EXPECT_EQ(one.label, all[n].label);
    EXPECT_EQ(one.scenario.hash(), all[n].scenario.hash());
  }
  EXPECT_EQ(all[0].label, "link.delay=1ns, seed=1, topology.k=2");
  EXPECT_EQ(all[0].point, "link.delay=1ns, topology.k=2");
  EXPECT_EQ(all[2].point, all[0].point);  // another seed
  EXPECT_EQ(sweep_size(parsed("")), 1u);
  EXPECT_EQ(sweep_variant(parsed(""), 0, kVocabulary).label, "");
}

TEST(Sweep, OverridesReachTheTable) {
  const std::string text = "[sweep]\nseed = [1, 2]\n";
  EXPECT_EQ(
      labels(sweep_variants(parsed(text, {{"sweep.seed", "[3]"}, {"sweep.link.delay", R"(["1ns"])"}}), kVocabulary)),
      (Labels{"seed=3, link.delay=1ns"}));
  EXPECT_EQ(sweep_variants(parsed("", {{"sweep.repetitions", "3"}, {"seed", "4"}}), kVocabulary).size(), 3u);
  EXPECT_EQ(error_of([&] {
              sweep_variants(parsed(text, {{"seed", "4"}}), kVocabulary);
            }),
            "--set seed=4: `seed` is swept, so this has no effect; change the sweep, as in --set 'sweep.seed=[...]'");
}

TEST(Sweep, CombinesWithCompare) {
  const Scenario base = parsed("[sweep]\nseed = [1, 2]\n[[compare]]\nscheme = { name = 'window' }\n");
  const auto compared = compare_variants(base, kVocabulary);
  const auto swept = sweep_variants(compared[0].scenario, kVocabulary);
  ASSERT_EQ(swept.size(), 2u);
  const auto other_way = compare_variants(sweep_variants(base, kVocabulary)[1].scenario, kVocabulary);
  EXPECT_EQ(swept[1].scenario.hash(), other_way[0].scenario.hash());
}

TEST(Sweep, Refusals) {
  EXPECT_EQ(refusal_of("[sweep]\n'traffic.cold.laod' = [0.1]\n"),
            "s.toml:8: unknown key `laod` in [[traffic]] with pattern = \"uniform\"; did you mean `load`?");
  EXPECT_EQ(refusal_of("[sweep]\n'traffic.cold.load' = [0.1, 2]\n"),
            "s.toml:8: `load` is 2, but must be 0 to 1; did you mean \"2%\"?");
  EXPECT_EQ(refusal_of("[sweep]\nseed = [1]\n'lnik.rate' = [1]\n"),
            "s.toml:9: unknown section [lnik] in `lnik.rate`; did you mean `link`?");
  EXPECT_EQ(refusal_of("[sweep]\nrepetition = [1]\n"),
            "s.toml:8: unknown key `repetition` in [sweep]; did you mean `repetitions`?");
  EXPECT_EQ(refusal_of("[sweep]\nseed = 3\n"),
            "s.toml:8: the sweep of `seed` needs a list such as [1, 2] or a range such as "
            "{ from = 1, to = 8, step = 1 }");
  EXPECT_EQ(refusal_of("[sweep]\nseed = []\n").substr(0, 35), "s.toml:8: the sweep of `seed` needs");
  EXPECT_EQ(refusal_of("[sweep]\nseed = [1, 1]\n"), "s.toml:8: the sweep of `seed` has the point 1 twice");
  EXPECT_EQ(refusal_of("[sweep]\nseed = [1]\nrepetitions = 2\n"),
            "s.toml:9: `repetitions` cannot go with a sweep of `seed`");
  EXPECT_EQ(refusal_of("[sweep]\nrepetitions = 0\n"), "s.toml:8: `repetitions` needs an integer from 1 to 10000");
  EXPECT_EQ(refusal_of("[sweep]\n'traffic.0.load' = [0.1]\n'traffic.cold.load' = [0.2]\n"),
            "s.toml:9: `traffic.cold.load` is swept twice");
  EXPECT_EQ(refusal_of("[sweep]\nzip = [['seed', 'link.delay']]\nseed = [1, 2]\n'link.delay' = ['1ns']\n"),
            "s.toml:8: `seed` has 2 points and `link.delay` has 1; keys in one list of `zip` need the same number of "
            "points");
  EXPECT_EQ(refusal_of("[sweep]\nseed = [1, 2]\nzip = [['seed', 'link.delay']]\n"),
            "s.toml:9: `zip` names `link.delay`, which is not swept");
  EXPECT_EQ(refusal_of("[sweep]\nseed = [1, 2]\nzip = [['seed', 'seed']]\n"),
            "s.toml:9: `seed` is zipped with itself");
  EXPECT_EQ(refusal_of("[[sweep]]\n"), "s.toml:7: `sweep` is a section: write [sweep] and its keys below");
}

TEST(Sweep, RefusalsOfRanges) {
  const auto range = [](const std::string& fields) {
    return refusal_of("[sweep]\n'link.delay' = { " + fields + " }\n");
  };
  EXPECT_EQ(range(R"(from = "1ns", to = "2ns")"),
            "s.toml:8: sweep of `link.delay`: a range needs either `step` or `points`");
  EXPECT_EQ(range(R"(from = "1ns", step = "2ns")"), "s.toml:8: sweep of `link.delay`: a range needs `to`");
  EXPECT_EQ(range(R"(from = "1ns", to = "2ns", setp = "1ns")"),
            "s.toml:8: unknown key `setp` in a range; did you mean `step`?");
  EXPECT_EQ(range(R"(from = "1ns", to = "2ns", step = 0)"), "s.toml:8: sweep of `link.delay`: `step` must not be 0");
  EXPECT_EQ(range(R"(from = "1ns", to = "2ns", step = "-1ns")"),
            "s.toml:8: sweep of `link.delay`: `step` leads away from `to`");
  EXPECT_EQ(range(R"(from = "1kB", to = "2ns", step = "1ns")"),
            R"(s.toml:8: `from`: `1kB` is a number of bytes; a time such as "15ns" is needed)");
  EXPECT_EQ(range(R"(from = "1ns", to = "1s", step = "1ns")"),
            "s.toml:8: sweep of `link.delay`: the range has more than 10000 points");
  EXPECT_EQ(range(R"(from = 0, to = "1s", points = 3, scale = "log")"),
            "s.toml:8: sweep of `link.delay`: a logarithmic range needs `from` and `to` above 0");
  EXPECT_EQ(range(R"(from = 0, to = "1s", points = 3, scale = "cubic")"),
            R"(s.toml:8: `scale` is "linear" or "log")");
  EXPECT_EQ(range(R"(from = 0, to = "1s", points = 1)"), "s.toml:8: `points` needs an integer from 2 to 10000");
  EXPECT_EQ(range(R"(from = 0, to = "3ps", points = 9)"),
            R"(s.toml:8: the sweep of `link.delay` has the point "0s" twice)");
  EXPECT_EQ(refusal_of("[sweep]\n'link.credits' = { from = 1, to = 2, step = 1 }\n"),
            "s.toml:8: sweep of `link.credits`: a range cannot be made of a true/false; give a list of values");
}

}  // namespace
}  // namespace weir
