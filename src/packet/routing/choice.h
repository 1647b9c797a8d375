// What routing choices share. A choice is a type in a file of its own, made from a ChoiceInput, with
//   step(e, switch, packet, usual)     the step that a packet takes; `usual`: the default one
//   relayed(), made(), drained()       where it listens: a notification passes a switch, or is made there; the queue of
//                                      a port has shrunk
//   bytes_of_state()
//   kKind                              its record (route_choice_kind.h)
// and one line in route_choices.h. Its header ends with WEIR_ROUTE_CHOICE and the type.
#pragma once
#include <cstddef>
#include <cstdint>

#include "network/network.h"
#include "packet/config/config.h"
#include "packet/packet.h"
#include "packet/routing/notification.h"
#include "packet/routing/route_choice_kind.h"

namespace weir {

struct ChoiceInput {
  const SwitchConfig& config;
  const Topology& topology;
  const RouteTable& routes;
  std::uint64_t seed;
};

class AnyChoice {
 public:
  void relayed(LinkId, const Packet&, std::int64_t) {}
  void made(const Notification&, std::int64_t) {}
  void drained(PortId, std::uint32_t) {}
  std::size_t bytes_of_state() const { return 0; }
};

}  // namespace weir
