// Names, classes and hosts of the entries, and the keys that all open-loop entries share.
#include "traffic/traffic_section.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "scenario/suggest.h"
#include "traffic/flow_list.h"
#include "traffic/pattern.h"

namespace weir {

std::vector<SizeShare> read_sizes(const Section& section) {
  const Value& payload = section.at("payload");
  if (payload.integers.empty()) section.refuse("payload", "payload: give at least one size, as in [\"2KiB\"]");
  std::vector<double> shares(payload.integers.size(), 1.0);
  if (section.at("shares").is_set) shares = section.at("shares").numbers;
  if (shares.size() != payload.integers.size()) {
    section.refuse("shares",
                   fmt::format("shares: {} numbers for {} payload sizes", shares.size(), payload.integers.size()));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0)) section.refuse("shares", "shares: at least one must be above 0");
  std::vector<SizeShare> sizes;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] > 0) sizes.push_back({payload.integers[i], shares[i] / sum});
  }
  return sizes;
}

HostId read_target(const Section& section, const HostList& hosts) {
  return checked_host("target", section.integer("target"), hosts.size());
}

namespace {

HostSelection read_selection(const Section& section, const HostList& hosts) {
  HostSelection selection;
  selection.placement = section.choice<Placement>("placement");
  selection.list = section.at("hosts").integers;
  selection.range = section.at("range").integers;
  if (section.given("hosts") && selection.list.empty())
    section.refuse("hosts", "hosts: the list is empty; leave it out to take all hosts");
  if (section.knows("target")) selection.target = read_target(section, hosts);
  if (section.knows("fan_in")) {
    if (section.given("fan_in")) selection.count = static_cast<std::uint32_t>(section.integer("fan_in"));
    return selection;
  }
  selection.share = section.number("share");
  if (!(selection.share > 0)) section.refuse("share", "share: must be above 0, or no host takes part");
  return selection;
}

}  // namespace

void resolve_hosts(std::vector<TrafficSection>& entries, TrafficSection& entry, const PatternContext& context) {
  const Section& section = *entry.section;
  if (entry.state == TrafficSection::State::done || !section.knows("hosts")) return;
  entry.state = TrafficSection::State::visiting;
  HostSelection selection;
  with_position(section, [&] { selection = read_selection(section, context.hosts); });
  if (section.at("except").is_set) {
    const std::string& other = section.text("except");
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const TrafficSection& e) { return e.name == other; });
    if (found == entries.end()) {
      std::vector<std::string_view> names;
      for (const TrafficSection& e : entries) names.push_back(e.name);
      section.refuse("except", fmt::format("except: no traffic entry is called \"{}\"{}", other,
                                           suggestion(other, names, "the entries are")));
    }
    if (!found->section->knows("hosts"))
      section.refuse("except", "except: an entry with single flows has no group of hosts");
    if (found->state == TrafficSection::State::visiting)
      section.refuse("except", "except: the entries leave out each other's hosts");
    resolve_hosts(entries, *found, context);
    selection.without = found->hosts;
  }
  with_position(section, [&] {
    entry.hosts = select_hosts(selection, context.hosts.size(), context.random(Purpose::placement, entry));
  });
  if (selection.list.size() == entry.hosts.size())
    for (const std::int64_t number : selection.list) entry.listed.push_back({static_cast<std::uint32_t>(number)});
  entry.state = TrafficSection::State::done;
}

bool has_rate(const Section& section) {
  return section.at("load").is_set || section.at("rate").is_set || section.at("total_rate").is_set;
}

// What stands in the file is named where something else was set on the command line.
[[noreturn]] void refuse_several_rates(const Section& section) {
  std::string in_file, set;
  for (const char* key : {"load", "rate", "total_rate"}) {
    const Value& value = section.at(key);
    if (!value.is_set) continue;
    const bool is_override = value.where.file.starts_with("--set ");
    if (is_override) set = key;
    else in_file = value.where.line > 0 ? fmt::format("{} (line {})", key, value.where.line) : key;
  }
  if (!set.empty() && !in_file.empty())
    section.refuse(set, fmt::format("the scenario already sets {}, and only one of load, rate and total_rate may be "
                                    "given",
                                    in_file));
  section.refuse(section.at("total_rate").is_set ? "total_rate" : "rate",
                 "only one of load, rate and total_rate may be given");
}

RateChoice read_rate(const Section& section) {
  const int choices = section.at("load").is_set + section.at("rate").is_set + section.at("total_rate").is_set;
  if (choices == 0)
    throw InputError(section.where, fmt::format("{}: one of load, rate and total_rate must be given", section.kind));
  if (choices > 1) {
    refuse_several_rates(section);
  }
  RateChoice rate;
  rate.count_headers = section.chooses("counts", "packet");
  if (section.at("load").is_set) {
    rate.by = RateChoice::By::load;
    rate.load = section.number("load");
  } else if (section.at("rate").is_set) {
    rate.by = RateChoice::By::rate;
    rate.rate = section.rate("rate");
  } else {
    rate.by = RateChoice::By::total_rate;
    rate.rate = section.rate("total_rate");
    rate.per_all_hosts = section.chooses("per", "all-hosts");
  }
  return rate;
}

GeneratorBasics read_generator(const TrafficSection& entry, const PatternContext& context) {
  const Section& section = *entry.section;
  GeneratorBasics basics;
  basics.name = entry.name;
  basics.traffic_class = entry.traffic_class;
  basics.lane = static_cast<std::uint8_t>(section.integer("lane"));
  basics.header = context.format.header;
  basics.sizes = context.format.payloads;
  if (section.at("payload").is_set) basics.sizes = read_sizes(section);
  basics.activity.start = section.time("start");
  if (section.at("stop").is_set) {
    basics.activity.stop = section.time("stop");
    if (basics.activity.stop <= basics.activity.start) section.refuse("stop", "stop: must come after start");
  }
  basics.activity.after_received = static_cast<std::uint64_t>(section.integer("after_received"));
  basics.activity.spread = section.time("spread");
  basics.arrivals = section.choice<Arrivals>("arrivals");
  basics.aligned = section.flag("aligned");
  return basics;
}

std::vector<TrafficSection> list_entries(const std::vector<const Section*>& sections, Workload& workload) {
  const bool disturbed = std::any_of(sections.begin(), sections.end(),
                                     [](const Section* s) { return !pattern_of(*s).disturbs_as.empty(); });
  std::vector<TrafficSection> entries;
  std::unordered_set<std::string> names;
  ClassNames classes(workload);
  for (const Section* section : sections) {
    TrafficSection entry;
    entry.section = section;
    entry.number = static_cast<std::uint32_t>(entries.size());
    entry.name =
        section->at("name").is_set ? section->text("name") : fmt::format("{}-{}", section->kind, entries.size() + 1);
    if (!names.insert(entry.name).second) {
      const std::string what = fmt::format("name: two traffic entries are called \"{}\"", entry.name);
      if (section->at("name").is_set) section->refuse("name", what);
      throw InputError(section->where, what);
    }
    const std::string_view disturbs_as = pattern_of(*section).disturbs_as;
    const std::string_view fallback = !disturbs_as.empty() ? disturbs_as : disturbed ? "cold" : "all";
    entry.traffic_class = classes.number(section->at("class").is_set ? section->text("class") : std::string(fallback));
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace weir
