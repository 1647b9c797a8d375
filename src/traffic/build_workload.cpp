// From the [packet] and [[traffic]] sections to a Workload: reads each section into the plain structs of its pattern, and
// puts file and line on whatever the pattern refuses.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "base/csv.h"
#include "scenario/suggest.h"
#include "traffic/collectives.h"
#include "traffic/flow_list.h"
#include "traffic/generators.h"
#include "traffic/permutations.h"

namespace weir {

namespace {

bool given(const Section& section, std::string_view key) { return section.at(key).is_set && !section.at(key).is_default; }

// A setting without effect is an error: the user believes that it does something.
void refuse_idle(const Section& section, std::initializer_list<std::string_view> keys, std::string_view why) {
  for (const std::string_view key : keys) {
    if (given(section, key)) section.refuse(key, fmt::format("{} has no effect here: {}", key, why));
  }
}

std::vector<SizeShare> read_sizes(const Section& section) {
  const Value& payload = section.at("payload");
  if (payload.integers.empty()) section.refuse("payload", "payload: give at least one size, as in [\"2KiB\"]");
  std::vector<double> shares(payload.integers.size(), 1.0);
  if (section.at("shares").is_set) shares = section.at("shares").numbers;
  if (shares.size() != payload.integers.size()) {
    section.refuse("shares", fmt::format("shares: {} numbers for {} payload sizes", shares.size(), payload.integers.size()));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0)) section.refuse("shares", "shares: at least one must be above 0");
  std::vector<SizeShare> sizes;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] > 0) sizes.push_back({payload.integers[i], shares[i] / sum});
  }
  return sizes;
}

// One [[traffic]] entry on its way into the workload.
struct Entry {
  const Section* section = nullptr;
  std::uint32_t number = 0;          // names its random streams
  std::string name;
  ClassId traffic_class{0};
  std::vector<HostId> hosts;         // that take part; empty until resolved, and for `flows`
  enum class State : std::uint8_t { open, visiting, done } state = State::open;
};

struct Context {
  const HostTable& hosts;
  const PacketFormat& format;
  std::uint64_t seed;
  Workload& workload;

  // A stream per entry and purpose; `variant` gives other draws under the same seed.
  RandomStream random(Purpose purpose, const Entry& entry, std::uint64_t variant = 0) const {
    return {seed, purpose, (static_cast<std::uint64_t>(entry.number) << 32) + variant};
  }
};

// Errors of the patterns know the parameter, not where it was written.
template <class Action>
void with_position(const Section& section, Action action) {
  try {
    action();
  } catch (const BadParameter& error) {
    section.refuse(error.key(), error.what());
  } catch (const InputError& error) {
    if (!error.where().file.empty()) throw;
    throw InputError(section.where, error.what());
  }
}

HostId read_target(const Section& section, const HostTable& hosts) {
  return checked_host("target", section.integer("target"), hosts.size());
}

bool has_target(const Section& section) {
  return section.kind == "hotspot" || section.kind == "burst" || section.kind == "incast";
}

HostSelection read_selection(const Section& section, const HostTable& hosts) {
  HostSelection selection;
  const std::string& placement = section.text("placement");
  selection.placement = placement == "random"  ? Placement::random
                        : placement == "first" ? Placement::first
                                               : Placement::even;
  selection.list = section.at("hosts").integers;
  selection.range = section.at("range").integers;
  if (given(section, "hosts")) {
    if (selection.list.empty()) section.refuse("hosts", "hosts: the list is empty; leave it out to take all hosts");
    refuse_idle(section, {"placement", "range", "except"}, "`hosts` lists the hosts one by one");
  }
  if (has_target(section)) selection.target = read_target(section, hosts);
  if (section.kind == "incast") {
    if (given(section, "hosts")) refuse_idle(section, {"fan_in"}, "`hosts` lists the senders one by one");
    if (given(section, "fan_in")) selection.count = static_cast<std::uint32_t>(section.integer("fan_in"));
    return selection;
  }
  if (given(section, "hosts")) refuse_idle(section, {"share"}, "`hosts` lists the hosts one by one");
  selection.share = section.number("share");
  if (!(selection.share > 0)) section.refuse("share", "share: must be above 0, or no host takes part");
  return selection;
}

// Finds the hosts of an entry, after those of the entry that it leaves out.
void resolve_hosts(std::vector<Entry>& entries, Entry& entry, const Context& context) {
  const Section& section = *entry.section;
  if (entry.state == Entry::State::done || section.kind == "flows") return;
  entry.state = Entry::State::visiting;
  HostSelection selection;
  with_position(section, [&] { selection = read_selection(section, context.hosts); });
  if (section.at("except").is_set) {
    const std::string& other = section.text("except");
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == other; });
    if (found == entries.end()) {
      std::vector<std::string_view> names;
      for (const Entry& e : entries) names.push_back(e.name);
      section.refuse("except", fmt::format("except: no traffic entry is called \"{}\"{}", other,
                                           suggestion(other, names, "entries are")));
    }
    if (found->section->kind == "flows") section.refuse("except", "except: an entry with single flows has no group of hosts");
    if (found->state == Entry::State::visiting) section.refuse("except", "except: the entries leave out each other's hosts");
    resolve_hosts(entries, *found, context);
    selection.without = found->hosts;
  }
  with_position(section, [&] {
    entry.hosts = select_hosts(selection, context.hosts.size(), context.random(Purpose::placement, entry));
  });
  entry.state = Entry::State::done;
}

bool has_rate(const Section& section) {
  return section.at("load").is_set || section.at("rate").is_set || section.at("total_rate").is_set;
}

RateChoice read_rate(const Section& section) {
  const int choices = section.at("load").is_set + section.at("rate").is_set + section.at("total_rate").is_set;
  if (choices == 0) throw InputError(section.where, fmt::format("{}: one of load, rate and total_rate must be given", section.kind));
  if (choices > 1) {
    section.refuse(section.at("total_rate").is_set ? "total_rate" : "rate",
                   "only one of load, rate and total_rate may be given");
  }
  RateChoice rate;
  rate.count_headers = section.text("counts") == "packet";
  if (section.at("load").is_set) {
    rate.by = RateChoice::By::load;
    rate.load = section.number("load");
  } else if (section.at("rate").is_set) {
    rate.by = RateChoice::By::rate;
    rate.rate = section.rate("rate");
  } else {
    rate.by = RateChoice::By::total_rate;
    rate.rate = section.rate("total_rate");
    rate.per_all_hosts = section.text("per") == "all-hosts";
  }
  if (rate.by != RateChoice::By::total_rate) refuse_idle(section, {"per"}, "it divides total_rate, which is not given");
  return rate;
}

Arrivals read_arrivals(const Section& section) {
  const std::string& arrivals = section.text("arrivals");
  return arrivals == "constant" ? Arrivals::constant : arrivals == "bernoulli" ? Arrivals::bernoulli : Arrivals::poisson;
}

GeneratorBasics read_generator(const Entry& entry, const Context& context) {
  const Section& section = *entry.section;
  GeneratorBasics basics;
  basics.name = entry.name;
  basics.traffic_class = entry.traffic_class;
  basics.lane = static_cast<std::uint8_t>(section.integer("lane"));
  basics.header = context.format.header;
  basics.sizes = context.format.payloads;
  if (section.at("payload").is_set) {
    basics.sizes = read_sizes(section);
  } else {
    refuse_idle(section, {"shares"}, "it belongs to `payload`, which is not given");
  }
  basics.activity.start = section.time("start");
  if (section.at("stop").is_set) {
    basics.activity.stop = section.time("stop");
    if (basics.activity.stop <= basics.activity.start) section.refuse("stop", "stop: must come after start");
  }
  basics.activity.after_received = static_cast<std::uint64_t>(section.integer("after_received"));
  basics.activity.spread = section.time("spread");
  basics.arrivals = read_arrivals(section);
  basics.aligned = section.flag("aligned");
  if (basics.arrivals != Arrivals::constant) refuse_idle(section, {"aligned"}, "only constant arrivals have a phase");
  return basics;
}

GeneratorBasics read_rated_generator(const Entry& entry, const Context& context) {
  GeneratorBasics basics = read_generator(entry, context);
  basics.rate = read_rate(*entry.section);
  return basics;
}

FlowBasics read_flow_basics(const Entry& entry, const Context& context) {
  const Section& section = *entry.section;
  refuse_idle(section, {"stop", "after_received", "payload", "shares"}, "this entry makes flows, not open-loop sources");
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
  if (!section.at("bytes").is_set) throw InputError(section.where, fmt::format("{}: bytes must be given, flows wait for each other", section.kind));
}

// Every entry with flows is an application of its own; `flows` entries may hold several.
void finish_apps(const Entry& entry, Context& context, std::uint32_t apps, Time compute = {}) {
  for (std::uint32_t a = 0; a < apps; ++a) {
    context.workload.app_names.push_back(apps == 1 ? entry.name : fmt::format("{}.{}", entry.name, a));
    context.workload.app_compute.push_back(compute);
  }
}

void read_uniform(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  const std::size_t hosts = context.hosts.size();
  UniformTraffic traffic{read_rated_generator(entry, context), entry.hosts, {}, section.flag("include_self")};
  std::vector<std::uint8_t> allowed(hosts, !given(section, "to"));
  for (const std::int64_t host : section.at("to").integers) allowed[checked_host("to", host, hosts).index] = 1;
  for (const std::int64_t host : section.at("avoid").integers) allowed[checked_host("avoid", host, hosts).index] = 0;
  if (given(section, "to") || given(section, "avoid")) {
    for (std::uint32_t h = 0; h < hosts; ++h) {
      if (allowed[h]) traffic.targets.push_back({h});
    }
    if (traffic.targets.empty()) throw BadParameter(given(section, "to") ? "to" : "avoid", "no destination is left");
  }
  add_uniform(context.workload, context.hosts, traffic);
}

void read_hotspot(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  HotspotTraffic traffic{read_rated_generator(entry, context), entry.hosts, read_target(section, context.hosts), {}, {}};
  if (section.at("packets").is_set) traffic.packets_total = static_cast<std::uint64_t>(section.integer("packets"));
  if (section.at("packets_each").is_set) traffic.packets_each = static_cast<std::uint64_t>(section.integer("packets_each"));
  if (traffic.packets_total && traffic.packets_each) {
    section.refuse("packets_each", "packets_each: `packets` is given too; only one of them may be");
  }
  add_hotspot(context.workload, context.hosts, traffic);
}

void read_burst(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  HotspotTraffic traffic{read_generator(entry, context), entry.hosts, read_target(section, context.hosts), {}, {}};
  if (has_rate(section)) {
    traffic.basics.rate = read_rate(section);
  } else {
    refuse_idle(section, {"per", "counts", "arrivals", "aligned"}, "without load or rate all packets are made at one instant");
    traffic.basics.rate.by = RateChoice::By::instant;
    traffic.basics.arrivals = Arrivals::constant;
  }
  traffic.packets_each = static_cast<std::uint64_t>(section.integer("packets"));
  add_hotspot(context.workload, context.hosts, traffic);
}

// Permutations and shifts: open-loop sources where a rate is given, else flows.
void add_partner_sets(const Entry& entry, Context& context, const std::vector<std::vector<HostId>>& partners) {
  const Section& section = *entry.section;
  if (has_rate(section)) {
    refuse_idle(section, {"bytes", "weight"}, "with load or rate the entry makes open-loop sources, not flows");
    GeneratorBasics basics = read_rated_generator(entry, context);
    basics.rate.part = 1.0 / static_cast<double>(partners.size());
    for (const std::vector<HostId>& partner : partners) {
      add_partners(context.workload, context.hosts, {basics, partner_table(entry.hosts, partner, context.hosts.size())});
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

void read_permutation(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  RandomStream random =
      context.random(Purpose::permutation, entry, static_cast<std::uint64_t>(section.integer("seed_offset")));
  std::vector<std::vector<HostId>> partners;
  for (std::int64_t i = 0; i < section.integer("count"); ++i) {
    partners.push_back(random_partners(entry.hosts, section.flag("allow_self"), random));
  }
  add_partner_sets(entry, context, partners);
}

void read_shift(const Entry& entry, Context& context) {
  add_partner_sets(entry, context, {shifted_partners(entry.hosts, entry.section->integer("offset"))});
}

void read_random(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  RandomFlows flows{read_flow_basics(entry, context), entry.hosts, static_cast<std::uint32_t>(section.integer("min_flows")),
                    static_cast<std::uint32_t>(section.integer("max_flows"))};
  read_bytes_and_weight(section, flows.basics);
  flows.basics.spread = section.time("spread");
  RandomStream destination =
      context.random(Purpose::destination, entry, static_cast<std::uint64_t>(section.integer("seed_offset")));
  RandomStream start = context.random(Purpose::start, entry);
  add_random_flows(context.workload, flows, destination, start);
  finish_apps(entry, context, 1);
}

void read_incast(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  basics.spread = section.time("spread");
  RandomStream start = context.random(Purpose::start, entry);
  add_incast(context.workload, basics, entry.hosts, read_target(section, context.hosts), start);
  finish_apps(entry, context, 1);
}

AllToAllOrder read_order(const Section& section) {
  return section.text("order") == "shifted" ? AllToAllOrder::shifted : AllToAllOrder::at_once;
}

void read_all_to_all(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  if (read_order(section) == AllToAllOrder::shifted) refuse_endless(section);
  FlowBasics basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, basics);
  RandomStream start = context.random(Purpose::start, entry);
  add_all_to_all(context.workload, basics, entry.hosts, read_order(section), start);
  finish_apps(entry, context, 1);
}

Exchange read_exchange(const Section& section, const std::string& name) {
  static constexpr std::array<std::string_view, 3> kNames{"permutation", "shift", "all-to-all"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    section.refuse("exchange", fmt::format("exchange: unknown \"{}\"{}", name, suggestion(name, kNames, "use")));
  }
  return static_cast<Exchange>(found - kNames.begin());
}

void read_phases(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  refuse_endless(section);
  PhasedApplication application;
  application.basics = read_flow_basics(entry, context);
  read_bytes_and_weight(section, application.basics);
  application.group = entry.hosts;
  for (const std::string& name : section.at("exchange").texts) application.exchanges.push_back(read_exchange(section, name));
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

void read_flows(const Entry& entry, Context& context) {
  const Section& section = *entry.section;
  if (section.at("file").is_set == section.at("list").is_set) {
    throw InputError(section.where, "flows: give either `file` or `list`");
  }
  const FlowBasics defaults = read_flow_basics(entry, context);
  const bool from_file = section.at("file").is_set;
  const FlowTable table = from_file ? flow_table_from_csv(section.text("file"), read_text_file(section.text("file")))
                                    : read_rows(section);
  const std::size_t first = context.workload.flows.size();
  add_flow_table(context.workload, table, defaults, context.hosts);
  std::uint32_t apps = 0;
  for (std::size_t f = first; f < context.workload.flows.size(); ++f) {
    apps = std::max(apps, context.workload.flows[FlowId{static_cast<std::uint32_t>(f)}].app.index - defaults.app.index + 1);
  }
  finish_apps(entry, context, apps);
}

struct PatternReader {
  std::string_view kind;
  void (*read)(const Entry&, Context&);
};
constexpr std::array kReaders{
    PatternReader{"uniform", read_uniform},       PatternReader{"hotspot", read_hotspot},
    PatternReader{"burst", read_burst},           PatternReader{"permutation", read_permutation},
    PatternReader{"shift", read_shift},           PatternReader{"random", read_random},
    PatternReader{"incast", read_incast},         PatternReader{"all-to-all", read_all_to_all},
    PatternReader{"flows", read_flows},           PatternReader{"phases", read_phases},
};

bool is_hot(const Section& section) { return section.kind == "hotspot" || section.kind == "burst"; }

std::vector<Entry> list_entries(const std::vector<const Section*>& sections, Workload& workload) {
  const bool any_hot = std::any_of(sections.begin(), sections.end(), [](const Section* s) { return is_hot(*s); });
  std::vector<Entry> entries;
  for (const Section* section : sections) {
    Entry entry;
    entry.section = section;
    entry.number = static_cast<std::uint32_t>(entries.size());
    entry.name = section->at("name").is_set ? section->text("name") : fmt::format("{}-{}", section->kind, entries.size() + 1);
    for (const Entry& other : entries) {
      if (other.name != entry.name) continue;
      const std::string what = fmt::format("name: two traffic entries are called \"{}\"", entry.name);
      if (section->at("name").is_set) section->refuse("name", what);
      throw InputError(section->where, what);
    }
    const std::string fallback = is_hot(*section) ? "hot" : any_hot ? "cold" : "all";
    entry.traffic_class = class_named(workload, section->at("class").is_set ? section->text("class") : fallback);
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace

Bytes PacketFormat::max_payload() const {
  Bytes largest = 0;
  for (const SizeShare& size : payloads) largest = std::max(largest, size.payload);
  return largest;
}

Bytes PacketFormat::mean_wire_size() const { return header + static_cast<Bytes>(mean_payload(payloads) + 0.5); }

PacketFormat packet_format(const Scenario& scenario) {
  const Section& section = scenario.section("packet");
  PacketFormat format;
  format.payloads = read_sizes(section);
  format.header = section.bytes("header");
  format.ack = section.bytes("ack");
  return format;
}

Workload build_workload(const Scenario& scenario, const Topology& topology) {
  const std::vector<const Section*> sections = scenario.all("traffic");
  const SourcePosition file{scenario.file, 0, 0};
  if (sections.empty()) throw InputError(file, "there is no traffic; add a [[traffic]] entry, as in pattern = \"uniform\", load = 0.5");
  const HostTable hosts = host_table(topology);
  const PacketFormat format = packet_format(scenario);
  Workload workload;
  std::vector<Entry> entries = list_entries(sections, workload);
  Context context{hosts, format, scenario.seed, workload};
  for (Entry& entry : entries) resolve_hosts(entries, entry, context);
  for (const Entry& entry : entries) {
    const auto reader = std::find_if(kReaders.begin(), kReaders.end(),
                                     [&](const PatternReader& r) { return r.kind == entry.section->kind; });
    if (reader == kReaders.end()) throw InputError(entry.section->kind_where, "unknown traffic pattern");
    with_position(*entry.section, [&] { reader->read(entry, context); });
  }
  if (workload.flows.empty() && workload.sources.empty()) throw InputError(file, "the traffic entries make no flow and no source");
  workload.apps = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(workload.app_names.size()));
  check_dependencies(workload);
  std::sort(workload.sources.begin(), workload.sources.end(),
            [](const Source& a, const Source& b) { return std::tuple(a.host, a.group) < std::tuple(b.host, b.group); });
  return workload;
}

}  // namespace weir
