// `weir help` and `weir list`: what a new user reads first must be there, and whole.
#include <gtest/gtest.h>

#include "app/commands.h"
#include "base/error.h"
#include "error_of.h"
#include "run/simulate.h"
#include "says.h"
#include "source_dir.h"

namespace weir {
namespace {

// What the command prints. Commands stand in the order in which the program adds them.
std::string printed_by(std::vector<std::string> words) {
  CLI::App app{"the whole program"};
  app.require_subcommand(1);
  const std::pair<const char*, Command> commands[] = {
      {"run", add_run(app)}, {"list", add_list(app)}, {"help", add_help(app)}};
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  app.parse(words);
  testing::internal::CaptureStdout();
  std::string error;
  for (const auto& [name, command] : commands) {
    if (!app.got_subcommand(name)) continue;
    const std::string said = error_of([&run = command] { EXPECT_EQ(run(), 0); });
    if (said != "no error") error = said;
    break;
  }
  return testing::internal::GetCapturedStdout() + error;
}

TEST(Help, OfTheProgram) {
  const std::string text = printed_by({"help"});
  for (const char* part : {"the whole program", "run one scenario", "list topologies"})
    EXPECT_TRUE(says(text, part)) << text;
}

TEST(Help, OfOneCommand) {
  const std::string run = printed_by({"help", "run"});
  EXPECT_TRUE(says(run, "scenario file (TOML)")) << run;
  EXPECT_FALSE(says(run, "the whole program")) << run;
  EXPECT_TRUE(says(printed_by({"help", "list"}), "--markdown"));
}

TEST(Help, OfACommandThatDoesNotExist) {
  EXPECT_EQ(printed_by({"help", "fly"}), "there is no command `fly`; the commands are `run`, `list`, `help`");
}

// What some of the commands answer to words that they do not understand.
std::string said(std::vector<std::string> words) {
  CLI::App app;
  const Command commands[] = {add_run(app), add_headroom(app), add_rates(app)};  // they keep what the options set
  std::reverse(words.begin(), words.end());
  testing::internal::CaptureStderr();
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    EXPECT_EQ(answer_parse_error(app, error), 2);
  }
  return testing::internal::GetCapturedStderr();
}

// Words of others for options, in the order in which they were typed.
TEST(Help, OfOptionsThatACommandDoesNotHave) {
  EXPECT_TRUE(says(said({"headroom", "--speed", "400Gbps", "--cable", "300m"}),
                   "unexpected arguments --speed 400Gbps --cable 300m; instead of --speed, did you mean --rate?; "
                   "instead of --cable, did you mean --length?"));
  EXPECT_TRUE(says(said({"headroom", "--quantas=3"}), "did you mean --quanta?"));
  EXPECT_FALSE(says(said({"headroom", "--threads"}), "did you mean"));
}

// Keys of a scenario, typed as options.
TEST(Help, OfValuesThatAreNoNumbers) {
  EXPECT_TRUE(says(said({"run", "s.toml", "--port", "abc"}), "--port needs a number from 0 to 65535, not abc"));
  EXPECT_TRUE(says(said({"headroom", "--quanta", "abc"}), "--quanta needs a number from"));
  EXPECT_TRUE(says(said({"run", "s.toml", "--live=abc"}), "--live takes no value, but abc was given"));
  EXPECT_TRUE(says(said({"rates", "--hops", "abc"}), "--hops needs a whole number that is not negative, not abc"));
}

TEST(Help, OfKeysThatAreNoOptions) {
  EXPECT_TRUE(says(said({"run", "s.toml", "--scheme", "dcqcn"}), "did you mean --set scheme.name=dcqcn?"));
  EXPECT_TRUE(says(said({"run", "s.toml", "--seed=3"}), "did you mean --set seed=3?"));
  EXPECT_TRUE(says(said({"headroom", "--xoff", "1"}), "is the headroom that this command prints"));
}

TEST(List, OneOfThePresets) {
  const std::string one = printed_by({"list", "presets", "connectx-6"});
  EXPECT_TRUE(says(one, "  connectx-6 ")) << one;
  EXPECT_FALSE(says(one, "trident-4")) << one;
  EXPECT_FALSE(says(one, "[switch]")) << one;
  EXPECT_TRUE(says(printed_by({"list", "presets", "trident-4"}), "[switch] preset ="));
  EXPECT_TRUE(says(printed_by({"list", "presets", "trident4"}), "there is no preset `trident4`; did you mean"));
  EXPECT_EQ(printed_by({"list", "schemes", "windo"}), "there is no scheme `windo`; did you mean `window`?");
}

TEST(List, PresetsWithTheirSources) {
  const std::string text = printed_by({"list", "presets"});
  for (const char* part :
       {"[switch] preset =", "trident-4", "132MB", "[adapter] preset =", "connectx-6-pcie3", "Source: "})
    EXPECT_TRUE(says(text, part)) << text;
}

TEST(List, DescriptionsAreWholeInAPipe) {
  const std::string text = printed_by({"list"});
  for (const char* section : {"topology", "routing", "traffic", "scheme"})
    for (const KindSpec& kind : vocabulary().find(section)->kinds)
      EXPECT_TRUE(says(text, "  " + std::string(kind.summary) + "\n")) << kind.name;
  EXPECT_FALSE(says(text, "...\n"));
}

TEST(Help, ManualPageHasEveryCommandAndOption) {
  const std::string page = printed_by({"help", "--man"});
  for (const char* part : {".TH WEIR 1", ".SS weir run", "\\-\\-set", "number of threads", ".SS weir list"})
    EXPECT_TRUE(says(page, part)) << page;
  EXPECT_FALSE(says(page, "\\fI\\fR")) << "a flag takes no value";
}

TEST(Help, CompletionKnowsCommandsAndOptions) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string text = printed_by({"help", "--completion", shell});
    for (const char* part : {"run", "list", "help", "threads"}) EXPECT_TRUE(says(text, part)) << text;
  }
}

TEST(Help, AWordThatIsNoCommandIsAnswered) {
  CLI::App app;
  add_run(app);
  add_list(app);
  const auto refusal = [&](const std::string& word) { return error_of([&] { check_command(app, word); }); };
  EXPECT_EQ(refusal("run"), "no error");
  EXPECT_EQ(refusal("--version"), "no error");
  EXPECT_EQ(refusal("rnu"), "there is no command `rnu`; did you mean `run`?");
  EXPECT_EQ(refusal("something"), "there is no command `something`; the commands are `run`, `list`");
  EXPECT_TRUE(says(refusal(source_dir() + "/scenarios/incast.toml"), "is a scenario, not a command. To run it: weir "
                                                                      "run"));
}

}  // namespace
}  // namespace weir
