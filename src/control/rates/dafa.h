// DAFA (Zdornov & Birk 2009, algorithms 4.13 and 4.14): max-min fair progress of applications. One element, the leader,
// runs AFA's loop; it speaks to all others by waves over a spanning tree that every wave builds anew ("first heard
// from", propagation of information with feedback): a message spreads from neighbour to neighbour, and an element
// answers the one it heard first when it has heard from all others. Each iteration has two waves. The first takes the
// applications that have stopped off all links and collects the lowest level c_l / W_l; the second announces that level
// and collects the applications on the links that it saturates. Whoever changes its flows tells the ports on their
// paths, waits for all answers, and sends the leader a trigger, which begins a new round.
//
// That algorithm distributes increments and sums them up; here the level itself travels, as a fraction that a port
// copied from its own state. So the link that set the step knows it by comparing the fraction with its own, and c_l = 0
// is never asked. Hosts learn the rate of an application when the first kind of wave takes it off the links, and apply
// it when the leader says that the round is done: no message carries more than a bit for each application.
#pragma once
#include <vector>

#include "control/rates/rate_protocol.h"
#include "network/topology.h"

namespace weir {

struct DafaPort {  // and an AppWeight for each application
  RateUnits capacity = 0;
  RateUnits left = 0;      // what stopped applications have not taken
  RateWeight active = 0;   // of the applications that have not stopped
  std::uint32_t round = 0;
};
static_assert(sizeof(DafaPort) == 32);

class DafaProtocol : public RateProtocol {
 public:
  // All links must go both ways; more than kMostApplications or an unconnected fabric is an InputError.
  DafaProtocol(const Topology& topology, std::span<const RateUnits> capacity, std::span<const RatedFlow> flows,
               NodeId leader, std::size_t apps = 0);  // 0 = as many as the flows name

  void place(std::uint32_t flow, const RatedFlow& what) override;
  void start(std::uint32_t flow, RateActions& out) override;
  void end(std::uint32_t flow, RateActions& out) override;
  void at_port(PortId port, RateMessage& message) override;
  void returned(std::uint32_t flow, const RateMessage& message, RateActions& out) override;
  void hop(PortId in, const HopMessage& message, RateActions& out) override;
  std::size_t bytes_in_network() const override {
    return ports_.capacity() * sizeof(DafaPort) + weights_.capacity() * sizeof(AppWeight) +
           elements_.capacity() * sizeof(Element) + to_leader_.capacity() * sizeof(PortId);
  }

  bool is_done() const { return done_; }                     // the leader knows the rates of the last trigger
  std::uint32_t iterations() const { return iterations_; }   // of AFA's loop in the present or last round
  std::uint32_t round() const { return elements_[leader_.index].round; }
  std::uint32_t hops_to_farthest() const { return farthest_; }  // h_max
  RateWeight members(PortId p, std::uint32_t app) const { return weight(p, app).members; }

 private:
  struct AppWeight {
    RateWeight members = 0;  // of all flows of the application on the link
    RateWeight active = 0;   // the same in this round, until it has stopped
  };
  struct Element {
    std::uint32_t round = 0;
    std::uint32_t step = 0;     // the wave that it has joined last, from 1; 0 = none in this round
    std::uint32_t missing = 0;  // neighbours not heard from in this wave
    PortId parent;              // first heard from; the leader has none
    HopMessage gathered;        // answers so far
  };
  struct Source {
    Share share = Share::none();  // as learned in this round; applied when the round is done
    RateUnits rate = 0;
    bool under_way = false, ending = false;
  };

  AppWeight& weight(PortId p, std::uint32_t app) { return weights_[p.index * apps_ + app]; }
  const AppWeight& weight(PortId p, std::uint32_t app) const { return weights_[p.index * apps_ + app]; }
  DafaPort& in_round(PortId p, std::uint32_t round);
  void span_tree();
  void announce(std::uint32_t flow, RateRequest request, RateActions& out);
  void begin(RateActions& out);
  void next_wave(HopKind kind, const Share& level, const AppSet& apps, RateActions& out);
  void completed(RateActions& out);
  void join(NodeId node, PortId parent, const HopMessage& wave, RateActions& out);
  void work(NodeId node, const HopMessage& wave);
  void work_on(PortId p, const HopMessage& wave, HopMessage& gathered);
  void learn(HostId host, const HopMessage& wave, RateActions& out);
  void heard(NodeId node, RateActions& out);

  const Topology& topology_;
  std::size_t apps_ = 0;
  NodeId leader_;
  std::vector<DafaPort> ports_;
  std::vector<AppWeight> weights_;   // ports x applications
  std::vector<Element> elements_;    // by node
  std::vector<PortId> to_leader_;    // by node: the way of triggers
  std::vector<RatedFlow> flows_;
  std::vector<Source> sources_;
  std::vector<std::vector<std::uint32_t>> originating_;  // by host: flows that are there
  std::vector<std::uint32_t> unanswered_;                // by application: announcements under way
  std::uint32_t iterations_ = 0, farthest_ = 0;
  bool done_ = true;
  Share level_ = Share::none();  // the leader's, of this iteration
};

}  // namespace weir
