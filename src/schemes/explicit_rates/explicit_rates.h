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
              "how a source keeps to the rates of its flows. leaky-bucket: each flow has a bucket that fills at its "
              "rate; svc: after a packet, a flow waits for as long as its rate demands, and of the flows that may "
              "send, the one that has sent least relative to its rate goes first; ps: the source sends at the sum of "
              "its flows' rates, and each packet comes from the flow that has sent least relative to its rate",
              0, 0, kInjections}
        .applying(kWithPackets),
    ParamSpec{"unit", ParamType::bytes, kUnset,
              "unit of `burst`, header included; default: the largest packet that is controlled", 1, 65535}
        .applying(kWithPackets)
        .applying(when("injection", {"leaky-bucket"})),
    ParamSpec{"burst", ParamType::number, "1", "size of a bucket, in multiples of `unit`", 1, 1e6}
        .applying(kWithPackets)
        .applying(when("injection", {"leaky-bucket"})),
    ParamSpec{"waiting", ParamType::choice, "lost",
              "what happens to sending time that is lost to back pressure. made-up: the source catches up later; "
              "lost: it does not",
              0, 0, kWaitings}
        .applying(kWithPackets)
        .applying(when("injection", {"ps"})),
    ParamSpec{"method", ParamType::choice, "exact",
              "how rates are calculated. exact: by a solver that knows the routes of all flows; distributed: by the "
              "scheme's protocol, which sends control packets",
              0, 0, kRateMethods}
        .applying(kWithPackets),
    ParamSpec{"calculation", ParamType::time, "0s", "time from a change of the flows until the new rates apply", 0, 1}
        .applying(kWithPackets)
        .applying(when("method", {"exact"}, "the protocol takes the time it takes")),
    ParamSpec{"unrated", ParamType::choice, "wait",
              "what a flow does before it has a rate. wait: it sends nothing; source-share: it sends at an equal share "
              "of its source's link",
              0, 0, kUnrated}
        .applying(kWithPackets),
    {"reserved", ParamType::fraction, "0", "share of every link kept for traffic that is not controlled", 0, 0.99},
    {"reserved_hosts", ParamType::fraction, kUnset, "the same for the links of hosts; default: the value of `reserved`",
     0, 0.99},
    ParamSpec{"sporadic_lane", ParamType::integer, kUnset, "traffic on this lane is not controlled", 0, kMaxLanes - 1}
        .applying(kWithPackets),
    ParamSpec{
        "train", ParamType::integer, "2",
        "random traffic: a pair of hosts counts as a flow after this many packets in a row; pairs that send less often "
        "are not controlled",
        1, 1e6}
        .applying(kWithPackets),
    ParamSpec{"idle", ParamType::time, "20us",
              "a flow of random traffic (see `train`) ends when it has sent no packet for this long", 1e-9, 1e3}
        .applying(kWithPackets),
    ParamSpec{"control_lane", ParamType::integer, kUnset, "lane of control packets; default: the highest lane", 0,
              kMaxLanes - 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"control_bytes", ParamType::bytes, "40B", "size of a control packet", 1, 65535}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"control_time", ParamType::time, "60ns", "time that an output port needs for a control packet", 0, 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"broadcast_bytes", ParamType::bytes, "8B", "size of a broadcast packet", 1, 65535}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"broadcast_time", ParamType::time, "30ns",
              "time that an input port needs for a message from its neighbour", 0, 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{
        "probes", ParamType::choice, "packets",
        "how a flow learns its shares of the links on its path. packets: it sends probe packets; piggy-backed: each "
        "data packet carries two weights",
        0, 0, kProbes}
        .applying(kWithPackets)
        .applying(kByProtocol),
    ParamSpec{"probe_every", ParamType::time, "10us", "time between two probes of a flow", 1e-9, 1e3}
        .applying(kWithPackets)
        .applying(kByProtocol)
        .applying(when("probes", {"packets"}, "data packets carry the probes")),
    ParamSpec{
        "probe_share", ParamType::fraction, "5%",
        "largest share of a link for the control packets of all flows. If there are many flows, each probes less "
        "often. The capacity that control packets may use is subtracted before rates are calculated. 0: no limit, and "
        "nothing is subtracted",
        0, 0.5}
        .applying(kWithPackets)
        .applying(kByProtocol)
        .applying(when("probes", {"packets"}, "data packets carry the probes")),
    ParamSpec{"backoff", ParamType::time, "10us", "longest wait after the first failed reservation", 1e-9, 1}
        .applying(kWithPackets)
        .applying(kByProtocol),
};

inline constexpr auto kAfaParams = [] {
  std::array<ParamSpec, std::size(kExplicitParams) + 1> all{};
  std::copy(std::begin(kExplicitParams), std::end(kExplicitParams), all.begin());
  all.back() = {"priorities", ParamType::numbers, kUnset,
                "priorities of the applications, in the order of the traffic entries that create flows. The weights of "
                "an application's flows are multiplied by its priority. Default: 1 for each application",
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
