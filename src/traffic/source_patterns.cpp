// Readers of the entries that make open-loop sources.
#include "traffic/pattern.h"

namespace weir {

namespace {

GeneratorBasics read_rated_generator(const TrafficSection& entry, const PatternContext& context) {
  GeneratorBasics basics = read_generator(entry, context);
  basics.rate = read_rate(*entry.section);
  return basics;
}

void configure_uniform(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  const std::size_t hosts = context.hosts.size();
  UniformTraffic traffic{read_rated_generator(entry, context), entry.hosts, {}, section.flag("include_self")};
  std::vector<std::uint8_t> allowed(hosts, !section.given("to"));
  for (const std::int64_t host : section.at("to").integers) allowed[checked_host("to", host, hosts).index] = 1;
  for (const std::int64_t host : section.at("avoid").integers) allowed[checked_host("avoid", host, hosts).index] = 0;
  if (section.given("to") || section.given("avoid")) {
    for (std::uint32_t h = 0; h < hosts; ++h) {
      if (allowed[h]) traffic.targets.push_back({h});
    }
    if (traffic.targets.empty()) throw BadParameter(section.given("to") ? "to" : "avoid", "no destination is left");
  }
  add_uniform(context.workload, context.hosts, traffic);
}

void configure_hotspot(const TrafficSection& entry, PatternContext& context) {
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

void configure_burst(const TrafficSection& entry, PatternContext& context) {
  const Section& section = *entry.section;
  HotspotTraffic traffic{read_generator(entry, context), entry.hosts, read_target(section, context.hosts), {}, {}};
  if (has_rate(section)) {
    traffic.basics.rate = read_rate(section);
  } else {
    traffic.basics.rate.by = RateChoice::By::instant;
    traffic.basics.arrivals = Arrivals::constant;
  }
  traffic.packets_each = static_cast<std::uint64_t>(section.integer("packets"));
  add_hotspot(context.workload, context.hosts, traffic);
}

constexpr auto kUniform =
    join(kSelection, kRates, kSpread,
         std::array{
             ParamSpec{"include_self", ParamType::flag, "false",
                       "a host may draw itself as destination; such a packet uses no link, but counts as received"},
             ParamSpec{"to", ParamType::hosts, kUnset, "hosts that may be drawn as destinations; default: all", 0,
                       kMaxHost},
             ParamSpec{"avoid", ParamType::hosts, kUnset, "hosts that are never drawn as destinations", 0, kMaxHost},
         });

constexpr auto kHotspot =
    join(kTarget, kSelection, kRates, kSpread,
         std::array{
             ParamSpec{"packets", ParamType::integer, kUnset,
                       "packets of all sources together, shared equally; default: endless", 1, kMaxCount},
             ParamSpec{"packets_each", ParamType::integer, kUnset, "packets of each source, instead of `packets`", 1,
                       kMaxCount},
         });

constexpr Condition kRated =
    when_given({"load", "rate", "total_rate"}, "without load or rate, all packets are generated at one instant");
constexpr KeyCondition kOfBursts[] = {
    {"per", kRated}, {"counts", kRated}, {"arrivals", kRated}, {"aligned", kRated}};
constexpr auto kBurst =
    join(kTarget, kSelection, kRates,
         std::array{
             ParamSpec{"packets", ParamType::integer, kRequired, "packets of each source", 1, kMaxCount},
             ParamSpec{"spread", ParamType::time, kRequired, "each source sends at a random moment within this time", 0,
                       kMaxSeconds},
         });

}  // namespace

extern const PatternKind uniform_pattern{
    {"uniform", "every host sends to destinations drawn at random, packet by packet", kUniform,
     "[[traffic]]\npattern = \"uniform\"\nload = 0.6\n"},
    configure_uniform};

extern const PatternKind hotspot_pattern{
    {"hotspot", "a group of hosts sends to one destination; usually together with a uniform entry", kHotspot,
     "[[traffic]]\npattern = \"hotspot\"\nname = \"hot\"\ntarget = 0\nshare = \"20%\"\nload = 0.5\npackets = 1000\n"
     "after_received = 500\n\n[[traffic]]\npattern = \"uniform\"\nclass = \"cold\"\nexcept = \"hot\"\nload = 0.5\n"},
    configure_hotspot,
    "hot"};

extern const PatternKind burst_pattern{
    {"burst", "each source sends a number of packets to one destination, at a random moment", kBurst,
     "[[traffic]]\npattern = \"burst\"\ntarget = 0\npackets = 100\nspread = \"1ms\"\n", {},
     kOfBursts},
    configure_burst,
    "hot"};

}  // namespace weir
