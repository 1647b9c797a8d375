// What choices share that spread flows or packets over equally good ways. Nothing here depends on the order in which
// switches are served: what is random is a hash of the run's seed and of the packet itself, and what is remembered is
// remembered by one switch.
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

}  // namespace weir
