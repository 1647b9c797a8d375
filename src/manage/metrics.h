// What the manager knows, in the text format that Prometheus reads. Counters of ports have the names of the usual
// exporters of InfiniBand counters; what is weir's own begins with weir_.
#pragma once
#include <string>

#include "manage/manager.h"

namespace weir::manage {

std::string metrics_text(const Manager& manager, const Topology& topology);

}  // namespace weir::manage
