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
              "an OpenSM configuration file whose congestion-control block gives the defaults of the keys below"},
    ParamSpec{"threshold", ParamType::integer, kUnset,
              "Threshold of every switch port: 0 off, 15 marks at the shortest queue, spread evenly over an input "
              "buffer; default 15", 0,
              15},
    ParamSpec{"marking_rate", ParamType::integer, kUnset,
              "Marking_Rate: mean number of eligible packets between two marked ones; default 0, marks all", 0, 65535},
    ParamSpec{"marking", ParamType::choice, "random",
              "random: each eligible packet with the same chance; strict: a counter (aliases with round robin)", 0, 0,
              kMarkingChoices},
    ParamSpec{"packet_size", ParamType::bytes, kUnset, "Packet_Size: smaller packets are not marked; default 0B", 0,
              65535},
    ParamSpec{"victim_mask", ParamType::choice, kUnset,
              "Victim_Mask: ports that mark even while they lack credit; default: those that lead to adapters", 0, 0,
              kVictimMaskChoices},
    ParamSpec{
        "ports", ParamType::rows, kUnset,
        "other values for some ports: rows of switch or port (\"S2:23\"), key (threshold, marking_rate, packet_size, "
        "victim_mask), value, and a lane if not all"},
    ParamSpec{"becn", ParamType::choice, "cnp", "BECN returns in a notification packet, or on an acknowledgement", 0, 0,
              kBecnChoices},
    ParamSpec{"cnp", ParamType::bytes, "42B", "size of a notification packet", 1, 4096},
    ParamSpec{"cnp_lane", ParamType::integer, "0", "lane of notification packets", 0, kMaxLanes - 1},
    ParamSpec{"ccti_per", ParamType::choice, kUnset,
              "one CCTI per flow (queue pair) or per service level (lane); default flow", 0, 0, kCctiChoices},
    ParamSpec{"ccti_increase", ParamType::integer, kUnset, "CCTI_Increase: added to CCTI by a BECN; default 1", 0, 255},
    ParamSpec{"ccti_limit", ParamType::integer, kUnset, "CCTI_Limit: largest CCTI; default: the table's last index", 0,
              8191},
    ParamSpec{"ccti_min", ParamType::integer, kUnset, "CCTI_Min: smallest CCTI; default 0", 0, 8191},
    ParamSpec{"ccti_timer", ParamType::integer, kUnset,
              "CCTI_Timer: CCTI falls by one after this many times 1.024 us; default: 75 times the largest packet on "
              "the "
              "slowest link (150 for 2 KiB at 8 Gb/s), and a round trip at least",
              1, 65535},
    ParamSpec{"cct", ParamType::texts, kUnset,
              "the congestion control table, entries \"shift:multiplier\"; default: a linear one of cct_size entries"},
    ParamSpec{"cct_step", ParamType::number, kUnset,
              "linear table: packet times that each index adds to the wait; default 1", 0, 1000}
        .applying(unless_given({"cct"})),
    ParamSpec{"cct_size", ParamType::integer, kUnset, "linear table: number of entries; default 128", 1, 8192}.applying(
        unless_given({"cct"})),
    ParamSpec{"jitter", ParamType::fraction, "0",
              "waiting times vary at random by up to this share, because no adapter's scheduler is exact: without it, "
              "flows with equal waits can lock in step",
              0, 1},
    ParamSpec{"cong_tick", ParamType::time, "128ns", "unit in which a manager reads PortXmitCongTime", 1e-9, 1},
};

inline constexpr std::uint32_t kDcmsMarkingRate = 128;  // of ports without victims, under a manager

// `default_marking_rate`: where neither a key nor a file gives one.
CcaSettings cca_settings(const RunInput& run, const Section& scheme, std::uint32_t default_marking_rate);
// The scheme with what the settings imply for the adapters (acknowledgements where they carry BECN).
ConfiguredScheme with_becn(ConfiguredScheme scheme, const CcaSettings& settings);

}  // namespace weir
