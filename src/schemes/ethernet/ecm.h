// Ethernet Congestion Management, the rival of QCN that was formerly called BCN: positive and negative feedback, with
// tags that tell whose congestion a limited frame has met.
#pragma once
#include "packet/run_input.h"
#include "scenario/scenario.h"
#include "schemes/ethernet/notification_params.h"

namespace weir {

inline constexpr auto kEcmParams = with_notification_params(std::array{
    ParamSpec{"gi", ParamType::number, "2", "gain of increases: positive feedback Fb adds gi x Fb x ru to the rate", 0,
              1e6},
    ParamSpec{"ru", ParamType::rate, kUnset, "rate unit of increases; default: 1/1250 of the rate of a host's link", 0,
              1e12},
    ParamSpec{"drift", ParamType::rate, kUnset,
              "the rate grows by this every drift_interval, so that a rate limiter without feedback recovers; default: "
              "1e-4 of the rate of a host's link",
              0, 1e15},
    ParamSpec{"drift_interval", ParamType::time, kUnset,
              "time between two steps of drift; default: 8.33 times the time that the default of sample_interval takes "
              "on a host's link (1 ms at 10 Gb/s)",
              1e-9, 1e3},
    ParamSpec{"severe", ParamType::bytes, kUnset,
              "sources stop if the queue is longer than this; default: they never "
              "stop",
              1, 1e12},
    ParamSpec{"stop_time", ParamType::time, kUnset,
              "a stop lasts a random time up to this; default: the default of drift_interval", 1e-9, 1e3},
    ParamSpec{"restart_rate", ParamType::rate, kUnset,
              "rate after a stop, if it was higher before; default: 1 % of the rate of a host's link", 1000, 1e15},
});

}  // namespace weir
