// From a rate in the user's terms to packets per second and slots of each source.
#include "traffic/generators.h"

#include <fmt/core.h>

#include <algorithm>

namespace weir {

double mean_payload(const std::vector<SizeShare>& sizes) {
  double mean = 0;
  for (const SizeShare& size : sizes) mean += size.share * static_cast<double>(size.payload);
  return mean;
}

double bytes_per_second(const RateChoice& rate, Rate link, std::size_t all_hosts, std::size_t these_hosts) {
  switch (rate.by) {
    case RateChoice::By::load:
      return rate.load * link.bytes_per_second();
    case RateChoice::By::rate:
      return rate.rate.bytes_per_second();
    case RateChoice::By::total_rate:
      return rate.rate.bytes_per_second() / static_cast<double>(rate.per_all_hosts ? all_hosts : these_hosts);
    case RateChoice::By::instant:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

std::string_view rate_key(RateChoice::By by) {
  return by == RateChoice::By::load ? "load" : by == RateChoice::By::rate ? "rate" : "total_rate";
}

namespace {

Bytes largest_packet(const GeneratorBasics& basics) {
  Bytes largest = 0;
  for (const SizeShare& size : basics.sizes) largest = std::max(largest, size.payload);
  return largest + basics.header;
}

// A slot is the time of the largest packet on the host's link, so a source sends at most one packet per slot.
void set_slots(Source& source, const GeneratorBasics& basics, Rate link) {
  source.slot = link.time_for(largest_packet(basics));
  source.slot_probability = source.packets_per_second * source.slot.seconds();
  constexpr double kRounding = 1e-9;
  if (source.slot_probability > 1 + kRounding) {
    throw BadParameter(
        rate_key(basics.rate.by),
        fmt::format("{}: host {} would need {:.4g} packets per slot of {} ps; bernoulli arrivals make at most one "
                    "(use arrivals = \"poisson\" or \"constant\", or a lower rate)",
                    rate_key(basics.rate.by), source.host.index, source.slot_probability, source.slot.ps));
  }
  source.slot_probability = std::min(source.slot_probability, 1.0);
}

Source make_source(const GeneratorBasics& basics, HostId host, std::uint32_t group, const HostList& hosts,
                   std::size_t these_hosts) {
  Source source;
  source.host = host;
  source.group = group;
  const double size = mean_payload(basics.sizes) + static_cast<double>(basics.rate.count_headers ? basics.header : 0);
  const Rate link = hosts.rates[host.index];
  source.packets_per_second = basics.rate.part * bytes_per_second(basics.rate, link, hosts.size(), these_hosts) / size;
  if (basics.arrivals == Arrivals::bernoulli) set_slots(source, basics, link);
  return source;
}

SourceGroup make_group(const GeneratorBasics& basics, DestinationRule rule) {
  SourceGroup group;
  group.name = basics.name;
  group.traffic_class = basics.traffic_class;
  group.lane = basics.lane;
  group.arrivals = basics.arrivals;
  group.aligned = basics.aligned;
  group.rule = rule;
  group.sizes = basics.sizes;
  group.activity = basics.activity;
  return group;
}

std::uint32_t add_group(Workload& workload, SourceGroup group) {
  workload.groups.push_back(std::move(group));
  return static_cast<std::uint32_t>(workload.groups.size() - 1);
}

bool has_other_target(const UniformTraffic& traffic, HostId source, std::size_t hosts) {
  if (traffic.include_self) return true;
  if (traffic.targets.empty()) return hosts > 1;
  return std::any_of(traffic.targets.begin(), traffic.targets.end(), [&](HostId t) { return t != source; });
}

}  // namespace

void add_uniform(Workload& workload, const HostList& hosts, const UniformTraffic& traffic) {
  for (const HostId host : traffic.sources) {
    if (has_other_target(traffic, host, hosts.size())) continue;
    throw BadParameter(
        "to",
        fmt::format("host {} has no destination but itself; set include_self or give more destinations", host.index));
  }
  SourceGroup group = make_group(traffic.basics, DestinationRule::uniform);
  group.include_self = traffic.include_self;
  group.targets = traffic.targets;
  const std::uint32_t number = add_group(workload, std::move(group));
  for (const HostId host : traffic.sources) {
    workload.sources.push_back(make_source(traffic.basics, host, number, hosts, traffic.sources.size()));
  }
}

void add_hotspot(Workload& workload, const HostList& hosts, const HotspotTraffic& traffic) {
  SourceGroup group = make_group(traffic.basics, DestinationRule::fixed);
  group.targets = {traffic.target};
  const std::uint32_t number = add_group(workload, std::move(group));
  const std::size_t count = traffic.sources.size();
  for (std::size_t i = 0; i < count; ++i) {
    Source source = make_source(traffic.basics, traffic.sources[i], number, hosts, count);
    if (traffic.packets_total) source.packets = even_part(*traffic.packets_total, count, i);
    if (traffic.packets_each) source.packets = *traffic.packets_each;
    workload.sources.push_back(source);
  }
}

void add_partners(Workload& workload, const HostList& hosts, const PartnerTraffic& traffic) {
  SourceGroup group = make_group(traffic.basics, DestinationRule::table);
  group.targets = traffic.partner;
  const std::uint32_t number = add_group(workload, std::move(group));
  std::vector<HostId> senders;
  for (std::uint32_t h = 0; h < traffic.partner.size(); ++h) {
    const HostId host{h};
    if (traffic.partner[h].valid() && traffic.partner[h] != host) senders.push_back(host);
  }
  for (const HostId host : senders) {
    workload.sources.push_back(make_source(traffic.basics, host, number, hosts, senders.size()));
  }
}

}  // namespace weir
