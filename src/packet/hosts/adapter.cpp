#include "packet/hosts/adapter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace weir {

Adapters::Adapters(const AdapterConfig& config, std::uint32_t hosts, std::uint32_t lanes, const Workload& workload)
    : config_(config), lanes_(lanes) {
  const std::size_t rings = static_cast<std::size_t>(hosts) * lanes;
  std::size_t count = rings;
  switch (config.organisation) {
    case AdapterOrganisation::fifo: break;
    case AdapterOrganisation::shared:
    case AdapterOrganisation::per_destination: per_host_ = hosts; break;
    case AdapterOrganisation::modulo: per_host_ = std::min(config.queues, hosts); break;
    case AdapterOrganisation::per_flow:
      count = workload.flows.size() + workload.sources.size();
      of_flows_ = FlowQueues(workload, hosts);
      break;
  }
  count *= per_host_;
  constexpr std::size_t kMaxQueues = 1u << 27;
  if (count > kMaxQueues)
    throw InputError(
        fmt::format("adapters with a queue per destination would need {} queues ({} MB); at most {} are possible: "
                    "use organisation = \"modulo\" or \"fifo\"",
                    count, count * sizeof(Record) / 1000000, kMaxQueues));
  queues_ = count;
  records_.resize(std::max(count, rings));
  if (config.queue_limit != 0) queue_bytes_.resize(count);
  if (config.memory != 0) {
    used_.resize(hosts);
    overflow_.resize(hosts);
  }
}

}  // namespace weir
