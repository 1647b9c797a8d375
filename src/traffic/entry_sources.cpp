// Readers of the entries that make open-loop sources.
#include "traffic/entry.h"

namespace weir {

namespace {

GeneratorBasics read_rated_generator(const TrafficEntry& entry, const Context& context) {
  GeneratorBasics basics = read_generator(entry, context);
  basics.rate = read_rate(*entry.section);
  return basics;
}

}  // namespace

void read_uniform(const TrafficEntry& entry, Context& context) {
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

void read_hotspot(const TrafficEntry& entry, Context& context) {
  const Section& section = *entry.section;
  HotspotTraffic traffic{
      read_rated_generator(entry, context), entry.hosts, read_target(section, context.hosts), {}, {}};
  if (section.at("packets").is_set) traffic.packets_total = static_cast<std::uint64_t>(section.integer("packets"));
  if (section.at("packets_each").is_set)
    traffic.packets_each = static_cast<std::uint64_t>(section.integer("packets_each"));
  if (traffic.packets_total && traffic.packets_each) {
    section.refuse("packets_each", "packets_each: `packets` is given too; only one of them may be");
  }
  add_hotspot(context.workload, context.hosts, traffic);
}

void read_burst(const TrafficEntry& entry, Context& context) {
  const Section& section = *entry.section;
  HotspotTraffic traffic{read_generator(entry, context), entry.hosts, read_target(section, context.hosts), {}, {}};
  if (has_rate(section)) {
    traffic.basics.rate = read_rate(section);
  } else {
    refuse_idle(section, {"per", "counts", "arrivals", "aligned"},
                "without load or rate all packets are made at one instant");
    traffic.basics.rate.by = RateChoice::By::instant;
    traffic.basics.arrivals = Arrivals::constant;
  }
  traffic.packets_each = static_cast<std::uint64_t>(section.integer("packets"));
  add_hotspot(context.workload, context.hosts, traffic);
}

}  // namespace weir
