// What schemes with notifications have in common among their parameters. Size and lane of the notifications are read in
// one place, because buffers and PAUSE headroom were sized for the packets of the traffic.
#pragma once
#include <fmt/format.h>

#include <array>

#include "packet/run_input.h"
#include "scenario/scenario.h"
#include "schemes/given_or.h"
#include "schemes/own_packets.h"

namespace weir {

inline constexpr std::array kNotificationParams{
    ParamSpec{"qeq", ParamType::bytes, kUnset,
              "queue length that the congestion point aims at (Qeq). Default: 33 kB, or the bytes of one round trip if "
              "that is more; never more than 22 % of a port's buffer, but at least one packet",
              1, 1e9},
    ParamSpec{"wd", ParamType::number, "2", "weight of the queue's growth in the feedback (Wd)", 0, 1000},
    ParamSpec{"bits", ParamType::integer, "6", "number of bits of the feedback, without its sign", 3, 16},
    ParamSpec{"sample_interval", ParamType::bytes, kUnset,
              "mean number of bytes between two samples while there is no congestion. Default: 150 kB; less if the "
              "default of qeq is below 33 kB; never less than 10 packets or the bytes of one round trip",
              1, 1e12},
    ParamSpec{"jitter", ParamType::fraction, "15%", "sample intervals and the sources' cycles vary at random by up to "
                                                    "this fraction, up and down", 0,
              0.99},
    ParamSpec{"gd", ParamType::number, "0.0078125", "gain of decreases: negative feedback Fb multiplies the rate by 1 "
                                                    "- gd |Fb|", 0, 1},
    ParamSpec{"min_decrease", ParamType::number, "0.5", "a single cut never multiplies the rate by less than this (see "
                                                        "gd)", 0.01, 1},
    ParamSpec{"min_rate", ParamType::rate, kUnset, "lowest rate of a rate limiter; default: 1e-5 of the rate of a "
                                                   "host's link", 1000, 1e15},
    ParamSpec{"notification", ParamType::bytes, "64B", "size of a notification", 1, 65535},
    ParamSpec{"lane", ParamType::integer, "0", "lane of notifications", 0, kMaxLanes - 1},
};

// These and a scheme's own.
template <std::size_t N>
constexpr auto with_notification_params(const std::array<ParamSpec, N>& own) {
  return joined_params(kNotificationParams, own);
}

struct NotificationParams {
  std::uint32_t bytes = 64, lane = 0;
};

inline NotificationParams read_notification(const Section& s, const RunInput& run) {
  const NotificationParams n{static_cast<std::uint32_t>(s.bytes("notification")),
                             static_cast<std::uint32_t>(s.integer("lane"))};
  check_own_packet(run, s, "notification");
  check_lane(s, "lane", n.lane, run.config.switches);
  return n;
}

}  // namespace weir
