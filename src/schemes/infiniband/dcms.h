// Scheme `dcms`: InfiniBand congestion control under the controller of control/dcms.h. Here lies what a subnet would
// provide: a manager host whose requests travel as packets, a few at a time, to the switch that is asked. They end
// there; after a delay the switch sends an answer. Both turn only where the routes of data turn, so that a manager
// cannot make a fabric deadlock (network/deadlock/proven_paths.h). The controller sees nothing but its clock and the
// answers.
#pragma once
#include "control/dcms.h"
#include "schemes/infiniband/infiniband.h"

namespace weir {

inline constexpr std::string_view kDcmsRuleChoices[] = {"repaired", "printed"};

inline constexpr std::string_view kManagementChoices[] = {"in-band", "out-of-band"};
inline constexpr Condition kInBand = when("management", {"in-band"});

inline constexpr std::array kManagerParams{
    ParamSpec{"management", ParamType::choice, "in-band",
              "in-band: requests and answers are packets that share the links; out-of-band: they take no time and no "
              "links, as over a network of their own",
              0, 0, kManagementChoices},
    ParamSpec{"manager", ParamType::host, kUnset, "host that the manager runs on; default: the first one", 0, 1e9}
        .applying(kInBand),
    ParamSpec{"manager_lane", ParamType::integer, kUnset,
              "lane of management packets; default: the highest one. Without one of their own they wait in the "
              "congestion that they are to report: set switch.lanes", 0, kMaxLanes - 1}
        .applying(kInBand),
    ParamSpec{"outstanding", ParamType::integer, "4",
              "requests that may be without an answer at a time; the others wait at the manager", 1, 1e6}
        .applying(kInBand),
    ParamSpec{"mad", ParamType::bytes, "256B", "size of a management packet, request or answer", 1, 4096}
        .applying(kInBand),
    ParamSpec{"agent_delay", ParamType::time, "20us", "time a switch takes to answer a read", 0, 1}
        .applying(kInBand),
    ParamSpec{"set_delay", ParamType::time, "1ms", "time until a setting or a cleared counter takes effect", 0, 10}
        .applying(kInBand),
    ParamSpec{"calm_period", ParamType::time, "5s", "between two sweeps while nothing is congested", 1e-6, 1e6},
    ParamSpec{"period", ParamType::time, "1.075s", "between two sweeps during an event; thresholds are per such period",
              1e-6, 1e6},
    ParamSpec{"answer_timeout", ParamType::time, "100ms",
              "a sweep is evaluated at the latest this long after the last answer", 1e-9, 1e6},
    ParamSpec{"wait_threshold", ParamType::number, "27.4e6", "T_W: ticks of PortXmitWait", 0, 1e18},
    ParamSpec{"congestion_threshold", ParamType::number, "8e6", "T_C: ticks of PortXmitCongTime", 0, 1e18},
    ParamSpec{"data_threshold", ParamType::number, "25e6", "T_D: words of PortXmitData by which throughput must fall",
              0, 1e18},
    ParamSpec{"low_limit", ParamType::integer, "12", "T_I: sweeps for which the Marking_Rate may stay low", 1, 1e9},
    ParamSpec{"low_rate", ParamType::integer, "0", "the low Marking_Rate, while a port has victims", 0, 65535},
    ParamSpec{"watch_every", ParamType::integer, "1",
              "one sweep in this many reads all ports; the others read only ports that were congested before; 1 = "
              "always all",
              1, 1e6},
    ParamSpec{"rules", ParamType::choice, "repaired", "the algorithm as printed in the paper, or with its defects "
                                                      "corrected (see docs/infiniband.md)", 0, 0,
              kDcmsRuleChoices},
    ParamSpec{"rule_guard", ParamType::flag, kUnset, "a port set low is skipped in that sweep only, then counted"},
    ParamSpec{"rule_empty", ParamType::flag, kUnset, "victims are forgotten when the default rate returns"},
    ParamSpec{"rule_exclude", ParamType::flag, kUnset,
              "a port dropped for fallen throughput is no victim again until the root was calm"},
    ParamSpec{"rule_limit", ParamType::flag, kUnset, "the limit is passed after more than T_I sweeps"},
    ParamSpec{"rule_per_time", ParamType::flag, kUnset, "differences are brought to the length of `period`"},
};

inline constexpr auto kDcmsParams = [] {
  std::array<ParamSpec, kCcaParams.size() + kManagerParams.size()> all{};
  std::size_t i = 0;
  for (const ParamSpec& param : kCcaParams) {
    all[i] = param;
    if (param.name == "marking_rate")
      all[i].help = "Marking_Rate of a port without victims: mean number of eligible packets between two marked ones; "
                    "default 128";
    ++i;
  }
  for (const ParamSpec& param : kManagerParams) all[i++] = param;
  return all;
}();

struct ManagerSettings {
  bool in_band = true;
  HostId host{0};
  std::uint32_t lane = 1, mad_bytes = 256, outstanding = 4;
  Time agent_delay, set_delay;
  DcmsSettings controller;
};

}  // namespace weir
