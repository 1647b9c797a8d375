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
              "how the feedback is rounded to `bits` bits. For 6 bits: down divides the range of the feedback into 64 "
              "equal steps and rounds down; nearest and up divide it into 63 equal steps and round to the nearest "
              "value, or up",
              0, 0, kQcnRoundings},
    ParamSpec{"threshold", ParamType::integer, "5", "number of stages of fast recovery", 1, 1000},
    ParamSpec{"byte_limit", ParamType::bytes, kUnset,
              "number of bytes sent in one cycle of the byte counter; default: the default of sample_interval", 1,
              1e12},
    ParamSpec{"timer", ParamType::time, kUnset,
              "length of a cycle of the timer; default: the time of 125 byte cycles at the rate of a host's link (15 "
              "ms at 10 Gb/s)",
              1e-9, 1e3},
    ParamSpec{"halving", ParamType::choice, "from-threshold",
              "when cycles are halved. from-threshold: when `threshold` stages are complete; above-threshold: one "
              "stage later (published descriptions disagree)",
              0, 0, kQcnHalvings},
    ParamSpec{"active_increase", ParamType::rate, kUnset,
              "increase of the target rate when one of the two stages is above the threshold; default: 1/2000 of the "
              "rate of a host's link",
              0, 1e15},
    ParamSpec{"hyper_increase", ParamType::rate, kUnset,
              "increase of the target rate when both stages are above the threshold; it is multiplied by (smaller "
              "stage - hyper_offset). Default: 1/200 of the rate of a host's link",
              0, 1e15},
    ParamSpec{"hyper_offset", ParamType::integer, "5",
              "number subtracted from the smaller stage (see hyper_increase): "
              "5, or 4 in some implementations; not above `threshold`",
              0, 1000},
    ParamSpec{"extra_fast_recovery", ParamType::flag, "true",
              "if a stage is 1 and the target rate is above ten times the rate, the target rate is divided by eight"},
});

}  // namespace weir
