// The congestion settings of the subnet's switches, as the manager knows them, and the way to change and restore the
// Marking_Rate of one port. Ports are written in blocks of 32, so a wrong answer about one of them could spoil the
// others. Therefore every setting is asked for three times, and a block that is not as it is remembered is only noted:
// nothing is written before it has been seen again. Somebody else may be at work, or an answer was not true.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mad/congestion.h"
#include "manage/transport.h"
#include "network/fabric/identities.h"

namespace weir::manage {

class SwitchSettings {
 public:
  SwitchSettings(Transport& transport, const Topology& topology, std::uint64_t cc_key)
      : transport_(transport), topology_(topology), identities_(topology), key_(cc_key) {}

  // Of every switch, again and again; those that do not answer, or answer nonsense, cannot be changed.
  void read_all();
  std::size_t unknown_switches() const { return topology_.switches() - of_switch_.size(); }

  // What the port has; nothing where its switch is not known.
  std::optional<mad::SwitchPortCongestion> known(PortId port) const;
  // The Marking_Rate that is in effect: that of the port, or that of its switch. Nothing where it marks no packet, and
  // where its switch is not known.
  std::optional<std::uint32_t> rate(PortId port) const;
  // What is known, with another Marking_Rate, and with the threshold that is in effect now.
  std::optional<mad::SwitchPortCongestion> with_rate(PortId port, std::uint32_t rate) const;

  // Switches that mark nothing: no threshold at the switch, nor at a port of its own.
  std::size_t switches_without_marking() const;

  enum class Result {
    done,
    not_as_expected,  // it is neither what it should be nor what it shall be
    not_tried,        // no answer, or the block is not as it is remembered: it may be another time
    unclear,          // it was sent; what came of it is not known
  };
  // From what it should be to what it shall be; read back afterwards.
  Result change(PortId port, const mad::SwitchPortCongestion& expected, const mad::SwitchPortCongestion& wanted);

  // A setting that is not as it was last seen or written.
  struct Change {
    SwitchId at;
    std::optional<std::uint32_t> port;  // nothing: the setting of the switch itself (0x14)
    mad::SwitchPortCongestion before, now;
  };
  // Those that were seen since the last call.
  std::vector<Change> take_changes() { return std::exchange(changes_, {}); }

  PortId port(SwitchId at, std::uint32_t number) const { return identities_.port(topology_.node(at), number); }
  PortId port(std::uint64_t switch_guid, std::uint32_t number) const;
  std::uint64_t guid(PortId port) const { return identities_.guid(topology_.node_of(port)); }
  std::uint32_t number(PortId port) const { return identities_.number(port); }

 private:
  struct OfSwitch {
    mad::SwitchCongestion all;
    std::map<std::uint32_t, mad::SwitchPortCongestion> ports;  // by number, as last seen or written
    friend bool operator==(const OfSwitch&, const OfSwitch&) = default;
  };
  std::uint32_t lid(PortId port) const { return topology_.identity(topology_.node_of(port)).lid; }
  void read(const std::vector<SwitchId>& switches);
  void remember(SwitchId at, OfSwitch seen);
  std::vector<Reply> read_surely(const std::vector<Request>& requests);
  // The switch's setting and the port's block: true if both can be had and are as remembered. Otherwise they are
  // remembered from now on.
  bool is_as_remembered(PortId port);
  Request write_request(PortId port, const mad::SwitchPortCongestion& wanted) const;

  Transport& transport_;
  const Topology& topology_;
  Identities identities_;
  std::uint64_t key_;
  std::map<std::uint32_t, OfSwitch> of_switch_;  // by switch
  std::vector<Change> changes_;
};

}  // namespace weir::manage
