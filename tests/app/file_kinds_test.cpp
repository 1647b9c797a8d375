// A file of the wrong kind: every command says what it is and which command takes it.
#include "app/input/file_kinds.h"

#include <gtest/gtest.h>

#include "app/commands.h"
#include "error_of.h"
#include "says.h"
#include "temp_dir.h"

namespace weir {
namespace {

constexpr const char* kDump =
    "vendid=0x2c9\nswitchguid=0x1(1)\nSwitch\t36 \"S-1\"\t\t# \"leaf\"\n[1]\t\"H-2\"[1](2)\t\t# \"node1 HCA-1\" "
    "4xQDR\n";
constexpr const char* kCounters = "# Port counters: Lid 1 port 1\nPortXmitData:....1\nPortXmitWait:....2\n";
constexpr std::string_view kDatabase{"SQLite format 3\0 and the rest", 30};

struct FileOfAKind {
  const char* name;
  std::string text;
  FileKind kind;
};
const FileOfAKind kFiles[] = {
    {"s.toml", "[topology]\nkind = 'star'\n", FileKind::scenario},
    {"cluster.topo", kDump, FileKind::ibnetdiscover},
    {"tree.topo", "MTS800 SW-1-0\n   P1 -> Cougar H-1 P1\n", FileKind::ibdm},
    {"linked.topo", "MTS800 SW-1-0\n\tP1 -4x-2.5G-> Cougar H-1 P1\n", FileKind::ibdm},
    {"fat.topo", "# a fat tree\nNodes 16\nTiers 2\nPodsize 4\n", FileKind::htsim_fabric},
    {"topology.txt", "5 1 4\n0\n0 1 100Gbps 1us 0\n", FileKind::ns3_fabric},
    {"incast.cm", "Nodes 4\nConnections 1\n0->1 start 0 size 100\n", FileKind::htsim_messages},
    {"flow.txt", "1\n0 1 3 100 2000 0\n", FileKind::ns3_messages},
    {"a.goal", "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n", FileKind::goal},
    {"a.0.et", "\x01\x02", FileKind::chakra},
    {"flows.csv", "src,dst,bytes\n0,1,100\n", FileKind::table},
    {"before.txt", kCounters, FileKind::counters},
    {"fabric.lfts", "Unicast lids [0x0-0x3] of switch Lid 1 guid 0x1 (leaf):\n", FileKind::forwarding},
    {"load.sqlite", std::string(kDatabase), FileKind::database},
    {"result.json", "{\"runs\": []}\n", FileKind::json},
    {"report.html", "<!DOCTYPE html>\n<html></html>\n", FileKind::html},
    {"opensm.conf", "# comment\ncongestion_control TRUE\n", FileKind::opensm_conf},
    {"q.topo.gz", "\x1f\x8b\x08 and the rest", FileKind::packed_file},
    {"nothing.topo", "", FileKind::empty_file},
};

TEST(FileKinds, AreRecognisedByTheirContents) {
  const TempDir dir;
  for (const FileOfAKind& file : kFiles) {
    const std::optional<FileKind> kind = kind_of_file(dir.write(file.name, file.text));
    ASSERT_TRUE(kind.has_value()) << file.name;
    EXPECT_EQ(*kind, file.kind) << file.name << " is taken for " << name_of(*kind);
  }
  EXPECT_FALSE(kind_of_file(dir.write("notes.txt", "something else\n")).has_value());
  EXPECT_FALSE(kind_of_file((dir / "absent").string()).has_value());
}

// Each command takes what it is for, and names another command for everything else.
TEST(FileKinds, AreRefusedWithTheCommandThatTakesThem) {
  const TempDir dir;
  const auto refusal = [&](const std::string& command, const FileOfAKind& file) {
    CLI::App app;
    std::vector<Command> commands;  // they own what the options are written to
    commands.push_back(add_run(app));
    for (const auto add : {add_compare, add_sweep, add_topo, add_new, add_query, add_view, add_fabric})
      commands.push_back(add(app));
    app.parse(command + " " + dir.write(file.name, file.text));
    return error_of([&] { check_files(*app.get_subcommands().front()); });
  };
  const auto is_network = [](FileKind kind) { return kind <= FileKind::ns3_fabric; };
  for (const FileOfAKind& file : kFiles) {
    const std::string what{name_of(file.kind)};
    for (const std::string command : {"run", "compare", "sweep"})
      EXPECT_TRUE(says(refusal(command, file),
                       file.kind == FileKind::scenario
                           ? "no error"
                           : " is " + what + ", and `weir " + command + "` takes a scenario. "));
    for (const char* command : {"topo", "fabric"})
      EXPECT_TRUE(says(refusal(command, file), is_network(file.kind) ? "no error" : "takes a fabric or a scenario. "));
    EXPECT_TRUE(says(refusal("new", file), file.kind == FileKind::scenario ? "To run it: weir run "
                                           : is_network(file.kind)         ? "no error"
                                                                           : "takes a fabric. "));
    const bool is_result = file.kind == FileKind::database || file.kind == FileKind::empty_file;
    EXPECT_TRUE(says(refusal("query", file), is_result ? "no error" : "takes a result. "));
    const bool is_shown = is_result || file.kind == FileKind::html;
    EXPECT_EQ(refusal("view", file) == "no error", is_shown) << file.name;
  }
  EXPECT_TRUE(says(refusal("run", kFiles[1]), "To inspect it: weir topo "));
  EXPECT_TRUE(says(refusal("run", kFiles[7]), R"(pattern = "trace")"));
  EXPECT_TRUE(says(refusal("topo", kFiles[11]), "weir diagnose cluster.topo"));
  EXPECT_TRUE(says(refusal("compare", kFiles[13]), "weir view "));
}

// A page for people, and prose in a file of any name: the parser's words would be about its first line.
TEST(FileKinds, ProseIsNoScenarioAndNoFabric) {
  const TempDir dir;
  const std::string readme = dir.write("README.md", "# weir\n\n[docs](docs/x.md) tell more = better.\n");
  const std::string prose = dir.write("LICENSE", "Permission is granted to everybody.\n");
  const std::string plain = dir.write("scenario.txt", "# mine\n[topology]\nkind = 'star'\n");
  const auto refusal = [](const std::string& words) {
    CLI::App app;
    std::vector<Command> commands;
    commands.push_back(add_run(app));
    for (const auto add : {add_compare, add_sweep, add_topo, add_new}) commands.push_back(add(app));
    app.parse(words);
    return error_of([&] { check_files(*app.get_subcommands().front()); });
  };
  for (const std::string command : {"run", "compare", "sweep", "topo", "new"})
    EXPECT_TRUE(says(refusal(command + " " + readme), "README.md. `weir " + command));
  EXPECT_TRUE(says(refusal("run " + prose), "LICENSE. `weir run` needs a scenario."));
  EXPECT_EQ(refusal("run " + plain), "no error");
  EXPECT_EQ(refusal("run " + (dir / "absent.md").string()), "no error");  // its reader says that it is not there
}

TEST(FileKinds, OfDiagnoseDependOnTheirPlace) {
  const TempDir dir;
  const std::string dump = dir.write("c.topo", kDump), counters = dir.write("a.txt", kCounters);
  const auto refusal = [](const std::string& words) {
    CLI::App app;
    const Command command = add_diagnose(app);
    app.parse("diagnose " + words);
    return error_of([&] { check_files(*app.get_subcommands().front()); });
  };
  EXPECT_EQ(refusal(dump + " " + counters + " " + counters), "no error");
  EXPECT_TRUE(says(refusal(counters + " " + dump + " " + counters), "takes a dump of the subnet"));
  EXPECT_TRUE(says(refusal(dump + " " + counters + " " + dump), "takes a dump of counters"));
}

}  // namespace
}  // namespace weir
