// Quantized Congestion Notification, version 2.2: switches sample frames and tell their sources how congested a queue
// is; sources cut the rate of that flow and raise it again by themselves. Feedback is negative only.
#pragma once
#include "packet/engine.h"
#include "scenario/scenario.h"

namespace weir {

inline constexpr std::string_view kQcnRoundings[] = {"down", "nearest", "up"};
inline constexpr std::string_view kQcnHalvings[] = {"from-threshold", "above-threshold"};

inline constexpr ParamSpec kQcnParams[] = {
    {"qeq", ParamType::bytes, "33000B", "queue length that the congestion point aims at (Qeq)", 1, 1e9},
    {"wd", ParamType::number, "2", "weight of the queue's growth in the feedback (Wd)", 0, 1000},
    {"bits", ParamType::integer, "6", "bits of the feedback", 3, 16},
    {"rounding", ParamType::choice, "down",
     "of the feedback to its bits: down keeps the upper bits of the number, nearest and up spread the range over all "
     "values",
     0, 0, kQcnRoundings},
    {"sample_interval", ParamType::bytes, "150kB", "mean bytes between samples while there is no congestion", 1, 1e12},
    {"jitter", ParamType::fraction, "15%", "of sample intervals, byte cycles and timer cycles, either way", 0, 0.99},
    {"gd", ParamType::number, "0.0078125", "a notification multiplies the rate by 1 - gd |Fb|", 0, 1},
    {"min_decrease", ParamType::number, "0.5", "but never by less than this", 0.01, 1},
    {"min_rate", ParamType::rate, "100kbps", "no limiter goes below", 1000, 1e15},
    {"threshold", ParamType::integer, "5", "stages of fast recovery", 1, 1000},
    {"byte_limit", ParamType::bytes, "150kB", "bytes sent in one cycle of the byte clock", 1, 1e12},
    {"timer", ParamType::time, "15ms", "length of a cycle of the time clock", 1e-9, 1e3},
    {"halving", ParamType::choice, "from-threshold",
     "cycles are halved when `threshold` stages are complete, or one stage later (public sources disagree)", 0, 0,
     kQcnHalvings},
    {"active_increase", ParamType::rate, "5Mbps", "raises the target when one stage is above the threshold", 0, 1e15},
    {"hyper_increase", ParamType::rate, "50Mbps",
     "raises the target when both are, times (smaller stage - hyper_offset)", 0, 1e15},
    {"hyper_offset", ParamType::integer, "5", "5, or 4 in some implementations; at most the threshold", 0, 1000},
    {"extra_fast_recovery", ParamType::flag, "true",
     "when a stage is 1 and the target above ten times the rate, divide the target by eight"},
    {"notification", ParamType::bytes, "64B", "size of a notification", 1, 65535},
    {"lane", ParamType::integer, "0", "lane of notifications", 0, kMaxLanes - 1},
};

Measurements run_qcn(const PacketRun& run, const Section& scheme);

}  // namespace weir
