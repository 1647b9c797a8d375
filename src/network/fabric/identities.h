// What every node and port of a topology is called by InfiniBand's tools: GUIDs, LIDs and the numbers that stand on the
// device. A topology that was imported keeps those of its source; where there are none, they are made up from the
// node's number, always the same way, so that what was written about a fabric can be read again later.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "network/topology.h"

namespace weir {

inline constexpr std::uint32_t kLastUnicastLid = 0xbfff;

// The given GUIDs, with a made-up one for each 0.
std::vector<std::uint64_t> complete_guids(std::vector<std::uint64_t> given);

class Identities {
 public:
  explicit Identities(const Topology& topology);

  std::uint64_t guid(NodeId n) const { return guids_[n.index]; }
  std::uint64_t port_guid(NodeId n) const { return port_guids_[n.index]; }
  // The number of a port on its device, from 1; port 0 is the switch itself.
  std::uint32_t number(PortId p) const { return topology_.port_label(p) + shift_[topology_.node_of(p).index]; }
  PortId port(NodeId n, std::uint32_t number) const;  // invalid if there is none
  std::uint32_t highest_number(NodeId n) const { return highest_[n.index]; }

  NodeId node_of_guid(std::uint64_t guid) const { return find(by_guid_, guid); }            // switches only
  HostId host_of_port_guid(std::uint64_t guid) const { return {find(by_port_guid_, guid).index}; }
  HostId host_of_lid(std::uint32_t lid) const { return {find(by_lid_, lid).index}; }
  bool has_lids() const { return !by_lid_.empty(); }

 private:
  template <class Map>
  static NodeId find(const Map& map, typename Map::key_type key) {
    const auto found = map.find(key);
    return found == map.end() ? NodeId{} : found->second;
  }

  const Topology& topology_;
  std::vector<std::uint64_t> guids_, port_guids_;  // by node
  std::vector<std::uint32_t> shift_, highest_;     // by node
  std::map<std::uint64_t, NodeId> by_guid_, by_port_guid_;
  std::map<std::uint32_t, NodeId> by_lid_;
};

}  // namespace weir
