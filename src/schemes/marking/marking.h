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
    "which packets are marked: ipm at full inputs, rpm at outputs that a full input waits for, "
    "opm at full outputs, iopm at both, mvpm at outputs only if marked at an input before",
    0,
    0,
    kDetections};
inline constexpr ParamSpec kInput{
    "input_threshold", ParamType::fraction, "66%", "share of an input buffer above which packets are marked", 0, 1};
inline constexpr ParamSpec kInputFree = ParamSpec{
    "input_threshold",
    ParamType::fraction,
    kUnset,
    "share of an input buffer above which packets are marked; default: 66%, with rpm: when no "
    "further packet of the largest size fits",
    0,
    1}.applying(when("detection", {"ipm", "rpm", "iopm", "mvpm"}));
inline constexpr ParamSpec kInputRpm{
    "input_threshold",
    ParamType::fraction,
    kUnset,
    "share of an input buffer above which it counts as full; default: when no further packet of "
    "the largest size fits",
    0,
    1};
inline constexpr ParamSpec kOutput{"output_threshold", ParamType::fraction, "33%",
                                   "share of an output buffer above which packets are marked", 0, 1};
inline constexpr ParamSpec kOutputFree = ParamSpec{
    "output_threshold",
    ParamType::fraction,
    kUnset,
    "share of an output buffer above which packets are marked; default: 33%, with opm 90%",
    0,
    1}.applying(when("detection", {"opm", "iopm", "mvpm"}));
inline constexpr ParamSpec kOutputOpm{"output_threshold", ParamType::fraction, "90%",
                                      "share of an output buffer above which packets are marked", 0, 1};
inline constexpr ParamSpec kComparison{"comparison", ParamType::choice, "above",
                                       "whether an occupancy equal to the threshold marks packets", 0, 0, kComparisons};
inline constexpr ParamSpec kArriving{
    "count_arriving", ParamType::choice, "everywhere",
    "where the arriving packet itself counts as part of the occupancy: at inputs and outputs, at outputs only, nowhere",
    0, 0, kCounts};
inline constexpr ParamSpec kWindow{
    "window",
    ParamType::choice,
    "dynamic",
    "limit on unacknowledged packets of a flow: dynamic shrinks by one per marked acknowledgement "
    "down to 1 and grows by one per clean one",
    0,
    0,
    kWindows};
inline constexpr ParamSpec kWindowPackets = ParamSpec{
    "window_packets",
    ParamType::integer,
    kUnset,
    "the window, or the largest one if it is dynamic; default: packets that fit into the "
    "shortest round trip, rounded up (formula 5.4)",
    1,
    1e6}.applying(when("window", {"static", "dynamic"}));
inline constexpr ParamSpec kWindowPer{
    "window_per", ParamType::choice, "pair",
    "windows and delays apply to each pair of hosts, or to all packets of a source host", 0, 0,
    kPer};
inline constexpr ParamSpec kWindowGiven{
    "window_packets", ParamType::integer, kUnset, "static window; default: none", 1, 1e6};
inline constexpr ParamSpec kWindowOne{"window_packets", ParamType::integer, "1", "static window", 1, 1e6};
inline constexpr ParamSpec kDelay{
    "delay",
    ParamType::choice,
    "slots",
    "pause between packets of a flow: slots 0, 1, k, k^2, ...; table one slot more per mark, without "
    "limit; aimd, fimd, lipd injection rate control",
    0,
    0,
    kDelays};
inline constexpr ParamSpec kRateControl{
    "delay",
    ParamType::choice,
    "lipd",
    "injection rate control: aimd and fimd divide the rate by `rate_factor`, lipd adds one "
    "packet time of delay per marked acknowledgement",
    0,
    0,
    kRateControls};
inline constexpr ParamSpec kSlot = ParamSpec{
    "slot",
    ParamType::time,
    kUnset,
    "a waiting slot; default: the shortest round trip; with delay = \"table\": packet time x "
    "hot_spot_degree / ports of a switch",
    0,
    1}.applying(when("delay", {"slots", "table"}));
inline constexpr ParamSpec kFactor =
    ParamSpec{"factor", ParamType::integer, kUnset, "by which slots are multiplied; default: k of the network", 2, 1e6}
        .applying(when("delay", {"slots"}));
inline constexpr ParamSpec kLimit = ParamSpec{
    "limit", ParamType::integer,
    kUnset,  "how often slots may be increased at most, 0 = without limit; default: n of the network",
    0,       60}.applying(when("delay", {"slots"}));
inline constexpr ParamSpec kWaitFrom = ParamSpec{
    "wait_from", ParamType::choice,
    "injection", "the delay is measured from the last packet, or from the marked acknowledgement",
    0,           0,
    kWaits}.applying(when("delay", {"slots", "table", "aimd", "fimd", "lipd"}, "it belongs to a delay"));
inline constexpr ParamSpec kRecovery{
    "recovery",
    ParamType::choice,
    "immediate",
    "progressive: by clean acknowledgements alone; immediate: also at once when a packet is "
    "generated into an empty queue",
    0,
    0,
    kRecoveries};
inline constexpr ParamSpec kRecoverySlow{
    "recovery",
    ParamType::choice,
    "progressive",
    "progressive: by clean acknowledgements alone; immediate: also at once when a packet is "
    "generated into an empty queue",
    0,
    0,
    kRecoveries};
inline constexpr ParamSpec kEmptyQueue = ParamSpec{
    "empty_queue",
    ParamType::choice,
    "nothing-waits",
    "immediate recovery: a queue is empty when no packet waits in it, or only when those sent have been acknowledged "
    "too",
    0,
    0,
    kEmptyQueues}.applying(when("recovery", {"immediate"}));
inline constexpr ParamSpec kRateFactor =
    ParamSpec{"rate_factor", ParamType::number, "2", "aimd and fimd: m, by which a mark divides the rate", 1.0001, 1e6}
        .applying(when("delay", {"aimd", "fimd"}));
inline constexpr ParamSpec kLeastRate = ParamSpec{
    "least_rate", ParamType::number,
    "0.00390625", "aimd, fimd, lipd: lowest rate, as a share of the link's; also the pace of recovery",
    1e-6,         1}.applying(when("delay", {"aimd", "fimd", "lipd"}));
inline constexpr ParamSpec kHotSpotDegree = ParamSpec{
    "hot_spot_degree",
    ParamType::integer,
    kUnset,
    "sources that send to the hot spot; default: the most that this traffic has for one "
    "destination",
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
    marking_params::kWindowPackets, marking_params::kWindowPer, marking_params::kSlot,    marking_params::kFactor,
    marking_params::kLimit,
    marking_params::kWaitFrom, marking_params::kRecovery, marking_params::kEmptyQueue};
inline constexpr ParamSpec kRenatoParams[] = {
    marking_params::kInputRpm,   marking_params::kComparison,  marking_params::kArriving, marking_params::kWindowOne,
    marking_params::kWindowPer,  marking_params::kRateControl, marking_params::kWaitFrom, marking_params::kRecoverySlow,
    marking_params::kRateFactor, marking_params::kLeastRate};
inline constexpr ParamSpec kPfisterParams[] = {
    marking_params::kOutputOpm, marking_params::kComparison, marking_params::kArriving, marking_params::kWindowGiven,
    marking_params::kWindowPer, marking_params::kSlot,
    marking_params::kWaitFrom,  marking_params::kRecoverySlow, marking_params::kHotSpotDegree};

}  // namespace weir
