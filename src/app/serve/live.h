// `weir run --live`: the run's page on this machine while the run goes on.
#pragma once
#include <string>
#include <vector>

#include "app/serve/page_server.h"
#include "run/simulate.h"
#include "scenario/parse.h"
#include "store/run_record.h"

namespace weir {

// Simulates, and publishes what is known about twice a second. The outcome is that of any other run.
Outcome run_live(const Variant& variant, PageServer& server, const std::string& command);
// The last state: the page no longer says that the run goes on.
void publish_end(const std::vector<PreparedRun>& runs, PageServer& server, const std::string& command);

}  // namespace weir
