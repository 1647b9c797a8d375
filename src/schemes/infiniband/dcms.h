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
              "how the manager reaches the switches. in-band: requests and answers are packets that share the links "
              "with data; out-of-band: they use a separate network and take no time",
              0, 0, kManagementChoices},
    ParamSpec{"manager", ParamType::host, kUnset, "host that the manager runs on; default: the first one", 0, 1e9}
        .applying(kInBand),
    ParamSpec{"manager_lane", ParamType::integer, kUnset,
              "lane of management packets; default: the highest one. If management packets have no lane of their own, "
              "they wait in the congestion that they should report; set switch.lanes",
              0, kMaxLanes - 1}
        .applying(kInBand),
    ParamSpec{"outstanding", ParamType::integer, "4",
              "largest number of unanswered requests at a time; further requests wait at the manager", 1, 1e6}
        .applying(kInBand),
    ParamSpec{"mad", ParamType::bytes, "256B", "size of a management packet, request or answer", 1, 4096}.applying(
        kInBand),
    ParamSpec{"agent_delay", ParamType::time, "20us", "time a switch takes to answer a read", 0, 1}.applying(kInBand),
    ParamSpec{"set_delay", ParamType::time, "1ms", "time until a setting or a cleared counter takes effect", 0, 10}
        .applying(kInBand),
    ParamSpec{"calm_period", ParamType::time, "5s", "time between two sweeps while nothing is congested", 1e-6, 1e6},
    ParamSpec{"period", ParamType::time, "1.075s",
              "time between two sweeps during an event; the thresholds below "
              "refer to this time",
              1e-6, 1e6},
    ParamSpec{"answer_timeout", ParamType::time, "100ms",
              "a sweep is evaluated when all answers have arrived, or when none has arrived for this long", 1e-9,
              1e6},
    ParamSpec{"wait_threshold", ParamType::number, "27.4e6",
              "T_W: growth of PortXmitWait, in ticks, above which a port counts as waiting", 0, 1e18},
    ParamSpec{"congestion_threshold", ParamType::number, "8e6",
              "T_C: growth of PortXmitTimeCong, in ticks, above which a port counts as congested", 0, 1e18},
    ParamSpec{"data_threshold", ParamType::number, "25e6",
              "T_D: a victim is removed from the list when the growth of its "
              "PortXmitData, in words of 4 bytes, falls by more than this "
              "from one sweep to the next",
              0, 1e18},
    ParamSpec{"low_limit", ParamType::integer, "12",
              "T_I: number of sweeps for which the Marking_Rate of a port may "
              "stay low",
              1, 1e9},
    ParamSpec{"low_rate", ParamType::integer, "0", "low Marking_Rate: the value of a port that has victims", 0, 65535},
    ParamSpec{"watch_every", ParamType::integer, "1",
              "every N-th sweep reads all ports; the other sweeps read only ports that were congested before and the "
              "ports that send to them. 1: every sweep reads all ports",
              1, 1e6},
    ParamSpec{"rules", ParamType::choice, "repaired",
              "printed: the algorithm as printed in the paper; repaired: with "
              "its defects corrected (docs/infiniband.md). The keys rule_... "
              "correct single defects",
              0, 0, kDcmsRuleChoices},
    ParamSpec{"rule_guard", ParamType::flag, kUnset,
              "a port whose Marking_Rate was just lowered is skipped in that "
              "sweep only, and counted again from the next sweep"},
    ParamSpec{"rule_empty", ParamType::flag, kUnset,
              "a port's list of victims is emptied when its Marking_Rate "
              "returns to the default"},
    ParamSpec{"rule_exclude", ParamType::flag, kUnset,
              "a victim that was dropped because its throughput fell does not become a victim again until the root has "
              "been calm"},
    ParamSpec{"rule_limit", ParamType::flag, kUnset, "the limit is reached only after more than T_I sweeps"},
    ParamSpec{"rule_per_time", ParamType::flag, kUnset, "differences of counters are scaled to the length of `period`"},
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
