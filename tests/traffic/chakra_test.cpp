// Chakra's execution traces: the public samples, what else a file may say, round trips, and what is refused with its
// byte.
#include "traffic/formats/chakra.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <map>

#include "base/file_text.h"
#include "error_of.h"
#include "says.h"
#include "source_dir.h"
#include "traffic/formats/wire.h"

namespace weir {
namespace {

std::vector<TraceFile> sample(const std::string& name) {
  return read_trace_files(source_dir() + "/tests/traffic/data/astra-sim/" + name + ".0.et",
                          read_text_file);
}

// Bytes that each rank sends.
std::map<std::uint32_t, Bytes> sent(const Trace& trace) {
  std::map<std::uint32_t, Bytes> bytes;
  for (const Trace::Message& m : trace.messages) bytes[m.source] += m.bytes;
  return bytes;
}

// A node in the order of the schema: number, type, dependencies, microseconds, attributes.
struct NodeText {
  std::uint64_t id = 0, type = 0;
  std::vector<std::uint64_t> before;  // by data
  std::uint64_t microseconds = 0;
  std::vector<std::pair<std::string, std::uint64_t>> numbers;
  std::string group;

  std::string bytes() const {
    WireWriter node, packed;
    if (id != 0) node.number(1, id);
    node.block(2, "any name");
    node.number(3, type);
    for (const std::uint64_t b : before) packed.varint(b);
    node.number(4, 777);  // of control, on a node that nobody has kept
    if (!before.empty()) node.block(5, packed.bytes());
    if (microseconds != 0) node.number(7, microseconds);
    node.block(8, "inputs, which nobody reads");
    for (const auto& [name, value] : numbers) {
      WireWriter attribute;
      attribute.block(1, name);
      attribute.number(13, value);
      node.block(10, attribute.bytes());
    }
    if (!group.empty()) {
      WireWriter attribute;
      attribute.block(1, "pg_name");
      attribute.block(29, group);
      node.block(10, attribute.bytes());
    }
    return node.bytes();
  }
};
std::string file_of(const std::vector<NodeText>& nodes) {
  WireWriter file, metadata;
  metadata.block(1, "0.0.4");
  file.message(metadata.bytes());
  for (const NodeText& node : nodes) file.message(node.bytes());
  return file.bytes();
}
std::vector<TraceFile> files_of(const std::vector<std::vector<NodeText>>& ranks) {
  std::vector<TraceFile> files;
  for (const auto& nodes : ranks)
    files.push_back({"t." + std::to_string(files.size()) + ".et", file_of(nodes)});
  return files;
}
std::string error(const std::vector<std::vector<NodeText>>& ranks) {
  return error_of([&] { parse_chakra(files_of(ranks)); });
}

std::string packed(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string in = bytes, out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

constexpr std::uint64_t kCompute = 4, kSend = 5, kReceive = 6, kCollective = 7;

TEST(ChakraSamples, AreReadWithTheirSizes) {
  constexpr Bytes kMiB = 1 << 20;
  const std::pair<const char*, Bytes> kSamples[] = {
      {"all_reduce", 2 * 3 * kMiB / 4},  // each of 6 steps a quarter
      {"all_gather", 3 * kMiB},          // a rank brings 1 MiB, and hands on three
      {"reduce_scatter", 3 * kMiB / 4},
      {"all_to_all", 3 * kMiB / 4},
  };
  for (const auto& [name, bytes] : kSamples) {
    const Trace trace = parse_chakra(sample(name));
    EXPECT_EQ(trace.ranks, 4u);
    ASSERT_EQ(trace.collectives.size(), 1u) << name;
    EXPECT_EQ(trace.collectives[0].ranks, 4u);
    for (std::uint32_t rank = 0; rank < 4; ++rank) EXPECT_EQ(sent(trace)[rank], bytes) << name;
  }
}

// 0 computes and sends to 1, which computes when it has it; then all reduce.
const std::vector<std::vector<NodeText>> kPair{
    {{7, kCompute, {}, 20, {}, ""},
     {9, kSend, {7}, 0, {{"comm_dst", 1}, {"comm_size", 5000}, {"comm_tag", 3}}, ""},
     {0, kCollective, {9}, 0, {{"comm_type", 0}, {"comm_size", 1000}}, ""}},
    {{1, kReceive, {}, 0, {{"comm_src", 0}, {"comm_size", 5000}, {"comm_tag", 3}}, ""},
     {2, kCompute, {1}, 30, {}, ""},
     {3, kCollective, {2}, 0, {{"comm_type", 0}, {"comm_size", 1000}}, ""}}};

TEST(Chakra, NodesBecomeMessagesAndSteps) {
  const Trace trace = parse_chakra(files_of(kPair));
  ASSERT_EQ(trace.messages.size(), 1u + 4u);
  EXPECT_EQ(trace.messages[0].bytes, 5000);
  EXPECT_EQ(trace.messages[1].bytes, 500);
  std::int64_t computing = 0;
  for (const Trace::Step& step : trace.steps) computing += step.duration.ps;
  EXPECT_EQ(computing, 50'000'000);
}

TEST(Chakra, PackedFilesAreTheSame) {
  std::vector<TraceFile> files = files_of(kPair);
  for (TraceFile& file : files) file.bytes = packed(file.bytes);
  EXPECT_EQ(parse_chakra(files).messages.size(), 5u);
  files[1].bytes.resize(files[1].bytes.size() - 12);
  EXPECT_TRUE(says(error_of([&] { parse_chakra(files); }), "t.1.et: byte"));
}

TEST(Chakra, GroupsAreTheRanksThatNameThem) {
  const NodeText all{1, kCollective, {}, 0, {{"comm_type", 6}, {"comm_size", 400}}, "0"};
  const NodeText even{2, kCollective, {1}, 0, {{"comm_type", 7}, {"comm_size", 600}}, "even"};
  const Trace trace = parse_chakra(files_of({{all, even}, {all}, {all, even}, {all}}));
  ASSERT_EQ(trace.collectives.size(), 2u);
  EXPECT_EQ(trace.collectives[0].ranks, 4u);
  EXPECT_EQ(trace.collectives[1].ranks, 2u);
  EXPECT_EQ(sent(trace)[2], 300 + 300);
  EXPECT_EQ(sent(trace)[3], 300);
}

TEST(Chakra, RoundTripThroughItsOwnFilesAndGoal) {
  for (const char* name : {"all_reduce", "all_to_all"}) {
    const Trace trace = parse_chakra(sample(name));
    const std::vector<TraceFile> files = write_trace_files(trace, TraceFormat::chakra, "again.0.et");
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[3].name, "again.3.et");
    const Trace again = parse_chakra(files), goal = parse_goal("g.goal", write_goal(trace), Time{1000});
    for (const Trace* other : {&again, &goal}) {
      ASSERT_EQ(other->messages.size(), trace.messages.size());
      EXPECT_EQ(sent(*other), sent(trace));
    }
  }
  EXPECT_TRUE(says(error_of([] { write_trace_files({}, TraceFormat::chakra, "x.et"); }), "NAME.0.et"));
}

TEST(Chakra, ErrorsHaveFileAndByte) {
  auto ranks = kPair;
  ranks[1][1].before = {8};
  const std::size_t byte = file_of({ranks[1][0]}).size() + 1;  // behind its length
  EXPECT_TRUE(says(error(ranks), "t.1.et: byte " + std::to_string(byte) + ": node 2: depends on the data of node 8, "
                                 "which does not exist"));
  ranks = kPair;
  ranks[0][1].numbers[0].second = 5;
  EXPECT_TRUE(says(error(ranks), "comm_dst: there is no rank 5; there are files of ranks 0 to 1"));
  ranks = kPair;
  ranks[1][0].numbers[2].second = 4;
  EXPECT_TRUE(says(error(ranks), "rank 1 never receives this (tag 3 from rank 0)"));
  ranks = kPair;
  ranks[1][2].numbers[1].second = 999;
  EXPECT_TRUE(says(error(ranks), "operation 0 with 999 bytes is number 1 of rank 1, but rank 0 does operation 0 with "
                                 "1000 bytes there"));
  ranks = kPair;
  ranks[1].pop_back();
  EXPECT_TRUE(says(error(ranks), "a collective operation of all ranks, but rank 1 has none"));
  ranks = kPair;
  ranks[0][2].numbers[0].second = 3;
  EXPECT_TRUE(says(error(ranks), "weir cannot do the collective operation gather"));
  ranks = kPair;
  ranks[0][0].before = {0};
  EXPECT_TRUE(says(error(ranks), "conditions form a cycle"));
  EXPECT_TRUE(says(error(ranks), "rank 0 byte"));
  ranks = kPair;
  ranks[0][0].type = 9;
  EXPECT_TRUE(says(error(ranks), "unknown type of a node: 9"));
}

TEST(Chakra, EveryCutIsRefusedOrShorter) {
  const std::vector<TraceFile> files = files_of(kPair);
  for (std::size_t cut = 0; cut < files[0].bytes.size(); ++cut) {
    std::vector<TraceFile> shorter = files;
    shorter[0].bytes.resize(cut);
    EXPECT_NE(error_of([&] { parse_chakra(shorter); }), "no error") << cut;
  }
}

}  // namespace
}  // namespace weir
