// Reads [[traffic]] entries that repeat a collective operation, in one group of ranks or in several at once.
#include <fmt/core.h>

#include <algorithm>

#include "scenario/quantity.h"
#include "traffic/collective/algorithms.h"
#include "traffic/collective/rank_order.h"

namespace weir {

namespace {

CollectiveCall read_call(const Section& section) {
  CollectiveCall call;
  call.operation = section.choice<Collective>("operation");
  call.algorithm = section.choice<Algorithm>("algorithm");
  if (call.algorithm == Algorithm::automatic) call.algorithm = usual_algorithm(call.operation);
  if (!is_possible(call.operation, call.algorithm))
    section.refuse("algorithm", fmt::format("{} can be done by {}", section.text("operation"), able(call.operation)));
  if (call.operation != Collective::barrier && !section.has("matrix")) {
    if (!section.has("bytes")) throw InputError(section.where, "collective: bytes must be given");
    call.bytes = section.bytes("bytes");
  }
  call.root = static_cast<std::uint32_t>(section.integer("root"));
  call.chunks = static_cast<std::uint32_t>(section.integer("chunks"));
  return call;
}

Bytes cell_bytes(const SourcePosition& where, const std::string& cell) {
  try {
    const Bytes bytes = parse_bytes(cell);
    if (bytes >= 0 && static_cast<double>(bytes) <= kMaxBytes) return bytes;
  } catch (const InputError&) {
  }
  throw InputError(where, fmt::format("matrix: \"{}\" is no number of bytes", cell));
}

void read_matrix(const Section& section, std::size_t ranks, CollectiveCall& call) {
  if (!section.has("matrix")) return;
  const Value& matrix = section.at("matrix");
  if (matrix.rows.size() != ranks)
    section.refuse("matrix", fmt::format("matrix: {} rows for {} ranks", matrix.rows.size(), ranks));
  Bytes largest = 0;
  for (std::size_t i = 0; i < ranks; ++i) {
    if (matrix.rows[i].size() != ranks)
      throw InputError(matrix.row_positions[i],
                       fmt::format("matrix: {} cells for {} ranks", matrix.rows[i].size(), ranks));
    Bytes sum = 0;
    for (const std::string& cell : matrix.rows[i]) {
      call.matrix.push_back(cell_bytes(matrix.row_positions[i], cell));
      sum += call.matrix.back();
    }
    largest = std::max(largest, sum);
  }
  call.bytes = largest;
}

// The ranks of every group. Members of a group are `stride` apart, so that groups of stride 1 are neighbours.
std::vector<std::vector<std::uint32_t>> groups_of(const Section& section, std::size_t ranks) {
  const std::size_t size = section.has("group") ? static_cast<std::size_t>(section.integer("group")) : ranks;
  const auto stride = static_cast<std::size_t>(section.integer("stride"));
  if (size < 2) throw InputError(section.where, "a collective needs at least two ranks");
  if (ranks % (size * stride) != 0)
    section.refuse("group",
                   fmt::format("{} ranks cannot be divided into groups of {} with stride {}", ranks, size, stride));
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::size_t block = 0; block < ranks; block += size * stride)
    for (std::size_t first = block; first < block + stride; ++first) {
      groups.emplace_back();
      for (std::size_t j = 0; j < size; ++j) groups.back().push_back(static_cast<std::uint32_t>(first + j * stride));
    }
  return groups;
}

void configure_collective(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  const std::vector<HostId> hosts = rank_order(entry, context);
  CollectiveCall call = read_call(section);
  const auto groups = groups_of(section, hosts.size());
  read_matrix(section, groups[0].size(), call);
  if (call.root >= groups[0].size())
    section.refuse("root", fmt::format("root: there are ranks 0 to {}", groups[0].size() - 1));
  const double each =
      most_messages(call, static_cast<double>(groups[0].size())) + static_cast<double>(groups[0].size());
  refuse_too_large(each * static_cast<double>(groups.size()) * static_cast<double>(section.integer("repeat")));
  Schedule schedule(static_cast<std::uint32_t>(hosts.size()));
  const Time compute = section.time("compute");
  Workload& workload = context.workload;
  for (std::int64_t repetition = 0; repetition < section.integer("repeat"); ++repetition) {
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const std::uint32_t rank : groups[g]) schedule.compute(rank, compute);
      add_recorded(schedule, groups[g], call, g, static_cast<std::uint32_t>(repetition));
    }
  }
  TraceOptions options;
  options.basics.app = {static_cast<std::uint32_t>(workload.app_names.size())};
  options.basics.traffic_class = entry.traffic_class;
  options.basics.lane = static_cast<std::uint8_t>(section.integer("lane"));
  options.basics.start = section.time("start");
  options.basics.weight = section.number("weight");
  options.hosts = hosts;
  options.rates = context.hosts.rates;
  options.queue_pairs = static_cast<std::uint32_t>(section.integer("queue_pairs"));
  add_trace(workload, std::move(schedule).finish(), options);
  workload.app_names.push_back(entry.name);
  workload.app_compute.push_back({});
}

constexpr Condition kNoMatrix = unless_given({"matrix"}, "`matrix` says how much is sent");
constexpr std::array kCollective{
    ParamSpec{"operation", ParamType::choice, "all-reduce", "the collective operation", 0, 0, kCollectives},
    ParamSpec{"algorithm", ParamType::choice, "auto",
              "algorithm of the operation; auto: ring, shift for all-to-all, binomial for broadcast, dissemination "
              "for barrier", 0, 0,
              kAlgorithms},
    ParamSpec{
        "bytes", ParamType::bytes, kUnset,
        "size of a rank's buffer, as NCCL's tests count it: what is reduced or broadcast, what all ranks together "
        "gather "
        "or scatter, what a rank sends to all ranks in an all-to-all",
        1, kMaxBytes}
        .applying(kNoMatrix)
        .applying(when("operation", {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast"})),
    ParamSpec{"matrix", ParamType::rows, kUnset,
              "all-to-all: number of bytes for every pair, one row per sender"}
        .applying(when("operation", {"all-to-all"})),
    ParamSpec{"root", ParamType::integer, "0", "rank of the group that broadcasts", 0, kMaxHost}.applying(
        when("operation", {"broadcast"})),
    ParamSpec{"chunks", ParamType::integer, "1", "number of chunks into which the buffer is divided, to pipeline it "
                                                 "through the trees", 1, 1e6}.applying(
        when("algorithm", {"double-binary-tree"})),
    ParamSpec{"group", ParamType::integer, kUnset, "ranks of a group; all groups run at the same time. Default: one "
                                                   "group of all ranks", 2,
              kMaxHost},
    ParamSpec{"stride", ParamType::integer, "1", "distance between ranks of a group", 1, kMaxHost}.applying(
        when_given({"group"}, "there is one group of all ranks")),
    ParamSpec{"repeat", ParamType::integer, "1", "number of repetitions, one after the other", 1, 1e6},
    ParamSpec{"compute", ParamType::time, "0s", "computing time of every rank before each repetition", 0, kMaxSeconds},
    ParamSpec{"weight", ParamType::number, "1", "weight of each message, for schemes that use weights", kLeastWeight,
              kMostWeight},
};
constexpr auto kCollectiveParams = join(kCollective, kRankOrder, kQueuePairs, kSelection);

}  // namespace

extern const PatternKind collective_pattern{
    {"collective",
     "a collective operation of an application, message by message with its dependencies",
     kCollectiveParams,
     "[[traffic]]\npattern = \"collective\"\noperation = \"all-reduce\"\nbytes = \"1MB\"\n",
     {},
     kOfFlows},
    configure_collective};

}  // namespace weir
