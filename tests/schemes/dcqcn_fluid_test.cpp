// The fluid model of DCQCN: its fixed points, and when it oscillates.
#include <gtest/gtest.h>

#include "schemes/roce/dcqcn_fluid.h"

namespace weir::dcqcn {
namespace {

FluidResult solved(double flows, double delay, RedThresholds red, double pmax, bool memory = false) {
  Fluid model;
  model.flows = flows;
  model.delay = delay;
  model.red = red;
  model.pmax = pmax;
  model.memory = memory;
  return solve(model, 0.25, 0.3);
}

TEST(DcqcnFluid, HasTheFixedPointsOfTheTable) {
  const FluidResult two = solved(2, 4e-6, {5'000, 200'000}, 0.01);
  EXPECT_NEAR(two.mean, 20'200, 100);
  EXPECT_NEAR(two.marked, 0.00078, 0.00001);
  EXPECT_NEAR(two.alpha, 0.101, 0.001);
  const FluidResult many = solved(64, 4e-6, {40'000, 200'000}, 0.1);
  EXPECT_NEAR(many.mean, 134'500, 500);
  EXPECT_NEAR(many.marked, 0.0591, 0.0002);
  EXPECT_LT(many.deviation, 100);
}

TEST(DcqcnFluid, TenFlowsOscillateWhenFeedbackIsLateAndSoonerWithMemory) {
  const RedThresholds no_cliff{5'000, 19'505'000};
  EXPECT_LT(solved(10, 50e-6, no_cliff, 1).deviation, 1'000);
  const FluidResult late = solved(10, 85e-6, no_cliff, 1);
  EXPECT_NEAR(late.deviation, 99'000, 2'000);
  EXPECT_EQ(late.least, 0);
  EXPECT_NEAR(late.most, 270'000, 3'000);
  EXPECT_LT(solved(10, 4e-6, no_cliff, 1, true).deviation, 1'000);
  EXPECT_NEAR(solved(10, 50e-6, no_cliff, 1, true).deviation, 99'700, 2'000);
}

TEST(DcqcnFluid, SixtyFourFlowsOscillateWhenMarksComeAsOftenAsTheLinkServes) {
  Fluid model{.flows = 64, .delay = 85e-6, .red = {5'000, 19'505'000}, .pmax = 1};
  EXPECT_LT(solve(model, 0.25, 0.3).deviation, 1'000);
  model.departing = true;
  EXPECT_NEAR(solve(model, 0.25, 0.3).deviation, 1'008'000, 20'000);
  model.delay = 4e-6;
  const FluidResult prompt = solve(model, 0.25, 0.3);
  EXPECT_LT(prompt.deviation, 1'000);
  EXPECT_NEAR(prompt.mean, 1'156'500, 5'000) << "the fixed point is the same";
}

}  // namespace
}  // namespace weir::dcqcn
