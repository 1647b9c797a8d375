// What a traffic pattern registers, and the parameters that several patterns share. A new pattern is a file that ends
// with its record, and its line in kinds.cpp.
#pragma once
#include <array>
#include <string_view>

#include "traffic/traffic_section.h"
#include "traffic/workload.h"

namespace weir {

struct PatternKind {
  KindSpec spec;
  // Adds what the entry says to the workload; every error of its section shows here.
  void (*configure)(const TrafficSection& entry, PatternContext& context);
  // Of a disturbance: its class unless the entry names one. That of other entries is "cold" then.
  std::string_view disturbs_as = {};
};

// The keys of [[traffic]] that say what open-loop sources do, where an entry makes flows.
inline constexpr Condition kNotForFlows = never("this entry makes flows, not open-loop sources");
inline constexpr KeyCondition kOfFlows[] = {
    {"stop", kNotForFlows}, {"after_received", kNotForFlows}, {"payload", kNotForFlows}, {"shares", kNotForFlows}};

const PatternKind& pattern_of(const Section& section);

inline constexpr double kMaxSeconds = 1e6;
inline constexpr double kMaxBytes = 1e15;
inline constexpr double kMaxRate = 1e15;
inline constexpr double kMaxCount = 1e15;
inline constexpr double kMaxHost = 4e9;

inline constexpr std::string_view kPlacements[] = {"even", "random", "first"};
inline constexpr std::string_view kArrivals[] = {"constant", "bernoulli", "poisson"};
inline constexpr std::string_view kPer[] = {"all-hosts", "these-hosts"};
inline constexpr std::string_view kCounts[] = {"packet", "payload"};

// The keys of several groups, one after another.
template <std::size_t... N>
constexpr auto join(const std::array<ParamSpec, N>&... parts) {
  std::array<ParamSpec, (N + ...)> all{};
  std::size_t i = 0;
  const auto append = [&](const auto& part) {
    for (const ParamSpec& param : part) all[i++] = param;
  };
  (append(parts), ...);
  return all;
}

inline constexpr Condition kNoList = unless_given({"hosts"}, "`hosts` lists the hosts one by one");
inline constexpr std::array kSelection{
    ParamSpec{"share", ParamType::fraction, "1", "share of the hosts that take part", 0, 1}.applying(kNoList),
    ParamSpec{"placement", ParamType::choice, "even",
              "where these hosts are: spread evenly, at random, or the "
              "first ones",
              0, 0, kPlacements}
        .applying(kNoList),
    ParamSpec{"range", ParamType::hosts, kUnset, "first and last host that may take part, as in [0, 15]; default: all",
              0, kMaxHost}
        .applying(kNoList),
    ParamSpec{"hosts", ParamType::hosts, kUnset,
              "hosts that take part, by number, name, range (\"H1-H60\") or pattern (\"stage*\"), instead of a "
              "number of hosts and their placement",
              0, kMaxHost},
    ParamSpec{"except", ParamType::text, kUnset, "name of another traffic entry, whose hosts are left out"}.applying(
        kNoList),
};

inline constexpr std::array kRates{
    ParamSpec{"load", ParamType::fraction, kUnset,
              "offered load of each host. 1: the full rate of its link; above 1: overload",
              0, 1000},
    ParamSpec{"rate", ParamType::rate, kUnset, "offered rate of each host", 0, kMaxRate},
    ParamSpec{"total_rate", ParamType::rate, kUnset,
              "instead of `rate`: a total that is divided by a number of hosts (see `per`) to give the rate of each", 0,
              kMaxRate},
    ParamSpec{
        "per", ParamType::choice, "all-hosts",
        "what total_rate is divided by. all-hosts: the number of all hosts, also of those that are not in this entry; "
        "these-hosts: the number of hosts of this entry",
        0, 0, kPer}
        .applying(when_given({"total_rate"}, "it divides total_rate, which is not given")),
    ParamSpec{"counts", ParamType::choice, "packet", "whether load and rates count whole packets or payload only", 0, 0,
              kCounts},
    ParamSpec{"arrivals", ParamType::choice, "poisson",
              "constant: equal intervals; bernoulli: in each slot (the time of one largest packet), a packet arrives "
              "with the same probability; "
              "poisson: exponential intervals",
              0, 0, kArrivals},
    ParamSpec{"aligned", ParamType::flag, "false",
              "all hosts begin at once instead of each at a random phase of its interval"}
        .applying(when("arrivals", {"constant"}, "only constant arrivals have a phase")),
};

inline constexpr std::array kSpread{
    ParamSpec{"spread", ParamType::time, "0s", "each host starts at a random moment within this time", 0, kMaxSeconds},
};

inline constexpr std::array kFlowBytes{
    ParamSpec{"bytes", ParamType::bytes, kUnset, "payload of each flow; default: endless", 1, kMaxBytes},
    ParamSpec{"weight", ParamType::number, "1", "weight of each flow, for schemes that know weights", kLeastWeight,
              kMostWeight},
};

inline constexpr std::array kTarget{
    ParamSpec{"target", ParamType::host, kRequired, "the destination: a host's number, from 0, or its name", 0,
              kMaxHost},
};

}  // namespace weir
