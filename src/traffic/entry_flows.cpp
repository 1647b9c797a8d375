// Readers of the entries that make flows (permutations and shifts: flows or sources).
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/csv.h"
#include "scenario/suggest.h"
#include "traffic/collectives.h"
#include "traffic/entry.h"
#include "traffic/flow_list.h"

namespace weir {

namespace {

FlowBasics read_flow_basics(const TrafficEntry& entry, const Context& context) {
  const Section& section = *entry.section;
  refuse_idle(section, {"stop", "after_received", "payload", "shares"},
              "this entry makes flows, not open-loop sources");
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
void finish_apps(const TrafficEntry& entry, Context& context, std::uint32_t apps, Time compute = {}) {
  for (std::uint32_t a = 0; a < apps; ++a) {
    context.workload.app_names.push_back(apps == 1 ? entry.name : fmt::format("{}.{}", entry.name, a));
    context.workload.app_compute.push_back(compute);
  }
}

}  // namespace

namespace {

// Permutations and shifts: open-loop sources where a rate is given, else flows.
void add_partner_sets(const TrafficEntry& entry, Context& context, const std::vector<std::vector<HostId>>& partners) {
  const Section& section = *entry.section;
  if (has_rate(section)) {
    refuse_idle(section, {"bytes", "weight"}, "with load or rate the entry makes open-loop sources, not flows");
    GeneratorBasics basics = read_generator(entry, context);
    basics.rate = read_rate(section);
    basics.rate.part = 1.0 / static_cast<double>(partners.size());
    for (const std::vector<HostId>& partner : partners) {
      add_partners(context.workload, context.hosts,
                   {basics, partner_table(entry.hosts, partner, context.hosts.size())});
    }
    return;
  }
  refuse_idle(section, {"per", "counts", "arrivals", "aligned"}, "without load or rate the entry makes flows");
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  basics.spread = section.time("spread");
  RandomStream start = context.random(Purpose::start, entry);
  for (const std::vector<HostId>& partner : partners) {
    add_pair_flows(context.workload, basics, entry.hosts, partner, start);
  }
  finish_apps(entry, context, 1);
}

}  // namespace

void read_permutation(const TrafficEntry& entry, Context& context) {
  const Section& section = *entry.section;
  RandomStream random =
      context.random(Purpose::permutation, entry, static_cast<std::uint64_t>(section.integer("seed_offset")));
  std::vector<std::vector<HostId>> partners;
  for (std::int64_t i = 0; i < section.integer("count"); ++i) {
    partners.push_back(random_partners(entry.hosts, section.flag("allow_self"), random));
  }
  add_partner_sets(entry, context, partners);
}

void read_shift(const TrafficEntry& entry, Context& context) {
  add_partner_sets(entry, context, {shifted_partners(entry.hosts, entry.section->integer("offset"))});
}

void read_random(const TrafficEntry& entry, Context& context) {
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

void read_incast(const TrafficEntry& entry, Context& context) {
  const Section& section = *entry.section;
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  basics.spread = section.time("spread");
  RandomStream start = context.random(Purpose::start, entry);
  add_incast(context.workload, basics, entry.hosts, read_target(section, context.hosts), start);
  finish_apps(entry, context, 1);
}

namespace {

AllToAllOrder read_order(const Section& section) {
  return section.text("order") == "shifted" ? AllToAllOrder::shifted : AllToAllOrder::at_once;
}

}  // namespace

void read_all_to_all(const TrafficEntry& entry, Context& context) {
  const Section& section = *entry.section;
  if (read_order(section) == AllToAllOrder::shifted) refuse_endless(section);
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  RandomStream start = context.random(Purpose::start, entry);
  add_all_to_all(context.workload, basics, entry.hosts, read_order(section), start);
  finish_apps(entry, context, 1);
}

namespace {

Exchange read_exchange(const Section& section, const std::string& name) {
  static constexpr std::array<std::string_view, 3> kNames{"permutation", "shift", "all-to-all"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    section.refuse("exchange", fmt::format("exchange: unknown \"{}\"{}", name, suggestion(name, kNames, "use")));
  }
  return static_cast<Exchange>(found - kNames.begin());
}

}  // namespace

void read_phases(const TrafficEntry& entry, Context& context) {
  const Section& section = *entry.section;
  refuse_endless(section);
  PhasedApplication application;
  application.basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, application.basics);
  application.group = entry.hosts;
  for (const std::string& name : section.at("exchange").texts)
    application.exchanges.push_back(read_exchange(section, name));
  if (application.exchanges.empty()) application.exchanges = {Exchange::permutation};
  const auto uses = [&](Exchange e) {
    return std::find(application.exchanges.begin(), application.exchanges.end(), e) != application.exchanges.end();
  };
  if (!uses(Exchange::permutation)) refuse_idle(section, {"count", "seed_offset"}, "no phase is a permutation");
  if (!uses(Exchange::shift)) refuse_idle(section, {"offset"}, "no phase is a shift");
  if (!uses(Exchange::all_to_all)) refuse_idle(section, {"order"}, "no phase is all-to-all");
  application.phases = static_cast<std::uint32_t>(section.integer("phases"));
  application.count = static_cast<std::uint32_t>(section.integer("count"));
  application.offset = section.integer("offset");
  application.order = read_order(section);
  RandomStream permutation =
      context.random(Purpose::permutation, entry, static_cast<std::uint64_t>(section.integer("seed_offset")));
  RandomStream start = context.random(Purpose::start, entry);
  add_phases(context.workload, application, permutation, start);
  finish_apps(entry, context, 1, section.time("compute"));
}

namespace {

FlowTable read_rows(const Section& section) {
  const Value& list = section.at("list");
  FlowTable table;
  table.columns = {"src", "dst", "bytes", "start", "weight"};
  table.columns_where = list.where;
  for (std::size_t i = 0; i < list.rows.size(); ++i) {
    table.rows.push_back({i < list.row_positions.size() ? list.row_positions[i] : list.where, list.rows[i]});
  }
  return table;
}

}  // namespace

void read_flows(const TrafficEntry& entry, Context& context) {
  const Section& section = *entry.section;
  if (section.at("file").is_set == section.at("list").is_set) {
    throw InputError(section.where, "flows: give either `file` or `list`");
  }
  const FlowBasics defaults = read_flow_basics(entry, context);
  const bool from_file = section.at("file").is_set;
  const FlowTable table =
      from_file ? flow_table_from_csv(section.text("file"), context.read(section.text("file"))) : read_rows(section);
  const std::size_t first = context.workload.flows.size();
  add_flow_table(context.workload, table, defaults, context.hosts);
  std::uint32_t apps = 0;
  for (std::size_t f = first; f < context.workload.flows.size(); ++f) {
    apps = std::max(apps,
                    context.workload.flows[FlowId{static_cast<std::uint32_t>(f)}].app.index - defaults.app.index + 1);
  }
  finish_apps(entry, context, apps);
}

}  // namespace weir
