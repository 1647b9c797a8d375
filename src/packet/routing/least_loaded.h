// The allowed step whose link will be free first, as its queue stands now; the default one where others are as good.
#pragma once
#include <algorithm>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/routing/choice.h"

namespace weir {

class LeastLoaded : public AnyChoice {
 public:
  static constexpr RouteChoiceKind kKind{
      .spec = {.name = "live-queue", .help = "for each packet, the port with the shortest queue"}};

  explicit LeastLoaded(const ChoiceInput& in) : routes_(in.routes) {}

  template <class E>
  RouteStep step(E& e, SwitchId s, const Packet& p, RouteStep usual) {
    if (!p.is(PacketKind::data)) return usual;
    const auto load = [&](RouteStep step) {
      const Link& link = e.fabric().link(step.port());
      const std::int64_t rest = std::max<std::int64_t>(0, link.busy_until - e.clock().ps());
      const ChannelId channel = e.fabric().channel_of(step.port(), routes_.lanes().after(p.lane(), step));
      return rest + e.fabric().kind(link).serialization(e.fabric().channel(channel).queued);
    };
    RouteStep chosen = usual;
    std::int64_t best = load(chosen);
    for (const RouteStep candidate : routes_.candidates(s, p.source, p.destination, scratch_)) {
      const std::int64_t here = load(candidate);
      if (here < best) {
        best = here;
        chosen = candidate;
      }
    }
    return chosen;
  }

 private:
  const RouteTable& routes_;
  std::vector<RouteStep> scratch_;
};

WEIR_ROUTE_CHOICE(LeastLoaded)

}  // namespace weir
