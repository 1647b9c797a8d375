// What the control packets of flows take of each link. A flow that asks for its rate again and again sends a packet
// there and gets one back every `period`; with many flows on a link that is more than nothing, and rates that give away
// the whole link promise what it does not have. So every port counts the flows whose first control packet has passed,
// there or back, and whose last one has not:
// - what their packets take at most is kept out of the rates;
// - where that would be more than `share` of what the rates could have, flows send more rarely: a packet learns on
//   its way the shortest time that may lie between two packets of its flow, so that all flows together keep to
//   that share.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/check.h"
#include "control/rates/rate_units.h"

namespace weir {

class ProbeBudget {
 public:
  ProbeBudget() = default;
  // `capacity`: what each port may give away without control packets.
  ProbeBudget(std::vector<RateUnits> capacity, std::uint32_t bytes, Time period, double share)
      : bits_(8.0 * bytes), period_(period.seconds()), share_(share), capacity_(std::move(capacity)),
        ports_(capacity_.size()) {}
  bool on() const { return share_ > 0; }

  void begin(std::uint32_t port) {
    ++ports_[port].flows;
    set_pace(port);
  }
  void end(std::uint32_t port) {
    WEIR_CHECK(ports_[port].flows > 0);
    --ports_[port].flows;
    set_pace(port);
  }
  // What is left for the rates of flows.
  RateUnits left(std::uint32_t port) const {
    const double taken = std::min(ports_[port].flows * bits_ / period_, most(port));
    return capacity_[port] - static_cast<RateUnits>(std::ceil(taken * (1 << kRateUnitBits)));
  }
  // Between two control packets of a flow that crosses this port.
  std::int64_t pace_ps(std::uint32_t port) const { return ports_[port].pace; }
  std::size_t bytes_of_state() const { return ports_.capacity() * sizeof(Port); }

 private:
  struct Port {
    std::int64_t pace = 0;  // every packet asks for it, and it changes with the number of flows alone
    std::uint32_t flows = 0;
  };
  double most(std::uint32_t port) const { return share_ * bits_per_second(capacity_[port]); }
  void set_pace(std::uint32_t port) {
    Port& p = ports_[port];
    p.pace = static_cast<std::int64_t>(std::ceil(p.flows * bits_ / most(port) * 1e12));
  }

  double bits_ = 0, period_ = 1, share_ = 0;
  std::vector<RateUnits> capacity_;  // by port
  std::vector<Port> ports_;
};

}  // namespace weir
