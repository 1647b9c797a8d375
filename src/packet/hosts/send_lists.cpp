#include "packet/hosts/send_lists.h"

#include <algorithm>
#include <limits>
#include <new>

namespace weir {
namespace {

constexpr std::uint32_t kMostReplayed = 32;  // sources of a host

std::uint32_t most_sizes(const Workload& workload) {
  std::size_t most = 1;
  for (const SourceGroup& group : workload.groups) most = std::max(most, group.sizes.size());
  return static_cast<std::uint32_t>(most);
}

std::uint32_t most_sources(const Workload& workload, std::size_t hosts) {
  const std::vector<std::uint32_t> first = first_sources(workload, hosts);
  std::uint32_t most = 0;
  for (std::size_t h = 0; h < hosts; ++h) most = std::max(most, first[h + 1] - first[h]);
  return most;
}

}  // namespace

std::vector<std::uint32_t> first_sources(const Workload& workload, std::size_t hosts) {
  std::vector<std::uint32_t> first(hosts + 1, 0);
  for (const Source& source : workload.sources) ++first[source.host.index + 1];
  for (std::size_t h = 0; h < hosts; ++h) first[h + 1] += first[h];
  return first;
}

Kept kept_of_waiting(const PacketConfig& config, const Workload& workload, std::size_t hosts) {
  const AdapterConfig& adapter = config.adapter;
  if (adapter.memory != 0 || config.switches.choice->sets_up) return Kept::record;
  const bool own_queue = adapter.organisation == AdapterOrganisation::per_flow;
  const bool replays = own_queue || adapter.organisation == AdapterOrganisation::fifo;
  const double sources = most_sources(workload, hosts);
  if (replays && adapter.queue_limit == 0 && (own_queue || sources <= kMostReplayed)) return Kept::nothing;
  const double numbers = sources * most_sizes(workload) * static_cast<double>(hosts);
  return numbers <= std::numeric_limits<std::uint32_t>::max() ? Kept::note : Kept::record;
}

double bytes_of_waiting(Kept kept) {
  switch (kept) {
    case Kept::nothing: return 0;
    case Kept::note: return 16;
    case Kept::record: return sizeof(Packet) + 3 * sizeof(PacketSlot);  // a table that grows by doubling
  }
  return 0;
}

SendLists::SendLists(const PacketConfig& config, const Workload& workload, std::size_t hosts, std::uint32_t whole)
    : workload_(workload),
      kept_(kept_of_waiting(config, workload, hosts)),
      own_queues_(config.adapter.organisation == AdapterOrganisation::per_flow),
      whole_(whole),
      hosts_(static_cast<std::uint32_t>(hosts)),
      sizes_(most_sizes(workload)),
      first_(first_sources(workload, hosts)) {
  if (workload.sources.empty()) kept_ = Kept::record;
  if (kept_ != Kept::nothing) return;
  const std::size_t shared = hosts * config.switches.lanes;
  replay_ = Replay(workload, hosts, own_queues_ ? workload.flows.size() + workload.sources.size() : shared);
}

PacketSlot SendLists::another_place() {
  if (places_ == kNoteBit - 1) throw std::bad_alloc();
  if ((places_ & kBlockMask) == 0) blocks_.emplace_back(1u << kBlockBits);
  return {kNoteBit | places_++};
}

std::uint32_t SendLists::code_of(const Birth& birth) const {
  const Source& source = workload_.sources[birth.source];
  const std::vector<SizeShare>& sizes = workload_.groups[source.group].sizes;
  const auto size = std::find_if(sizes.begin(), sizes.end(),
                                 [&](const SizeShare& s) { return s.payload == birth.draw.payload; });
  const std::uint32_t rank = birth.source - first_[source.host.index];
  return (rank * sizes_ + static_cast<std::uint32_t>(size - sizes.begin())) * hosts_ + birth.draw.destination.index;
}

Birth SendLists::birth_of(const Note& n, HostId host) const {
  const std::uint32_t made = n.word / hosts_, source = first_[host.index] + made / sizes_;
  const Bytes payload = workload_.groups[workload_.sources[source].group].sizes[made % sizes_].payload;
  return {source, host, {n.time}, {{n.word % hosts_}, payload}};
}

}  // namespace weir
