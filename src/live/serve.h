// A fabric, served: with the engine of a scenario behind it, or with nothing that moves.
#pragma once
#include "live/session.h"
#include "measure/measurements.h"
#include "run/simulate.h"

namespace weir::live {

struct ServeReport {
  std::uint64_t served = 0, unanswered = 0;
  double held_ratio = 0;  // while time went on; 0 in lockstep
  bool has_stood = false;  // the scenario had ended before somebody ended the session
  Time end;
};

// `configured`: the subnet comes up with the scenario's routes, as if a manager had set it up. The scheme of the
// scenario is cca, or dcms, whose manager is left out.
Measurements serve_run(const Scenario& scenario, const RunSetup& setup, SessionOptions options, bool configured,
                       ServeReport& report);
// Without traffic. `routes` may be null: not configured.
void serve_idle(const Topology& topology, const RouteTable* routes, SessionOptions options, ServeReport& report);

}  // namespace weir::live
