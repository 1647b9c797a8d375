// Ethernet Congestion Management, the rival of QCN that was formerly called BCN: positive and negative feedback, with
// tags that tell whose congestion a limited frame has met.
#pragma once
#include "packet/engine.h"
#include "scenario/scenario.h"

namespace weir {

inline constexpr ParamSpec kEcmParams[] = {
    {"qeq", ParamType::bytes, "33000B", "queue length that the congestion point aims at (Qeq)", 1, 1e9},
    {"wd", ParamType::number, "2", "weight of the queue's growth in the feedback (Wd)", 0, 1000},
    {"bits", ParamType::integer, "6", "bits of the feedback, without its sign", 3, 16},
    {"sample_interval", ParamType::bytes, "150kB", "mean bytes between samples", 1, 1e12},
    {"jitter", ParamType::fraction, "15%", "of sample intervals, either way", 0, 0.99},
    {"gd", ParamType::number, "0.0078125", "negative feedback multiplies the rate by 1 - gd |Fb|", 0, 1},
    {"min_decrease", ParamType::number, "0.5", "but never by less than this", 0.01, 1},
    {"gi", ParamType::number, "2", "positive feedback adds gi Fb ru to the rate", 0, 1e6},
    {"ru", ParamType::rate, "8Mbps", "rate unit of increases", 0, 1e12},
    {"min_rate", ParamType::rate, "100kbps", "no limiter goes below", 1000, 1e15},
    {"drift", ParamType::rate, "1Mbps", "added every drift_interval, so that a limiter that nobody reports to recovers",
     0, 1e15},
    {"drift_interval", ParamType::time, "1ms", "see drift", 1e-9, 1e3},
    {"severe", ParamType::bytes, kUnset, "a queue above this tells sources to stop; default: never", 1, 1e12},
    {"stop_time", ParamType::time, "1ms", "a stop lasts a random time up to this", 1e-9, 1e3},
    {"restart_rate", ParamType::rate, "100Mbps", "rate after a stop, if it was above", 1000, 1e15},
    {"notification", ParamType::bytes, "64B", "size of a notification", 1, 65535},
    {"lane", ParamType::integer, "0", "lane of notifications", 0, kMaxLanes - 1},
};

Measurements run_ecm(const PacketRun& run, const Section& scheme);

}  // namespace weir
