// `weir topo` as a user calls it, on the file of a fabric: what it prints, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "app/commands.h"
#include "base/error.h"
#include "error_of.h"
#include "says.h"
#include "store/files/output_file.h"
#include "temp_dir.h"

namespace weir {
namespace {

class TopoCommand : public ::testing::Test {
 protected:
  // Two hosts at a switch, with these speeds.
  std::string fabric(const std::string& first, const std::string& second) const {
    write_file(dir_ / "f.topo", "Switch 8 \"S-01\" # \"one\"\n[1] \"H-02\"[1] # \"h\" lid 3 " + first +
                                    "\n[2] \"H-03\"[1] # \"g\" lid 4 " + second + "\n");
    return (dir_ / "f.topo").string();
  }
  // What is printed, or the sentence it is refused with.
  std::string run(std::vector<std::string> arguments) const {
    CLI::App app;
    const Command command = add_topo(app);
    arguments.insert(arguments.begin(), "topo");
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    ::testing::internal::CaptureStdout();
    const std::string refusal = error_of([&] {
      app.parse(arguments);
      code_ = command();
    });
    std::fflush(stdout);
    const std::string printed = ::testing::internal::GetCapturedStdout();
    return refusal == "no error" ? printed : refusal;
  }
  TempDir dir_;
  mutable int code_ = -1;  // what the last call ended with
};

TEST_F(TopoCommand, GuessedRatesAreNoSpeeds) {
  const std::string known = run({fabric("4xSDR", "4xSDR")});
  EXPECT_TRUE(says(known, "2 cables at 8.00 Gb/s, as 4xSDR\n")) << known;
  const std::string guessed = run({fabric("4xXYZ", "4xXYZ")});
  EXPECT_TRUE(says(guessed, "2 cables at 8.00 Gb/s, assumed: the speed is not in the file (link.rate sets it)\n"))
      << guessed;
  EXPECT_FALSE(says(guessed, "4xSDR")) << guessed;
  const std::string both = run({fabric("4xSDR", "4xXYZ"), "--check"});
  EXPECT_TRUE(says(both, " 1 cable at 8.00 Gb/s, as 4xSDR\n")) << both;
  EXPECT_TRUE(says(both, " 1 cable at 8.00 Gb/s, assumed")) << both;
}

// As of a dump that was cut off: one line for all nodes, and not only with --check.
TEST_F(TopoCommand, WarnsAboutNodesThatAreNotDescribed) {
  const std::string file = fabric("4xSDR", "4xSDR");
  ::testing::internal::CaptureStderr();
  run({file});
  const std::string warned = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(says(warned, "warning: ")) << warned;
  EXPECT_TRUE(says(warned, "2 nodes appear as neighbours, but are not described (h, g): is the file complete?"));
  const std::string checked = run({file, "--check"});
  EXPECT_TRUE(says(checked, "2 nodes appear as neighbours")) << checked;
}

TEST_F(TopoCommand, RefusesARateThatNoCableTakes) {
  for (const std::string key : {"rate", "host_rate"}) {
    const std::string said = run({fabric("4xQDR", "4xQDR"), "--set", "link." + key + "=1Gbps"});
    EXPECT_TRUE(says(said, "`" + key + "` has no effect here: the fabric file gives the speed of every cable")) << said;
  }
  const std::string taken = run({fabric("4xQDR", "4xXYZ"), "--set", "link.rate=1Gbps"});
  EXPECT_TRUE(says(taken, "1 cable at 1.00 Gb/s, assumed")) << taken;
}

TEST_F(TopoCommand, CountsADeadSwitchAndKeepsTheLevels) {
  write_file(dir_ / "s.toml",
             "[topology]\nkind = 'leaf-spine'\nleaves = 3\nspines = 4\nhosts = 4\n[[traffic]]\npattern = "
             "'uniform'\nload = 0.1\n");
  const std::string file = (dir_ / "s.toml").string();
  EXPECT_FALSE(says(run({file}), "without a cable"));
  const std::string dead = run({file, "--check", "--set", "failures.failed=[\"S1\"]"});
  EXPECT_TRUE(says(dead, "ports), 1 without a cable\n"));
  EXPECT_TRUE(says(dead, "level 0 (leaves) to 1: capacity 0.75 times what all hosts can send (oversubscribed, 1.33 to "
                         "1)"));
  EXPECT_TRUE(says(dead, "switches without a cable: 1 (S1)"));
  EXPECT_TRUE(says(run({file, "--set", "failures.failed=[\"L0 - S*\"]"}),
                   "[failures] cuts off L0: no path is left from host H4 to host H0"));
}

// The sum over all leaves hides one that has lost cables.
TEST_F(TopoCommand, SaysWhatTheWorstLeafHas) {
  write_file(dir_ / "s.toml",
             "[topology]\nkind = 'leaf-spine'\nleaves = 16\nspines = 4\nhosts = 4\n[failures]\nfailed = 'L3 - S1'\n"
             "[[traffic]]\npattern = 'uniform'\nload = 0.1\n");
  const std::string said = run({(dir_ / "s.toml").string(), "--check"});
  EXPECT_TRUE(says(said, "capacity 0.98 times what all hosts can send (oversubscribed, 1.02 to 1). A typical leaf: "
                         "1.00 for its own hosts. The worst leaf, L3: 0.75 (1.33 to 1)"))
      << said;
}

TEST_F(TopoCommand, SaysWhatCablesCarryWhereThereIsNoTree) {
  write_file(dir_ / "two.toml", "[topology]\nkind = 'two-switch'\nleft = 4\nright = 8\nlinks = 1\n"
                                "[link]\nrate = '100Gbps'\n[[traffic]]\npattern = 'uniform'\nload = 0.1\n");
  const std::string said = run({(dir_ / "two.toml").string()});
  EXPECT_TRUE(says(said, "carry 100 Gb/s, 0.25 times the 400 Gb/s of the host links behind them (oversubscribed)"))
      << said;
  EXPECT_TRUE(says(said, "at 100 Gb/s\n")) << said;  // no name of an InfiniBand speed: it is no subnet
}

// A choice among the alternatives is judged by all of them.
TEST_F(TopoCommand, FailsWhereTheChosenRoutesCanDeadlock) {
  write_file(dir_ / "s.toml",
             "[topology]\nkind = \"leaf-spine\"\nleaves = 4\nspines = 2\nhosts = 2\n"
             "[failures]\nfailed = [\"L0 - S0\", \"L1 - S1\"]\n[routing]\nkind = \"shortest-paths\"\n"
             "[[traffic]]\npattern = \"uniform\"\nload = 0.1\n[run]\nduration = \"1us\"\n");
  const std::string file = (dir_ / "s.toml").string();
  const std::string fixed = run({file, "--check"});
  EXPECT_EQ(code_, 0) << fixed;
  EXPECT_FALSE(says(fixed, "routing.choice")) << fixed;
  for (const char* choice : {"ecmp", "spray", "live-queue"}) {
    const std::string chosen = run({file, "--check", "--set", std::string("routing.choice=") + choice});
    EXPECT_EQ(code_, 1) << chosen;
    EXPECT_TRUE(says(chosen, std::string("(as routing.choice = \"") + choice + "\" does): can deadlock")) << chosen;
  }
}

}  // namespace
}  // namespace weir
