// Rates without rate control, for figures 6.8 and 6.10 of paper 000: measured packet by packet, since congestion
// spreads in a way that no formula of the paper gives. The paper does not say over which time; one run therefore serves
// three horizons, and its result is kept, so that a figure can be computed for each.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "reproduce/zdornov_flow.h"
#include "scenario/scenario.h"

namespace weir::zdornov {

// In packet times of 1.6384 us after all flows have started at once.
enum class Horizon { steady, start, whole };  // 400 to 1000 (used for verdicts); 0 to 400; 0 to 1000
inline constexpr Horizon kHorizons[] = {Horizon::steady, Horizon::start, Horizon::whole};
const char* horizon_name(Horizon horizon);

// Per flow, in shares of a link.
struct NoControlRates {
  std::vector<double> steady, start, whole;
  const std::vector<double>& at(Horizon horizon) const;
};
// `scenario` says how switches and adapters are built and how long to run (reproduce/zdornov/no-control.toml).
NoControlRates measure_no_control(const Scenario& scenario, const Fabric& fabric, const std::vector<FlowPair>& flows);

// Remembers the rates of each run. One object per experiment and thread: the flows of a run are taken to be the same.
class NoControl {
 public:
  // `adaptive`: the scenario with flow set-up, for adaptive routing without rate control; routes are set up by packets,
  // all at once, and not those of the calculated schemes.
  explicit NoControl(Scenario scenario, std::optional<Scenario> adaptive = {})
      : scenario_(std::move(scenario)), adaptive_(std::move(adaptive)) {}
  Baseline baseline(Horizon horizon);

 private:
  using Runs = std::map<std::uint32_t, NoControlRates>;
  static MeasuredRates rates(Horizon horizon, const Scenario& scenario, Runs& runs);

  Scenario scenario_;
  std::optional<Scenario> adaptive_;
  Runs runs_, adaptive_runs_;
};

}  // namespace weir::zdornov
