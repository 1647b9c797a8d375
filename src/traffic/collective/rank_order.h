// Which rank of an application runs on which host.
#pragma once
#include <array>
#include <vector>

#include "traffic/pattern.h"

namespace weir {

inline constexpr std::string_view kRankOrders[] = {"linear", "random", "by-rail"};
inline constexpr std::array kRankOrder{
    ParamSpec{"mapping", ParamType::choice, "linear",
              "ranks on the hosts of this entry in order, at random, or by-rail: first the first accelerator of every "
              "server, then the second, and so on",
              0, 0, kRankOrders},
    ParamSpec{"rails", ParamType::integer, "8", "accelerators of a server", 1, 4096}.applying(
        when("mapping", {"by-rail"})),
};

// The hosts in the order of the ranks.
std::vector<HostId> rank_order(const TrafficSection& entry, const PatternContext& context);

}  // namespace weir
