// The numbers that the engine passes around, each with a type of its own: a channel where a link is meant does not
// compile.
#pragma once
#include "base/ids.h"

namespace weir {

using LinkId = PortId;  // one direction of a cable, named by the port that sends into it
using ChannelId = Id<struct ChannelTag>;        // one lane of a link; also names the buffer at its far end
using ConnectionId = Id<struct ConnectionTag>;  // a flow, or a pair of hosts on one lane
using QueueId = Id<struct QueueTag>;            // a send queue of an adapter
using PacketSlot = Id<struct PacketSlotTag>;    // place of a packet that waits

inline constexpr ChannelId kNoChannel{};
inline constexpr ConnectionId kNoConnection{};
inline constexpr QueueId kNoQueue{};
inline constexpr PacketSlot kNoPacket{};

}  // namespace weir
