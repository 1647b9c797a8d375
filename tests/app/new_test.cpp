// `weir new`: what it assumes, and what cannot go well, is said on the terminal and not in the file alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/commands.h"
#include "base/file_text.h"
#include "error_of.h"
#include "says.h"
#include "scenario/quantity.h"
#include "store/files/output_file.h"
#include "temp_dir.h"

namespace weir {
namespace {

struct Said {
  std::string out, err;
};

// Runs a command as it would be typed, without quotes.
template <class Add>
Said run(Add add, std::vector<std::string> words) {
  CLI::App app;
  const Command command = add(app);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  app.parse(words);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::string error;
  try {
    command();
  } catch (const InputError& e) {
    error = e.what();
  }
  Said said{testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr() + error};
  return said;
}

Said new_with(std::vector<std::string> words) {
  words.insert(words.begin(), {"new", "leaf-spine", "--leaves", "4", "--hosts", "8", "--rate", "100Gbps"});
  return run(add_new, std::move(words));
}

TEST(New, WarnsOfALoadThatTheUplinksDoNotCarry) {
  EXPECT_TRUE(says(new_with({"--spines", "2", "--load", "0.5"}).err, "155 % of the total capacity of the links"));
  EXPECT_FALSE(says(new_with({"--spines", "8", "--load", "0.5"}).err, "carry together"));
}

TEST(New, RefusesALoadAboveTheRateOfTheLink) {
  EXPECT_TRUE(says(new_with({"--load", "50"}).err,
                   "--load: a load must be above 0 and at most 1 (1 is the full link rate); this is 50; did you mean "
                   "\"50%\"?"));
  const std::string slightly = new_with({"--roce", "--load", "1.2"}).err;
  EXPECT_TRUE(says(slightly, "--load: a load must be above 0 and at most 1 (1 is the full link rate); this is 1.2"));
  EXPECT_FALSE(says(slightly, "did you mean"));
  EXPECT_TRUE(says(new_with({"--load", "much"}).err, "--load: `much` is not a number"));
  EXPECT_TRUE(says(new_with({"--roce", "--incast-load", "2"}).err,
                   "--incast-load: a load must be above 0 and at most 1 (1 is the full link rate); this is 2"));
  EXPECT_TRUE(says(new_with({"--load", "50%"}).out, "\nload = \"50%\" "));
  EXPECT_TRUE(says(new_with({"--load", "1"}).out, "\nload = 1 "));
  EXPECT_TRUE(says(new_with({"--roce", "--incast-load", "2%"}).out, "\nload = \"2%\" "));
}

TEST(New, RefusesOptionsWithoutEffect) {
  EXPECT_TRUE(says(new_with({"--from", "H1"}).err, "--from goes with --incast"));
  EXPECT_TRUE(says(new_with({"--workload", "websearch", "--incast-load", "0.02", "--from", "H1"}).err,
                   "--from goes with --incast"));
  EXPECT_TRUE(says(new_with({"--bytes", "1MB"}).err, "--bytes has no effect"));
  EXPECT_TRUE(says(new_with({"--all-reduce", "1MB", "--load", "0.2"}).err, "--load has no effect"));
}

// With RoCE a load is that of flows, also beside an incast.
TEST(New, ALoadWithRoceIsOfFlows) {
  const std::string both = new_with({"--roce", "--load", "0.2", "--incast", "H0"}).out;
  EXPECT_TRUE(says(both, "sizes = \"websearch\""));
  EXPECT_TRUE(says(both, "pattern = \"incast\""));
  EXPECT_FALSE(says(both, "pattern = \"uniform\""));
  const std::string alone = new_with({"--roce", "--incast", "H0"}).out;
  EXPECT_FALSE(says(alone, "websearch"));
  EXPECT_TRUE(says(new_with({"--load", "0.2", "--incast", "H0", "--from", "H1?"}).out, "pattern = \"uniform\""));
}

TEST(Headroom, SaysSizesWithTheirUnit) {
  EXPECT_TRUE(says(run(add_headroom, {"headroom", "--mtu", "9216"}).out, "packets of 9216B."));
}

// opensm.conf knows one scheme; to write its settings where another one was asked for would be no answer.
TEST(Convert, RefusesAnotherSchemeForOpensm) {
  const TempDir dir;
  const std::string file = dir.write("s.toml", "[topology]\nkind = 'star'\n[[traffic]]\npattern = 'uniform'\n"
                                               "load = 0.1\n[run]\nduration = '1us'\n");
  const std::string conf = (dir / "o.conf").string();
  EXPECT_TRUE(says(run(add_convert, {"convert", file, conf, "--set", "scheme.name=window"}).err,
                   "--set scheme.name=window: opensm.conf configures the scheme `cca`"));
  EXPECT_FALSE(std::filesystem::exists(conf));
  run(add_convert, {"convert", file, conf, "--set", "scheme.name=cca"});
  EXPECT_TRUE(std::filesystem::exists(conf));
}

TEST(New, KnowsOptionsThatPeopleExpect) {
  EXPECT_TRUE(
      says(new_with({"--length", "40m"}).err, "there is no option --length: --delay takes the delay of a cable"));
  EXPECT_TRUE(
      says(new_with({"--host-rate", "100Gbps"}).err, "there is no option --host-rate: --rate is that of every"));
  EXPECT_TRUE(says(new_with({"--preset", "spectrum"}).err, "`weir list presets` shows all"));
  EXPECT_TRUE(says(new_with({"--incast", "H0", "--from", "H1-H12"}).out, "hosts = \"H1-H12\""));
  EXPECT_TRUE(says(new_with({"--mtu", "9216"}).err, "set payload in [packet]"));
  EXPECT_TRUE(says(new_with({"--switch", "spectrum-2"}).err, "set preset in [switch]"));
  EXPECT_TRUE(says(new_with({"--incast", "H0,H1"}).err, "For several targets, write the file for one of them"));
}

TEST(New, SaysWhichSwitchesItAssumes) {
  EXPECT_TRUE(says(new_with({"--spines", "8", "--roce", "--load", "0.1"}).err,
                   "assumed: switches like spectrum (Ethernet 100G, Mellanox SN2700): of the Ethernet switches that "
                   "weir knows, the slowest that is fast enough for the links here (up to 100Gbps)"));
}

TEST(New, TakesSeveralSenders) {
  const std::string text = new_with({"--spines", "8", "--incast", "H0", "--from", "H1,H2?", "--from", "H31"}).out;
  EXPECT_TRUE(says(text, "12 hosts (see `hosts`) send to H0 at the same time")) << text;
  EXPECT_TRUE(says(text, "hosts = \"H1,H2?,H31\"")) << text;
}

// What --set and sweeps say.
TEST(New, GivesEveryEntryItsName) {
  EXPECT_TRUE(says(new_with({}).out, "\nname = \"uniform\" "));
  EXPECT_TRUE(says(new_with({"--all-reduce", "1MB"}).out, "\nname = \"all-reduce\" "));
  EXPECT_TRUE(says(new_with({"--incast", "H0", "--from", "H1*", "--load", "0.1"}).out, "\nname = \"background\" "));
  const std::string both = new_with({"--workload", "fbhadoop", "--incast-load", "0.01"}).out;
  EXPECT_TRUE(says(both, "\nname = \"fbhadoop\" "));
  EXPECT_TRUE(says(both, "\nname = \"incast\" "));
  const TempDir dir;
  const std::string file = dir.write("s.toml", both);
  EXPECT_EQ(run(add_topo, {"topo", file, "--set", "traffic.fbhadoop.stop=1ms"}).err, "");
}

// CNPs that wait behind the data that they are to slow down come too late.
TEST(New, GivesCnpsAPriorityOfTheirOwn) {
  const std::string plain = new_with({"--spines", "8", "--roce"}).out;
  EXPECT_TRUE(says(plain, "lanes = 2                       # lane 0: data, lane 1: CNPs, which go first (assumed)"));
  EXPECT_TRUE(says(plain, "cnp_lane = 1                    # assumed: CNPs have a priority of their own"));
  EXPECT_TRUE(says(plain, "delay = \"100ns\"                 # assumed for every cable"));
  EXPECT_TRUE(says(new_with({"--delay", "1us"}).out, "delay = \"1us\"                   # of every cable"));
  EXPECT_TRUE(says(plain, "{ name = \"dcqcn\", cnp_lane = 1 }"));
  EXPECT_TRUE(says(plain, "{ name = \"timely\" }"));
  // Where routes change lanes, priorities are blocks of lanes, and the file runs.
  const Said torus = run(add_new, {"new", "torus", "--roce", "--rate", "100Gbps"});
  EXPECT_TRUE(says(torus.out, "lanes = 4                       # lanes 0 to 1: data, lanes 2 to 3: CNPs"));
  EXPECT_TRUE(says(torus.out, "cnp_lane = 2 "));
  EXPECT_FALSE(says(torus.err, "cannot run"));
}

TEST(New, LetsFlowsArriveLongEnough) {
  EXPECT_TRUE(says(new_with({"--roce"}).out, "stop = \"10ms\"                   # assumed"));
  EXPECT_TRUE(says(new_with({"--roce", "--stop", "2ms"}).out, "stop = \"2ms\"                    # no flow arrives"));
  EXPECT_TRUE(says(new_with({"--incast", "H0", "--stop", "2ms"}).err, "--stop goes with --workload"));
  EXPECT_TRUE(says(new_with({"--roce", "--stop", "2kB"}).err, "`2kB`"));
}

// A PAUSE frame is obeyed within 394 quanta of 64 B at 100 Gb/s.
TEST(New, AssumesThatSendersObeyPauseAsTheStandardAllows) {
  const std::string even = new_with({"--roce"}).out;
  EXPECT_TRUE(says(even, "credit_delay = \"2.01728us\""));
  EXPECT_FALSE(says(even, "weir uses the longest"));
  const std::string mixed = new_with({"--roce", "--uplink-rate", "400Gbps"}).out;
  EXPECT_TRUE(says(mixed, "credit_delay = \"2.01728us\""));
  EXPECT_TRUE(says(mixed, "standard allows at 100Gbps; 1.1584us at 400Gbps. weir uses the longest"));
}

TEST(New, PutsAnIncastBesideAWorkload) {
  const std::string once = new_with({"--workload", "websearch", "--incast", "H0", "--from", "H1?"}).out;
  EXPECT_TRUE(says(once, "pattern = \"flow-arrivals\""));
  EXPECT_TRUE(says(once, "pattern = \"incast\""));
  EXPECT_TRUE(says(once, "target = \"H0\""));
  EXPECT_TRUE(says(once, "start = \"5ms\" "));
  const Said again = new_with({"--spines", "8", "--workload", "websearch", "--load", "0.1", "--incast", "H0",
                               "--incast-load", "0.01", "--senders", "8", "--bytes", "1MB"});
  EXPECT_TRUE(says(again.out, "pattern = \"incast-arrivals\""));
  EXPECT_TRUE(says(again.out, "to = [\"H0\"]"));
  EXPECT_TRUE(says(again.out, "senders = 8\n"));
  EXPECT_TRUE(says(again.out, "bytes = \"1MB\""));
  EXPECT_FALSE(says(again.err, "of what its link carries"));
  EXPECT_TRUE(says(new_with({"--all-reduce", "1MB", "--incast", "H0"}).err, "--all-reduce cannot be given together"));
  const std::string senders = new_with({"--incast", "H0", "--senders", "8"}).err;
  EXPECT_TRUE(says(senders, "--senders goes with --incast-load"));
  EXPECT_TRUE(says(senders, "names its senders with --from"));
  EXPECT_TRUE(says(new_with({"--workload", "websearch", "--incast-load", "0.01", "--senders", "32"}).err,
                   "32 hosts cannot send to one: this network has 32 hosts"));
}

TEST(Headroom, TakesUnitsOfLengthAndTheDelayOfTheSwitch) {
  const std::string metres = run(add_headroom, {"headroom", "--rate", "100Gbps", "--length", "40"}).out;
  EXPECT_EQ(run(add_headroom, {"headroom", "--rate", "100Gbps", "--length", "40m"}).out, metres);
  EXPECT_EQ(run(add_headroom, {"headroom", "--rate", "100Gbps", "--length", "4000cm"}).out, metres);
  EXPECT_TRUE(says(metres, "set --switch-delay to"));
  const std::string with_switch =
      run(add_headroom, {"headroom", "--rate", "100Gbps", "--length", "40m", "--switch-delay", "800ns"}).out;
  EXPECT_NE(with_switch, metres);
  EXPECT_TRUE(says(run(add_headroom, {"headroom", "--length", "40ns"}).err, "`40ns` is a time"));
  EXPECT_TRUE(says(run(add_headroom, {"headroom", "--length", "2000km"}).err, "--length: 2000km is not between"));
}

std::string headroom_with(std::vector<std::string> words) {
  if (std::find(words.begin(), words.end(), "--length") == words.end())
    words.insert(words.begin(), {"--length", "100m"});
  words.insert(words.begin(), {"headroom", "--rate", "100Gbps"});
  std::string text = run(add_headroom, std::move(words)).out;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

TEST(Headroom, SaysWhatToConfigure) {
  EXPECT_TRUE(says(headroom_with({}), "On a switch, configure the value of the operators' formula"));
  EXPECT_TRUE(says(headroom_with({"--mtu", "9216B"}), "add --lossless-mtu 9216B"));
  EXPECT_FALSE(says(headroom_with({"--mtu", "9216B", "--lossless-mtu", "9216B"}), "add --lossless-mtu"));
}

// The exact figure is that of a run: a scenario says 5 ns for each metre. The formula is that of vendors' tables.
TEST(Headroom, IsThatOfARun) {
  const TempDir dir;
  const std::string file = dir.write(
      "s.toml",
      "[topology]\nkind = 'star'\nhosts = 2\n[link]\nrate = '400Gbps'\ndelay = '1500ns'\n[packet]\n"
      "payload = ['4000B']\nheader = '100B'\n[switch]\norganisation = 'output-queued'\nflow_control = 'pfc'\n"
      "route_delay = '0ns'\nswitch_delay = '800ns'\ncredit_delay = '1us'\nshared_buffer = '16MB'\n[[traffic]]\n"
      "pattern = 'flows'\nlist = [[0, 1, '1kB']]\n[run]\nuntil = 'flows'\n");
  const std::string out = (dir / "r").string();
  run([](CLI::App& app) { return add_run(app); }, {"run", file, "--out", out});
  const std::string text = file_text(out + "/scenario.toml").value_or("");
  const std::string key = "\n# pfc_headroom = \"";
  const std::size_t at = text.find(key);
  ASSERT_NE(at, text.npos) << text;
  const std::string of_run = text.substr(at + key.size(), text.find('"', at + key.size()) - at - key.size());
  const std::string exact = run(add_headroom, {"headroom", "--rate", "400Gbps", "--length", "300m", "--mtu", "4100B",
                                               "--switch-delay", "800ns", "--response", "1us"})
                                .out;
  EXPECT_TRUE(says(exact, fmt::format(" {} B ", parse_bytes(of_run)))) << exact;
}

TEST(Headroom, SaysWhichQuantaVendorsAssume) {
  const std::string vendor = headroom_with({"--length", "40m"});
  EXPECT_TRUE(says(vendor, "--quanta 62: with it, the formula gives 44032 B instead of 92160 B for 100Gbps over 40 m"))
      << vendor;
  EXPECT_FALSE(says(headroom_with({"--quanta", "62"}), "instead of"));
}

TEST(Headroom, AddsUpTheInputsOfASwitch) {
  EXPECT_FALSE(says(headroom_with({}), "formula, switch"));
  const std::string text = headroom_with({"--ports", "32", "--priorities", "2"});
  EXPECT_TRUE(says(text, "108544 B"));
  EXPECT_TRUE(says(text, "6.95 MB"));  // 64 times that
  EXPECT_TRUE(says(text, "32 ports with 2 lossless priorities each"));
}

TEST(Calibrate, RefusesSchemesThatDoNotMark) {
  const TempDir dir;
  const std::string file = dir.write("s.toml", "[topology]\nkind = 'star'\nhosts = 4\n[scheme]\nname = 'hpcc'\n"
                                               "[[traffic]]\npattern = 'uniform'\nload = 0.1\n[run]\n"
                                               "duration = '10us'\n");
  const std::string said = run(add_calibrate, {"calibrate", file}).err;
  EXPECT_TRUE(says(said, "thresholds and windows of mvcm, and kmin and kmax of dcqcn, but the scheme of this "
                         "scenario is hpcc"))
      << said;
  EXPECT_TRUE(says(run(add_calibrate, {"calibrate", file, "--set", "scheme.name=dcqcn"}).err,
                   "this traffic has no flows that end"));
}

// Incasts at 10 Gb/s: 2 kB to 40 kB. The lower the thresholds, the shorter the queues that short flows meet.
TEST(Calibrate, ComparesEcnThresholds) {
  const TempDir dir;
  const std::string file = dir.write(
      "s.toml",
      "[topology]\nkind = 'star'\nhosts = 8\n[link]\nrate = '10Gbps'\n[switch]\nlanes = 2\n"
      "organisation = 'output-queued'\nflow_control = 'pfc'\nshared_buffer = '4MB'\n[packet]\npayload = ['1kB']\n"
      "[scheme]\nname = 'dcqcn'\ncnp_lane = 1\n[[traffic]]\npattern = 'flow-arrivals'\nsizes = 'alistorage'\n"
      "load = 0.6\nstop = '5ms'\n[run]\nuntil = 'flows'\n");
  const std::string out = run(add_calibrate, {"calibrate", file, "--seeds", "2"}).out;
  EXPECT_TRUE(says(out, " 2kB    8kB  "));
  EXPECT_TRUE(says(out, "40kB  160kB  default  "));
  EXPECT_TRUE(says(out, "[scheme]\nname = \"dcqcn\"\n"));
  const std::string own =
      run(add_calibrate, {"calibrate", file, "--seeds", "1", "--set", "scheme.kmin=3kB", "--set", "scheme.kmax=4kB"})
          .out;
  EXPECT_TRUE(says(own, " 3kB    4kB  yours  "));
  EXPECT_TRUE(says(own, "With one run of each pair, differences may be chance"));
}

// Two flows, one after the other, fill no queue: thresholds make no difference, and the defaults are as good as any.
TEST(Calibrate, SaysThatThresholdsMakeNoDifference) {
  const TempDir dir;
  const std::string file = dir.write(
      "s.toml",
      "[topology]\nkind = 'leaf-spine'\nleaves = 2\nspines = 1\nhosts = 2\nuplink_rate = '40Gbps'\n[link]\n"
      "rate = '10Gbps'\n[switch]\norganisation = 'output-queued'\nflow_control = 'pfc'\nshared_buffer = '40MB'\n"
      "[scheme]\nname = 'dcqcn'\n[[traffic]]\npattern = 'flow-arrivals'\nsizes = 'fixed'\nbytes = '1kB'\n"
      "load = 0.01\nflows = 20\n[run]\nuntil = 'flows'\n");
  const std::string out = run(add_calibrate, {"calibrate", file}).out;
  EXPECT_TRUE(says(out, "For short flows, no pair differs from the best by more than chance (5 runs of each"));
  EXPECT_TRUE(says(out, " 2kB, 8kB     8kB, 32kB  "));
  EXPECT_TRUE(says(out, "# without kmin (40kB, 160kB) and kmax (160kB, 640kB): these are the defaults at 10Gbps, "
                        "40Gbps\n"));
}

Command run_alone(CLI::App& app) { return add_run(app); }

// The command that a run prints gives lines that OpenSM's reader takes.
TEST(Convert, WritesLinesForOpensm) {
  const TempDir dir;
  const std::string file = dir.write("s.toml", "[topology]\nkind = 'star'\nhosts = 4\n[[traffic]]\n"
                                               "pattern = 'uniform'\nload = 0.1\n[run]\nduration = '10us'\n");
  const std::string conf = (dir / "opensm.conf").string();
  const std::string out = (dir / "r").string();
  // A comparison in which it helps nobody does not invite to use it.
  EXPECT_FALSE(says(run(add_compare, {"compare", file, "--schemes", "none,cca", "--out", out}).out, "opensm.conf"));
  const std::string shown = run(run_alone, {"run", file, "--set", "scheme.name=cca", "--out", out}).out;
  EXPECT_TRUE(says(shown, "to write the opensm.conf settings of scheme `cca`:\n  weir convert " + file +
                              " opensm.conf --set scheme.name=cca"))
      << shown;
  run(add_convert, {"convert", file, conf, "--set", "scheme.name=cca", "--set", "scheme.threshold=9"});
  const std::string lines = file_text(conf).value_or("");
  EXPECT_TRUE(says(lines, "congestion_control TRUE"));
  EXPECT_TRUE(says(lines, "cc_sw_cong_setting_threshold 0x09"));
  // A file that is there keeps what does not concern congestion control.
  write_file(conf, "guid 0x17\ncc_key 0x5\ncc_sw_cong_setting_threshold 2\nsubnet_prefix 0xfe80000000000001\n");
  const auto said = run(add_convert, {"convert", file, conf, "--set", "scheme.name=cca", "--set",
                                       "scheme.marking_rate=100"}).out;
  EXPECT_TRUE(says(said, "all other settings in this file are kept"));
  const std::string merged = file_text(conf).value_or("");
  for (const char* line : {"guid 0x17\n", "subnet_prefix 0xfe80000000000001\n", "cc_key 0x0000000000000005\n",
                           "cc_sw_cong_setting_marking_rate 100\n", "cc_sw_cong_setting_threshold 0x0F\n"})
    EXPECT_TRUE(says(merged, line));
  EXPECT_EQ(merged.find("threshold 2\n"), merged.npos);
}

}  // namespace
}  // namespace weir
