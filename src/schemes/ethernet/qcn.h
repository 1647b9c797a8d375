// Quantized Congestion Notification, version 2.2: switches sample frames and tell their sources how congested a queue
// is; sources cut the rate of that flow and raise it again by themselves. Feedback is negative only.
#pragma once
#include "packet/run_input.h"
#include "scenario/scenario.h"
#include "schemes/ethernet/notification_params.h"

namespace weir {

inline constexpr std::string_view kQcnRoundings[] = {"down", "nearest", "up"};
inline constexpr std::string_view kQcnHalvings[] = {"from-threshold", "above-threshold"};

inline constexpr auto kQcnParams = with_notification_params(std::array{
    ParamSpec{"rounding", ParamType::choice, "down",
              "rounding of the feedback to its bits: down keeps the upper bits of the number, nearest and up spread "
              "the range over all values",
              0, 0, kQcnRoundings},
    ParamSpec{"threshold", ParamType::integer, "5", "stages of fast recovery", 1, 1000},
    ParamSpec{"byte_limit", ParamType::bytes, kUnset,
              "bytes sent in one cycle of the byte clock; default: the default of sample_interval", 1, 1e12},
    ParamSpec{"timer", ParamType::time, kUnset,
              "length of a cycle of the time clock; default: 125 byte cycles at the rate of a host's link (15 ms at 10 "
              "Gb/s)",
              1e-9, 1e3},
    ParamSpec{"halving", ParamType::choice, "from-threshold",
              "cycles are halved when `threshold` stages are complete, or one stage later (public sources disagree)", 0,
              0, kQcnHalvings},
    ParamSpec{"active_increase", ParamType::rate, kUnset,
              "increase of the target when one stage is above the threshold; default 1/2000 of a host's link", 0, 1e15},
    ParamSpec{"hyper_increase", ParamType::rate, kUnset,
              "increase of the target when both stages are above the threshold, times (smaller stage - hyper_offset); "
              "default 1/200 of a host's link",
              0, 1e15},
    ParamSpec{"hyper_offset", ParamType::integer, "5", "5, or 4 in some implementations; at most the threshold", 0,
              1000},
    ParamSpec{"extra_fast_recovery", ParamType::flag, "true",
              "when a stage is 1 and the target above ten times the rate, divide the target by eight"},
});

}  // namespace weir
