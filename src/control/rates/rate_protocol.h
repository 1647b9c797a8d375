// Distributed rate calculation (Zdornov & Birk 2009, chapter 4) as state machines: a message comes in, messages go out.
// The machines know flows, ports and hosts by number; they know nothing of paths, links, delays or clocks. Whoever
// carries the messages (control_network.h, or the packet engine) promises four things: a control packet of a flow
// visits the output ports of the flow's path in order and then, if the destination says so, comes back to the source; a
// port handles one packet at a time; nothing is lost; a flow has one control packet under way. Packets of different
// flows may overtake each other.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "control/rates/rate_units.h"

namespace weir {

inline constexpr std::uint32_t kMostApplications = 128;  // of DAFA: an element keeps a bit and two weights for each

class AppSet {
 public:
  void insert(std::uint32_t app) { words_[app / 64] |= 1ull << (app % 64); }
  bool contains(std::uint32_t app) const { return (words_[app / 64] >> (app % 64) & 1) != 0; }
  bool empty() const { return (words_[0] | words_[1]) == 0; }
  void add(const AppSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  template <class Visit> void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t w = words_[i]; w != 0; w &= w - 1)
        visit(static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(w)));
  }

 private:
  std::array<std::uint64_t, kMostApplications / 64> words_{};
};

enum class RateRequest : std::uint8_t {
  start,        // the flow joins the links of its path
  end,          // it leaves them
  probe,        // reads and changes nothing
  carried,      // SAA: a data packet with the two weights
  update,       // SAA-M: the rate changes by `amount`; DFFA: the share is now `mark`
  reserve,      // SAA-M: asks for `amount`
  cancel,       // SAA-M: gives a reservation back
  inactive,     // DFFA: the flow stays at `mark`, the rest of its links may go on
};

// What a control packet carries. Its size is fixed: nothing in it grows with the path or with the number of flows.
struct RateMessage {
  RateRequest request = RateRequest::probe;
  bool ok = true;  // reserve: all links had it; update of DFFA: no link is saturated; probe of DFFA: none is behind
  bool stale = false;     // DFFA: an element on the way is in a later round
  bool flagged = false;   // update of DFFA: the share has grown since the last one; of SAA-M: `amount` was reserved
  std::uint16_t app = 0;  // DAFA
  std::uint32_t round = 0;
  RateWeight weight = 0;  // of the flow
  Share least = Share::infinite();  // collected: the lowest share on the way
  Share mark = Share::infinite();   // DFFA: the flow's own share; SAA-M: collected, the lowest of oversubscribed links;
                                    // SAA's data packets: the share that the source knows
  RateUnits amount = 0;             // SAA-M: a difference in rate; probe: collected, what is free all the way
};
static_assert(sizeof(RateMessage) == 64, "a control packet has a fixed size");

// A message between neighbours, over one link.
enum class HopKind : std::uint8_t { round, trigger, collect_rates, set_rate, done, rates_answer, set_answer };
struct HopMessage {
  HopKind kind = HopKind::round;
  std::uint32_t round = 0, step = 0;
  Share level = Share::infinite();
  AppSet apps;
};
static_assert(sizeof(HopMessage) == 48, "so has a message between neighbours");

struct RatedFlow {
  HostId source, destination;
  RateWeight weight = 1;
  std::uint32_t app = 0;
  std::optional<std::uint64_t> stream = {};  // of what it draws at random; without one: the flow's number, going on
};

// What a machine wants done; the carrier empties it after every call.
struct RateActions {
  struct Send {
    std::uint32_t flow;
    RateMessage message;
  };
  struct Hop {
    PortId out;
    HopMessage message;
  };
  struct Timer {
    std::uint32_t flow;
    Time after;
  };
  struct NewRate {
    std::uint32_t flow;
    RateUnits rate;
  };
  std::vector<Send> sends;
  std::vector<Hop> hops;
  std::vector<Timer> timers;          // one pending timer for each flow at most
  std::vector<NewRate> rates;
  std::vector<std::uint32_t> begun;   // DFFA: flows that enter the loop of a round
  std::vector<std::uint32_t> gone;    // flows that have ended and that no link knows any more
  void clear() {
    sends.clear(), hops.clear(), timers.clear(), rates.clear(), begun.clear(), gone.clear();
  }
};

class RateProtocol {
 public:
  virtual ~RateProtocol() = default;

  // What the flow with this number is. A number may be used again when its flow is gone.
  virtual void place(std::uint32_t flow, const RatedFlow& what) = 0;
  virtual void start(std::uint32_t flow, RateActions& out) = 0;
  virtual void end(std::uint32_t flow, RateActions& out) = 0;
  // What a port may give away from now on; for protocols that ask again and again.
  virtual void set_capacity(PortId port, RateUnits capacity);
  // A control packet on its way out is handled by the port that will send it on; the first one is the source's own.
  virtual void at_port(PortId port, RateMessage& message) = 0;
  // It has reached the destination: does it go back?
  virtual bool at_destination(std::uint32_t flow, RateMessage& message, RateActions& out);
  virtual void returned(std::uint32_t flow, const RateMessage& message, RateActions& out) = 0;
  virtual void timer(std::uint32_t flow, RateActions& out);
  virtual void hop(PortId in, const HopMessage& message, RateActions& out);  // has come in at this port
  // What a data packet of the flow carries, if anything; it visits ports and destination as a control packet does.
  virtual bool carry(std::uint32_t flow, RateMessage& message) const;
  // That ports and switches keep, all together; sources are not counted.
  virtual std::size_t bytes_in_network() const = 0;
};

}  // namespace weir
