// What stands behind a served subnet: the engine of a run, or nothing that moves. The agents read counters from it.
#pragma once
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weir::live {

// Of one port, since the run began.
struct PortSample {
  std::uint64_t sent_bytes = 0, sent_packets = 0, rcv_bytes = 0, rcv_packets = 0;
  std::uint64_t discards = 0;      // packets that were to leave here and could not
  std::uint64_t relay_errors = 0;  // packets that came in here and had no way on
  std::uint64_t marked = 0;        // by the switch, of packets that left here
  std::uint64_t fecn = 0, becn = 0;
  Time waited, congested;

  PortSample operator-(const PortSample& o) const {
    return {sent_bytes - o.sent_bytes, sent_packets - o.sent_packets, rcv_bytes - o.rcv_bytes,
            rcv_packets - o.rcv_packets, discards - o.discards, relay_errors - o.relay_errors, marked - o.marked,
            fecn - o.fecn, becn - o.becn, waited - o.waited, congested - o.congested};
  }
};

inline constexpr std::uint32_t kWaitTickBytes = 128;  // PortXmitWait counts the time of so many bytes on the link
inline constexpr std::size_t kMarkEvents = 15;  // as many as a congestion log shows

// A packet that a switch has marked, or the answer to a mark that a host has got.
struct MarkEvent {
  HostId source, destination;  // of the packet that met congestion
  Lane lane;
  Time at;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual Time now() const = 0;
  virtual PortSample sample(PortId port) const = 0;
  virtual Time lane_congested(PortId port, std::uint32_t lane) const = 0;
  virtual std::uint32_t lanes() const = 0;
  virtual const char* without_arbitration() const = 0;  // why tables of arbitration do nothing; nullptr: they act
  // The last ones at this switch or host, the newest first; at most kMarkEvents.
  virtual std::vector<MarkEvent> mark_events(NodeId node) const = 0;
  virtual Time wait_tick(PortId port) const = 0;  // unit of PortXmitWait
  virtual Time congestion_tick() const = 0;       // unit of PortXmitTimeCong
};

// Nothing moves; time passes.
class IdleMachine final : public Machine {
 public:
  Time now() const override { return now_; }
  void set(Time now) { now_ = now; }
  PortSample sample(PortId) const override { return {}; }
  Time lane_congested(PortId, std::uint32_t) const override { return {}; }
  std::uint32_t lanes() const override { return 1; }
  const char* without_arbitration() const override { return "nothing moves in this fabric"; }
  std::vector<MarkEvent> mark_events(NodeId) const override { return {}; }
  Time wait_tick(PortId) const override { return {1000}; }
  Time congestion_tick() const override { return {1000}; }

 private:
  Time now_;
};

}  // namespace weir::live
