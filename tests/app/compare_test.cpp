// What a comparison runs: schemes that do not fit are left out unless somebody asked for them, and every run says what
// was set in it.
#include <gtest/gtest.h>
#include <wordexp.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands.h"
#include "app/compare/plan.h"
#include "app/report_file.h"
#include "base/file_text.h"
#include "error_of.h"
#include "run/simulate.h"
#include "says.h"
#include "store/files/output_file.h"
#include "temp_dir.h"

namespace weir {
namespace {

// Buffers that count packets: marking at outputs refuses them.
constexpr const char* kSlots =
    R"([topology]
kind = "star"
hosts = 4
[switch]
buffer_packets = 8
[[traffic]]
name = "u"
pattern = "uniform"
load = 0.2
[run]
duration = "5us"
)";

ComparePlan plan_of(const std::string& text, const std::vector<std::string>& names = {}) {
  return plan_comparison(parse_scenario_text(text, "s.toml", vocabulary()), names, 1);
}

bool has_label(const ComparePlan& plan, const std::string& label) {
  return std::any_of(plan.variants.begin(), plan.variants.end(), [&](const Variant& v) { return v.label == label; });
}

TEST(ComparePlan, LeavesOutWhatDoesNotFit) {
  const ComparePlan plan = plan_of(kSlots);
  EXPECT_TRUE(has_label(plan, "none"));
  EXPECT_TRUE(has_label(plan, "window"));
  EXPECT_FALSE(has_label(plan, "mvcm"));
  EXPECT_TRUE(std::any_of(plan.left_out.begin(), plan.left_out.end(), [](const std::string& line) {
    return line.starts_with("mvcm: ") && line.find("buffers that are sized in bytes") != std::string::npos;
  }));
}

// The same key twice, and a key of another scheme: the command has what its scheme knows, once.
TEST(ComparePlan, CommandsHaveEachKeyOnce) {
  const Scenario scenario = parse_scenario_text(kSlots, "s.toml", vocabulary());
  const std::vector<Override> of_schemes{{"scheme.packets", "16"}, {"scheme.ccti_timer", "5"},
                                         {"scheme.ccti_timer", "20"}};
  const ComparePlan plan = plan_comparison(scenario, {"none", "window", "cca"}, 1, of_schemes);
  ScenarioOptions options;
  options.file = "s.toml";
  options.set = {"traffic.u.load=0.1", "scheme.packets=16", "scheme.ccti_timer=5", "scheme.ccti_timer=20"};
  EXPECT_EQ(opensm_hint(options, plan.variants[1]), "");
  EXPECT_EQ(opensm_hint(options, plan.variants[2]),
            "to write the opensm.conf settings of `cca`:\n  weir convert s.toml opensm.conf --set "
            "traffic.u.load=0.1 --set scheme.name=cca --set scheme.ccti_timer=20\n");
  EXPECT_EQ(repetition_hint(options, {&plan.variants[1]}, "results/s", 12),
            "this was one run, of 12 random flows; to see how much results vary:\n"
            "  weir sweep s.toml --set traffic.u.load=0.1 --set scheme.name=window --set scheme.packets=16 "
            "--repetitions 5 --out results/s-window.sqlite\n");
}

// As a shell takes a command apart.
std::vector<std::string> words_of(const std::string& line) {
  wordexp_t words{};
  EXPECT_EQ(wordexp(line.c_str(), &words, WRDE_NOCMD), 0) << line;
  std::vector<std::string> list(words.we_wordv, words.we_wordv + words.we_wordc);
  wordfree(&words);
  return list;
}

// The commands of a hint, run as they are printed; how many there were.
std::size_t run_hint(const std::string& hint) {
  std::size_t commands = 0;
  std::istringstream lines(hint);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  weir ")) continue;
    ++commands;
    std::vector<std::string> words = words_of(line.substr(7));
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    CLI::App app;
    const Command command = add_sweep(app);
    int code = -1;
    testing::internal::CaptureStdout();
    const std::string refusal = error_of([&] {
      app.parse(words);
      code = command();
    });
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(refusal, "no error") << line;
    EXPECT_EQ(code, 0) << line;
  }
  return commands;
}

TEST(ComparePlan, RepetitionsRunAsPrinted) {
  const std::string sweeps[] = {
      "", "[sweep]\n\"scheme.name\" = [\"none\", \"window\"]\n",
      "[sweep]\n\"scheme.name\" = [\"none\", \"window\"]\n\"traffic.u.load\" = [0.1, 0.2]\nrepetitions = 2\n",
      "[sweep]\nseed = [1, 2]\n",
      "[[compare]]\n[compare.scheme]\nname = \"none\"\n[[compare]]\n[compare.scheme]\nname = \"window\"\n"
      "packets = 4\n[sweep]\n\"scheme.name\" = [\"none\", \"window\"]\n"};
  for (const std::string& sweep : sweeps) {
    SCOPED_TRACE(sweep);
    const TempDir dir;
    ScenarioOptions options;
    options.file = dir.write("s.toml", kSlots + sweep);
    options.set = {"link.delay=10ns"};
    const Scenario scenario = parse_scenario_file(options.file, vocabulary(), {{"link.delay", "10ns"}});
    const bool lists = sweep.starts_with("[[compare]]");
    std::vector<std::string> schemes;
    if (!lists) schemes = {"none", "window"};
    const ComparePlan plan = plan_comparison(scenario, schemes, 1, {});
    const std::string hint =
        repetition_hint(options, {&plan.variants[0], &plan.variants[1]}, (dir / "r").string(), 12);
    EXPECT_EQ(run_hint(hint), lists ? 2u : 1u) << hint;
    if (lists) continue;
    EXPECT_TRUE(says(hint, "--set 'sweep.scheme.name=[\"none\",\"window\"]'")) << hint;
  }
}

// Nobody can buy it for links with PAUSE.
TEST(ComparePlan, NoOpensmWithoutInfiniBand) {
  const std::string pause = std::string(kSlots).replace(std::string(kSlots).find("buffer_packets = 8"), 18,
                                                        "flow_control = \"pfc\"\nshared_buffer = \"1MB\"");
  const ComparePlan plan = plan_of(pause, {"none", "cca"});
  EXPECT_EQ(opensm_hint({}, plan.variants[1]), "");
}

// The scheme is set by weir, not by a `--set` that somebody typed.
TEST(ComparePlan, LeftOutSchemesQuoteNoSetting) {
  for (const std::string& line : plan_of(kSlots).left_out)
    EXPECT_EQ(line.find("--set scheme.name="), std::string::npos) << line;
  const std::string asked = error_of([] { plan_of(kSlots, {"none", "mvcm"}); });
  EXPECT_EQ(asked.find("--set scheme.name="), std::string::npos) << asked;
}

// A key of one scheme is set there; the other schemes run as they are.
TEST(ComparePlan, SettingsGoToTheSchemesThatHaveThem) {
  TempDir dir;
  const std::string file = (dir / "s.toml").string();
  write_file(file, kSlots);
  const auto plan = [&](const std::vector<Override>& set, const std::vector<std::string>& names) {
    const ComparedSettings settings = split_settings(file, set);
    return plan_comparison(parse_scenario_file(file, vocabulary(), settings.of_scenario), names, 1,
                           settings.of_schemes);
  };
  const ComparePlan both = plan({{"scheme.ccti_timer", "10"}}, {"none", "cca"});
  ASSERT_EQ(both.variants.size(), 2u);
  EXPECT_FALSE(both.variants[0].scenario.section("scheme").knows("ccti_timer"));
  EXPECT_EQ(both.variants[1].scenario.section("scheme").integer("ccti_timer"), 10);
  EXPECT_EQ(both.variants[1].settings.back().key, "scheme.ccti_timer");
  const ComparePlan all = plan({{"scheme.packets", "3"}}, {});
  const auto window = std::find_if(all.variants.begin(), all.variants.end(),
                                   [](const Variant& v) { return v.label == "window"; });
  ASSERT_NE(window, all.variants.end());
  EXPECT_EQ(window->scenario.section("scheme").integer("packets"), 3);
  EXPECT_TRUE(has_label(all, "none"));
  EXPECT_NE(error_of([&] { plan({{"scheme.ccti_timer", "10"}}, {"none", "window"}); }).find("belongs to cca, dcms"),
            std::string::npos);
  EXPECT_NE(error_of([&] { plan({{"scheme.ccti_timr", "10"}}, {"none", "cca"}); }).find("ccti_timr"),
            std::string::npos);
  EXPECT_NE(error_of([&] { plan({{"scheme.ccti_timer", "ten"}}, {"none", "cca"}); }).find("ccti_timer"),
            std::string::npos);
}

TEST(ComparePlan, WhatWasAskedForMustFit) {
  EXPECT_EQ(error_of([] { plan_of(kSlots, {"none", "mvcm"}); }).rfind("mvcm: ", 0), 0u);
  EXPECT_EQ(error_of([] { plan_of(kSlots, {"none", "nonsense"}); }).rfind("--schemes: unknown scheme `nonsense`", 0),
            0u);
  const std::string entries = std::string(kSlots) + R"([[compare]]
scheme = { name = "none" }
[[compare]]
label = "my marks"
scheme = { name = "iocm" }
)";
  EXPECT_EQ(error_of([&] { plan_of(entries); }).rfind("my marks: ", 0), 0u);
  EXPECT_EQ(plan_of(entries, {"none", "window"}).variants.size(), 2u);
}

TEST(ComparePlan, AnErrorIfNoneFits) {
  std::string both = kSlots;
  both.replace(both.find("buffer_packets = 8"), 18, R"(buffer = "10B")");
  const std::string said = error_of([&] { plan_of(both); });
  EXPECT_EQ(said.rfind("no scheme can run this scenario. With scheme `none`: s.toml:", 0), 0u) << said;
}

TEST(ComparePlan, SaysWhatEachVariantSets) {
  const ComparePlan plan = plan_of(std::string(kSlots) +
                                   R"([[compare]]
label = "slow"
scheme = { name = "window", packets = 2 }
set = { "link.rate" = "1Gbps", "scheme.packets" = 3 }
)");
  ASSERT_EQ(plan.variants.size(), 1u);
  std::vector<std::pair<std::string, std::string>> settings;
  for (const Override& o : plan.variants[0].settings) settings.emplace_back(o.key, o.value);
  std::sort(settings.begin(), settings.end());
  const std::vector<std::pair<std::string, std::string>> expected{
      {"link.rate", R"("1Gbps")"}, {"scheme.name", R"("window")"}, {"scheme.packets", "3"}};
  EXPECT_EQ(settings, expected);
}

TEST(Compare, WritesTheParametersOfEachRun) {
  const TempDir dir;
  CLI::App app;
  const Command command = add_compare(app);
  std::vector<std::string> words{"compare", dir.write("s.toml", kSlots), "--schemes", "none,window", "--out",
                                 (dir / "out").string(), "--json", (dir / "result.json").string()};
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  app.parse(words);
  testing::internal::CaptureStdout();
  EXPECT_EQ(command(), 0);
  testing::internal::GetCapturedStdout();
  const auto document = nlohmann::json::parse(file_text((dir / "result.json").string()).value());
  ASSERT_EQ(document["runs"].size(), 2u);
  EXPECT_EQ(document["runs"][0]["parameters"]["scheme.name"], "none");
  EXPECT_EQ(document["runs"][1]["parameters"]["scheme.name"], "window");
}

// A load at which queues still grow when the last flow arrives, and one at which they do not.
TEST(Compare, SaysThatSlowdownsGrowWithTheLengthOfTheRun) {
  const TempDir dir;
  const std::string file = dir.write("s.toml", "[topology]\nkind = 'star'\nhosts = 4\n[[traffic]]\nname = 'w'\n"
                                               "pattern = 'flow-arrivals'\nclass = 'web'\nsizes = 'alistorage'\n"
                                               "load = 0.6\nstop = '20ms'\n[run]\nuntil = 'flows'\n");
  const auto shown = [&](auto add, std::vector<std::string> words) {
    words.insert(words.end(), {"--set", "adapter.organisation=per-flow", "--out", (dir / "r").string()});
    CLI::App app;
    const Command command = add(app);
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
    testing::internal::CaptureStdout();
    command();
    std::string text = testing::internal::GetCapturedStdout();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  };
  const auto running = [](CLI::App& app) { return add_run(app, nullptr); };
  constexpr std::string_view kNote = "note: flows of class web that start later are slower";
  EXPECT_TRUE(says(shown(running, {"run", file, "--set", "scheme.name=window"}),
                   std::string(kNote) + ": the 99th percentile slowdown is"));
  EXPECT_TRUE(
      says(file_text((dir / "r" / "report.html").string()).value_or(""), "flows of class web that start later"));
  EXPECT_FALSE(says(shown(running, {"run", file, "--set", "traffic.w.load=0.1"}), kNote));
  EXPECT_TRUE(says(shown(add_compare, {"compare", file, "--schemes", "none,window"}), kNote));
}

}  // namespace
}  // namespace weir
