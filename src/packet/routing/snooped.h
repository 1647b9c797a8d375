// The first allowed step that notifications have not called congested (snooping.h).
#pragma once
#include <vector>

#include "packet/clock/clock.h"
#include "packet/routing/choice.h"
#include "packet/routing/snooping.h"

namespace weir {

class SnoopedChoice : public AnyChoice {
 public:
  static const RouteChoiceKind kKind;

  explicit SnoopedChoice(const ChoiceInput& in)
      : topology_(in.topology),
        routes_(in.routes),
        tables_(in.config.choice.values<SnoopConfig>(), in.topology, in.seed) {}

  template <class E>
  RouteStep step(E& e, SwitchId s, const Packet& p, RouteStep) {
    const auto candidates = routes_.candidates(s, p.source, p.destination, scratch_);
    return p.is(PacketKind::notification) ? tables_.choose_return(s, candidates)
                                          : tables_.choose(candidates, p.destination, e.clock().ps());
  }
  void relayed(LinkId by, const Packet& p, std::int64_t now) {
    if (p.is(PacketKind::notification)) tables_.update(topology_.to(by), p.cargo<Notification>(), false, now);
  }
  void made(const Notification& n, std::int64_t now) { tables_.update(n.origin, n, true, now); }
  void drained(PortId port, std::uint32_t queued) { tables_.drained(port, queued); }
  std::size_t bytes_of_state() const { return tables_.bytes_of_state(); }

 private:
  const Topology& topology_;
  const RouteTable& routes_;
  SnoopingTables tables_;
  std::vector<RouteStep> scratch_;
};

WEIR_ROUTE_CHOICE(SnoopedChoice)

}  // namespace weir
