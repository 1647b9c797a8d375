// Schemes that give every flow an explicit rate, calculated from the routes of all flows: SAA, SAA-M, FFA and AFA
// (docs/explicit-rates.md).
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "flow/solve.h"
#include "packet/packet_run.h"
#include "scenario/scenario.h"

namespace weir {

inline constexpr std::string_view kInjections[] = {"leaky-bucket", "svc", "ps"};
inline constexpr std::string_view kWaitings[] = {"lost", "made-up"};
inline constexpr std::string_view kUnrated[] = {"wait", "source-share"};
inline constexpr std::string_view kRateMethods[] = {"exact", "distributed", "fluid"};
inline constexpr std::string_view kProbes[] = {"packets", "piggy-backed"};

inline constexpr ParamSpec kExplicitParams[] = {
    {"injection", ParamType::choice, "ps",
     "leaky-bucket: a bucket per flow; svc: a flow waits for its own interval, the one behind most goes first; ps: the "
     "source sends periodically at the sum of its rates, the flow behind most provides the packet",
     0, 0, kInjections},
    {"unit", ParamType::bytes, kUnset,
     "of `burst`, header included (leaky-bucket); default: the largest packet that is controlled", 1, 65535},
    {"burst", ParamType::number, "1", "size of a bucket, in units (leaky-bucket)", 1, 1e6},
    {"waiting", ParamType::choice, "lost", "time in which back pressure kept the source from sending (ps)", 0, 0,
     kWaitings},
    {"method", ParamType::choice, "exact",
     "exact: the solver over the routes of all flows; distributed: the scheme's protocol, by control packets; fluid: "
     "exact rates and no packets, flows move at their rates as if they were liquid",
     0, 0, kRateMethods},
    {"calculation", ParamType::time, "0s", "from a change of the flows to the new rates (exact)", 0, 1},
    {"unrated", ParamType::choice, "wait",
     "what a flow does before its first rate: it waits, or sends at an equal share of its source's link", 0, 0,
     kUnrated},
    {"reserved", ParamType::fraction, "0", "share of every link kept for traffic that is not controlled", 0, 0.99},
    {"reserved_hosts", ParamType::fraction, kUnset, "the same for the links of hosts; default: as `reserved`", 0, 0.99},
    {"sporadic_lane", ParamType::integer, kUnset, "traffic on this lane is not controlled", 0, kMaxLanes - 1},
    {"train", ParamType::integer, "2",
     "random traffic: a pair of hosts becomes a flow with this many packets in a row; rarer ones are not controlled", 1,
     1e6},
    {"idle", ParamType::time, "20us", "the longest gap between such packets; without a packet for this long, it ends",
     1e-9, 1e3},
    {"control_lane", ParamType::integer, kUnset, "lane of control packets (distributed); default: the highest", 0,
     kMaxLanes - 1},
    {"control_bytes", ParamType::bytes, "40B", "size of a control packet (distributed)", 1, 65535},
    {"control_time", ParamType::time, "60ns", "for which an output port is busy with a control packet (distributed)", 0,
     1},
    {"broadcast_bytes", ParamType::bytes, "8B", "size of a broadcast packet (distributed ffa)", 1, 65535},
    {"broadcast_time", ParamType::time, "30ns",
     "for which an input port is busy with a message of its neighbour (distributed ffa, afa)", 0, 1},
    {"probes", ParamType::choice, "packets",
     "how a flow reads its links: by packets of its own, or by two weights in each data packet (distributed saa)", 0, 0,
     kProbes},
    {"probe_every", ParamType::time, "10us", "time between probes of a flow (distributed saa, saa-m)", 1e-9, 1e3},
    {"probe_share", ParamType::fraction, "5%",
     "most that the control packets of all flows take of a link; with more flows each probes more rarely. What they "
     "take is kept out of the rates. 0: neither limited nor accounted for (distributed saa, saa-m)",
     0, 0.5},
    {"backoff", ParamType::time, "10us", "longest wait after a first failed reservation (distributed saa-m)", 1e-9, 1},
};

inline constexpr auto kAfaParams = [] {
  std::array<ParamSpec, std::size(kExplicitParams) + 1> all{};
  std::copy(std::begin(kExplicitParams), std::end(kExplicitParams), all.begin());
  all.back() = {"priorities", ParamType::numbers, kUnset,
                "of the applications, in the order of the traffic entries that make flows; they multiply the weights "
                "of an application's flows. Default: 1 for all",
                1e-6, 1e6};
  return all;
}();

Measurements run_saa(const PacketRun& run, const Section& scheme);
Measurements run_saa_m(const PacketRun& run, const Section& scheme);
Measurements run_ffa(const PacketRun& run, const Section& scheme);
Measurements run_afa(const PacketRun& run, const Section& scheme);

// The same, with what each flow of the workload was given and what it got.
struct RealisedRate {
  double calculated = 0;  // bytes per second, the latest
  double measured = 0;    // bytes per second after the warm-up, from packet to packet
  std::vector<std::uint32_t> links;  // with flow set-up: of its route at the end, without the host's own link
};
struct ExplicitOutcome {
  Measurements measurements;
  std::vector<RealisedRate> flows;
};
ExplicitOutcome run_explicit(RateAlgorithm algorithm, const PacketRun& run, const Section& scheme);

}  // namespace weir
