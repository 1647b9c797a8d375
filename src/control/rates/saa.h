// Distributed SAA (Zdornov & Birk 2009, algorithms 4.1 and 4.2): a port knows the weight of the flows that cross it and
// nothing else; a flow adds its weight to the ports of its path when it starts, takes it away when it ends, and reads
// the lowest share c_l / W_l on its path now and then. Its rate is that share times its weight.
//
// The reading is a probe packet, or it is piggy-backed: every data packet carries the share that the source knows and
// collects the present one, and only if the two differ does the destination tell the source.
#pragma once
#include <vector>

#include "control/rates/rate_protocol.h"

namespace weir {

struct SaaPort {
  RateUnits capacity = 0;
  RateWeight weight = 0;
};
static_assert(sizeof(SaaPort) == 16, "state of a port does not grow with the number of flows");

struct SaaSettings {
  // Between two probes of a flow, or two data packets that carry the weights; kNever: whoever sends data asks carry().
  Time period{10'000'000};
  bool piggy_backed = false;
};

class SaaProtocol : public RateProtocol {
 public:
  // `capacity`: what each port may give away.
  SaaProtocol(std::span<const RateUnits> capacity, std::span<const RatedFlow> flows, SaaSettings settings = {});

  void place(std::uint32_t flow, const RatedFlow& what) override;
  void start(std::uint32_t flow, RateActions& out) override;
  void end(std::uint32_t flow, RateActions& out) override;
  void set_capacity(PortId port, RateUnits capacity) override { ports_[port.index].capacity = capacity; }
  void at_port(PortId port, RateMessage& message) override;
  bool at_destination(std::uint32_t flow, RateMessage& message, RateActions& out) override;
  void returned(std::uint32_t flow, const RateMessage& message, RateActions& out) override;
  void timer(std::uint32_t flow, RateActions& out) override;
  bool carry(std::uint32_t flow, RateMessage& message) const override;
  std::size_t bytes_in_network() const override { return ports_.capacity() * sizeof(SaaPort); }

  const SaaPort& port(PortId p) const { return ports_[p.index]; }

 private:
  struct Source {
    Share known = Share::infinite();
    bool under_way = false, ending = false;
  };
  RateMessage message(std::uint32_t flow, RateRequest request) const;
  void send(std::uint32_t flow, RateRequest request, RateActions& out);
  void learn(std::uint32_t flow, const Share& share, RateActions& out);

  std::vector<SaaPort> ports_;
  std::vector<RatedFlow> flows_;
  std::vector<Source> sources_;
  SaaSettings settings_;
};

}  // namespace weir
