// What happens besides packets that land, and in which order at one instant.
#pragma once
#include <cstdint>

namespace weir {

// What happens. The order matters: at one instant, packets land and resources come free before anything new is made,
// and arbitration (which is no event, see engine.h) comes last.
enum class EventKind : std::uint8_t {
  arrival,        // entity: channel; a packet lands
  crossing,       // entity: channel; a packet reaches the output buffer of a buffered crossbar
  packet_ready,   // entity: channel it came by; a held packet may go on
  pause_frame,    // entity: link; a PAUSE frame may start onto it, before any packet
  link_free,      // entity: link; aux not 0: express lanes alone
  crossbar_free,  // entity: channel (of the input side); aux: that of the output side, or kSpaceCame
  credit,         // entity: channel, aux: how much; released space becomes known to the sender
  pause,          // entity: channel; a stop or go reaches the sender, aux = kStop or kGo
  generate,       // entity: source, aux: its host
  flow_start,     // entity: flow
  queue_wake,     // entity: send queue; its gate may be open now
  global_timer,   // of a scheme, which chooses entity and aux
  timer,          // of a scheme; entity: node, aux: number
  setup_timer,    // entity: connection; has it been idle? (flow set-up)
  tick,           // periodic measurement
};

// Within an instant, landing packets cause stops before leaving ones cause goes; they take effect in the same order.
inline constexpr std::uint32_t kStop = 0, kGo = 1;
inline constexpr std::uint32_t kMeasureTick = 0, kWatchTick = 1;

struct TimedEvent {
  std::int64_t time = 0;
  std::uint32_t key = 0;  // kind in the top four bits, entity below
  std::uint32_t aux = 0;  // what the kind needs beside its entity

  static constexpr std::uint32_t kEntityBits = 28;
  static constexpr std::uint32_t pack(EventKind kind, std::uint32_t entity) {
    return (static_cast<std::uint32_t>(kind) << kEntityBits) | entity;
  }
  EventKind kind() const { return static_cast<EventKind>(key >> kEntityBits); }
  std::uint32_t entity() const { return key & ((1u << kEntityBits) - 1); }
};

}  // namespace weir
