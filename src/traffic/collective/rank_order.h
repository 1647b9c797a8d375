// Which rank of an application runs on which host.
#pragma once
#include <array>
#include <vector>

#include "traffic/pattern.h"

namespace weir {

inline constexpr std::string_view kRankOrders[] = {"linear", "random", "by-rail"};
inline constexpr std::array kRankOrder{
    ParamSpec{"mapping", ParamType::choice, "linear",
              "ranks on the hosts of this entry in the order of `hosts`, at random, or by-rail: first the first "
              "accelerator of every server, then the second, and so on",
              0, 0, kRankOrders},
    ParamSpec{"rails", ParamType::integer, "8", "accelerators of a server", 1, 4096}.applying(
        when("mapping", {"by-rail"})),
};

// Libraries of collectives open their queue pairs once, and switches hash a message by its queue pair.
inline constexpr std::array kQueuePairs{
    ParamSpec{"queue_pairs", ParamType::integer, "1",
              "queue pairs from a rank to another one, on which its messages take turns. Messages of one queue pair "
              "keep their path with routing.choice = \"ecmp\"",
              1, 1024},
};

// The hosts in the order of the ranks.
std::vector<HostId> rank_order(const TrafficSection& entry, const PatternContext& context);

}  // namespace weir
