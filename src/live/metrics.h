// What a served fabric counts, in the text format of Prometheus, under the names of the usual exporters: ports of
// switches and of adapters as one sees them through management datagrams, but wider. What is weir's own begins with
// weir_.
#pragma once
#include <string>

#include "live/session.h"

namespace weir::live {

std::string metrics_text(const Session& session);

}  // namespace weir::live
