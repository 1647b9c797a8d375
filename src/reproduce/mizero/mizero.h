// What the two experiments of paper 002 share: flows by name, rates over spans of time, counters of ports by name.
#pragma once
#include <string>
#include <string_view>

#include "measure/derive.h"
#include "reproduce/entry.h"

namespace weir::mizero {

ClassId flow_class(const Measurements& m, std::string_view name);  // each flow has a class of its own
const FlowResult& flow_of(const Measurements& m, std::string_view name);
// Mean payload rate in Gb/s between two moments, from the series.
double rate_between(const Measurements& m, std::string_view name, Time from, Time to);
// All flows to D together.
double total_to_d(const Measurements& m, Time from, Time to);
const PortResult& port_of(const Outcome& outcome, std::string_view name);
double waited_ticks(const PortResult& port);  // PortXmitWait
Curve rate_curve(const Measurements& m, std::string_view name);  // Gb/s over seconds

// A counter of a watched port over seconds, in units of so many seconds: "PortXmitWait" or "PortXmitCongTime".
Curve counter_curve(const Measurements& m, std::string_view counter, std::string_view port, double unit,
                    std::string label);

}  // namespace weir::mizero
