// Flow tables: what is read, and that everything wrong is refused with file and line.
#include "traffic/flow_list.h"

#include <gtest/gtest.h>

#include "traffic_helpers.h"

namespace weir {
namespace {

using namespace literals;

Workload read(const std::string& text, FlowBasics defaults = {}) {
  Workload w;
  w.classes = {{"all"}};
  add_flow_rows(w, flow_rows_from_csv("f.csv", text), defaults, equal_hosts(8));
  return w;
}

void expect_list_refused(const std::string& text, const std::string& message) {
  expect_error([&] { read(text); }, message);
}

TEST(FlowList, ReadsNumbersNamesUnitsAndDefaults) {
  const Workload w = read(
      "src,dst,bytes,start\n"
      "0,H5,10MB,0\n"
      "H1,2,2KiB,1.5us\n"
      "3,4,endless,\n");
  ASSERT_EQ(w.flows.size(), 3u);
  const Flow& first = w.flows[FlowId{0}];
  EXPECT_EQ(first.source, HostId{0});
  EXPECT_EQ(first.destination, HostId{5});
  EXPECT_EQ(first.bytes, 10'000'000);
  EXPECT_EQ(first.start, 0_ps);
  EXPECT_EQ(first.weight, 1);
  const Flow& second = w.flows[FlowId{1}];
  EXPECT_EQ(second.source, HostId{1});
  EXPECT_EQ(second.bytes, 2048);
  EXPECT_EQ(second.start, 1500_ns);
  EXPECT_EQ(w.flows[FlowId{2}].bytes, kEndless);
}

TEST(FlowList, ReadsEveryColumnInAnyOrder) {
  FlowBasics defaults;
  defaults.app = {5};
  Workload w;
  w.classes = {{"all"}};
  w.flows.push_back({});
  add_flow_rows(w,
                 flow_rows_from_csv("f.csv",
                                     "class,lane,after,id,phase,app,weight,start,bytes,dst,src\n"
                                     "hot,3,b,a,1,2,0.5,1us,100,1,0\n"
                                     ",,,b,,,,,200,3,2\n"),
                 defaults, equal_hosts(8));
  const Flow& a = w.flows[FlowId{1}];
  EXPECT_EQ(a.traffic_class, ClassId{1});
  EXPECT_EQ(w.classes.at(1).name, "hot");
  EXPECT_EQ(a.lane, 3);
  EXPECT_EQ(a.after, FlowId{2});
  EXPECT_EQ(a.phase, 1u);
  EXPECT_EQ(a.app, AppId{7});
  EXPECT_EQ(a.weight, 0.5);
  EXPECT_EQ(w.flows[FlowId{2}].app, AppId{5});
  EXPECT_EQ(w.flows[FlowId{2}].traffic_class, ClassId{0});
  EXPECT_EQ(w.apps, 8u);
}

TEST(FlowList, StartOfTheEntryMovesAbsoluteStartsOnly) {
  FlowBasics defaults;
  defaults.start = 100_us;
  const Workload w = read("src,dst,bytes,start,after,phase\n0,1,1,1us,,\n0,1,1,1us,0,\n0,1,1,1us,,1\n", defaults);
  EXPECT_EQ(w.flows[FlowId{0}].start, 101_us);
  EXPECT_EQ(w.flows[FlowId{1}].start, 1_us);
  EXPECT_EQ(w.flows[FlowId{2}].start, 1_us);
}

TEST(FlowList, WeightsMayBeAsFarApartAsThoseOfPatterns) {
  const Workload w = read("src,dst,bytes,weight\n0,1,1,1e-9\n0,1,1,1e9\n");
  EXPECT_EQ(w.flows[FlowId{0}].weight, 1e-9);
  EXPECT_EQ(w.flows[FlowId{1}].weight, 1e9);
}

TEST(FlowList, NamesWinOverNumbers) {
  HostList hosts = equal_hosts(3);
  hosts.names = {"2", "1", "0"};
  Workload w;
  add_flow_rows(w, flow_rows_from_csv("f.csv", "src,dst,bytes\n2,0,1\n"), {}, hosts);
  EXPECT_EQ(w.flows[FlowId{0}].source, HostId{0});
  EXPECT_EQ(w.flows[FlowId{0}].destination, HostId{2});
}

// One list serves `weir rates`, which knows no bytes and any name of an application, and runs.
TEST(FlowList, WithoutBytesFlowsAreEndless) {
  const Workload w = read("src,dst\n0,1\n2,3\n");
  EXPECT_EQ(w.flows[FlowId{0}].bytes, kEndless);
  EXPECT_EQ(w.flows[FlowId{1}].bytes, kEndless);
}

TEST(FlowList, ApplicationsMayHaveNames) {
  FlowBasics defaults;
  defaults.app = {5};
  Workload w;
  const std::vector<std::string> names =
      add_flow_rows(w, flow_rows_from_csv("f.csv", "src,dst,app\n0,1,gather\n1,2,7\n2,3,gather\n3,4,\n"), defaults,
                    equal_hosts(8));
  EXPECT_EQ(names, (std::vector<std::string>{"gather", "7", "0"}));
  EXPECT_EQ(w.flows[FlowId{0}].app, AppId{5});
  EXPECT_EQ(w.flows[FlowId{1}].app, AppId{6});
  EXPECT_EQ(w.flows[FlowId{2}].app, AppId{5});
  EXPECT_EQ(w.flows[FlowId{3}].app, AppId{7});
  EXPECT_EQ(w.apps, 8u);
}

TEST(FlowList, AfterCountsRowsFromZeroWithoutIds) {
  const Workload w = read("src,dst,bytes,after\n0,1,1,1\n2,3,1,\n");
  EXPECT_EQ(w.flows[FlowId{0}].after, FlowId{1});  // forward is fine
}

TEST(FlowList, HeaderErrors) {
  expect_list_refused("", "f.csv:1: the file is empty");
  expect_list_refused("# only a comment\n\n", "f.csv:1: the file is empty");
  expect_list_refused("src,bytes\n0,1\n", R"(f.csv:1: column "dst" is missing)");
  expect_list_refused("\nsrc,dst,bytes,strat\n0,1,1,0\n", R"(f.csv:2: unknown column "strat"; did you mean `start`?)");
  expect_list_refused("src,dst,bytes,src\n0,1,1,0\n", R"(f.csv:1: column "src" appears twice)");
  expect_list_refused("0,1,1\n", R"(f.csv:1: unknown column "0")");
  expect_list_refused("src,dst,bytes\n", "f.csv:1: there is no flow");
}

TEST(FlowList, RowErrorsNameTheirLine) {
  const std::string head = "src,dst,bytes,start,weight,app,phase,lane\n0,1,1\n# comment\n\n";
  expect_list_refused(head + "8,1,1\n", R"(f.csv:5: src "8" is no host; this network has 8 hosts, numbered 0 to 7)");
  expect_list_refused(head + "0,HH5,1\n", R"(f.csv:5: dst "HH5" is no host; did you mean "H5"?)");
  expect_list_refused(head + "0,-1,1\n", R"(f.csv:5: dst "-1" is no host)");
  expect_list_refused(head + "3,H3,1\n", "f.csv:5: dst is the same host as src");
  expect_list_refused(head + ",1,1\n", "f.csv:5: src is missing");
  expect_list_refused(head + "0,1,\n", "f.csv:5: bytes is missing; write \"endless\" for a flow without end");
  expect_list_refused(head + "0,1\n", "f.csv:5: bytes is missing");
  expect_list_refused(head + "0,1,0\n", "f.csv:5: bytes must be above 0");
  expect_list_refused(head + "0,1,-5\n", "f.csv:5: bytes");
  expect_list_refused(head + "0,1,5 parsecs\n", "f.csv:5: bytes cannot be read");
  expect_list_refused(head + "0,1,1,5\n", "f.csv:5: start cannot be read");
  expect_list_refused(head + "0,1,1,-5us\n", "f.csv:5: start");
  expect_list_refused(head + "0,1,1,0,0\n", R"(f.csv:5: weight must be a number from 1e-09 to 1000000000, not "0")");
  expect_list_refused(head + "0,1,1,0,1e30\n", R"(1e-09 to 1000000000, not "1e30")");
  expect_list_refused(head + "0,1,1,0,1.1e9\n", "f.csv:5: weight");
  expect_list_refused(head + "0,1,1,0,9e-10\n", "f.csv:5: weight");
  expect_list_refused(head + "0,1,1,0,-1\n", "f.csv:5: weight");
  expect_list_refused(head + "0,1,1,0,inf\n", "f.csv:5: weight");
  expect_list_refused(head + "0,1,1,0,nan\n", "f.csv:5: weight");
  expect_list_refused(head + "0,1,1,0,1,-1\n", "f.csv:5: app must be a whole number from 0");
  expect_list_refused(head + "0,1,1,0,1,1.5\n", "f.csv:5: app must be a whole number");
  expect_list_refused(head + "0,1,1,0,1,0,x\n", "f.csv:5: phase must be a whole number");
  expect_list_refused(head + "0,1,1,0,1,0,0,8\n", R"(f.csv:5: lane must be a whole number from 0 to 7, not "8")");
  expect_list_refused(head + "0,1,1,0,1,0,0,0,9\n", "f.csv:5: 9 cells, but there are only 8 columns");
}

TEST(FlowList, DependencyErrorsNameTheirLine) {
  const std::string head = "src,dst,bytes,after\n";
  expect_list_refused(head + "0,1,1,\n0,1,1,2\n", R"(f.csv:3: after must be a whole number from 0 to 1, not "2")");
  expect_list_refused(head + "0,1,1,\n0,1,1,1\n", "f.csv:3: `after` forms a cycle: lines 3 -> 3");
  // Line 2 waits for the circle, but is not part of it.
  expect_list_refused(head + "0,1,1,1\n0,1,1,3\n\n0,1,1,1\n0,1,1,2\n",
                 "f.csv:3: `after` forms a cycle: lines 3 -> 6 -> 5 -> 3");
  expect_list_refused(head + "0,1,endless,\n0,1,1,0\n", "f.csv:3: this flow can never start");
  const std::string ids = "src,dst,bytes,id,after\n";
  expect_list_refused(ids + "0,1,1,a,\n0,1,1,b,c\n", R"(f.csv:3: after names "c", but no row has this id)");
  expect_list_refused(ids + "0,1,1,a,\n0,1,1,a,\n", R"(f.csv:3: id "a" is used before, at line 2)");
  expect_list_refused(ids + "0,1,1,a,\n0,1,1,,\n", "f.csv:3: id is missing");
  expect_list_refused("src,dst,bytes,phase,after\n0,1,1,0,1\n0,1,1,1,\n", "f.csv:2: this flow can never start");
}

TEST(FlowList, ARefusedTableLeavesNoFlows) {
  Workload w;
  expect_error(
      [&] { add_flow_rows(w, flow_rows_from_csv("f.csv", "src,dst,bytes\n0,1,1\n0,0,1\n"), {}, equal_hosts(2)); },
      "f.csv:3");
  EXPECT_TRUE(w.flows.empty());
}

TEST(ClassNamed, FindsOrAdds) {
  Workload w;
  EXPECT_EQ(ClassNames(w).number("cold"), ClassId{0});
  ClassNames names(w);
  EXPECT_EQ(names.number("hot"), ClassId{1});
  EXPECT_EQ(names.number("cold"), ClassId{0});
  EXPECT_EQ(w.classes.size(), 2u);
}

TEST(FlowList, ClassesAreBounded) {
  Workload w;
  ClassNames names(w);
  for (std::size_t c = 0; c < kMostClasses; ++c) names.number("c" + std::to_string(c));
  EXPECT_EQ(names.number("c7"), ClassId{7});
  EXPECT_THROW(names.number("one more"), InputError);
}

}  // namespace
}  // namespace weir
