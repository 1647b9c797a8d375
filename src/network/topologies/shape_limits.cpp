// Refuses shapes that cannot be built, before anything is allocated for them.
#include <string>

#include "network/topologies/topologies.h"

namespace weir {

std::uint32_t checked_power(std::uint32_t k, std::uint32_t n, double ports_per_host, const char* what) {
  const std::string name = std::string("a ") + what;
  if (k < 2) throw InputError(name + " needs k of at least 2, not " + std::to_string(k));
  if (n < 1) throw InputError(name + " needs n of at least 1, not " + std::to_string(n));
  const std::string shape = name + " with k = " + std::to_string(k) + " and n = " + std::to_string(n);
  std::uint64_t hosts = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    hosts *= k;
    if (hosts > kMostHosts)
      throw InputError(shape + " has more than " + std::to_string(kMostHosts) + " hosts, the most that weir builds");
  }
  if (static_cast<double>(hosts) * ports_per_host > static_cast<double>(kMostPorts))
    throw InputError(shape + " has more than " + std::to_string(kMostPorts) + " ports, the most that weir builds");
  return static_cast<std::uint32_t>(hosts);
}

}  // namespace weir
