// Packet marking and injection control (Ferrer 2012): one family in which detection, correction and recovery are chosen
// freely. `marking` offers every choice; the four named schemes are presets of it with the keys that make sense for
// them:
//   mvcm     mvpm, dynamic window then waiting slots, immediate recovery
//   iocm     iopm, the same correction
//   renato   rpm, static window of 1, injection rate control
//   pfister  opm, a table of waiting slots without limit, no window unless one is given
#pragma once
#include "packet/run_input.h"
#include "scenario/scenario.h"
#include "schemes/marking/correction.h"
#include "schemes/marking/detection.h"
#include "schemes/round_trip.h"

namespace weir {

namespace marking {

struct MarkingConfig {
  DetectionConfig detection;
  CorrectionConfig correction;
  RoundTrip trip;
  bool messages = false;  // the workload has flows
};

enum class MarkingPreset { free, mvcm, iocm, renato, pfister };

// Reads [scheme]; what it leaves open comes from the network and the traffic of the run. Refuses thresholds that no
// occupancy can pass and keys that have no effect with the chosen parts.
MarkingConfig marking_config(const RunInput& run, const Section& scheme, MarkingPreset preset);

}  // namespace marking

namespace marking_params {

inline constexpr std::string_view kDetections[] = {"none", "ipm", "rpm", "opm", "iopm", "mvpm"};
inline constexpr std::string_view kWindows[] = {"none", "static", "dynamic"};
inline constexpr std::string_view kDelays[] = {"none", "slots", "table", "aimd", "fimd", "lipd"};
inline constexpr std::string_view kRateControls[] = {"aimd", "fimd", "lipd"};
inline constexpr std::string_view kRecoveries[] = {"progressive", "immediate"};
inline constexpr std::string_view kWaits[] = {"injection", "ack"};
inline constexpr std::string_view kEmptyQueues[] = {"nothing-waits", "nothing-outstanding"};
inline constexpr std::string_view kCounts[] = {"everywhere", "at-outputs", "nowhere"};
inline constexpr std::string_view kPer[] = {"pair", "source"};
inline constexpr std::string_view kComparisons[] = {"above", "at-or-above"};

inline constexpr ParamSpec kDetection{
    "detection",
    ParamType::choice,
    "mvpm",
    "where packets are marked. ipm: at full input buffers; rpm: at outputs for which a full input buffer has packets; "
    "opm: at full output buffers; iopm: at full inputs and full outputs; mvpm: the same, but at outputs only packets "
    "that an input has marked before",
    0,
    0,
    kDetections};
inline constexpr ParamSpec kInput{
    "input_threshold", ParamType::fraction, "66%", "share of an input buffer above which packets are marked", 0, 1};
inline constexpr ParamSpec kInputFree = ParamSpec{
    "input_threshold",
    ParamType::fraction,
    kUnset,
    "share of an input buffer above which packets are marked. Default: 66%; with detection = \"rpm\": as soon as no "
    "further packet of the largest size fits",
    0,
    1}.applying(when("detection", {"ipm", "rpm", "iopm", "mvpm"}));
inline constexpr ParamSpec kInputRpm{
    "input_threshold",
    ParamType::fraction,
    kUnset,
    "share of an input buffer above which it counts as full. Default: it counts as full as soon as no further packet "
    "of the largest size fits",
    0,
    1};
inline constexpr ParamSpec kOutput{"output_threshold", ParamType::fraction, "33%",
                                   "share of an output buffer above which packets are marked", 0, 1};
inline constexpr ParamSpec kOutputFree = ParamSpec{
    "output_threshold",
    ParamType::fraction,
    kUnset,
    "share of an output buffer above which packets are marked. Default: 33%; with detection = \"opm\": 90%",
    0,
    1}.applying(when("detection", {"opm", "iopm", "mvpm"}));
inline constexpr ParamSpec kOutputOpm{"output_threshold", ParamType::fraction, "90%",
                                      "share of an output buffer above which packets are marked", 0, 1};
inline constexpr ParamSpec kComparison{"comparison", ParamType::choice, "above",
                                       "whether packets are marked only above the threshold, or also when the "
                                       "occupancy equals it", 0, 0, kComparisons};
inline constexpr ParamSpec kArriving{
    "count_arriving", ParamType::choice, "everywhere",
    "where the arriving packet itself counts as part of the occupancy: at inputs and outputs, at outputs only, nowhere",
    0, 0, kCounts};
inline constexpr ParamSpec kWindow{
    "window",
    ParamType::choice,
    "dynamic",
    "limit on the unacknowledged packets of a flow. none: no limit; static: a fixed one; dynamic: it shrinks by one "
    "for each marked acknowledgement, down to 1, and grows by one for each unmarked one",
    0,
    0,
    kWindows};
inline constexpr ParamSpec kWindowPackets = ParamSpec{
    "window_packets",
    ParamType::integer,
    kUnset,
    "size of the window, or largest size if it is dynamic. Default: as many packets as fit into the shortest round "
    "trip, rounded up (formula 5.4 of Ferrer 2012)",
    1,
    1e6}.applying(when("window", {"static", "dynamic"}));
inline constexpr ParamSpec kWindowPer{
    "window_per", ParamType::choice, "pair",
    "whether windows and delays apply to each pair of hosts, or to all packets of a source host", 0, 0,
    kPer};
inline constexpr ParamSpec kWindowGiven{
    "window_packets", ParamType::integer, kUnset, "size of a static window; default: no window", 1, 1e6};
inline constexpr ParamSpec kWindowOne{"window_packets", ParamType::integer, "1", "static window", 1, 1e6};
inline constexpr ParamSpec kDelay{
    "delay",
    ParamType::choice,
    "slots",
    "delay between packets of a flow. slots: 0, 1, k, k^2, ... waiting slots; table: one more slot for each mark, "
    "without limit; aimd, fimd, lipd: injection rate control, as in the scheme renato",
    0,
    0,
    kDelays};
inline constexpr ParamSpec kRateControl{
    "delay",
    ParamType::choice,
    "lipd",
    "injection rate control: what a marked acknowledgement does. aimd (additive increase, multiplicative decrease) and "
    "fimd (fast increase, multiplicative decrease) divide the rate by `rate_factor`; without marks, the rate then "
    "rises "
    "by equal steps (aimd), or by equal factors (fimd). lipd (linear inter-packet delay) makes the delay between "
    "packets longer by one packet time",
    0,
    0,
    kRateControls};
inline constexpr ParamSpec kSlot = ParamSpec{
    "slot",
    ParamType::time,
    kUnset,
    "length of a waiting slot. Default: the shortest round trip; for delay = \"table\": packet time x hot_spot_degree "
    "/ ports of a switch",
    0,
    1}.applying(when("delay", {"slots", "table"}));
inline constexpr ParamSpec kSlotOfTrip{
    "slot", ParamType::time, kUnset, "length of a waiting slot; default: the shortest round trip", 0, 1};
inline constexpr ParamSpec kSlotOfTable{
    "slot", ParamType::time, kUnset,
    "length of a waiting slot; default: packet time x hot_spot_degree / ports of a switch", 0, 1};
inline constexpr ParamSpec kFactor =
    ParamSpec{"factor", ParamType::integer, kUnset, "each further increase of the delay multiplies the number of "
                                                    "waiting slots by this. Default: k of the topology; if it has no "
                                                    "k, the largest number of hosts at one switch", 2, 1e6}
        .applying(when("delay", {"slots"}));
inline constexpr ParamSpec kLimit = ParamSpec{
    "limit", ParamType::integer,
    kUnset,  "largest number of increases in a row; 0: no limit. Default: n of the topology; if it has no n, half the "
             "switches on the longest path, rounded up",
    0,       60}.applying(when("delay", {"slots"}));
inline constexpr ParamSpec kWaitFrom = ParamSpec{
    "wait_from", ParamType::choice,
    "injection", "where the delay begins. injection: at the last packet; ack: at the marked acknowledgement",
    0,           0,
    kWaits}.applying(when("delay", {"slots", "table", "aimd", "fimd", "lipd"}, "it belongs to a delay"));
inline constexpr ParamSpec kRecovery{
    "recovery",
    ParamType::choice,
    "immediate",
    "progressive: each unmarked acknowledgement shortens the delay, and enlarges the window once there is no delay; "
    "immediate: in addition, delay and window return to their initial values when a new packet finds its queue empty",
    0,
    0,
    kRecoveries};
inline constexpr ParamSpec kRecoverySlow{
    "recovery",
    ParamType::choice,
    "progressive",
    "progressive: each unmarked acknowledgement shortens the delay, and enlarges the window once there is no delay; "
    "immediate: in addition, delay and window return to their initial values when a new packet finds its queue empty",
    0,
    0,
    kRecoveries};
inline constexpr ParamSpec kEmptyQueue = ParamSpec{
    "empty_queue",
    ParamType::choice,
    "nothing-waits",
    "when a queue counts as empty. nothing-waits: no packet waits in it; nothing-outstanding: in addition, all packets "
    "sent have been acknowledged",
    0,
    0,
    kEmptyQueues}.applying(when("recovery", {"immediate"}));
inline constexpr ParamSpec kRateFactor =
    ParamSpec{"rate_factor", ParamType::number, "2", "a mark divides the rate by this number", 1.0001, 1e6}
        .applying(when("delay", {"aimd", "fimd"}));
inline constexpr ParamSpec kLeastRate =
    ParamSpec{
        "least_rate",
        ParamType::number,
        "0.00390625",
        "lowest rate, as a share of the link rate. It also sets the speed of recovery: the higher it is, the faster "
        "rates rise",
        1e-6,
        1}
        .applying(when("delay", {"aimd", "fimd", "lipd"}));
inline constexpr ParamSpec kHotSpotDegree = ParamSpec{
    "hot_spot_degree",
    ParamType::integer,
    kUnset,
    "number of sources that send to the hot spot. Default: the largest number of sources of one destination in this "
    "traffic",
    1,
    1e9}.applying(when("delay", {"table"})).applying(unless_given({"slot"}));

}  // namespace marking_params

inline constexpr ParamSpec kMarkingParams[] = {
    marking_params::kDetection,     marking_params::kInputFree,  marking_params::kOutputFree,
    marking_params::kComparison,    marking_params::kArriving,   marking_params::kWindow,
    marking_params::kWindowPackets, marking_params::kWindowPer,  marking_params::kDelay,
    marking_params::kSlot,
    marking_params::kFactor,        marking_params::kLimit,      marking_params::kWaitFrom,
    marking_params::kRecovery,      marking_params::kEmptyQueue, marking_params::kRateFactor,
    marking_params::kLeastRate,     marking_params::kHotSpotDegree};
inline constexpr ParamSpec kMvcmParams[] = {
    marking_params::kInput,  marking_params::kOutput, marking_params::kComparison, marking_params::kArriving,
    marking_params::kWindowPackets, marking_params::kWindowPer, marking_params::kSlotOfTrip,
    marking_params::kFactor, marking_params::kLimit,
    marking_params::kWaitFrom, marking_params::kRecovery, marking_params::kEmptyQueue};
inline constexpr ParamSpec kRenatoParams[] = {
    marking_params::kInputRpm,   marking_params::kComparison,  marking_params::kArriving, marking_params::kWindowOne,
    marking_params::kWindowPer,  marking_params::kRateControl, marking_params::kWaitFrom, marking_params::kRecoverySlow,
    marking_params::kRateFactor, marking_params::kLeastRate};
inline constexpr ParamSpec kPfisterParams[] = {
    marking_params::kOutputOpm, marking_params::kComparison, marking_params::kArriving, marking_params::kWindowGiven,
    marking_params::kWindowPer, marking_params::kSlotOfTable,
    marking_params::kWaitFrom,  marking_params::kRecoverySlow, marking_params::kHotSpotDegree};

}  // namespace weir
