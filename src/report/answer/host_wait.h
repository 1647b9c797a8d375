// Packets that stand at their hosts while the fabric is free: a scheme, or the host's own link, holds them back. No
// port of the fabric shows that.
#pragma once
#include <string>

#include "store/run_record.h"

namespace weir {

// The class that waits most, in words: "rpc offers 150 Gb/s and delivers 2.00 Gb/s". Empty if none waits long.
std::string waiting_at_hosts(const AnalysedRun& run);
// The same, but only of classes that had much left to send when the run ended.
std::string unsent_at_hosts(const AnalysedRun& run);

// Flows that had more to send when the run ended, although all of their links were idle most of the time: "8 open flows
// use 6.0 % of their links at most". Empty if there are none.
std::string flows_held_back(const AnalysedRun& run);

}  // namespace weir
