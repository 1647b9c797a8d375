// Rates without rate control, for figures 6.8 and 6.10 of paper 000: measured packet by packet, since congestion
// spreads in a way that no formula of the paper gives. The paper does not say over which time; one run therefore serves
// three horizons.
#pragma once
#include <functional>
#include <vector>

#include "reproduce/entry.h"
#include "reproduce/zdornov/flow.h"
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
NoControlRates measure_no_control(const Scenario& scenario, const Wired& fabric, const std::vector<FlowPair>& flows);

// What was measured at one point of a figure's axis, run by run: static routes in the plain tree, and adaptive ones in
// the modified tree. These are set up by packets, all at once, and are not those of the calculated schemes.
struct NoControl {
  std::vector<NoControlRates> fixed, adaptive;  // by run
  // The object must outlive what it returns.
  Baseline baseline(Horizon horizon) const;
  std::vector<Baseline> baselines() const;  // in the order of kHorizons
};

// Every run of every point is a job of its own, both ways of routing are, so that all cores are busy to the end.
using FlowsOfRun = std::function<std::vector<FlowPair>(std::size_t hosts, std::size_t point, std::uint32_t run)>;
std::vector<NoControl> measure_no_control(const Reproduction& r, TreeShape modified, std::size_t points,
                                          std::uint32_t runs, const FlowsOfRun& flows);

}  // namespace weir::zdornov
