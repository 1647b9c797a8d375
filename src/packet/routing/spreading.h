// Choices that spread flows or packets over equally good ways. Nothing here depends on the order in which switches are
// served: what is random is a hash of the run's seed and of the packet itself, and what is remembered is remembered by
// one switch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "network/ecmp.h"
#include "packet/clock/clock.h"
#include "packet/routing/choice.h"

namespace weir {

// A word for the packet, the same at every switch: no two data packets of a host are injected at the same moment.
inline std::uint64_t packet_word(std::uint64_t seed, const Packet& p) {
  const std::uint64_t pair = ecmp_pair_word(seed, p.source, p.destination);
  return RandomStream(pair, Purpose::routing, static_cast<std::uint64_t>(p.injected)).next();
}

// What they share: only data is spread.
template <class Own>
class SpreadingChoice : public AnyChoice {
 public:
  explicit SpreadingChoice(const ChoiceInput& in) : routes_(in.routes), seed_(in.seed) {}

  template <class E>
  RouteStep step(E& e, SwitchId s, const Packet& p, RouteStep usual) {
    if (!p.is(PacketKind::data)) return usual;
    return static_cast<Own&>(*this).pick(e, s, p, routes_.candidates(s, p.source, p.destination, scratch_));
  }

 protected:
  // See network/ecmp.h.
  template <class E>
  std::uint64_t flow_word(E& e, const Packet& p) const {
    return ecmp_flow_word(seed_, p.source, p.destination, e.connections().hashed_as(p.connection));
  }
  std::uint64_t seed() const { return seed_; }

 private:
  const RouteTable& routes_;
  std::uint64_t seed_;
  std::vector<RouteStep> scratch_;
};

class Ecmp : public SpreadingChoice<Ecmp> {
 public:
  static constexpr bool kReorders = false;
  using SpreadingChoice::SpreadingChoice;
  template <class E> RouteStep pick(E& e, SwitchId s, const Packet& p, std::span<const RouteStep> steps) {
    return ecmp_pick(steps, s, flow_word(e, p));
  }
};

class Spray : public SpreadingChoice<Spray> {
 public:
  using SpreadingChoice::SpreadingChoice;
  template <class E> RouteStep pick(E&, SwitchId s, const Packet& p, std::span<const RouteStep> steps) {
    return ecmp_pick(steps, s, packet_word(seed(), p));
  }
};

// One after the other, whatever the destination. The default step comes first in `steps`, and differs from destination
// to destination; turns go by port.
class InTurn : public SpreadingChoice<InTurn> {
 public:
  explicit InTurn(const ChoiceInput& in) : SpreadingChoice(in), next_(in.topology.switches(), 0) {}
  template <class E> RouteStep pick(E&, SwitchId s, const Packet&, std::span<const RouteStep> steps) {
    if (steps.size() == 1) return steps[0];
    return nth_by_port(steps, next_[s.index]++ % static_cast<std::uint32_t>(steps.size()));
  }
  std::size_t bytes_of_state() const { return next_.capacity() * sizeof(std::uint32_t); }

 private:
  static RouteStep nth_by_port(std::span<const RouteStep> steps, std::uint32_t n) {
    for (const RouteStep candidate : steps) {
      std::uint32_t lower = 0;
      for (const RouteStep other : steps) lower += other.port() < candidate.port();
      if (lower == n) return candidate;
    }
    return steps[0];
  }

  std::vector<std::uint32_t> next_;  // by switch: turns so far
};

// The way of a flow's last packet, unless it came longer ago than the gap: then a new one.
class Flowlets : public SpreadingChoice<Flowlets> {
 public:
  explicit Flowlets(const ChoiceInput& in)
      : SpreadingChoice(in), config_(in.config.flowlets), tables_(in.topology.switches()) {}
  template <class E> RouteStep pick(E& e, SwitchId s, const Packet& p, std::span<const RouteStep> steps) {
    if (steps.size() == 1) return steps[0];
    const std::uint64_t flow = flow_word(e, p);
    const std::int64_t now = e.clock().ps();
    std::vector<Flowlet>& table = tables_[s.index];
    if (table.empty()) table.resize(config_.entries);
    Flowlet& entry = table[flow % table.size()];
    if (entry.last < 0 || now - entry.last > config_.gap.ps)
      entry.word = RandomStream(flow, Purpose::routing, static_cast<std::uint64_t>(now)).next();
    entry.last = now;
    return ecmp_pick(steps, s, entry.word);
  }
  std::size_t bytes_of_state() const {
    std::size_t entries = 0;
    for (const auto& table : tables_) entries += table.capacity();
    return entries * sizeof(Flowlet);
  }

 private:
  struct Flowlet {
    std::int64_t last = -1;
    std::uint64_t word = 0;
  };

  FlowletConfig config_;
  std::vector<std::vector<Flowlet>> tables_;  // by switch, as soon as it needs one
};

}  // namespace weir
