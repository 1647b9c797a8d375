// Congestion notification packets (CNP): the first marked packet of a connection is answered at once, and an interval
// begins. What follows can be read in two ways:
//   window  at the end of an interval in which another marked packet came, one more CNP goes out, and the next begins
//   gap     marked packets of the interval are not answered; the first one after it is
// It is receivers who answer, or switches, which then tell the source when they would mark a packet.
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>

#include "packet/run_input.h"
#include "packet/scheme/scheme_state.h"
#include "scenario/scenario.h"
#include "schemes/given_or.h"
#include "schemes/own_packets.h"

namespace weir {

inline constexpr std::string_view kCnpTimings[] = {"gap", "window"};
inline constexpr std::string_view kCnpFrom[] = {"receiver", "switch"};
inline constexpr std::array kCnpParams{
    ParamSpec{"cnp", ParamType::bytes, "64B", "size of a congestion notification packet (CNP)", 1, 4096},
    ParamSpec{"cnp_lane", ParamType::integer, "0", "lane of CNPs", 0, kMaxLanes - 1},
    ParamSpec{"cnp_interval", ParamType::time, kUnset,
              "a receiver sends at most one CNP per flow (or pair of hosts) in this time. Default: 4 us for variant = "
              "\"adapter\", 50 us for \"paper\"",
              1e-9, 1},
    ParamSpec{"cnp_timing", ParamType::choice, kUnset,
              "when CNPs are sent. gap: the first marked packet after cnp_interval without a CNP causes one; window: "
              "in addition, one at the end of each cnp_interval in which marked packets arrived. Default: gap for "
              "variant = \"adapter\", window for \"paper\"",
              0, 0, kCnpTimings},
    ParamSpec{"cnp_from", ParamType::choice, "receiver",
              "who sends CNPs. receiver: the receiver of a marked packet; switch: the switch sends the CNP itself as "
              "soon as the packet joins the queue, and does not mark the packet", 0, 0,
              kCnpFrom}
        .applying(when("mark_at", {"arrival"})),
};

struct CnpConfig {
  std::uint32_t bytes = 64, lane = 0;
  Time interval;
  bool by_window = false, from_switch = false;
};

inline CnpConfig read_cnp(const Section& s, const RunInput& run, CnpConfig config) {
  config.bytes = static_cast<std::uint32_t>(s.bytes("cnp"));
  config.lane = static_cast<std::uint32_t>(s.integer("cnp_lane"));
  config.interval = time_or(s, "cnp_interval", config.interval);
  config.from_switch = s.chooses("cnp_from", "switch");
  if (s.has("cnp_timing")) config.by_window = s.chooses("cnp_timing", "window");
  else note_calculated(s, "cnp_timing", quoted_text(config.by_window ? "window" : "gap"));
  check_own_packet(run, s, "cnp");
  check_lane(s, "cnp_lane", config.lane, run.config.switches);
  return config;
}

// Place: HostId or SwitchId.
template <class Place, class View>
class CnpSenders {
 public:
  CnpSenders(SchemeState& owner, const CnpConfig& config, bool needed)
      : config_(config), places_(owner, {}, needed) {}

  // A packet with a mark is here.
  void marked(View here, const Packet& p) {
    const auto [open, is_new] = places_[here.here()].marked_again.try_emplace(p.connection.index, false);
    if (is_new) send(here, p.connection);
    else open->second = true;
  }
  // The timer of a connection: an interval is over.
  void interval_over(View here, ConnectionId connection) {
    AtPlace& place = places_[here.here()];
    const auto open = place.marked_again.find(connection.index);
    WEIR_CHECK(open != place.marked_again.end());
    if (!config_.by_window || !open->second) {
      place.marked_again.erase(open);
      return;
    }
    open->second = false;
    send(here, connection);
  }
  std::uint64_t sent() const {
    std::uint64_t sum = 0;
    for (const AtPlace& place : places_) sum += place.sent;
    return sum;
  }

 private:
  struct AtPlace {
    // By connection whose interval runs: has another marked packet come?
    std::unordered_map<std::uint32_t, bool> marked_again;  // order-free: only looked up
    std::uint64_t sent = 0;
    void each_field(auto&& visit) { visit(sent); }  // all that counts at the end of a run
  };

  void send(View here, ConnectionId connection) {
    ++places_[here.here()].sent;
    const HostId source = here.connections().source(connection);
    Packet cnp = here.new_packet({PacketKind::notification, sender(here, source), source, config_.bytes,
                                  Lane{config_.lane}, connection});
    here.send(cnp);
    here.set_timer(here.now() + config_.interval, connection.index);
  }
  // A switch has no address among the hosts.
  static HostId sender(HostView here, HostId) { return here.here(); }
  static HostId sender(SwitchView, HostId source) { return source; }

  CnpConfig config_;
  TableOf<Place, AtPlace> places_;
};
using CnpReceivers = CnpSenders<HostId, HostView>;
using CnpSwitches = CnpSenders<SwitchId, SwitchView>;

}  // namespace weir
