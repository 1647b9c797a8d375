// The agents of a subnet: what nodes answer to datagrams of subnet management, performance and congestion control. Each
// turns a request that has reached its node into the answer, in place.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "live/machine.h"
#include "live/subnet.h"
#include "mad/mad.h"
#include "mad/performance.h"

namespace weir::live {

// What becomes of a request.
enum class Answer {
  reply,    // the datagram is the answer now
  silence,  // none: it was refused by a key
};

// Node, port and switch information; forwarding, partition and lane tables.
class SubnetAgent {
 public:
  explicit SubnetAgent(Subnet& subnet) : subnet_(subnet) {}
  Answer answer(NodePort at, mad::Mad& m);
  // Ports of switches whose link has changed its state since the last call: their switches send traps.
  std::vector<NodePort> take_changed_ports() { return std::exchange(changed_, {}); }

 private:
  std::uint16_t act(NodePort at, mad::Mad& m);
  std::uint16_t node_info(NodePort at, mad::Mad& m) const;
  std::uint16_t switch_info(NodePort at, mad::Mad& m);
  std::uint16_t port_info(NodePort at, mad::Mad& m);
  std::uint16_t extended_port_info(NodePort at, mad::Mad& m) const;
  std::optional<NodePort> port_named(NodePort at, const mad::Mad& m) const;
  bool carries_fdr10(const SubnetPort& port) const;
  std::uint16_t linear_table(NodePort at, mad::Mad& m);
  std::uint16_t kept_table(NodePort at, mad::Mad& m);
  void write_port(NodePort at, std::span<const std::uint8_t> wanted);
  void change_state(NodePort at, std::uint64_t state, std::uint64_t physical);

  Subnet& subnet_;
  std::vector<NodePort> changed_;
};

class PerformanceAgent {
 public:
  PerformanceAgent(const Subnet& subnet, const Machine& machine) : subnet_(subnet), machine_(machine) {}
  Answer answer(NodePort at, mad::Mad& m);
  // What a port shows at this moment, in 64 bits.
  mad::PortCounters counters(NodePort at) const;

 private:
  // Counters of 32 and of 64 bits are cleared apart; so is each attribute of congestion.
  enum Set : std::uint8_t { k32, k64, kCongestion, kMarks, kSets };
  struct Base {
    PortSample sample[kSets];
    std::uint64_t downed[kSets] = {};
  };
  mad::PortCounters show(NodePort at, Set set) const;
  mad::PortCounters sum(NodePort at, std::uint32_t selected, Set set) const;
  void clear(NodePort at, Set set, const mad::Mad& m);
  std::uint16_t act(NodePort at, mad::Mad& m);
  void lane_counters(NodePort at, std::span<std::uint8_t> data, bool time) const;

  const Subnet& subnet_;
  const Machine& machine_;
  std::map<std::uint32_t, Base> bases_;  // by port of the topology, of those that were cleared
};

class CongestionAgent {
 public:
  CongestionAgent(Subnet& subnet, const Machine& machine) : subnet_(subnet), machine_(machine) {}
  Answer answer(NodePort at, mad::Mad& m);

 private:
  std::uint16_t act(NodePort at, mad::Mad& m);
  std::uint16_t key_info(NodeCongestion& c, mad::Mad& m) const;
  std::uint16_t switch_setting(NodePort at, mad::Mad& m);
  std::uint16_t port_settings(NodePort at, mad::Mad& m);
  std::uint16_t adapter_setting(NodePort at, mad::Mad& m);
  std::uint16_t table(NodePort at, mad::Mad& m);
  std::uint16_t log(NodePort at, mad::Mad& m) const;
  void log_events(NodePort at, std::span<std::uint8_t> data) const;

  Subnet& subnet_;
  const Machine& machine_;
};

// Blocks of 64 entries that an adapter's table may have.
inline constexpr std::uint32_t kTableBlocks = 128;

}  // namespace weir::live
