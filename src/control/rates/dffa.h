// DFFA (Zdornov & Birk 2009, algorithms 4.8 to 4.11): weighted max-min fair rates of independent flows, found by the
// flows themselves. A port keeps the share that each of its flows may claim; a flow claims the lowest share on its
// path. Once all flows that are active on a link have claimed its share, the link is saturated; its flows become
// inactive and leave what they cannot use to the others, so that shares elsewhere grow. Any start or end of a flow
// begins a new round, which a broadcast spreads; a flow takes part in a round when every switch of its path has reached
// it.
//
// That algorithm asks whether the free capacity c_l is zero. Here a port counts the weight of the flows that have
// claimed its present share: c_l is zero exactly when that is all the active weight (lemma 4.2.5), and counting needs
// no equality of calculated numbers. The count is right because (1) shares of a link only grow within a round, and by
// more than rounding when they do; (2) a flow raises its share only by more than rounding, and says so; (3) a flow's
// share never lies above that of its links. Hence a flow that says it has risen to the link's share was not counted
// before, and a flow that leaves at the link's share was.
#pragma once
#include <vector>

#include "control/rates/rate_protocol.h"
#include "network/topology.h"

namespace weir {

struct DffaPort {
  RateUnits capacity = 0;
  RateUnits left = 0;       // what inactive flows have not taken
  RateWeight members = 0;   // of all flows on the link
  RateWeight active = 0;    // of those that are active in this round
  RateWeight claimed = 0;   // of those that have claimed the present share
  Share share = Share::infinite();
  std::uint32_t round = 0;  // to which all but capacity and members belong
};
static_assert(sizeof(DffaPort) == 64, "state of a port does not grow with the number of flows");

struct DffaElement {  // a switch or a host
  std::uint32_t round = 0;
  std::uint32_t forwarded = 0;  // the last round that it has passed on
};
static_assert(sizeof(DffaElement) == 8, "nor does that of a switch");

class DffaProtocol : public RateProtocol {
 public:
  DffaProtocol(const Topology& topology, std::span<const RateUnits> capacity, std::span<const RatedFlow> flows);

  void place(std::uint32_t flow, const RatedFlow& what) override;
  void start(std::uint32_t flow, RateActions& out) override;
  void end(std::uint32_t flow, RateActions& out) override;
  void at_port(PortId port, RateMessage& message) override;
  bool at_destination(std::uint32_t flow, RateMessage& message, RateActions& out) override;
  void returned(std::uint32_t flow, const RateMessage& message, RateActions& out) override;
  void hop(PortId in, const HopMessage& message, RateActions& out) override;
  std::size_t bytes_in_network() const override {
    return ports_.capacity() * sizeof(DffaPort) + elements_.capacity() * sizeof(DffaElement);
  }

  const DffaPort& port(PortId p) const { return ports_[p.index]; }
  std::uint32_t round(NodeId n) const { return elements_[n.index].round; }
  bool is_settled(std::uint32_t flow) const { return sources_[flow].state == State::settled; }

 private:
  enum class State : std::uint8_t {
    absent,    // not started, or ended
    joining,   // its announcement is under way
    waiting,   // for all switches of its path to be in the round of its host
    claiming,  // in the loop
    leaving,   // tells its links that it is inactive
    settled,
  };
  struct Source {
    Share share = Share::none();
    State state = State::absent;
    bool under_way = false, ending = false;
  };

  DffaPort& in_round(PortId p, std::uint32_t round);
  void begin_round(NodeId host, std::uint32_t round, RateActions& out);
  void announce(std::uint32_t flow, RateRequest request, RateActions& out);
  void wait(std::uint32_t flow, RateActions& out);
  void send(std::uint32_t flow, RateRequest request, bool raised, RateActions& out);
  void claim(std::uint32_t flow, const RateMessage& answer, RateActions& out);
  void flood(NodeId from, PortId except, std::uint32_t round, RateActions& out);

  const Topology& topology_;
  std::vector<DffaPort> ports_;
  std::vector<DffaElement> elements_;                 // by node
  std::vector<RatedFlow> flows_;
  std::vector<Source> sources_;
  std::vector<std::vector<std::uint32_t>> originating_;  // by host: flows that are there and do not end
};

}  // namespace weir
