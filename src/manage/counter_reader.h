// The counters of ports, read by datagrams. PortXmitWait comes from the counters of 64 bits where the device has it
// there and the transport carries datagrams to their last byte; elsewhere from those of 32 bits, which stop at their
// maximum.
#pragma once
#include <vector>

#include "control/dcms.h"
#include "manage/transport.h"
#include "network/fabric/identities.h"

namespace weir::manage {

class CounterReader {
 public:
  // Asks all nodes how wide their counters are. One that does not answer is taken for narrow.
  CounterReader(Transport& transport, const Topology& topology);

  enum class What { traffic, traffic_and_congestion };
  struct Result {
    std::vector<PortReading> readings;  // of ports that have said anything
    std::size_t asked = 0, missing = 0;
  };
  Result read(const std::vector<PortId>& ports, What what);
  std::uint32_t number(PortId port) const { return identities_.number(port); }

 private:
  std::uint32_t lid(PortId port) const { return topology_.identity(topology_.node_of(port)).lid; }

  Transport& transport_;
  const Topology& topology_;
  Identities identities_;
  std::vector<bool> wide_;  // by node: it counts PortXmitWait in 64 bits
};

}  // namespace weir::manage
