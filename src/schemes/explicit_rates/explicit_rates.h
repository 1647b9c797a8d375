// Schemes that give every flow an explicit rate, calculated from the routes of all flows: SAA, SAA-M, FFA and AFA
// (docs/explicit-rates.md).
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "flow/solvers/solve.h"
#include "packet/run_input.h"
#include "scenario/scenario.h"

namespace weir {

inline constexpr std::string_view kInjections[] = {"leaky-bucket", "svc", "ps"};
inline constexpr std::string_view kWaitings[] = {"lost", "made-up"};
inline constexpr std::string_view kUnrated[] = {"wait", "source-share"};
inline constexpr std::string_view kRateMethods[] = {"exact", "distributed"};
inline constexpr std::string_view kProbes[] = {"packets", "piggy-backed"};

inline constexpr Condition kWithPackets = when("run.engine", {"packet"}, "the fluid engine has no packets");
inline constexpr Condition kByProtocol = when("method", {"distributed"});

inline constexpr ParamSpec kExplicitParams[] = {
    ParamSpec{"injection", ParamType::choice, "ps",
              "leaky-bucket: a bucket per flow; svc: a flow waits for its own interval, the one behind most goes "
              "first; ps: the source sends periodically at the sum of its rates, the flow behind most provides the "
              "packet",
              0, 0, kInjections}
        .applying(kWithPackets),
    ParamSpec{"unit", ParamType::bytes, kUnset,
              "of `burst`, header included (leaky-bucket); default: the largest packet that is controlled", 1, 65535}
        .applying(kWithPackets)
        .applying(when("injection", {"leaky-bucket"})),
    ParamSpec{"burst", ParamType::number, "1", "size of a bucket, in units (leaky-bucket)", 1, 1e6}
        .applying(kWithPackets)
        .applying(when("injection", {"leaky-bucket"})),
    ParamSpec{"waiting", ParamType::choice, "lost", "whether time lost to back pressure is lost or made up (ps)", 0,
              0, kWaitings}
        .applying(kWithPackets)
        .applying(when("injection", {"ps"})),
    ParamSpec{"method", ParamType::choice, "exact",
              "exact: the solver over the routes of all flows; distributed: the scheme's protocol, by control packets",
              0, 0, kRateMethods}
        .applying(kWithPackets),
    ParamSpec{"calculation", ParamType::time, "0s", "from a change of the flows to the new rates (exact)", 0, 1}
        .applying(kWithPackets)
        .applying(when("method", {"exact"}, "the protocol takes the time it takes")),
    ParamSpec{"unrated", ParamType::choice, "wait",
              "before its first rate, a flow waits, or sends at an equal share of its source's link", 0, 0,
              kUnrated}
        .applying(kWithPackets),
    {"reserved", ParamType::fraction, "0", "share of every link kept for traffic that is not controlled", 0, 0.99},
    {"reserved_hosts", ParamType::fraction, kUnset, "the same for the links of hosts; default: as `reserved`", 0, 0.99},
    ParamSpec{"sporadic_lane", ParamType::integer, kUnset, "traffic on this lane is not controlled", 0, kMaxLanes - 1}
        .applying(kWithPackets),
    ParamSpec{
        "train", ParamType::integer, "2",
        "random traffic: a pair of hosts becomes a flow with this many packets in a row; rarer ones are not controlled",
        1, 1e6}
        .applying(kWithPackets),
    ParamSpec{"idle", ParamType::time, "20us",
              "the longest gap between such packets; without a packet for this long, it ends", 1e-9, 1e3}
        .applying(kWithPackets),
    ParamSpec{"control_lane", ParamType::integer, kUnset, "lane of control packets (distributed); default: the highest",
              0, kMaxLanes - 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"control_bytes", ParamType::bytes, "40B", "size of a control packet (distributed)", 1, 65535}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"control_time", ParamType::time, "60ns",
              "time that an output port needs for a control packet (distributed)", 0, 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"broadcast_bytes", ParamType::bytes, "8B", "size of a broadcast packet (distributed ffa)", 1, 65535}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"broadcast_time", ParamType::time, "30ns",
              "time that an input port needs for a message of its neighbour (distributed ffa, afa)", 0, 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{
        "probes", ParamType::choice, "packets",
        "how a flow reads the shares of its links: with packets of its own, or with two weights in each data packet "
        "(distributed saa)", 0,
        0, kProbes}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"probe_every", ParamType::time, "10us", "time between probes of a flow (distributed saa, saa-m)", 1e-9,
              1e3}
        .applying(kWithPackets)
        .applying(kByProtocol)
        .applying(when("probes", {"packets"}, "data packets carry the probes")),
    ParamSpec{
        "probe_share", ParamType::fraction, "5%",
        "most that the control packets of all flows take of a link; with more flows each probes more rarely. What they "
        "take is kept out of the rates. 0: neither limited nor accounted for (distributed saa, saa-m)",
        0, 0.5}
        .applying(kWithPackets)
        .applying(kByProtocol)
        .applying(when("probes", {"packets"}, "data packets carry the probes")),
    ParamSpec{"backoff", ParamType::time, "10us", "longest wait after a first failed reservation (distributed saa-m)",
              1e-9, 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
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

// What a flow of the workload was given and what it got.
struct RealisedRate {
  double calculated = 0;  // bytes per second, the latest
  double measured = 0;    // bytes per second after the warm-up, from packet to packet
  std::vector<std::uint32_t> links;  // with flow set-up: of its route at the end, without the host's own link
};
struct ExplicitOutcome {
  Measurements measurements;
  std::vector<RealisedRate> flows;
};
using ExplicitRun = std::function<ExplicitOutcome(const RunInput&)>;
// Finds every error of [scheme], and runs nothing.
ExplicitRun configure_explicit(RateAlgorithm algorithm, const Section& scheme, const RunInput& run);
ExplicitOutcome run_explicit(RateAlgorithm algorithm, const RunInput& run, const Section& scheme);

}  // namespace weir
