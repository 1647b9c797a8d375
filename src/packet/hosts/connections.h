// Connections: what keeps its packets in order. A flow of the workload is one; of the packets that sources draw at
// random, each pair of hosts is one per lane, since packets of one pair on different lanes overtake each other. Pairs
// are numbered behind the flows, and only where somebody needs them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "packet/ids.h"
#include "traffic/workload.h"

namespace weir {

// Most pairs of hosts for which state per pair is kept.
inline constexpr std::size_t kMaxPairs = std::size_t{1} << 26;

// Pairs of hosts on each lane that sources of this workload use; none where it has only flows.
inline std::size_t pairs_of(const Workload& workload, std::size_t hosts) {
  std::size_t lanes = 0;
  for (const Source& source : workload.sources)
    lanes = std::max<std::size_t>(lanes, workload.groups[source.group].lane + 1u);
  return lanes * hosts * hosts;
}

// For schemes that keep state for every pair.
inline void check_pairs(const Workload& workload, std::size_t hosts) {
  const std::size_t pairs = pairs_of(workload, hosts);
  if (pairs > kMaxPairs)
    throw InputError("this scheme keeps state for every pair of hosts; " + std::to_string(hosts) + " hosts make " +
                     std::to_string(pairs) + " pairs, at most " + std::to_string(kMaxPairs) + " are possible");
}

class Connections {
 public:
  enum class Need { none, if_small, wanted, required };  // of numbers for pairs

  Connections(const Workload& workload, std::size_t hosts, Need need)
      : workload_(workload), flows_(static_cast<std::uint32_t>(workload.flows.size())), hosts_(hosts) {
    if (need == Need::required) check_pairs(workload, hosts);
    const std::size_t pairs = pairs_of(workload, hosts);
    const std::size_t most = need == Need::none ? 0 : need == Need::if_small ? std::size_t{1} << 20 : kMaxPairs;
    has_pairs_ = pairs > 0 && pairs <= most;
    count_ = flows_ + (has_pairs_ ? pairs : 0);
    if (has_pairs_ || flows_ > 0) sent_.assign(count_, 0);
    for (std::uint32_t f = 0; f < flows_ && !some_hashed_alike_; ++f)
      some_hashed_alike_ = workload.flows[FlowId{f}].hashed_as.valid();
  }

  std::size_t count() const { return count_; }
  std::size_t hosts() const { return hosts_; }
  bool has_pairs() const { return has_pairs_; }
  bool is_flow(ConnectionId c) const { return c.index < flows_; }
  ConnectionId of_pair(HostId source, HostId destination, Lane lane) const {
    const std::size_t pair = (lane.index * hosts_ + source.index) * hosts_ + destination.index;
    return has_pairs_ && flows_ + pair < count() ? ConnectionId{static_cast<std::uint32_t>(flows_ + pair)}
                                                 : kNoConnection;
  }
  // The number of a connection among the pairs, and the hosts and the lane that it stands for.
  std::size_t pair_index(ConnectionId c) const { return c.index - flows_; }
  std::pair<HostId, HostId> pair(ConnectionId c) const {
    const std::size_t i = pair_index(c) % (hosts_ * hosts_);
    return {{static_cast<std::uint32_t>(i / hosts_)}, {static_cast<std::uint32_t>(i % hosts_)}};
  }
  HostId source(ConnectionId c) const {
    return is_flow(c) ? workload_.flows[FlowId{c.index}].source : pair(c).first;
  }
  Lane lane(ConnectionId c) const {
    if (is_flow(c)) return {workload_.flows[FlowId{c.index}].lane};
    return {static_cast<std::uint32_t>(pair_index(c) / (hosts_ * hosts_))};
  }
  double weight(ConnectionId c) const { return is_flow(c) ? workload_.flows[FlowId{c.index}].weight : 1.0; }

  // What ECMP takes the connection for: its flow or another one, and no flow if it is a pair.
  std::uint32_t hashed_as(ConnectionId c) const {
    if (!c.valid() || !is_flow(c)) return kNoConnection.index;
    const FlowId other = some_hashed_alike_ ? workload_.flows[FlowId{c.index}].hashed_as : FlowId{};
    return other.valid() ? other.index : c.index;
  }

  // Packets are numbered as they are injected.
  bool numbers() const { return !sent_.empty(); }
  std::uint32_t next_number(ConnectionId c) { return sent_[c.index]++; }
  std::uint32_t sent(ConnectionId c) const { return sent_[c.index]; }
  [[gnu::always_inline]] void fetch(ConnectionId c) const {  // it will be used soon
    if (numbers()) __builtin_prefetch(&sent_[c.index], 1);
  }
  std::size_t bytes_of_state() const { return sent_.capacity() * sizeof(std::uint32_t); }

 private:
  const Workload& workload_;
  std::uint32_t flows_;
  std::size_t hosts_, count_ = 0;
  bool has_pairs_ = false, some_hashed_alike_ = false;
  std::vector<std::uint32_t> sent_;
};

}  // namespace weir
