// The congestion settings of the subnet's switches, as the manager found them, and the way to change and restore the
// Marking_Rate of one port. It changes nothing that is not as it remembers it: somebody else may be at work.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "mad/congestion.h"
#include "manage/transport.h"
#include "network/fabric/identities.h"

namespace weir::manage {

class SwitchSettings {
 public:
  SwitchSettings(Transport& transport, const Topology& topology, std::uint64_t cc_key)
      : transport_(transport), topology_(topology), identities_(topology), key_(cc_key) {}

  // Of every switch; those that do not answer, or answer nonsense, cannot be changed.
  void read_all();
  std::size_t unknown_switches() const { return topology_.switches() - of_switch_.size(); }

  // What the port has; nothing where its switch is not known.
  std::optional<mad::SwitchPortCongestion> original(PortId port) const;
  // The same with another Marking_Rate, and with the threshold that is in effect now.
  std::optional<mad::SwitchPortCongestion> with_rate(PortId port, std::uint32_t rate) const;

  enum class Result { done, not_as_expected, no_answer };
  // From what it should be to what it shall be; read back afterwards.
  Result change(PortId port, const mad::SwitchPortCongestion& expected, const mad::SwitchPortCongestion& wanted);
  PortId port(std::uint64_t switch_guid, std::uint32_t number) const;
  std::uint64_t guid(PortId port) const { return identities_.guid(topology_.node_of(port)); }
  std::uint32_t number(PortId port) const { return identities_.number(port); }

 private:
  struct OfSwitch {
    mad::SwitchCongestion all;
    std::map<std::uint32_t, mad::SwitchPortCongestion> ports;  // by number
  };
  std::uint32_t lid(PortId port) const { return topology_.identity(topology_.node_of(port)).lid; }
  std::optional<mad::Mad> read_block(PortId port);

  Transport& transport_;
  const Topology& topology_;
  Identities identities_;
  std::uint64_t key_;
  std::map<std::uint32_t, OfSwitch> of_switch_;  // by switch
};

}  // namespace weir::manage
