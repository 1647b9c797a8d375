// Open-loop traffic: groups of sources that make packets at a given rate, whatever the network does with them. The
// families: destinations drawn at random (uniform), one destination (hot spot, burst), a fixed partner per host
// (permutation, shift).
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "traffic/hosts.h"
#include "traffic/workload.h"

namespace weir {

// How much each source sends. A rate for the whole network is divided by all hosts, or by the sources of this entry
// alone; the papers leave open which, and whether headers count.
struct RateChoice {
  enum class By : std::uint8_t { load, rate, total_rate, instant };
  By by = By::load;
  double load = 0;  // of the host's own link
  Rate rate;        // per host, or total
  double part = 1;  // of the above, where several groups share it
  bool per_all_hosts = true;
  bool count_headers = true;
};

// What every entry of the generator family has.
struct GeneratorBasics {
  std::string name;
  ClassId traffic_class{0};
  std::uint8_t lane = 0;
  Arrivals arrivals = Arrivals::poisson;
  bool aligned = false;
  std::vector<SizeShare> sizes;
  Bytes header = 0;
  Activity activity;
  RateChoice rate;
};

// What one host sends, headers included if they count; infinite for By::instant.
double bytes_per_second(const RateChoice& rate, Rate link, std::size_t all_hosts, std::size_t these_hosts);
std::string_view rate_key(RateChoice::By by);

double mean_payload(const std::vector<SizeShare>& sizes);

// The part of `total` that falls to number `index` of `parts`: equal, the first ones get the remainder.
constexpr std::uint64_t even_part(std::uint64_t total, std::uint64_t parts, std::uint64_t index) {
  return total / parts + (index < total % parts ? 1 : 0);
}

struct UniformTraffic {
  GeneratorBasics basics;
  std::vector<HostId> sources;
  std::vector<HostId> targets;  // empty = all hosts
  bool include_self = false;
};
void add_uniform(Workload& workload, const HostList& hosts, const UniformTraffic& traffic);

struct HotspotTraffic {
  GeneratorBasics basics;
  std::vector<HostId> sources;
  HostId target;
  std::optional<std::uint64_t> packets_total;  // over all sources
  std::optional<std::uint64_t> packets_each;
};
void add_hotspot(Workload& workload, const HostList& hosts, const HotspotTraffic& traffic);

// partner[h]: destination of host h; invalid or h itself: h sends nothing.
struct PartnerTraffic {
  GeneratorBasics basics;
  std::vector<HostId> partner;
};
void add_partners(Workload& workload, const HostList& hosts, const PartnerTraffic& traffic);

}  // namespace weir
