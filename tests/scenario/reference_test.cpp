// The generated reference: complete, within the width of a terminal, and with examples that work.
#include "scenario/reference.h"

#include <gtest/gtest.h>

#include <sstream>

#include "says.h"
#include "scenario/parse.h"
#include "scenario/test_vocabulary.h"

namespace weir {
namespace {

void expect_within_100_columns(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(Reference, NamesEverySectionKindAndKey) {
  const std::string text = reference_markdown(kVocabulary);
  for (const SectionSpec& section : kVocabulary.sections) {
    for (const ParamSpec& param : section.common)
      EXPECT_TRUE(says(text, "| `" + std::string(param.name) + "` |"));
    for (const KindSpec& kind : section.kinds) {
      EXPECT_TRUE(says(text, "### " + std::string(section.selector) + " = \"" + std::string(kind.name) + "\""));
      EXPECT_TRUE(says(text, kind.example));
      for (const ParamSpec& param : kind.params)
        EXPECT_TRUE(says(text, "| `" + std::string(param.name) + "` |"));
    }
  }
  EXPECT_TRUE(says(text, "| `seed` | integer | `1` | at least 0 | seed of every random choice |"));
  EXPECT_TRUE(says(text, R"(| `rate` | rate | `"8Gbps"` | 1kbps to 1Tbps | speed of a link |)"));
  EXPECT_TRUE(says(text, "| `k` | integer | required | 2 to 64 | ports down |"));
  EXPECT_TRUE(says(text, "| `name` | text | none |  | class of the traffic |"));
  EXPECT_TRUE(says(text, "constant, bernoulli, poisson"));
  EXPECT_TRUE(says(text, "packets in flight \\| per flow"));  // a bar must not end the cell
}

TEST(Reference, KindsFitTheTerminal) {
  Vocabulary wide = kVocabulary;
  const std::string summary =
      "a summary that is rather long and goes on and on until nobody can remember how it began, far "
      "beyond a hundred columns";
  for (SectionSpec& section : wide.sections)
    for (KindSpec& kind : section.kinds) {
      kind.summary = summary;
      expect_within_100_columns(describe_kind(section, kind));
    }
}

TEST(Reference, DescribesAKind) {
  const SectionSpec& scheme = *kVocabulary.find("scheme");
  EXPECT_EQ(describe_kind(scheme, *scheme.find_kind("window")),
            "scheme window: static window\n"
            "  packets  packets in flight | per flow (integer, default 4, 1 to 64)\n"
            "  level    a choice (one of low, high; default low)\n"
            "\nExample:\n  [scheme]\n  name = 'window'\n  packets = 2\n");
}

// The examples in the tables work as they stand, with a topology added where they bring none.
TEST(Reference, ExamplesParse) {
  for (const SectionSpec& section : kVocabulary.sections) {
    for (const KindSpec& kind : section.kinds) {
      if (kind.example.empty()) continue;
      std::string text(kind.example);
      if (section.name != "topology") text += "[topology]\nkind = 'tree'\nk = 2\n";
      EXPECT_EQ(parse_scenario_text(text, "example.toml", kVocabulary).all(section.name).back()->kind, kind.name);
    }
  }
}

// The introduction shows a sweep and a comparison; they must work too.
TEST(Reference, IntroductionParses) {
  const std::string text = reference_markdown(kVocabulary);
  std::string scenario = "[topology]\nkind = 'tree'\nk = 2\n[[traffic]]\npattern = 'uniform'\n";
  std::size_t at = 0;
  const std::size_t end = text.find("## Top of the file");
  while ((at = text.find("```toml\n", at)) < end) {
    at += 8;
    scenario += text.substr(at, text.find("```", at) - at);
  }
  const Scenario s = parse_scenario_text(scenario, "intro.toml", kVocabulary);
  EXPECT_EQ(s.compare.size(), 2u);
  EXPECT_EQ(sweep_variants(s, kVocabulary).size(), 9u * 3u * 3u);
}

}  // namespace
}  // namespace weir
