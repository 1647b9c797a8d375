// Names of nodes and ports for narrow tables. Parts that the names of all switches begin or end with are left out
// ("MF0;ib7:SX6036/U1:12" becomes "ib7:12"); what distinguishes them stays, and so does the number of the port.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "network/topology.h"

namespace weir {

// The port that is called so, by its full name or by its short one; invalid if there is none, or more than one.
PortId port_called(const Topology& topology, std::string_view name);

class ShortNames {
 public:
  explicit ShortNames(const Topology& topology);
  std::string node(NodeId n) const;
  std::string port(PortId p) const;
  std::string link(PortId p) const;  // "ib7:12 -> tank1"

 private:
  const Topology& topology_;
  std::size_t head_ = 0, tail_ = 0;  // characters of every switch's name that are left out
  std::vector<bool> no_model_;       // by switch: what stands before the last colon is enough, as in "ib7:SX6036/U1"
};

}  // namespace weir
