// Schemes `cca` (InfiniBand congestion control) and `dcms` (the same under a dynamic manager): what a scenario may say,
// and how it becomes settings.
#pragma once
#include <array>

#include "packet/run_input.h"
#include "scenario/scenario.h"
#include "schemes/infiniband/infiniband_family.h"
#include "schemes/registry.h"

namespace weir {

inline constexpr std::string_view kMarkingChoices[] = {"random", "strict"};
inline constexpr std::string_view kVictimMaskChoices[] = {"hosts", "none", "all"};
inline constexpr std::string_view kBecnChoices[] = {"cnp", "ack"};
inline constexpr std::string_view kCctiChoices[] = {"flow", "service-level"};

inline constexpr std::array kCcaParams{
    ParamSpec{"settings", ParamType::file, kUnset,
              "an OpenSM configuration file whose congestion-control block gives the defaults of the keys below"}
        .with_example("opensm.conf"),
    ParamSpec{"threshold", ParamType::integer, kUnset,
              "Threshold of every switch port. 0: no marking. 1 to 15: a port marks packets while more than (16 - "
              "Threshold)/16 of an input buffer waits for it; 15 marks at the shortest queue. Default 15",
              0, 15},
    ParamSpec{"marking_rate", ParamType::integer, kUnset,
              "Marking_Rate: mean number of eligible packets between two marked ones; default 0, which marks every "
              "eligible packet",
              0, 65535},
    ParamSpec{"marking", ParamType::choice, "random",
              "which eligible packets are marked. random: each with the same probability; strict: by a counter, one "
              "after every Marking_Rate packets (if sources take turns, this can mark the same source again and again)",
              0, 0, kMarkingChoices},
    ParamSpec{"packet_size", ParamType::bytes, kUnset, "Packet_Size: smaller packets are not marked; default 0B", 0,
              65535},
    ParamSpec{"victim_mask", ParamType::choice, kUnset,
              "Victim_Mask: the ports that mark packets even while they have no credit. hosts: those that lead to "
              "adapters (the default); none: no port; all: every port",
              0, 0, kVictimMaskChoices},
    ParamSpec{
        "ports", ParamType::rows, kUnset,
        "exceptions for single switches or ports: rows [switch or port, key, value] or [switch or port, key, value, "
        "lane], as in [\"S2:23\", \"threshold\", 8]. Without a lane, the row applies to all lanes. Keys: threshold, "
        "marking_rate, packet_size, victim_mask (0 or 1)"},
    ParamSpec{"becn", ParamType::choice, "cnp",
              "how a BECN returns to the source. cnp: in a notification packet; ack: "
              "in an acknowledgement",
              0, 0, kBecnChoices},
    ParamSpec{"cnp", ParamType::bytes, "42B", "size of a notification packet", 1, 4096},
    ParamSpec{"cnp_lane", ParamType::integer, "0", "lane of notification packets", 0, kMaxLanes - 1},
    ParamSpec{"ccti_per", ParamType::choice, kUnset,
              "one CCTI per flow (queue pair) or per service level (lane); default flow", 0, 0, kCctiChoices},
    ParamSpec{"ccti_increase", ParamType::integer, kUnset,
              "CCTI_Increase: a BECN raises CCTI by this number; default 1", 0, 255},
    ParamSpec{"ccti_limit", ParamType::integer, kUnset, "CCTI_Limit: largest CCTI; default: the table's last index", 0,
              8191},
    ParamSpec{"ccti_min", ParamType::integer, kUnset, "CCTI_Min: smallest CCTI; default 0", 0, 8191},
    ParamSpec{"ccti_timer", ParamType::integer, kUnset,
              "CCTI_Timer: CCTI falls by one after this time, in units of 1.024 us. Default: the time of 75 largest "
              "packets on the slowest link (150 units for 2 KiB at 8 Gb/s), but at least one round trip",
              1, 65535},
    ParamSpec{"cct", ParamType::texts, kUnset,
              "the congestion control table, entries \"shift:multiplier\"; default: a linear one of cct_size entries"},
    ParamSpec{"cct_step", ParamType::number, kUnset,
              "linear table: packet times that each index adds to the wait; default 1", 0, 1000}
        .applying(unless_given({"cct"})),
    ParamSpec{"cct_size", ParamType::integer, kUnset, "linear table: number of entries; default 128", 1, 8192}.applying(
        unless_given({"cct"})),
    ParamSpec{"jitter", ParamType::fraction, "0",
              "waiting times vary at random by up to this share, because no adapter's scheduler is exact. Without "
              "variation, flows with equal waiting times can stay in step",
              0, 1},
    ParamSpec{"cong_tick", ParamType::time, "128ns", "unit (tick) in which a manager reads PortXmitTimeCong", 1e-9, 1},
};

inline constexpr std::uint32_t kDcmsMarkingRate = 128;  // of ports without victims, under a manager

// `default_marking_rate`: where neither a key nor a file gives one.
CcaSettings cca_settings(const RunInput& run, const Section& scheme, std::uint32_t default_marking_rate);
// The scheme with what the settings imply for the adapters (acknowledgements where they carry BECN).
ConfiguredScheme with_becn(ConfiguredScheme scheme, const CcaSettings& settings);

}  // namespace weir
