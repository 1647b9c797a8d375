// SAA-M (Zdornov & Birk 2009, algorithms 4.3 and 4.4): every flow has at least its share under SAA, and what is left
// free is claimed greedily. Before a flow takes free capacity it reserves it on its whole path; if one link does not
// have it any more, the reservation is taken back and the flow waits for a random time, so that two flows that reserve
// two links in opposite order do not block each other for ever (figure 4.1). A link that carries more than it has says
// so in every probe, and its flows go back to their share of it.
//
// Capacities, rates and reservations are whole numbers: "free" and "oversubscribed" are exact. Less than 2^-40 of a
// link is not worth a packet and is not offered: it is what rounding shares down leaves behind.
#pragma once
#include <vector>

#include "base/random.h"
#include "control/rates/rate_protocol.h"

namespace weir {

struct SaaMPort {
  RateUnits capacity = 0;
  RateWeight weight = 0;
  RateUnits free = 0;      // capacity less the rates that the port was told of; negative when oversubscribed
  RateUnits reserved = 0;  // and not yet claimed

  RateUnits claimable() const { return free - reserved <= capacity >> 40 ? 0 : free - reserved; }
};
static_assert(sizeof(SaaMPort) == 32, "state of a port does not grow with the number of flows");

struct SaaMSettings {
  Time period{10'000'000};      // between probes of a flow that has found nothing to do
  Time backoff{10'000'000};     // after a failed reservation a flow waits for a time drawn uniformly from 0 to this,
  std::uint32_t doublings = 4;  // which doubles with every further failure, so many times at most
  std::uint64_t seed = 1;
};

class SaaMProtocol : public RateProtocol {
 public:
  SaaMProtocol(std::span<const RateUnits> capacity, std::span<const RatedFlow> flows, SaaMSettings settings = {});

  void place(std::uint32_t flow, const RatedFlow& what) override;
  void start(std::uint32_t flow, RateActions& out) override;
  void end(std::uint32_t flow, RateActions& out) override;
  void set_capacity(PortId port, RateUnits capacity) override;
  void at_port(PortId port, RateMessage& message) override;
  void returned(std::uint32_t flow, const RateMessage& message, RateActions& out) override;
  void timer(std::uint32_t flow, RateActions& out) override;
  std::size_t bytes_in_network() const override { return ports_.capacity() * sizeof(SaaMPort); }

  const SaaMPort& port(PortId p) const { return ports_[p.index]; }

 private:
  struct Source {
    RateUnits rate = 0;
    std::uint32_t failures = 0;  // of reservations since the last success
    bool under_way = false, ending = false;
    RandomStream draws;
  };
  void send(std::uint32_t flow, RateRequest request, RateUnits amount, bool reserved, RateActions& out);
  void change_rate(std::uint32_t flow, RateUnits by, bool reserved, RateActions& out);
  void react(std::uint32_t flow, const RateMessage& probe, RateActions& out);
  void back_off(std::uint32_t flow, RateActions& out);

  std::vector<SaaMPort> ports_;
  std::vector<RatedFlow> flows_;
  std::vector<Source> sources_;
  SaaMSettings settings_;
};

}  // namespace weir
