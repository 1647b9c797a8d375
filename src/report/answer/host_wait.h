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

}  // namespace weir
