// What routing choices share. A choice is a type in a file of its own, made from a ChoiceInput, with
//   step(e, switch, packet, usual)     the step that a packet takes; `usual`: the default one
//   relayed(), made(), drained()       where kListens: a notification passes a switch, or is made there; the queue of a
//                                      port has shrunk
//   kReorders                          may packets of a flow overtake each other?
//   bytes_of_state()
// and one entry of the list in routing_choice.h.
#pragma once
#include <cstddef>
#include <cstdint>

#include "network/network.h"
#include "packet/config/config.h"
#include "packet/packet.h"
#include "packet/routing/notification.h"

namespace weir {

struct ChoiceInput {
  const SwitchConfig& config;
  const Topology& topology;
  const RouteTable& routes;
  std::uint64_t seed;
};

class AnyChoice {
 public:
  static constexpr bool kReorders = true, kListens = false;
  void relayed(LinkId, const Packet&, std::int64_t) {}
  void made(const Notification&, std::int64_t) {}
  void drained(PortId, std::uint32_t) {}
  std::size_t bytes_of_state() const { return 0; }
};

// The default step, always.
class FixedChoice : public AnyChoice {
 public:
  static constexpr bool kReorders = false;
  explicit FixedChoice(const ChoiceInput&) {}
  template <class E> RouteStep step(E&, SwitchId, const Packet&, RouteStep usual) { return usual; }
};

// The route that was set up for the packet's flow (route_setup.h).
class SetUpChoice : public AnyChoice {
 public:
  explicit SetUpChoice(const ChoiceInput&) {}
  template <class E> RouteStep step(E& e, SwitchId s, Packet& p, RouteStep usual) {
    return e.setup.route(e, s, p, usual);
  }
};

}  // namespace weir
