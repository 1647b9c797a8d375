// Spreads packets over equally good ways, and draws the midpoints of detours. Nothing here depends on the order in
// which switches are served: what is random is a hash of the run's seed and of the packet itself, and what is
// remembered is remembered by one switch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "network/ecmp.h"
#include "network/route_step.h"
#include "packet/config/config.h"
#include "packet/packet.h"

namespace weir {

class Spreading {
 public:
  Spreading() = default;
  Spreading(RouteChoice choice, const FlowletConfig& flowlets, std::size_t switches, std::uint64_t seed)
      : seed_(seed), flowlets_(flowlets) {
    if (choice == RouteChoice::round_robin) next_.assign(switches, 0);
    if (choice == RouteChoice::flowlet) tables_.resize(switches);
  }

  // See network/ecmp.h.
  std::uint64_t of_flow(const Packet& p, ConnectionId flow) const {
    return ecmp_flow_word(seed_, p.source, p.destination, flow.index);
  }
  // A word for the packet, the same at every switch: no two data packets of a host are injected at the same moment.
  std::uint64_t of_packet(const Packet& p) const {
    const std::uint64_t pair = ecmp_pair_word(seed_, p.source, p.destination);
    return RandomStream(pair, Purpose::routing, static_cast<std::uint64_t>(p.injected)).next();
  }
  static RouteStep pick(std::span<const RouteStep> steps, SwitchId s, std::uint64_t word) {
    return ecmp_pick(steps, s, word);
  }

  // One after the other, whatever the destination. The default step comes first in `steps`, and differs from
  // destination to destination; turns go by port.
  RouteStep in_turn(std::span<const RouteStep> steps, SwitchId s) {
    if (steps.size() == 1) return steps[0];
    const std::uint32_t turn = next_[s.index]++ % static_cast<std::uint32_t>(steps.size());
    return nth_by_port(steps, turn);
  }

  // The way of a flow's last packet, unless it came longer ago than the gap: then a new one.
  RouteStep by_flowlet(std::span<const RouteStep> steps, SwitchId s, std::uint64_t flow, std::int64_t now) {
    if (steps.size() == 1) return steps[0];
    std::vector<Flowlet>& table = tables_[s.index];
    if (table.empty()) table.resize(flowlets_.entries);
    Flowlet& entry = table[flow % table.size()];
    if (entry.last < 0 || now - entry.last > flowlets_.gap.ps)
      entry.word = RandomStream(flow, Purpose::routing, static_cast<std::uint64_t>(now)).next();
    entry.last = now;
    return pick(steps, s, entry.word);
  }

  std::size_t bytes_of_state() const {
    std::size_t entries = 0;
    for (const auto& table : tables_) entries += table.capacity();
    return next_.capacity() * sizeof(std::uint32_t) + entries * sizeof(Flowlet);
  }

 private:
  struct Flowlet {
    std::int64_t last = -1;
    std::uint64_t word = 0;
  };
  static RouteStep nth_by_port(std::span<const RouteStep> steps, std::uint32_t n) {
    for (const RouteStep candidate : steps) {
      std::uint32_t lower = 0;
      for (const RouteStep other : steps) lower += other.port() < candidate.port();
      if (lower == n) return candidate;
    }
    return steps[0];
  }

  std::uint64_t seed_ = 0;
  FlowletConfig flowlets_;
  std::vector<std::uint32_t> next_;           // by switch: turns so far
  std::vector<std::vector<Flowlet>> tables_;  // by switch, as soon as it needs one
};

}  // namespace weir
