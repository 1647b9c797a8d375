// `weir diagnose` as a user calls it, on a fabric and two dumps: what it prints, and with which exit code it ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/commands.h"
#include "base/error.h"
#include "base/file_text.h"
#include "says.h"
#include "store/files/output_file.h"
#include "temp_dir.h"

namespace weir {
namespace {

// Two leaves and a spine, 100 Gb/s; LIDs 1 to 4 are hosts, 11 to 13 switches.
constexpr const char* kFabric = R"(
Switch 4 "S-00000000000000a1" # "MF0;leaf1:SX6036/U1" enhanced port 0 lid 11 lmc 0
[1] "H-00000000000000c1"[1](c11) # "n1" lid 1 4xEDR
[2] "H-00000000000000c2"[1](c21) # "n2" lid 2 4xEDR
[3] "S-00000000000000b1"[1] # "MF0;spine:SX6036/U1" lid 13 4xEDR
Switch 4 "S-00000000000000a2" # "MF0;leaf2:SX6036/U1" enhanced port 0 lid 12 lmc 0
[1] "H-00000000000000c3"[1](c31) # "n3" lid 3 4xEDR
[2] "H-00000000000000c4"[1](c41) # "n4" lid 4 4xEDR
[3] "S-00000000000000b1"[3] # "MF0;spine:SX6036/U1" lid 13 4xEDR
Switch 4 "S-00000000000000b1" # "MF0;spine:SX6036/U1" enhanced port 0 lid 13 lmc 0
)";

// After a second, with ticks of `unit` bytes.
std::string block(std::uint32_t lid, std::uint32_t port, double gigabits, double waiting, double unit) {
  return fmt::format("# Port extended counters: Lid {} port {} (x)\nPortXmitData:..{:.0f}\nPortRcvData:..0\n"
                     "PortXmitWait:..{:.0f}\n",
                     lid, port, gigabits * 1e9 / 32, waiting * 100e9 / 8 / unit);
}

class DiagnoseCommandLine : public ::testing::Test {
 protected:
  struct Answer {
    int code = 0;
    std::string text;
  };
  void counters(const std::vector<std::string>& before, const std::vector<std::string>& after) const {
    std::string first, last;
    for (const std::string& port : before) first += port;
    for (const std::string& port : after) last += port;
    write_file(dir_ / "net.topo", kFabric);
    write_file(dir_ / "before", first);
    write_file(dir_ / "after", last);
  }
  // n1 and n2 send to n3, whose link is full; what waits does so in units of so many bytes.
  void hot_spot(double unit, double of_n2) const {
    counters({block(1, 1, 0, 0, 1), block(2, 1, 0, 0, 1), block(11, 3, 0, 0, 1), block(13, 3, 0, 0, 1),
              block(12, 1, 0, 0, 1), block(3, 1, 0, 0, 1)},
             {block(1, 1, 20, 0.8, unit), block(2, 1, of_n2, 0.8, unit), block(11, 3, 50, 0.5, unit),
              block(13, 3, 60, 0.4, unit), block(12, 1, 100, 0, unit), block(3, 1, 70, 0, unit)});
  }
  Answer run(std::vector<std::string> more = {}) const {
    CLI::App app;
    const Command command = add_diagnose(app);
    std::vector<std::string> words{"diagnose", (dir_ / "net.topo").string(), (dir_ / "before").string(),
                                   (dir_ / "after").string()};
    if (seconds_) words.insert(words.end(), {"--seconds", "1"});
    words.insert(words.end(), more.begin(), more.end());
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
    ::testing::internal::CaptureStdout();
    Answer answer;
    try {
      answer.code = command();
      answer.text = ::testing::internal::GetCapturedStdout();
    } catch (const InputError& error) {
      ::testing::internal::GetCapturedStdout();
      answer = {2, error.what()};
    }
    return answer;
  }
  TempDir dir_;
  bool seconds_ = true;
};

TEST_F(DiagnoseCommandLine, SaysWhatIsHeldBackAndThatItDoesNotKnowWhoSendsIntoTheRoot) {
  hot_spot(8, 20);
  const Answer answer = run();
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(says(answer.text, "1 link is the root of congestion. It holds back 2 hosts and 2 switch ports.\n"));
  EXPECT_TRUE(says(answer.text, "6 ports read over 1.00 s. Busiest link: leaf2:1, 100.0 %."));
  EXPECT_TRUE(says(answer.text, "Each port that is held back either sends traffic into a root, or waits although "));
  EXPECT_TRUE(says(answer.text, "To try: Let fewer hosts send to n3 at once"));
  EXPECT_EQ(answer.text.find("other routes"), std::string::npos) << answer.text;  // do not help a link to a host
  for (const char* held : {"\nleaf1:3 ", "\nspine:3 ", "\nn1:1 ", "\nn2:1 "}) EXPECT_TRUE(says(answer.text, held));
  for (const char* never : {"lost", "not shown for lack of width", "MF0", "n3:1", "--wait-bytes"})
    EXPECT_EQ(answer.text.find(never), std::string::npos) << never << "\n" << answer.text;
}

TEST_F(DiagnoseCommandLine, TakesTheUnitFromTheCounters) {
  hot_spot(128, 20);
  const Answer answer = run();
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(says(answer.text, "1 link is the root"));
  EXPECT_TRUE(says(answer.text, "is taken for the time of 128 bytes"));
}

TEST_F(DiagnoseCommandLine, IsInconclusiveWhereOnlyTheUnitDecides) {
  counters({block(13, 3, 0, 0, 1), block(12, 1, 0, 0, 1)}, {block(13, 3, 60, 0.4, 128), block(12, 1, 100, 0, 128)});
  const Answer answer = run();
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(says(answer.text, "inconclusive: leaf2:1 is full, and --wait-bytes decides whether it is a root"));
  EXPECT_EQ(answer.text.find("no link is"), std::string::npos) << answer.text;
}

TEST_F(DiagnoseCommandLine, IsInconclusiveWhereNothingMoved) {
  const std::vector<std::string> same{block(13, 3, 60, 0.4, 128), block(12, 1, 100, 0, 128)};
  counters(same, same);
  const Answer answer = run();
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(says(answer.text, "inconclusive: the counters did not grow (2 ports read)"));
}

TEST_F(DiagnoseCommandLine, TakesTheTimeFromTheDumps) {
  hot_spot(8, 20);
  const std::string with_option = run().text;
  seconds_ = false;
  const Answer missing = run();
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(says(missing.text, "--seconds is missing"));
  for (const auto& [name, at] : {std::pair("before", "1700000000.25"), std::pair("after", "1700000001.25")})
    write_file(dir_ / name, fmt::format("# weir-read-counters: began at {}\n", at) +
                                read_text_file((dir_ / name).string()));
  const Answer stamped = run();
  EXPECT_EQ(stamped.code, 0);
  EXPECT_EQ(stamped.text, with_option);
}

// A fabric that weir serves has a clock of its own; its dumps say so.
TEST_F(DiagnoseCommandLine, TakesSimulatedTimeFromTheDumps) {
  const auto stamp = [&](const char* first, const char* last) {
    hot_spot(128, 20);
    for (const auto& [name, at] : {std::pair("before", first), std::pair("after", last)})
      write_file(dir_ / name, fmt::format("# weir-read-counters: began at {}\n", at) +
                                  read_text_file((dir_ / name).string()));
  };
  seconds_ = false;
  stamp("simulated time: 500 ms", "simulated time: 1500 ms");
  const Answer answer = run({"--json", (dir_ / "all.json").string()});
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(says(answer.text, "6 ports read over 1.00 s of simulated time. Busiest link: leaf2:1, 100.0 %."));
  const std::string json = read_text_file((dir_ / "all.json").string());
  for (const char* part : {"\"seconds\": 1.0", "\"simulated_time\": true", "\"full_if_seconds\": 1.0",
                           "\"wait_bytes\": 128"})
    EXPECT_TRUE(says(json, part));
  stamp("simulated time: 1 s", "simulated time: 1 s");
  EXPECT_TRUE(says(run().text, "did not advance between the two readings"));
  stamp("simulated time: 1 s", "1700000001.25");
  EXPECT_TRUE(says(run().text, "before was read from a fabric that weir serves, and the other dump was not"));
  stamp("simulated time: soon", "simulated time: 1 s");
  EXPECT_EQ(run().code, 2);
}

TEST_F(DiagnoseCommandLine, IsInconclusiveWhereTheTimeDoesNotFit) {
  hot_spot(8, 20);
  seconds_ = false;
  const Answer answer = run({"--seconds", "1.25"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(says(answer.text, "inconclusive: no link is full, but ports wait as if one were.\n"
                                "6 ports read over 1.25 s. Busiest link: "
                                "leaf2:1, 80.0 %. If the time was 1.00 s"));
  const Answer shorter = run({"--seconds", "0.8"});
  EXPECT_EQ(shorter.code, 1);
  EXPECT_TRUE(says(shorter.text, "inconclusive: leaf2:1 would have been busy for 125.0 % of the time"));
}

TEST_F(DiagnoseCommandLine, RefusesCountersOfHardlyAnyPort) {
  std::string fabric;
  for (int s = 0; s < 12; ++s) {
    fabric += fmt::format("Switch 4 \"S-{:x}\" # \"s{}\" enhanced port 0 lid {} lmc 0\n", 0xa0 + s, s, 100 + s);
    fabric += fmt::format("[1] \"H-{:x}\"[1]({:x}) # \"h{}\" lid {} 4xEDR\n", 0xc0 + s, 0xd00 + s, s, s + 1);
    if (s > 0) fabric += fmt::format("[2] \"S-{:x}\"[3] # \"s{}\" lid {} 4xEDR\n", 0xa0 + s - 1, s - 1, 99 + s);
  }
  counters({block(1, 1, 0, 0, 1)}, {block(1, 1, 20, 0.8, 8)});
  write_file(dir_ / "net.topo", fabric);
  const Answer answer = run();
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(says(answer.text, "only 1 of the 46 ports of this fabric have counters"));
}

}  // namespace
}  // namespace weir
