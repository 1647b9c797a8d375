// What most protocols have in common: control packets come back, and nobody speaks to neighbours or waits for time.
#include "control/rates/rate_protocol.h"

#include "base/check.h"

namespace weir {

bool RateProtocol::at_destination(std::uint32_t, RateMessage&, RateActions&) { return true; }
void RateProtocol::timer(std::uint32_t, RateActions&) { fail(__FILE__, __LINE__, "this protocol sets no timers"); }
void RateProtocol::hop(PortId, const HopMessage&, RateActions&) {
  fail(__FILE__, __LINE__, "this protocol sends nothing to neighbours");
}

void RateProtocol::set_capacity(PortId, RateUnits) {
  fail(__FILE__, __LINE__, "this protocol does not look at its links again");
}

bool RateProtocol::carry(std::uint32_t, RateMessage&) const { return false; }

}  // namespace weir
