#include "schemes/roce/ecn.h"

#include "schemes/fabric_facts.h"

namespace weir {
namespace {

constexpr double kBytesPerGigabit = 16'000;  // 400 kB at 25 Gb/s

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
  return config;
}

}  // namespace weir
