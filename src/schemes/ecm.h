// Ethernet Congestion Management, the rival of QCN that was formerly called BCN: positive and negative feedback, with
// tags that tell whose congestion a limited frame has met.
#pragma once
#include "packet/engine.h"
#include "scenario/scenario.h"
#include "schemes/notification_params.h"

namespace weir {

inline constexpr auto kEcmParams = with_notification_params(std::array{
    ParamSpec{"gi", ParamType::number, "2", "positive feedback adds gi Fb ru to the rate", 0, 1e6},
    ParamSpec{"ru", ParamType::rate, "8Mbps", "rate unit of increases", 0, 1e12},
    ParamSpec{"drift", ParamType::rate, "1Mbps",
              "added every drift_interval, so that a limiter that nobody reports to recovers", 0, 1e15},
    ParamSpec{"drift_interval", ParamType::time, "1ms", "see drift", 1e-9, 1e3},
    ParamSpec{"severe", ParamType::bytes, kUnset, "a queue above this tells sources to stop; default: never", 1, 1e12},
    ParamSpec{"stop_time", ParamType::time, "1ms", "a stop lasts a random time up to this", 1e-9, 1e3},
    ParamSpec{"restart_rate", ParamType::rate, "100Mbps", "rate after a stop, if it was above", 1000, 1e15},
});

Measurements run_ecm(const PacketRun& run, const Section& scheme);

}  // namespace weir
