#include "schemes/roce/ecn.h"

#include <set>

#include "schemes/fabric_facts.h"
#include "schemes/given_or.h"

namespace weir {
namespace {

constexpr double kBytesPerGigabit = 16'000;  // 400 kB at 25 Gb/s

// Thresholds by the rate of a link: "400kB" (100Gbps), "1.6MB" (400Gbps).
void note_threshold(const Section& scheme, const char* key, const EcnConfig& config, const Topology& topology,
                    double RedThresholds::*threshold) {
  if (scheme.has(key)) return;
  const std::vector<Rate> rates = marking_rates(topology);
  std::string text;
  for (const Rate rate : rates) {
    if (!text.empty()) text += ", ";
    text += quoted_text(bytes_to_text(static_cast<Bytes>(config.thresholds(rate).*threshold)));
    if (rates.size() > 1) text += " (" + to_text(rate) + ")";
  }
  note_calculated(scheme, key, text);
}

std::optional<double> by_link(std::optional<Bytes> all_links, std::optional<Bytes> per_gigabit, Rate link) {
  if (all_links) return static_cast<double>(*all_links);
  if (per_gigabit) return static_cast<double>(*per_gigabit) * link.gigabits();
  return std::nullopt;
}

}  // namespace

std::vector<Rate> marking_rates(const Topology& topology) {
  std::set<Rate> rates;
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.to({p}).valid() && !topology.is_host(topology.node_of({p}))) rates.insert(topology.link({p}).rate);
  return {rates.begin(), rates.end()};
}

RedThresholds EcnConfig::thresholds(Rate link) const {
  const double most = std::max<double>(static_cast<double>(capacity) / 2, 2 * static_cast<double>(packet));
  const double usual = std::min(kBytesPerGigabit * link.gigabits(), most);
  const std::optional<double> low = by_link(kmin, kmin_per_gigabit, link), high = by_link(kmax, kmax_per_gigabit, link);
  RedThresholds red;
  red.kmax = high.value_or(std::max(usual, 2 * static_cast<double>(packet)));
  red.kmin = low.value_or(std::min(std::max(usual / 4, static_cast<double>(packet)), red.kmax));
  // Who gives a Kmin above the usual Kmax wants to mark later: as far above it as usual.
  if (low && !high) red.kmax = std::max(red.kmax, 4 * red.kmin);
  return red;
}

EcnConfig read_ecn(const Section& scheme, const RunInput& run) {
  EcnConfig config;
  if (scheme.has("kmin")) config.kmin = scheme.bytes("kmin");
  if (scheme.has("kmax")) config.kmax = scheme.bytes("kmax");
  if (scheme.has("kmin_per_gbps")) config.kmin_per_gigabit = scheme.bytes("kmin_per_gbps");
  if (scheme.has("kmax_per_gbps")) config.kmax_per_gigabit = scheme.bytes("kmax_per_gbps");
  config.pmax = scheme.number("pmax");
  config.at_arrival = scheme.chooses("mark_at", "arrival");
  config.capacity = queue_capacity(run.config);
  config.packet = largest_packet(run.config);
  for (const Rate rate : marking_rates(run.topology))
    if (const RedThresholds red = config.thresholds(rate); red.kmin > red.kmax)
      scheme.refuse(scheme.has("kmax") ? "kmax" : "kmax_per_gbps",
                    "must not be below kmin: give the larger of the two as kmax");
  note_threshold(scheme, "kmin", config, run.topology, &RedThresholds::kmin);
  note_threshold(scheme, "kmax", config, run.topology, &RedThresholds::kmax);
  return config;
}

}  // namespace weir
