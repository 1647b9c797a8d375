// Readers of the entries that make flows (permutations and shifts: flows or sources).
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/csv.h"
#include "scenario/suggest.h"
#include "traffic/collectives.h"
#include "traffic/flow_list.h"
#include "traffic/pattern.h"

namespace weir {

namespace {

FlowBasics read_flow_basics(const TrafficSection& entry, const PatternContext& context) {
  const Section& section = *entry.section;
  FlowBasics basics;
  basics.app = {static_cast<std::uint32_t>(context.workload.app_names.size())};
  basics.traffic_class = entry.traffic_class;
  basics.lane = static_cast<std::uint8_t>(section.integer("lane"));
  basics.start = section.time("start");
  return basics;
}

void read_bytes_and_weight(const Section& section, FlowBasics& basics) {
  if (section.at("bytes").is_set) basics.bytes = section.bytes("bytes");
  basics.weight = section.number("weight");
}

void refuse_endless(const Section& section) {
  if (!section.at("bytes").is_set)
    throw InputError(section.where, fmt::format("{}: bytes must be given, flows wait for each other", section.kind));
}

// Every entry with flows is an application of its own; `flows` entries may hold several.
void finish_apps(const TrafficSection& entry, PatternContext& context, std::uint32_t apps, Time compute = {},
                 std::span<const std::string> names = {}) {
  for (std::uint32_t a = 0; a < apps; ++a) {
    const std::string name = names.empty() ? std::to_string(a) : names[a];
    context.workload.app_names.push_back(apps == 1 ? entry.name : fmt::format("{}.{}", entry.name, name));
    context.workload.app_compute.push_back(compute);
  }
}

// Permutations and shifts: open-loop sources where a rate is given, else flows.
void add_partner_sets(const TrafficSection& entry, PatternContext& context,
                      const std::vector<std::vector<HostId>>& partners) {
  const Section& section = *entry.section;
  if (has_rate(section)) {
    GeneratorBasics basics = read_generator(entry, context);
    basics.rate = read_rate(section);
    basics.rate.part = 1.0 / static_cast<double>(partners.size());
    for (const std::vector<HostId>& partner : partners) {
      add_partners(context.workload, context.hosts,
                   {basics, partner_table(entry.hosts, partner, context.hosts.size())});
    }
    return;
  }
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  basics.spread = section.time("spread");
  RandomStream start = context.random(Purpose::start, entry);
  for (const std::vector<HostId>& partner : partners) {
    add_pair_flows(context.workload, basics, entry.hosts, partner, start);
  }
  finish_apps(entry, context, 1);
}

void configure_permutation(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  RandomStream random =
      context.random(Purpose::permutation, entry, static_cast<std::uint64_t>(section.integer("seed_offset")));
  std::vector<std::vector<HostId>> partners;
  for (std::int64_t i = 0; i < section.integer("count"); ++i) {
    partners.push_back(random_partners(entry.hosts, section.flag("allow_self"), random));
  }
  add_partner_sets(entry, context, partners);
}

void configure_shift(const TrafficSection& entry, PatternContext& context) {
  add_partner_sets(entry, context, {shifted_partners(entry.hosts, entry.section->integer("offset"))});
}

void configure_random(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  RandomFlows flows{read_flow_basics(entry, context), entry.hosts,
                    static_cast<std::uint32_t>(section.integer("min_flows")),
                    static_cast<std::uint32_t>(section.integer("max_flows"))};
  read_bytes_and_weight(section, flows.basics);
  flows.basics.spread = section.time("spread");
  RandomStream destination =
      context.random(Purpose::destination, entry, static_cast<std::uint64_t>(section.integer("seed_offset")));
  RandomStream start = context.random(Purpose::start, entry);
  add_random_flows(context.workload, flows, destination, start);
  finish_apps(entry, context, 1);
}

void configure_incast(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  basics.spread = section.time("spread");
  RandomStream start = context.random(Purpose::start, entry);
  add_incast(context.workload, basics, entry.hosts, read_target(section, context.hosts), start);
  finish_apps(entry, context, 1);
}

void configure_all_to_all(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  if (section.choice<AllToAllOrder>("order") == AllToAllOrder::shifted) refuse_endless(section);
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  RandomStream start = context.random(Purpose::start, entry);
  add_all_to_all(context.workload, basics, entry.hosts, section.choice<AllToAllOrder>("order"), start);
  finish_apps(entry, context, 1);
}

Exchange read_exchange(const Section& section, const std::string& name) {
  static constexpr std::array<std::string_view, 3> kNames{"permutation", "shift", "all-to-all"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    section.refuse("exchange",
                   fmt::format("exchange: unknown \"{}\"{}", name, suggestion(name, kNames, "the choices are")));
  }
  return static_cast<Exchange>(found - kNames.begin());
}

void configure_phases(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  refuse_endless(section);
  PhasedApplication application;
  application.basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, application.basics);
  application.group = entry.hosts;
  for (const std::string& name : section.at("exchange").texts)
    application.exchanges.push_back(read_exchange(section, name));
  if (application.exchanges.empty()) section.refuse("exchange", "exchange: the list is empty; name a pattern");
  application.phases = static_cast<std::uint32_t>(section.integer("phases"));
  application.count = static_cast<std::uint32_t>(section.integer("count"));
  application.offset = section.integer("offset");
  application.order = section.choice<AllToAllOrder>("order");
  RandomStream permutation =
      context.random(Purpose::permutation, entry, static_cast<std::uint64_t>(section.integer("seed_offset")));
  RandomStream start = context.random(Purpose::start, entry);
  add_phases(context.workload, application, permutation, start);
  finish_apps(entry, context, 1, section.time("compute"));
}

FlowRows read_rows(const Section& section) {
  const Value& list = section.at("list");
  FlowRows table;
  table.columns = {"src", "dst", "bytes", "start", "weight"};
  table.columns_where = list.where;
  for (std::size_t i = 0; i < list.rows.size(); ++i) {
    table.rows.push_back({i < list.row_positions.size() ? list.row_positions[i] : list.where, list.rows[i]});
  }
  return table;
}

void configure_flows(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  if (section.at("file").is_set == section.at("list").is_set) {
    throw InputError(section.where, "flows: give either `file` or `list`");
  }
  const FlowBasics defaults = read_flow_basics(entry, context);
  const bool from_file = section.at("file").is_set;
  const FlowRows table =
      from_file ? flow_rows_from_csv(section.text("file"), context.read(section.text("file"))) : read_rows(section);
  const std::size_t first = context.workload.flows.size();
  const std::vector<std::string> names = add_flow_rows(context.workload, table, defaults, context.hosts);
  std::uint32_t apps = 0;
  for (std::size_t f = first; f < context.workload.flows.size(); ++f) {
    apps = std::max(apps,
                    context.workload.flows[FlowId{static_cast<std::uint32_t>(f)}].app.index - defaults.app.index + 1);
  }
  finish_apps(entry, context, apps, {}, names);
}

// Permutations and shifts: open-loop sources where a rate is given, else flows.
constexpr Condition kMakesSources =
    when_given({"load", "rate", "total_rate"}, "without load or rate, the hosts send flows of a given size");
constexpr Condition kMakesFlows =
    unless_given({"load", "rate", "total_rate"},
                 "with load or rate, the hosts send single packets without end, not flows of a given size");
constexpr KeyCondition kOfPartners[] = {
    {"per", kMakesSources},  {"counts", kMakesSources},  {"arrivals", kMakesSources},       {"aligned", kMakesSources},
    {"stop", kMakesSources}, {"payload", kMakesSources}, {"after_received", kMakesSources}, {"shares", kMakesSources},
    {"bytes", kMakesFlows},  {"weight", kMakesFlows}};
constexpr auto kPermutation = join(
    kSelection, kFlowBytes, kRates, kSpread,
    std::array{
        ParamSpec{"count", ParamType::integer, "1", "permutations superposed", 1, 1000},
        ParamSpec{"allow_self", ParamType::flag, "false", "a host may be its own partner (and then sends nothing)"},
        ParamSpec{"seed_offset", ParamType::integer, "0",
                  "change this number to get different permutations from the same seed", 0, 16777215},
    });

constexpr auto kShift =
    join(std::array{ParamSpec{"offset", ParamType::integer, "1",
                              "host i sends to host i + offset, modulo the number of hosts that take "
                              "part", -kMaxHost, kMaxHost}},
         kSelection, kFlowBytes, kRates, kSpread);

constexpr std::array kRandomFlows{
    ParamSpec{"min_flows", ParamType::integer, "1", "least number of flows that a host opens", 0, 1e6},
    ParamSpec{"max_flows", ParamType::integer, "1", "largest number of flows that a host opens; the number is drawn "
                                                    "for each host", 1, 1e6},
    ParamSpec{"seed_offset", ParamType::integer, "0", "change this number to get different flows from the same seed", 0,
              16777215},
};
constexpr auto kRandom = join(kSelection, kFlowBytes, kSpread, kRandomFlows);

// Its senders are selected like the hosts of other patterns, but by `fan_in` instead of the first key, `share`.
constexpr auto kIncast =
    join(kTarget,
         std::array{ParamSpec{"fan_in", ParamType::integer, kUnset, "number of senders; default: all other hosts", 1,
                              kMaxHost}
                        .applying(unless_given({"hosts"}, "`hosts` lists the senders one by one"))},
         std::array{kSelection[1], kSelection[2], kSelection[3], kSelection[4]}, kFlowBytes, kSpread);

constexpr std::string_view kOrders[] = {"shifted", "at-once"};
constexpr std::array kAllToAllOrder{
    ParamSpec{"order", ParamType::choice, "shifted",
              "order of an all-to-all. shifted: a host sends to the next host, then to the one after it, and so on; "
              "at-once: to "
              "all at the same time",
              0, 0, kOrders},
};
constexpr auto kAllToAll = join(kSelection, kFlowBytes, kAllToAllOrder);

constexpr std::array kFlowList{
    ParamSpec{"file", ParamType::file, kUnset,
              "CSV with a header line: src,dst,bytes and any of start,weight,app,phase,id,after,class,lane; "
              "docs/traces.md describes the columns"},
    ParamSpec{"list", ParamType::rows, kUnset,
              "flows as rows of src, dst, bytes, start, weight, as in a file; the last two may be left out"},
};

constexpr Condition kPermutes = when("exchange", {"permutation"}, "no phase is a permutation");
constexpr KeyCondition kOfPhases[] = {kOfFlows[0], kOfFlows[1], kOfFlows[2], kOfFlows[3],
                                      {"order", when("exchange", {"all-to-all"}, "no phase is all-to-all")}};
constexpr auto kPhases = join(
    kSelection, kFlowBytes, kAllToAllOrder,
    std::array{
        ParamSpec{"phases", ParamType::integer, kRequired, "number of communication phases", 1, 1e6},
        ParamSpec{"compute", ParamType::time, "0s", "computing time between two phases", 0, kMaxSeconds},
        ParamSpec{"exchange", ParamType::texts, "[\"permutation\"]",
                  "communication pattern of each phase, used in turn: permutation, shift, all-to-all"},
        ParamSpec{"count", ParamType::integer, "1", "number of permutations superposed in one phase", 1, 1000}.applying(
            kPermutes),
        ParamSpec{"offset", ParamType::integer, "1", "offset of shift phases", -kMaxHost, kMaxHost}.applying(
            when("exchange", {"shift"}, "no phase is a shift")),
        ParamSpec{"seed_offset", ParamType::integer, "0",
                  "change this number to get different permutations from the same seed", 0, 16777215}
            .applying(kPermutes),
    });

}  // namespace

extern const PatternKind permutation_pattern{
    {"permutation", "random permutations: every host sends to one partner, or to several if permutations are "
                    "superposed",
     kPermutation, "[[traffic]]\npattern = \"permutation\"\ncount = 2\nbytes = \"1MB\"\n", {},
     kOfPartners},
    configure_permutation};

extern const PatternKind shift_pattern{
    {"shift", "every host i sends to host i + offset", kShift,
     "[[traffic]]\npattern = \"shift\"\noffset = 1\nload = 0.9\n", {},
     kOfPartners},
    configure_shift};

extern const PatternKind random_pattern{
    {"random", "every host opens a random number of flows to random destinations", kRandom,
     "[[traffic]]\npattern = \"random\"\nmax_flows = 3\nbytes = \"1MB\"\n", {},
     kOfFlows},
    configure_random};

extern const PatternKind incast_pattern{
    {"incast", "many hosts send a flow to one host at the same time", kIncast,
     "[[traffic]]\npattern = \"incast\"\ntarget = 0\nfan_in = 3\nbytes = \"100kB\"\n", {},
     kOfFlows},
    configure_incast,
    "incast"};

extern const PatternKind all_to_all_pattern{
    {"all-to-all", "every host of a group sends a flow to every other", kAllToAll,
     "[[traffic]]\npattern = \"all-to-all\"\nbytes = \"100kB\"\n", {},
     kOfFlows},
    configure_all_to_all};

extern const PatternKind flows_pattern{
    {"flows", "flows given one by one, in a CSV file or in the scenario", kFlowList,
     "[[traffic]]\npattern = \"flows\"\nlist = [[0, 1, \"1MB\"], [1, 2, \"1MB\", \"10us\"]]\n"
     "# instead of list: file = \"flows.csv\", with lines such as\n#   src,dst,bytes,start\n#   0,1,1MB,0\n"
     "#   1,2,1MB,10us\n", {},
     kOfFlows},
    configure_flows};

extern const PatternKind phases_pattern{
    {"phases", "an application that computes and communicates in turn, with a barrier between phases", kPhases,
     "[[traffic]]\npattern = \"phases\"\nphases = 3\ncompute = \"10us\"\nexchange = [\"shift\", \"all-to-all\"]\n"
     "bytes = \"20kB\"\n", {},
     kOfPhases},
    configure_phases};

}  // namespace weir
