#include "network/fabric/identities.h"

#include <algorithm>
#include <set>

namespace weir {

namespace {

// Locally administered numbers, far apart enough for the GUIDs of a node's ports.
constexpr std::uint64_t kMadeUp = 0x0277'6569'0000'0000ull;

}  // namespace

std::vector<std::uint64_t> complete_guids(std::vector<std::uint64_t> given) {
  std::set<std::uint64_t> used(given.begin(), given.end());
  for (std::uint64_t n = 0; n < given.size(); ++n) {
    for (std::uint64_t next = kMadeUp + ((n + 1) << 8); given[n] == 0; next += std::uint64_t{1} << 32)
      if (used.insert(next).second) given[n] = next;
  }
  return given;
}

constexpr std::uint32_t kLastLid = 0xbfff;  // of one node; those behind it are multicast groups

std::vector<std::uint32_t> complete_lids(const Topology& topology) {
  std::vector<std::uint32_t> lids;
  bool complete = true;
  std::set<std::uint32_t> known;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    lids.push_back(topology.identity({n}).lid);
    complete = complete && lids.back() != 0 && lids.back() <= kLastLid && known.insert(lids.back()).second;
  }
  for (std::uint32_t n = 0; n < lids.size() && !complete; ++n) lids[n] = n + 1;
  return lids;
}

Identities::Identities(const Topology& topology)
    : topology_(topology), shift_(topology.nodes(), 0), highest_(topology.nodes(), 0) {
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) guids_.push_back(topology.identity({n}).guid);
  guids_ = complete_guids(std::move(guids_));
  // Labels count from 0 or 1, as the source had it.
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.port_label({p}) == 0) shift_[topology.node_of({p}).index] = 1;
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    std::uint32_t& highest = highest_[topology.node_of({p}).index];
    highest = std::max(highest, number({p}));
  }
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    const NodeIdentity known = topology.identity({n});
    const bool host = topology.is_host({n});
    const std::uint64_t made = host ? guids_[n] + number(topology.first_port({n})) : guids_[n];
    port_guids_.push_back(known.port_guid != 0 ? known.port_guid : made);
    if (host) by_port_guid_.emplace(port_guids_[n], NodeId{n});
    else by_guid_.emplace(guids_[n], NodeId{n});
    if (host && known.lid != 0) by_lid_.emplace(known.lid, NodeId{n});
  }
}

// Ports of a node are in the order of their labels, mostly without gaps.
PortId Identities::port(NodeId n, std::uint32_t number) const {
  std::uint32_t low = 0, high = topology_.port_count(n);
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    const PortId port = topology_.port(n, middle);
    if (this->number(port) == number) return port;
    if (this->number(port) < number) low = middle + 1;
    else high = middle;
  }
  return {};
}

}  // namespace weir
