#include "schemes/roce/ecn.h"

#include <map>

#include "schemes/fabric_facts.h"
#include "schemes/given_or.h"

namespace weir {
namespace {

constexpr double kBytesPerGigabit = 16'000;  // 400 kB at 25 Gb/s

// Thresholds by the rate of a link: "400kB" (100Gbps), "1.6MB" (400Gbps).
void note_threshold(const Section& scheme, const char* key, const EcnConfig& config, const Topology& topology,
                    double RedThresholds::*threshold) {
  if (scheme.has(key)) return;
  std::map<std::int64_t, Bytes> by_rate;
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.to({p}).valid() && !topology.is_host(topology.node_of({p})))
      by_rate[topology.link({p}).rate.bits_per_second] =
          static_cast<Bytes>(config.thresholds(topology.link({p}).rate).*threshold);
  std::string text;
  for (const auto& [rate, bytes] : by_rate) {
    if (!text.empty()) text += ", ";
    text += quoted_text(bytes_to_text(bytes));
    if (by_rate.size() > 1) text += " (" + to_text(Rate{rate}) + ")";
  }
  note_calculated(scheme, key, text);
}

}  // namespace

RedThresholds EcnConfig::thresholds(Rate link) const {
  const double most = std::max<double>(static_cast<double>(capacity) / 2, 2 * static_cast<double>(packet));
  const double usual = std::min(kBytesPerGigabit * link.gigabits(), most);
  RedThresholds red;
  red.kmax = kmax ? static_cast<double>(*kmax) : std::max(usual, 2 * static_cast<double>(packet));
  red.kmin = kmin ? static_cast<double>(*kmin) : std::min(std::max(usual / 4, static_cast<double>(packet)), red.kmax);
  // Who gives a Kmin above the usual Kmax wants to mark later: as far above it as usual.
  if (kmin && !kmax) red.kmax = std::max(red.kmax, 4 * red.kmin);
  return red;
}

EcnConfig read_ecn(const Section& scheme, const RunInput& run) {
  EcnConfig config;
  if (scheme.has("kmin")) config.kmin = scheme.bytes("kmin");
  if (scheme.has("kmax")) config.kmax = scheme.bytes("kmax");
  config.pmax = scheme.number("pmax");
  config.at_arrival = scheme.chooses("mark_at", "arrival");
  config.capacity = queue_capacity(run.config);
  config.packet = largest_packet(run.config);
  if (config.kmin && config.kmax && *config.kmin > *config.kmax)
    scheme.refuse("kmax", "must not be below kmin: give the larger of the two as kmax");
  note_threshold(scheme, "kmin", config, run.topology, &RedThresholds::kmin);
  note_threshold(scheme, "kmax", config, run.topology, &RedThresholds::kmax);
  return config;
}

}  // namespace weir
