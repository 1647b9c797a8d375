// What packet marking and trace replay refuse, as a user meets it: one clear sentence, exit code 2, nothing written.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/commands.h"
#include "base/error.h"
#include "error_of.h"
#include "says.h"
#include "store/files/output_file.h"
#include "temp_dir.h"

namespace weir {
namespace {

class MarkingInput : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (dir_ / name).string(); }

  void expect_refused(const std::string& scheme, const std::string& trace, const std::string& file_and_line,
                      const std::string& part) {
    write_file(dir_ / "trace.csv", trace);
    write_file(dir_ / "scenario.toml",
               R"([topology]
kind = "star"
hosts = 4
[switch]
organisation = "fifo-in-out"
buffer = "8KiB"
[[traffic]]
pattern = "trace"
file = "trace.csv"
[run]
until = "flows"
[scheme]
)" +
                   scheme);
    CLI::App app;
    const Command command = add_run(app);
    std::vector<std::string> arguments{path("result.json"), "--json", path("out"), "--out", path("scenario.toml"),
                                       "run"};  // CLI11 takes them from the back
    app.parse(arguments);
    const std::string said = error_of([&] { EXPECT_EQ(command(), 2); });
    EXPECT_TRUE(says(said, file_and_line));
    EXPECT_TRUE(says(said, part));
    EXPECT_FALSE(std::filesystem::exists(path("out")));
    EXPECT_FALSE(std::filesystem::exists(path("result.json")));
  }

  TempDir dir_;
};

constexpr const char* kTrace = "time,source,destination,bytes\n0,0,1,1000\n";

TEST_F(MarkingInput, ThresholdOutsideTheBuffer) {
  expect_refused("name = 'mvcm'\ninput_threshold = '150%'\n", kTrace, "scenario.toml:14", "input_threshold");
  expect_refused("name = 'iocm'\noutput_threshold = '-1%'\n", kTrace, "scenario.toml:14", "output_threshold");
  expect_refused("name = 'pfister'\noutput_threshold = '100%'\n", kTrace, "scenario.toml:14",
                 "no occupancy is ever above");
}

TEST_F(MarkingInput, WindowOfZero) {
  for (const char* name : {"mvcm", "iocm", "renato", "marking"})
    expect_refused(std::string("name = \"") + name + "\"\nwindow_packets = 0\n", kTrace, "scenario.toml:14",
                   "window_packets");
}

TEST_F(MarkingInput, UnknownRank) {
  expect_refused("name = 'mvcm'\n", "time,source,destination,bytes\n0,0,1,1000\n1,0,9,1000\n", "trace.csv:3",
                 R"(destination "9" is no rank; there are ranks 0 to 3)");
}

TEST_F(MarkingInput, CyclicDependency) {
  expect_refused("name = 'mvcm'\n", "source,destination,bytes,id,after\n0,1,10,a,b\n1,0,10,b,a\n", "trace.csv:2",
                 "conditions form a cycle");
}

TEST_F(MarkingInput, TimeRunningBackwards) {
  expect_refused("name = 'mvcm'\n", "time,source,destination,bytes\n5,0,1,1000\n4,0,1,1000\n", "trace.csv:3",
                 "time runs backwards");
}

}  // namespace
}  // namespace weir
