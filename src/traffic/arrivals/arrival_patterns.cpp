// Readers of the entries whose flows arrive over time: one by one, or as incasts.
#include <fmt/format.h>

#include <algorithm>

#include "traffic/arrivals/arriving_flows.h"
#include "traffic/pattern.h"

namespace weir {

namespace {

FlowBasics read_basics(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  FlowBasics basics;
  basics.app = {static_cast<std::uint32_t>(context.workload.app_names.size())};
  basics.traffic_class = entry.traffic_class;
  basics.lane = static_cast<std::uint8_t>(section.integer("lane"));
  basics.weight = section.number("weight");
  context.workload.app_names.push_back(entry.name);
  context.workload.app_compute.push_back({});
  return basics;
}

// Ends with `stop`, with the run, or after a number of arrivals.
ArrivalProcess read_process(const Section& section, const PatternContext& context, std::string_view count) {
  ArrivalProcess process;
  process.arrivals = section.chooses("arrivals", "constant") ? Arrivals::constant : Arrivals::poisson;
  process.start = section.time("start");
  process.stop = section.at("stop").is_set ? section.time("stop") : context.duration;
  if (section.at(count).is_set) process.most = static_cast<std::uint64_t>(section.integer(count));
  if (process.stop == kNever && !section.at(count).is_set)
    throw InputError(section.where, fmt::format("{}: give `stop`, `{}` or run.duration, otherwise they never end",
                                                section.kind, count));
  if (process.stop <= process.start) {
    if (section.at("stop").is_set) section.refuse("stop", "stop: must come after start");
    section.refuse("start", "start: nothing arrives, because the run ends before");
  }
  return process;
}

SizeDistribution read_flow_sizes(const Section& section, FileReader read) {
  const Value& sizes = section.at("sizes");
  if (sizes.type == ParamType::file) return parse_sizes(sizes.text, read(sizes.text));
  if (auto known = builtin_sizes(sizes.text)) return *std::move(known);
  if (!section.at("bytes").is_set) section.refuse("sizes", "sizes = \"fixed\" needs `bytes`, the size of each flow");
  return SizeDistribution::fixed(section.bytes("bytes"));
}

std::vector<HostId> allowed_hosts(const Section& section, std::size_t hosts) {
  std::vector<std::uint8_t> allowed(hosts, !section.given("to"));
  for (const std::int64_t host : section.at("to").integers) allowed[checked_host("to", host, hosts).index] = 1;
  const auto avoided = section.knows("avoid") ? section.at("avoid").integers : std::vector<std::int64_t>{};
  for (const std::int64_t host : avoided) allowed[checked_host("avoid", host, hosts).index] = 0;
  std::vector<HostId> result;
  for (std::uint32_t h = 0; h < hosts; ++h)
    if (allowed[h]) result.push_back({h});
  if (result.empty()) throw BadParameter(section.given("to") ? "to" : "avoid", "no destination is left");
  return result;
}

DestinationChoice read_destinations(const Section& section, std::size_t hosts) {
  DestinationChoice choice;
  choice.where = section.choice<DestinationChoice::Where>("destinations");
  choice.allowed = allowed_hosts(section, hosts);
  if (choice.where == DestinationChoice::Where::anywhere) return choice;
  if (!section.at("group").is_set) section.refuse("destinations", "destinations: needs `group`, the hosts of a group");
  choice.group = static_cast<std::uint32_t>(section.integer("group"));
  return choice;
}

// What a flow of this mean takes on the wire, as far as it counts.
double counted_bytes(const SizeDistribution& sizes, const PacketFormat& format, bool count_headers) {
  const double headers = sizes.mean_packets(format.payloads[0].payload) * static_cast<double>(format.header);
  return sizes.mean_bytes() + (count_headers ? headers : 0);
}

[[noreturn]] void refuse_zero(const Section& section, std::string_view key) {
  section.refuse(key, fmt::format("{}: must be above 0, or nothing arrives", key));
}

void configure_flow_arrivals(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  ArrivingFlows flows{read_basics(entry, context), read_process(section, context, "flows"), entry.hosts, {},
                      read_flow_sizes(section, context.read), read_destinations(section, context.hosts.size())};
  const RateChoice rate = read_rate(section);
  const double bytes = counted_bytes(flows.sizes, context.format, rate.count_headers);
  const double on_wire = counted_bytes(flows.sizes, context.format, true);
  ArrivingLoad load{flows.basics.app, "flow", 0, 0, 1, section.at("flows").is_set, {}, flows.destinations};
  double per_second = 0;
  for (const HostId host : entry.hosts) {
    const Rate link = context.hosts.rates[host.index];
    const double sent = bytes_per_second(rate, link, context.hosts.size(), entry.hosts.size());
    if (!(sent > 0)) refuse_zero(section, rate_key(rate.by));
    flows.mean_gap_ps.push_back(1e12 * bytes / sent);
    per_second += sent / bytes;
    load.senders.push_back({host, sent / bytes * on_wire});
  }
  load.expected = flows.process.expected(per_second);
  load.seconds = flows.process.seconds();
  context.workload.arriving.push_back(std::move(load));
  add_arriving_flows(context.workload, flows, context.seed, context.stream(entry));
}

double gap_of_incasts(const TrafficSection& entry, const PatternContext& context, const ArrivingIncasts& incasts) {
  const Section& section = *entry.section;
  if (section.at("load").is_set == section.at("period").is_set)
    throw InputError(section.where, "incast-arrivals: give either `load` or `period`");
  if (section.at("period").is_set) return static_cast<double>(section.time("period").ps);
  double capacity = 0;  // bytes per second
  for (const HostId host : entry.hosts) capacity += context.hosts.rates[host.index].bytes_per_second();
  const double each = counted_bytes(SizeDistribution::fixed(incasts.basics.bytes), context.format,
                                    section.chooses("counts", "packet"));
  const double sent = section.number("load") * capacity;
  if (!(sent > 0)) refuse_zero(section, "load");
  return 1e12 * each * incasts.senders / sent;
}

// Of the hosts, any but the target is as often among the senders as any other.
ArrivingLoad load_of(const Section& section, const PatternContext& context, const ArrivingIncasts& incasts) {
  const double per_second = 1e12 / incasts.mean_gap_ps;
  ArrivingLoad load{incasts.basics.app, "incast", incasts.process.expected(per_second), incasts.process.seconds(),
                    incasts.senders, section.at("events").is_set, {}, {}};
  load.to.allowed = incasts.targets;
  const double on_wire = counted_bytes(SizeDistribution::fixed(incasts.basics.bytes), context.format, true);
  const auto has = [](const std::vector<HostId>& list, HostId host) {
    return std::binary_search(list.begin(), list.end(), host);
  };
  const auto inside = static_cast<double>(
      std::count_if(incasts.targets.begin(), incasts.targets.end(), [&](HostId t) { return has(incasts.hosts, t); }));
  const auto hosts = static_cast<double>(incasts.hosts.size()), targets = static_cast<double>(incasts.targets.size());
  for (const HostId host : incasts.hosts) {
    const double others = inside - (has(incasts.targets, host) ? 1 : 0);
    const double share = ((others > 0 ? others / (hosts - 1) : 0) + (targets - inside) / hosts) / targets;
    load.senders.push_back({host, per_second * on_wire * static_cast<double>(incasts.senders) * share});
  }
  return load;
}

void configure_incast_arrivals(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  ArrivingIncasts incasts;
  incasts.basics = read_basics(entry, context);
  incasts.basics.bytes = section.bytes("bytes");
  incasts.basics.spread = section.time("spread");
  incasts.process = read_process(section, context, "events");
  incasts.process.aligned = true;
  incasts.senders = static_cast<std::uint32_t>(section.integer("senders"));
  incasts.hosts = incasts.targets = entry.hosts;
  if (section.given("to")) incasts.targets = allowed_hosts(section, context.hosts.size());
  const bool among = std::any_of(incasts.targets.begin(), incasts.targets.end(), [&](HostId t) {
    return std::binary_search(incasts.hosts.begin(), incasts.hosts.end(), t);
  });
  const std::size_t others = incasts.hosts.size() - (among ? 1 : 0);
  if (incasts.senders > others)
    section.refuse("senders", fmt::format("senders: {} wanted, but only {} hosts other than the target take part",
                                          incasts.senders, others));
  incasts.mean_gap_ps = gap_of_incasts(entry, context, incasts);
  context.workload.arriving.push_back(load_of(section, context, incasts));
  add_arriving_incasts(context.workload, incasts, context.seed, context.stream(entry));
}

constexpr std::string_view kFlowArrivals[] = {"constant", "poisson"};
constexpr std::string_view kSizes[] = {"websearch", "fbhadoop", "alistorage", "fixed"};
constexpr std::string_view kDestinations[] = {"any", "own-group", "other-groups"};
constexpr ParamSpec kWeight{"weight", ParamType::number, "1", "weight of each flow, for schemes that use weights",
                            kLeastWeight, kMostWeight};
constexpr ParamSpec kTo{"to", ParamType::hosts, kUnset, "hosts that may be drawn as destinations; default: all", 0,
                        kMaxHost};

constexpr auto kFlowArrivalParams = join(
    std::array{
        ParamSpec{"sizes", ParamType::file, kRequired,
                  "flow sizes: a built-in distribution, fixed (`bytes` each), or a file of two columns, bytes and "
                  "cumulative percent (docs/workloads.md)",
                  0, 0, kSizes}
            .with_example("sizes.cdf"),
        ParamSpec{"bytes", ParamType::bytes, kUnset, "size of each flow", 1, kMaxBytes}.applying(
            when("sizes", {"fixed"}, "the distribution determines the flow sizes")),
    },
    std::array{kRates[0], kRates[1], kRates[2], kRates[3], kRates[4]},
    std::array{
        ParamSpec{"arrivals", ParamType::choice, "poisson",
                  "intervals between flows at every host: equal, from a random phase on, or "
                  "exponential", 0, 0, kFlowArrivals},
        ParamSpec{"flows", ParamType::integer, kUnset,
                  "limit on the flows of all hosts together; default: none, until `stop` or the end of the run", 1,
                  static_cast<double>(kMostArrivals)},
        ParamSpec{"destinations", ParamType::choice, "any",
                  "which hosts may be destinations: all, those of the sender's group, or those of other "
                  "groups", 0, 0, kDestinations},
        ParamSpec{"group", ParamType::integer, kUnset, "number of hosts of a group; with 16, hosts 0 to 15 are the "
                                                       "first group",
                  1, kMaxHost}
            .applying(when("destinations", {"own-group", "other-groups"})),
        kTo,
        ParamSpec{"avoid", ParamType::hosts, kUnset, "hosts that are never drawn as destinations", 0, kMaxHost},
        kWeight,
    },
    kSelection);

constexpr auto kIncastArrivalParams = join(
    std::array{
        ParamSpec{"senders", ParamType::integer, kRequired, "hosts that send at once, drawn for each incast", 1,
                  kMaxHost},
        ParamSpec{"bytes", ParamType::bytes, kRequired, "bytes that each sender sends", 1, kMaxBytes},
        ParamSpec{"load", ParamType::fraction, kUnset,
                  "mean load of all incasts. 1: the full rate of the links of these hosts together; above 1: "
                  "overload", 0, 1000}
            .applying(unless_given({"period"}, "`period` says how often incasts come")),
        ParamSpec{"period", ParamType::time, kUnset, "mean time from one incast to the next", 1e-9, kMaxSeconds},
        ParamSpec{"counts", ParamType::choice, "packet", "whether load counts whole packets or payload only", 0, 0,
                  kCounts}
            .applying(when_given({"load"}, "`period` says how often incasts come")),
        ParamSpec{"arrivals", ParamType::choice, "poisson", "intervals between incasts: equal, from `start` on, or "
                                                            "exponential", 0,
                  0, kFlowArrivals},
        ParamSpec{"events", ParamType::integer, kUnset,
                  "limit on the number of incasts; default: none, until `stop` or the end of the run", 1,
                  static_cast<double>(kMostArrivals)},
        ParamSpec{"spread", ParamType::time, "0s", "each sender starts at a random moment within this time", 0,
                  kMaxSeconds},
        ParamSpec{"to", ParamType::hosts, kUnset,
                  "hosts that may be drawn as targets; default: all that take part", 0, kMaxHost},
        kWeight,
    },
    kSelection);

constexpr KeyCondition kOfArrivals[] = {kOfFlows[1], kOfFlows[2], kOfFlows[3]};

}  // namespace

extern const PatternKind flow_arrivals_pattern{
    {"flow-arrivals", "flows arrive at every host at random, with sizes from a distribution, at a given load",
     kFlowArrivalParams,
     "[[traffic]]\npattern = \"flow-arrivals\"\nsizes = \"websearch\"\nload = 0.5\nflows = 100\n", {}, kOfArrivals},
    configure_flow_arrivals};

extern const PatternKind incast_arrivals_pattern{
    {"incast-arrivals", "repeated incasts: hosts drawn at random send to one host at the same "
                        "time", kIncastArrivalParams,
     "[[traffic]]\npattern = \"incast-arrivals\"\nsenders = 8\nbytes = \"500kB\"\nload = \"2%\"\nevents = 10\n", {},
     kOfArrivals},
    configure_incast_arrivals,
    "incast"};

}  // namespace weir
