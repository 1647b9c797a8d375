// Reads [[traffic]] entries that replay a trace: which file, which rank on which host, how fast, and when it begins.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/latest.h"
#include "traffic/pattern.h"
#include "traffic/formats/chakra.h"

namespace weir {

namespace {

// Host numbers in the order of the ranks.
std::vector<HostId> listed_hosts(const Section& section, const HostList& hosts) {
  std::vector<HostId> result;
  std::set<HostId> used;
  for (const std::int64_t number : section.at("map").integers) {
    result.push_back(checked_host("map", number, hosts.size()));
    if (!used.insert(result.back()).second)
      section.refuse("map", fmt::format("map: host {} has two ranks; a host takes one", number));
  }
  return result;
}

// The hosts that ranks may be put on: those of the entry, or those that `map` lists.
std::vector<HostId> possible_hosts(const TrafficSection& entry, const PatternContext& context) {
  const Section& section = *entry.section;
  const bool listed = section.chooses("mapping", "list");
  if (!listed) return entry.hosts;
  if (!section.has("map")) section.refuse("mapping", "`map` lists the host of every rank; mapping = \"list\" needs it");
  return listed_hosts(section, context.hosts);
}

std::vector<HostId> map_ranks(const Section& section, const std::vector<HostId>& hosts, std::uint32_t ranks) {
  if (hosts.size() < ranks)
    throw InputError(section.where, fmt::format("trace: {} ranks do not fit on {} hosts", ranks, hosts.size()));
  std::vector<HostId> result;
  const bool spread = section.chooses("mapping", "spread");
  for (std::uint64_t r = 0; r < ranks; ++r) result.push_back(hosts[spread ? r * hosts.size() / ranks : r]);
  return result;
}

// A setting without effect is an error: the user believes that it does something. Only the file tells here, so it is no
// condition of the key.
void refuse_idle(const Section& section, std::string_view key, std::string_view why) {
  if (section.given(key)) section.refuse(key, fmt::format("{} has no effect here: {}", key, why));
}

Algorithm algorithm(const Section& section, std::string_view key, Collective operation) {
  const Algorithm chosen = section.choice<Algorithm>(key);
  if (chosen == Algorithm::automatic) return usual_algorithm(operation);
  if (!is_possible(operation, chosen)) section.refuse(key, fmt::format("{} can be done by {}", key, able(operation)));
  return chosen;
}

// flow.txt has the numbers of nodes that topology.txt has, where switches may stand before hosts or among them. Hosts
// are named by these numbers, "H1", "H5"; nothing where they are simply counted.
std::vector<std::uint32_t> node_numbers(const std::vector<HostId>& hosts, const HostList& list) {
  std::vector<std::uint32_t> numbers;
  bool are_counted = true;
  for (const HostId host : hosts) {
    const std::string& name = list.names[host.index];
    std::uint32_t number = 0;
    const char* end = name.data() + name.size();
    if (!name.starts_with('H') || name.size() == 1) return {};
    if (std::from_chars(name.data() + 1, end, number).ptr != end || number > kMostRanks) return {};
    are_counted = are_counted && number == host.index;
    numbers.push_back(number);
  }
  if (are_counted) numbers.clear();
  return numbers;
}

Trace read_ns3_flows(const std::string& path, const std::string& text, const std::vector<std::uint32_t>& numbers) {
  Trace trace = parse_ns3_flows(path, text, *std::max_element(numbers.begin(), numbers.end()) + 1);
  std::map<std::uint32_t, std::uint32_t> rank_of;
  for (std::uint32_t r = 0; r < numbers.size(); ++r) rank_of.emplace(numbers[r], r);
  for (Trace::Message& m : trace.messages)
    for (std::uint32_t* end : {&m.source, &m.destination}) {
      const auto rank = rank_of.find(*end);
      if (rank == rank_of.end())
        throw InputError(SourcePosition{path, m.line, 0}, fmt::format("node {} is no host of this fabric", *end));
      *end = rank->second;
    }
  trace.ranks = static_cast<std::uint32_t>(numbers.size());
  return trace;
}

Trace read_file(const Section& section, const std::vector<HostId>& hosts, const PatternContext& context) {
  const std::string& path = section.text("file");
  const std::string text = context.read(path);
  TraceFormat format = section.choice<TraceFormat>("format");
  if (format == TraceFormat::automatic) format = format_of(path, text);
  if (format == TraceFormat::goal || format == TraceFormat::goal_binary)
    refuse_idle(section, "ranks", "a GOAL schedule says itself how many ranks there are");
  else if (format == TraceFormat::chakra)
    for (const std::string_view key : {"ranks", "time_unit"})
      refuse_idle(section, key, "a Chakra trace has a file for every rank, and counts in microseconds");
  else if (format == TraceFormat::htsim)
    for (const std::string_view key : {"ranks", "time_unit"})
      refuse_idle(section, key, "a connection matrix says itself how many nodes there are, and counts in ps");
  else
    refuse_idle(section, "sends", "a table of messages has no operations of ranks; `after` waits for delivery");
  if (format == TraceFormat::chakra) {
    const ChakraAlgorithms algorithms{algorithm(section, "all_reduce", Collective::all_reduce),
                                      algorithm(section, "all_to_all", Collective::all_to_all)};
    return parse_chakra(read_trace_files(path, context.read), algorithms);
  }
  for (const std::string_view key : {"all_reduce", "all_to_all"})
    refuse_idle(section, key, "only Chakra traces have collective operations");
  if (format == TraceFormat::ns3 && !section.at("ranks").is_set)
    if (const auto numbers = node_numbers(hosts, context.hosts); !numbers.empty())
      return read_ns3_flows(path, text, numbers);
  const auto ranks = section.at("ranks").is_set ? static_cast<std::uint32_t>(section.integer("ranks"))
                                                : static_cast<std::uint32_t>(hosts.size());
  return parse_trace(path, text, format, ranks, section.time("time_unit"));
}

void configure_trace(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  const std::vector<HostId> hosts = possible_hosts(entry, context);
  const Trace trace = read_file(section, hosts, context);
  TraceOptions options;
  options.basics.app = {static_cast<std::uint32_t>(context.workload.app_names.size())};
  options.basics.traffic_class = entry.traffic_class;
  options.basics.lane = static_cast<std::uint8_t>(section.integer("lane"));
  options.basics.start = section.time("start");
  options.basics.weight = section.number("weight");
  options.hosts = map_ranks(section, hosts, trace.ranks);
  options.rates = context.hosts.rates;
  options.time_scale = section.number("time_scale");
  options.after_received = static_cast<std::uint64_t>(section.integer("after_received"));
  options.repeat = static_cast<std::uint32_t>(section.integer("repeat"));
  options.injected = section.chooses("sends", "injected");
  if (section.at("period").is_set) options.period = section.time("period");
  if (options.repeat > 1 && options.period <= Time{})
    section.refuse("repeat", "repeat: needs a `period` above 0, from one beginning of the trace to the next");
  if (options.period.seconds() * options.repeat > kLatest.seconds() / 2)
    section.refuse("repeat", fmt::format("repeat: the last one would begin after {:.3g} s; at most {:.3g} s are "
                                         "possible",
                                         options.period.seconds() * options.repeat, kLatest.seconds() / 2));
  constexpr std::uint64_t kMostFlows = 100'000'000;
  if (trace.messages.size() * std::uint64_t{options.repeat} > kMostFlows)
    section.refuse("repeat", fmt::format("repeat: makes more than {} messages", kMostFlows));
  add_trace(context.workload, trace, options);
  context.workload.app_names.push_back(entry.name);
  context.workload.app_compute.push_back({});
}

constexpr std::string_view kMappings[] = {"linear", "spread", "list"};
constexpr std::string_view kSends[] = {"delivered", "injected"};
constexpr std::array kTraceFile{
    ParamSpec{"file", ParamType::file, kRequired,
              "CSV of messages, GOAL schedule, or a file of another simulator; for a Chakra trace, the file of rank 0 "
              "(NAME.0.et). docs/traces.md describes them"}
        .with_example("messages.csv"),
    ParamSpec{"format", ParamType::choice, "auto", "format of the file. htsim: connection matrix (.cm); ns3: flow.txt; "
                                                   "chakra: execution trace (.et)",
              0, 0, kTraceFormats},
    ParamSpec{"ranks", ParamType::integer, kUnset, "CSV and ns3: number of ranks; default: as many as there are hosts",
              1, kMaxHost},
    ParamSpec{"mapping", ParamType::choice, "linear",
              "ranks on the hosts of this entry in order, spread evenly over them, or as `map` lists them", 0, 0,
              kMappings},
    ParamSpec{"map", ParamType::hosts, kUnset, "host of every rank", 0, kMaxHost}.applying(
        when("mapping", {"list"}, "it lists the host of every rank, and goes with mapping = \"list\"")),
    ParamSpec{"time_unit", ParamType::time, "1ns", "unit of times that are plain numbers", 1e-12, 1},
    ParamSpec{"time_scale", ParamType::number, "1", "multiplies all times of the trace; below 1 it is compressed", 0,
              1e9},
    ParamSpec{"repeat", ParamType::integer, "1", "number of times that the trace is replayed", 1, 1e6},
    ParamSpec{"period", ParamType::time, kUnset, "from one beginning of the trace to the next", 0, kMaxSeconds}
        .applying(when_given({"repeat"}, "the trace is replayed once; see `repeat`")),
    ParamSpec{"sends", ParamType::choice, "delivered",
              "GOAL and Chakra: when a send is complete for its rank. delivered: when the message has arrived; "
              "injected: when the rank's link, if idle, could have sent it",
              0, 0, kSends},
    ParamSpec{"all_reduce", ParamType::choice, "auto", "Chakra: algorithm of all-reduces; auto: ring", 0, 0,
              kAlgorithms},
    ParamSpec{"all_to_all", ParamType::choice, "auto", "Chakra: algorithm of all-to-alls; auto: shift", 0, 0,
              kAlgorithms},
    ParamSpec{"weight", ParamType::number, "1", "weight of each message, for schemes that use weights", kLeastWeight,
              kMostWeight},
};
constexpr Condition kSaysItself = never("a trace says itself what is sent");
constexpr Condition kChoosesHosts = when("mapping", {"linear", "spread"}, "`map` lists the hosts");
constexpr KeyCondition kOfTraces[] = {{"stop", kSaysItself},        {"payload", kSaysItself},
                                      {"shares", kSaysItself},      {"share", kChoosesHosts},
                                      {"placement", kChoosesHosts}, {"range", kChoosesHosts},
                                      {"hosts", kChoosesHosts},     {"except", kChoosesHosts}};
constexpr auto kTrace = join(kTraceFile, kSelection);

}  // namespace

extern const PatternKind trace_pattern{
    {"trace", "messages of an application replayed from a file, with their dependencies", kTrace,
     "[[traffic]]\npattern = \"trace\"\nfile = \"application.csv\"\nmapping = \"spread\"\n", {},
     kOfTraces},
    configure_trace};

}  // namespace weir
