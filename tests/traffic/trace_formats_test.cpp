// Workloads of other simulators: what is read, what is refused with its line or byte, and round trips.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "base/file_text.h"
#include "error_of.h"
#include "says.h"
#include "source_dir.h"
#include "traffic/formats/trace_formats.h"

namespace weir {
namespace {

std::string cm_error(const std::string& text) {
  return error_of([&] { parse_connection_matrix("f.cm", text); });
}
std::string ns3_error(const std::string& text) {
  return error_of([&] { parse_ns3_flows("flow.txt", text, 4); });
}

// Who sends what to whom, when and after whom; the same for equal traces.
std::string summary(const Trace& t) {
  std::string text = std::to_string(t.ranks) + ":";
  for (const Trace::Message& m : t.messages)
    text += " " + std::to_string(m.source) + ">" + std::to_string(m.destination) + "/" + std::to_string(m.bytes) + "@" +
            std::to_string(m.time.ps);
  std::set<std::string> conditions;
  for (const Trace::Condition& c : t.conditions)
    conditions.insert(" " + std::to_string(c.node.index) + "<" + std::to_string(c.before.index));
  for (const std::string& condition : conditions) text += condition;
  return text;
}

constexpr const char* kMatrix =
    "# two flows, then a third\nNodes 8\nConnections 3\nTriggers 1\n"
    "0->1 id 1 start 0 size 2000000 recv_done_trigger 7\n"
    "2->1 id 2 start 5000.000000 size 1000 send_done_trigger 7 prio 1\n"
    "1->3 id 3 trigger 7 size 64\n"
    "trigger id 7 barrier 2\n";

TEST(ConnectionMatrix, IsRead) {
  const Trace t = parse_connection_matrix("f.cm", kMatrix);
  EXPECT_EQ(summary(t), "8: 0>1/2000000@0 2>1/1000@5000 1>3/64@0 2<0 2<1");
  EXPECT_FALSE(t.conditions[0].same_rank);
  EXPECT_TRUE(t.conditions[1].same_rank);
  EXPECT_EQ(t.messages[2].line, 7u);
  EXPECT_EQ(parse_connection_matrix("f.cm", "Nodes 2\n0->1 start 0 size 0\n").messages[0].bytes, kEndless);
}

// Files of htsim itself (tests/traffic/data/htsim).
TEST(ConnectionMatrix, SamplesAreReadAndWritten) {
  const std::tuple<const char*, std::uint32_t, std::size_t> kSamples[] = {
      {"bidir", 16, 2}, {"incast", 16, 15}, {"outcast_incast", 128, 21}, {"perm_16n_16c_2MB", 16, 16}};
  for (const auto& [name, nodes, connections] : kSamples) {
    const std::string file = source_dir() + "/tests/traffic/data/htsim/" + name + ".cm";
    const Trace t = parse_connection_matrix(file, read_text_file(file));
    EXPECT_EQ(t.ranks, nodes);
    ASSERT_EQ(t.messages.size(), connections);
    for (const Trace::Message& m : t.messages) EXPECT_EQ(m.bytes, 2'000'000);
    EXPECT_EQ(summary(parse_connection_matrix("again.cm", write_connection_matrix(t))), summary(t)) << name;
    EXPECT_EQ(summary(parse_ns3_flows("flow.txt", write_ns3_flows(t), nodes)), summary(t)) << name;
  }
}

TEST(ConnectionMatrix, RoundTrip) {
  const Trace t = parse_connection_matrix("f.cm", kMatrix);
  EXPECT_EQ(summary(parse_connection_matrix("g.cm", write_connection_matrix(t))), summary(t));
}

TEST(ConnectionMatrix, ErrorsHaveTheirLine) {
  EXPECT_TRUE(
      says(cm_error("Connections 1\n0->1 start 0 size 1\n"), "f.cm:2: \"Nodes\" and their number must come first"));
  EXPECT_TRUE(says(cm_error("Nodes 2\n0->2 start 0 size 1\n"), "f.cm:2: there is no node 2; the nodes are 0 to 1"));
  EXPECT_TRUE(
      says(cm_error("Nodes 2\n0->1 start x size 1\n"), "f.cm:2: start: must be a time in picoseconds, not \"x\""));
  EXPECT_TRUE(says(cm_error("Nodes 2\n0->1 speed 3\n"), "f.cm:2: unknown \"speed\""));
  EXPECT_TRUE(says(cm_error("Nodes 2\n0->1 trigger 3 size 4\n"), "f.cm:2: trigger 3 is not described"));
  EXPECT_TRUE(says(cm_error("Nodes 2\n0->1 size\n"), "f.cm:2: size is missing at the end of the line"));
  EXPECT_TRUE(
      says(cm_error("Nodes 2\nConnections 2\n0->1 start 0 size 1\n"), "Connections 2 was announced, but there are 1"));
  EXPECT_TRUE(
      says(cm_error("Nodes 3\n0->1 start 0 size 1 recv_done_trigger 1\n1->2 start 0 size 1 recv_done_trigger 1\n"
                    "2->0 trigger 1 size 1\ntrigger id 1 oneshot\n"),
           "f.cm:5: trigger 1 has 2 activators and would fire after 1 of them"));
  EXPECT_TRUE(says(cm_error("Nodes 2\n0->1 trigger 1 size 1 recv_done_trigger 1\ntrigger id 1 oneshot\n"),
                   "conditions form a cycle"));
}

TEST(Ns3Flows, AreReadAndWritten) {
  const Trace t = parse_ns3_flows("flow.txt", "2\n0 1 3 100 20000 2.000000001\n2 3 3 100 5 2.5\n", 4);
  EXPECT_EQ(summary(t), "4: 0>1/20000@2000000001000 2>3/5@2500000000000");
  EXPECT_EQ(summary(parse_ns3_flows("flow.txt", write_ns3_flows(t), 4)), summary(t));
  EXPECT_TRUE(says(ns3_error("2\n0 1 3 100 20000 2.0\n"), "flow.txt:3: source is missing, the file ends here"));
  EXPECT_TRUE(
      says(ns3_error("1\n0 9 3 100 20000 2.0\n"), "flow.txt:2: destination: there is no host 9; the hosts are 0 to 3"));
  EXPECT_TRUE(says(ns3_error("1\n0 1 3 100 -5 2.0\n"), "bytes: must be above 0"));
  EXPECT_EQ(parse_ns3_flows("flow.txt", "1\n0 1 3 100 5 2.0\n9 and so on", 4).messages.size(), 1u);
}

constexpr const char* kGoal =
    "num_ranks 3\nrank 0 {\na: send 100b to 1 tag 5\nb: calc 40\nb requires a\nc: send 7b to 2\nc requires b\n"
    "d: send 9b to 2\nd irequires c\n}\n"
    "rank 1 {\na: recv 100b from 0 tag 5\nb: send 8b to 2 tag 1\nb requires a\n}\n"
    "rank 2 {\nrecv 7b from 0\nrecv 9b from 0\nrecv 8b from 1 tag 1\n}\n";

// Messages and what they wait for, through steps: the order of operations may differ.
TEST(Goal, TextAndBinaryAreTheSameSchedule) {
  const Trace t = parse_goal("f.goal", kGoal, Time{1000});
  const std::string text = write_goal(t), binary = write_goal_binary(t);
  const Trace from_text = parse_goal("g.goal", text, Time{1000});
  const Trace from_binary = parse_goal_binary("g.bin", binary, Time{1000});
  EXPECT_EQ(from_text.messages.size(), 4u);
  EXPECT_EQ(summary(from_text), summary(from_binary));
  EXPECT_TRUE(is_goal_binary(binary));
  EXPECT_EQ(format_of("x", binary), TraceFormat::goal_binary);
  EXPECT_EQ(format_of("x", text), TraceFormat::goal);
  EXPECT_EQ(format_of("x", kMatrix), TraceFormat::htsim);
  EXPECT_EQ(format_of("x", "2\n0 1"), TraceFormat::ns3);
  EXPECT_EQ(format_of("x", "time,source"), TraceFormat::csv);
  for (std::size_t i = 0; i < t.messages.size(); ++i) {
    EXPECT_EQ(from_text.messages[i].bytes, t.messages[i].bytes);
    EXPECT_EQ(from_text.messages[i].source, t.messages[i].source);
  }
}

TEST(Goal, BinaryErrorsHaveTheirByte) {
  const std::string binary = write_goal_binary(parse_goal("f.goal", kGoal, Time{1000}));
  const auto error = [](const std::string& bytes) {
    return error_of([&] { parse_goal_binary("f.bin", bytes, Time{1000}); });
  };
  EXPECT_TRUE(says(error("nonsense"), "byte 0: a binary GOAL schedule begins with the number 4223"));
  EXPECT_TRUE(says(error(binary.substr(0, 30)), "f.bin: byte 14: rank 0 lies outside of the file"));
  std::string bad = binary;
  bad[8 + 6 + 16 * 3 + 8 + 4 + 4] = 9;  // the type of the first operation, behind one root
  EXPECT_TRUE(says(error(bad), "an operation is 1 (send), 2 (receive) or 3 (calculate)") || says(error(bad), "byte"));
  for (std::size_t cut = 0; cut < binary.size(); ++cut) EXPECT_NE(error(binary.substr(0, cut)), "no error");
}

// Receives take no time: messages that wait for them wait for other messages.
TEST(TraceFormats, SchedulesWithoutComputingAreTables) {
  const Trace goal = parse_goal("f.goal",
                                "num_ranks 3\nrank 0 {\na: send 100b to 1\n}\n"
                                "rank 1 {\na: recv 100b from 0\nz: calc 0\nz requires a\nb: send 8b to 2\n"
                                "b requires z\nb requires a\n}\nrank 2 {\nrecv 8b from 1\n}\n",
                                Time{1000});
  EXPECT_EQ(summary(parse_trace("f.csv", write_trace(goal, TraceFormat::csv), TraceFormat::csv, 3, Time{1000})),
            "3: 0>1/100@0 1>2/8@0 1<0");
  EXPECT_EQ(summary(parse_connection_matrix("f.cm", write_trace(goal, TraceFormat::htsim))),
            "3: 0>1/100@0 1>2/8@0 1<0");
}

TEST(TraceFormats, WhatAFormatCannotSayIsRefused) {
  const Trace goal = parse_goal("f.goal", kGoal, Time{1000});
  EXPECT_TRUE(says(error_of([&] { write_trace(goal, TraceFormat::htsim); }), "no computing times"));
  EXPECT_TRUE(says(error_of([&] { write_trace(goal, TraceFormat::csv); }), "no computing times"));
  EXPECT_TRUE(says(error_of([&] { write_trace(goal, TraceFormat::ns3); }), "wait for others"));
  const Trace matrix = parse_connection_matrix("f.cm", kMatrix);
  const Trace again = parse_trace("f.csv", write_trace(matrix, TraceFormat::csv), TraceFormat::csv, 8, Time{1000});
  EXPECT_EQ(again.messages.size(), 3u);
  EXPECT_TRUE(says(error_of([&] {
                     write_trace(parse_connection_matrix("f.cm",
                                                         "Nodes 4\n0->1 start 0 size 1 recv_done_trigger 1\n"
                                                         "2->3 trigger 1 size 1\ntrigger id 1 oneshot\n"),
                                 TraceFormat::goal);
                   }),
                   "rank 2 waits for rank 0 without receiving from it"));
}

}  // namespace
}  // namespace weir
