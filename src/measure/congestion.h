// Who congests the fabric and who suffers. Congestion starts at a *root*, an output that is asked for more than its
// link can carry; its switch's buffers fill, the senders into that switch must wait, their buffers fill, and so on
// upstream: the congestion tree. The ports that wait are *victims*: slow through no lack of capacity of their own.
//
// Definition, for each bin of the fabric's frames (or for the run as a whole where no frames were recorded):
//   root    a switch port whose link is busy for at least 95 % of the bin, while at least one port that sends into
//           its switch is held back for at least 5 % of the bin; or a switch port that is itself held back for at
//           least 5 % of the bin, by a host, which takes packets in too slowly.
//           A full link is none if nothing queues for it, or if no waiting of any bin belongs to it: nobody waits for
//           it.
//   victim  a sending port that is held back for at least 5 % of the bin and is not a root. What it waits belongs to
//           the outputs of the next switch that are roots or held back themselves, in proportion to what queues for
//           them (only to those that its flows go to, where all traffic comes in flows whose ways are known); and what
//           belongs to a held back output, to the roots that this one waits for. Where queues are not known, it belongs
//           to the nearest root down the chain of held back ports; the roots of one switch share it equally.
// Waiting that no root explains (head-of-line blocking inside a switch, a deadlock) is reported separately. Bins make
// a short pulse in a long run visible that averages would hide.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "measure/measurements.h"
#include "network/topology.h"

namespace weir {

class FlowTurns;  // flows/turns.h

inline constexpr double kRootLoad = 0.95;
inline constexpr double kVictimWait = 0.05;
inline constexpr double kLeastQueue = 0.01;  // of the longest queue of its switch: with less, a full link is no root

struct CongestionVictim {
  PortId port;
  Time wait;  // for this root
};

struct CongestionRoot {
  PortId port;
  Time from, to;                          // first and last moment it was a root
  Time congested;                         // time it was one in total
  double load = 0;                        // share of that time its link was busy
  Time held_by_host;                      // by the host at its end, which takes packets in too slowly
  Time caused_wait;                       // of all its victims
  std::vector<CongestionVictim> victims;  // longest wait first
  // Payload that crossed it in that time; nothing where it is not known (flows/root_traffic.h fills it in).
  std::vector<std::optional<double>> bytes_by_class;
};

struct Span {
  Time from, to;
};

// A bin in which somebody was held back: the ports that were roots, and those that were held back and no roots.
struct CongestedMoment {
  Span span;
  std::vector<std::uint32_t> roots, held_back;
};

struct CongestionReport {
  std::vector<CongestionRoot> roots;          // most waiting caused first
  std::vector<CongestionVictim> unexplained;  // held back without a root, longest first
  Time unexplained_wait;
  std::vector<CongestedMoment> moments;       // in the order of time
  bool from_frames = false;
  // Too few frames: a link may have been saturated for a while and does not show, so that what has no root has none
  // that is known. False if no port can have been held back for 5 % of any frame.
  bool coarse = false;
};

// Frames below which averages hide a pulse.
inline constexpr std::size_t kFewestFrames = 8;

// Counters over some time do not say what goes where, and not every full link is asked for more than it can carry.
// `only_sources` leaves out
// - what idles now and then, where another full output of the switch never does: nothing waits for a link that idles,
//   and everything can wait for the other one;
// - what passes on: a full link that carries what another full link brings is full because that one is, and the root is
//   the one before it. So where each of the full outputs of a switch carries the same as a full input that is never
//   held back, and its senders can wait for an output that waits itself, none of them is taken for a root.
enum class RootRule { all_full, only_sources };
inline constexpr double kNeverIdles = 0.998;  // busy or held back for so much of the time: something always waits
inline constexpr double kUnheldWait = 0.005;  // a link that waits for less is not held back at all
inline constexpr double kSameTraffic = 0.01;  // two links carry the same if they differ by less

CongestionReport find_congestion(const Measurements& m, const Topology& topology, RootRule rule = RootRule::all_full,
                                 const FlowTurns* turns = nullptr);

// Of the links that the ports without a root wait for, the one that was busy most of the run. Invalid if there is none.
PortId busiest_awaited(const CongestionReport& report, const Measurements& m, const Topology& topology);

Span frame_span(const Measurements& m, std::size_t frame);

// Share of `window` in which the link was busy, from the frames; over the whole run where there are none.
double link_load(const Measurements& m, PortId port, Span window);

}  // namespace weir
