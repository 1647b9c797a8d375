#include "traffic/formats/chakra.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <unordered_map>

#include "base/error.h"
#include "traffic/formats/chakra_nodes.h"
#include "traffic/formats/goal_schedule.h"
#include "traffic/formats/trace_formats.h"
#include "traffic/formats/wire.h"

namespace weir {

namespace {

using Type = ChakraType;

// Chakra's numbers of collective operations.
struct Operation {
  std::int64_t number;
  std::string_view name;
  std::optional<Collective> collective;  // none: weir has none
};
constexpr Operation kOperations[] = {{0, "all-reduce", Collective::all_reduce},
                                     {1, "reduce", std::nullopt},
                                     {2, "all-gather", Collective::all_gather},
                                     {3, "gather", std::nullopt},
                                     {4, "scatter", std::nullopt},
                                     {5, "broadcast", Collective::broadcast},
                                     {6, "all-to-all", Collective::all_to_all},
                                     {7, "reduce-scatter", Collective::reduce_scatter},
                                     {8, "reduce-scatter", Collective::reduce_scatter},
                                     {9, "barrier", Collective::barrier}};

class ChakraReader {
 public:
  ChakraReader(std::span<const TraceFile> files, const ChakraAlgorithms& algorithms)
      : files_(files), algorithms_(algorithms), schedule_(static_cast<std::uint32_t>(files.size())) {
    contents_.reserve(files.size());
  }

  Trace read() {
    for (std::uint32_t rank = 0; rank < files_.size(); ++rank) read_rank(rank);
    for (std::uint32_t rank = 0; rank < files_.size(); ++rank)
      for (Node& node : nodes_[rank]) create(rank, node);
    for (std::uint32_t rank = 0; rank < files_.size(); ++rank) connect(rank);
    match_messages();
    check_size();
    std::uint32_t number = 0;
    for (const auto& [name, members] : groups_) do_collectives(name, members, number++);
    if (schedule_.messages() == 0)
      throw InputError(SourcePosition{files_[0].name, 0, 0}, "no rank sends anything to another one");
    Trace trace = std::move(schedule_).finish();
    trace.file = files_[0].name;
    check_trace(trace, [this](std::uint32_t line) {
      const auto& [rank, byte] = places_[line - 1];
      return fmt::format("rank {} byte {}", rank, byte);
    });
    return trace;
  }

 private:
  struct Node : ChakraNode {
    explicit Node(ChakraNode node) : ChakraNode(std::move(node)) {}
    std::uint32_t line = 0;
    WorkNode begin, end;
  };
  using Channel = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  // from, to, tag
  struct Ends {
    std::vector<const Node*> sends, receives;
  };
  using Members = std::map<std::uint32_t, std::vector<const Node*>>;  // by rank: its collectives in this group

  [[noreturn]] void refuse(std::uint32_t rank, std::size_t byte, const std::string& what) const {
    throw InputError(SourcePosition{files_[rank].name, 0, 0}, fmt::format("byte {}: {}", byte, what));
  }
  [[noreturn]] void refuse(const Node& node, const std::string& what) const {
    refuse(places_[node.line - 1].first, node.place, fmt::format("node {}: {}", node.id, what));
  }

  void read_rank(std::uint32_t rank) {
    try {
      contents_.push_back(unpacked(files_[rank].bytes));
      nodes_.emplace_back();
      for (ChakraNode& node : parse_chakra_nodes(contents_.back())) {
        nodes_.back().emplace_back(std::move(node));
        places_.emplace_back(rank, nodes_.back().back().place);
        nodes_.back().back().line = static_cast<std::uint32_t>(places_.size());
      }
    } catch (const WireError& error) {
      refuse(rank, error.byte(), error.what());
    }
  }

  std::uint32_t peer(const Node& node, const std::optional<std::int64_t>& value, std::string_view key) const {
    if (!value) refuse(node, fmt::format("{} is missing", key));
    if (*value < 0 || *value >= static_cast<std::int64_t>(files_.size()))
      refuse(node, fmt::format("{}: there is no rank {}; there are files of ranks 0 to {}", key, *value,
                               files_.size() - 1));
    return static_cast<std::uint32_t>(*value);
  }
  Bytes size_of(const Node& node) const {
    if (!node.bytes) refuse(node, "comm_size is missing");
    if (*node.bytes < 0 || static_cast<double>(*node.bytes) > kMostBytes)
      refuse(node, fmt::format("comm_size: {} is no number of bytes to be sent", *node.bytes));
    return *node.bytes;
  }

  void create(std::uint32_t rank, Node& node) {
    schedule_.at_line(node.line);
    if (static_cast<double>(node.microseconds) * 1e6 > kLongestOfTrace) refuse(node, "takes too long");
    const bool communicates = node.type >= Type::send;
    const Time duration{communicates ? 0 : static_cast<std::int64_t>(node.microseconds) * 1'000'000};
    if (node.type == Type::send) {
      const std::uint32_t to = peer(node, node.destination, "comm_dst");
      if (node.source && *node.source != rank)
        refuse(node, fmt::format("comm_src is {}, but this is the file of rank {}", *node.source, rank));
      const Bytes bytes = std::max<Bytes>(1, size_of(node));
      node.begin = node.end = to == rank ? schedule_.step(rank, {}, {}) : schedule_.message({rank, to, bytes}, {});
      channels_[{rank, to, node.tag}].sends.push_back(&node);
      return;
    }
    node.begin = node.end = schedule_.step(rank, duration, {});
    if (node.type == Type::receive) {
      const std::uint32_t from = peer(node, node.source, "comm_src");
      if (node.destination && *node.destination != rank)
        refuse(node, fmt::format("comm_dst is {}, but this is the file of rank {}", *node.destination, rank));
      channels_[{from, rank, node.tag}].receives.push_back(&node);
    } else if (node.type == Type::collective) {
      node.end = schedule_.step(rank, {}, {});
      if (node.only_some_dimensions)
        refuse(node, "involved_dim leaves out dimensions of a network that the trace does not describe; name the "
                     "group of ranks by pg_name");
      const bool is_all = node.group.empty() || node.group == "0";
      groups_[is_all ? std::string() : std::string(node.group)][rank].push_back(&node);
    }
  }

  void connect(std::uint32_t rank) {
    std::unordered_map<std::uint64_t, const Node*> by_id;
    for (const Node& node : nodes_[rank])
      if (!by_id.emplace(node.id, &node).second) refuse(node, "there are two nodes with this number");
    // Converters of real traces leave out the callers of operations, and keep the control dependencies on them.
    for (const Node& node : nodes_[rank])
      for (const bool is_data : {false, true})
        for (const std::uint64_t id : is_data ? node.data : node.control) {
          const auto earlier = by_id.find(id);
          if (earlier == by_id.end() && is_data)
            refuse(node, fmt::format("depends on the data of node {}, which does not exist", id));
          if (earlier == by_id.end()) continue;
          const WorkNode end = earlier->second->end;
          schedule_.wait(node.begin, end, end.kind == WorkNode::Kind::flow);
        }
  }

  void match_messages() {
    for (const auto& [channel, ends] : channels_) {
      const auto& [from, to, tag] = channel;
      const std::size_t pairs = std::min(ends.sends.size(), ends.receives.size());
      if (ends.sends.size() > pairs)
        refuse(*ends.sends[pairs], fmt::format("rank {} never receives this (tag {} from rank {})", to, tag, from));
      if (ends.receives.size() > pairs)
        refuse(*ends.receives[pairs], fmt::format("rank {} never sends this (tag {} to rank {})", from, tag, to));
      for (std::size_t i = 0; i < pairs; ++i) schedule_.wait(ends.receives[i]->begin, ends.sends[i]->end);
    }
  }

  CollectiveCall call_of(const Node& node, std::size_t ranks) const {
    if (!node.operation) refuse(node, "comm_type is missing");
    for (const Operation& o : kOperations) {
      if (o.number != *node.operation) continue;
      if (!o.collective) refuse(node, fmt::format("weir cannot do the collective operation {}", o.name));
      CollectiveCall call;
      call.operation = *o.collective;
      call.algorithm = call.operation == Collective::all_reduce   ? algorithms_.all_reduce
                       : call.operation == Collective::all_to_all ? algorithms_.all_to_all
                                                                  : usual_algorithm(call.operation);
      if (call.operation == Collective::barrier) return call;
      // What a rank brings; weir counts what all of them gather together.
      const Bytes each = call.operation == Collective::all_gather ? static_cast<Bytes>(ranks) : 1;
      if (static_cast<double>(size_of(node)) * static_cast<double>(each) > kMostBytes)
        refuse(node, "comm_size: more than can be sent");
      call.bytes = size_of(node) * each;
      return call;
    }
    refuse(node, fmt::format("comm_type: there is no collective operation {}", *node.operation));
  }

  void check_size() const {
    double messages = 0;
    for (const auto& [name, members] : groups_)
      for (const Node* node : members.begin()->second)
        messages += most_messages(call_of(*node, members.size()), static_cast<double>(members.size()));
    refuse_too_large(messages);
  }

  // The first collective of a group's ranks is one operation, then the second, and so on.
  void do_collectives(const std::string& name, const Members& members, std::uint32_t number) {
    const std::string shown = name.empty() ? "all ranks" : fmt::format("group {}", name);
    if (name.empty())
      for (std::uint32_t rank = 0; rank < files_.size(); ++rank)
        if (!members.contains(rank))
          refuse(*members.begin()->second[0],
                 fmt::format("a collective operation of all ranks, but rank {} has none", rank));
    const std::vector<const Node*>& first = members.begin()->second;
    std::vector<std::uint32_t> ranks;
    for (const auto& [rank, own] : members) {
      ranks.push_back(rank);
      if (own.size() != first.size()) {
        const bool is_more = own.size() > first.size();
        refuse(*(is_more ? own[first.size()] : first[own.size()]),
               fmt::format("{}: rank {} takes part in {} collective operations, rank {} in {}", shown, ranks[0],
                           first.size(), rank, own.size()));
      }
    }
    for (std::uint32_t k = 0; k < first.size(); ++k) {
      for (const auto& [rank, own] : members) {
        if (own[k]->operation != first[k]->operation || own[k]->bytes != first[k]->bytes)
          refuse(*own[k], fmt::format("{}: operation {} with {} bytes is number {} of rank {}, but rank {} does "
                                      "operation {} with {} bytes there",
                                      shown, own[k]->operation.value_or(-1), own[k]->bytes.value_or(0), k + 1, rank,
                                      ranks[0], first[k]->operation.value_or(-1), first[k]->bytes.value_or(0)));
        schedule_.set_frontier(rank, {own[k]->begin});
      }
      schedule_.at_line(first[k]->line);
      add_recorded(schedule_, ranks, call_of(*first[k], ranks.size()), number, k);
      for (const auto& [rank, own] : members)
        for (const WorkNode node : schedule_.frontier(rank)) schedule_.wait(own[k]->end, node);
    }
  }

  static constexpr double kMostBytes = 1e15;
  std::span<const TraceFile> files_;
  ChakraAlgorithms algorithms_;
  Schedule schedule_;
  std::vector<std::string> contents_;                          // by rank; nodes point into them
  std::vector<std::vector<Node>> nodes_;                       // by rank
  std::vector<std::pair<std::uint32_t, std::size_t>> places_;  // by line: rank and byte
  std::map<Channel, Ends> channels_;
  std::map<std::string, Members> groups_;
};

void put_number(WireWriter& node, std::string_view name, std::uint64_t value) {
  WireWriter attribute;
  attribute.block(1, name);
  attribute.number(9, value);
  node.block(10, attribute.bytes());
}

std::string written(const GoalOperation& o, std::size_t id, std::size_t rank) {
  const bool computes = o.type == GoalOperation::Type::calculate, sends = o.type == GoalOperation::Type::send;
  if (!o.requires_start.empty())
    throw InputError("Chakra's nodes wait for the end of others, not for their beginning; write a GOAL schedule");
  if (computes && o.size % 1000 != 0)
    throw InputError(fmt::format("a Chakra trace has whole microseconds only, but here is a time of {} ns; write a "
                                 "GOAL schedule",
                                 o.size));
  WireWriter node;
  node.number(1, id);
  node.block(2, computes ? "compute" : sends ? "send" : "receive");
  node.number(3, static_cast<std::uint64_t>(computes ? Type::compute : sends ? Type::send : Type::receive));
  for (const std::uint32_t before : o.requires_end) node.number(5, before);
  if (computes) {
    node.number(7, o.size / 1000);
  } else {
    put_number(node, "comm_src", sends ? rank : o.peer);
    put_number(node, "comm_dst", sends ? o.peer : rank);
    put_number(node, "comm_size", o.size);
    put_number(node, "comm_tag", o.tag);
  }
  return node.bytes();
}

}  // namespace

Trace parse_chakra(std::span<const TraceFile> files, const ChakraAlgorithms& algorithms) {
  return ChakraReader(files, algorithms).read();
}

std::vector<std::string> write_chakra(const Trace& trace) {
  const GoalSchedule schedule = goal_schedule(trace);
  std::vector<std::string> files;
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    WireWriter file, metadata;
    metadata.block(1, "0.0.4");
    file.message(metadata.bytes());
    for (std::size_t i = 0; i < schedule[rank].size(); ++i) file.message(written(schedule[rank][i], i, rank));
    files.push_back(file.bytes());
  }
  return files;
}

}  // namespace weir
