// Recalculating only what a change touches gives the rates of a full solution, and touches no more than it must.
#include "flow/solvers/incremental.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "flow/instances.h"

namespace weir {
namespace {

struct ActiveFlow {
  std::vector<std::uint32_t> path;
  double weight;
  std::uint32_t application;
};

class ChangingFlows {
 public:
  ChangingFlows(RateAlgorithm algorithm, std::uint64_t seed)
      : algorithm_(algorithm),
        random_(seed, Purpose::test, 77),
        rates_(algorithm, capacity(), {}, 60, {1, 2, 0.5, 1}) {}

  void change() {
    const auto f = static_cast<std::uint32_t>(random_.below(60));
    if (flows_.contains(f)) {
      rates_.remove(f);
      flows_.erase(f);
      return;
    }
    ActiveFlow flow;
    // Two halves of the links, joined by few flows, so that there are several components most of the time.
    const bool wide = random_.chance(0.05);
    const std::uint64_t half = random_.below(4);
    for (std::uint32_t i = 0; i < 1 + random_.below(3); ++i) {
      const auto link = static_cast<std::uint32_t>(wide ? random_.below(40) : 10 * half + random_.below(10));
      if (std::find(flow.path.begin(), flow.path.end(), link) == flow.path.end()) flow.path.push_back(link);
    }
    flow.weight = algorithm_ == RateAlgorithm::ffa && random_.chance(0.5) ? 1.0 : std::pow(10.0, 4 * random_.unit());
    flow.application = static_cast<std::uint32_t>(random_.below(4));
    rates_.add(f, flow.path, flow.weight, flow.application);
    flows_[f] = flow;
  }

  // Returns how many flows were looked at.
  std::size_t check() {
    const std::size_t looked_at = rates_.recalculate().size();
    RowList paths;
    std::vector<double> weight;
    std::vector<std::uint32_t> application;
    for (const auto& [id, flow] : flows_) {
      paths.add_row(flow.path);
      weight.push_back(flow.weight);
      application.push_back(flow.application);
    }
    const Incidence incidence(40, std::move(paths));
    const std::vector<double> c = capacity(), beta = {1, 2, 0.5, 1};
    RateProblem problem{&incidence, c, weight};
    if (algorithm_ == RateAlgorithm::afa) {
      problem.application = application;
      problem.priority = beta;
    }
    const RateSolution full = solve(algorithm_, problem);
    std::size_t i = 0;
    for (const auto& [id, flow] : flows_) {
      EXPECT_NEAR(rates_.rate(id), full.rate[i], 1e-14 * full.rate[i]) << name_of(algorithm_) << " flow " << id;
      ++i;
    }
    EXPECT_EQ(rates_.active_flows(), flows_.size());
    return looked_at;
  }
  std::size_t size() const { return flows_.size(); }

 private:
  static std::vector<double> capacity() {
    std::vector<double> c;
    for (int l = 0; l < 40; ++l) c.push_back(1.0 + 0.1 * (l % 7));
    return c;
  }
  RateAlgorithm algorithm_;
  RandomStream random_;
  IncrementalRates rates_;
  std::map<std::uint32_t, ActiveFlow> flows_;
};

TEST(IncrementalRates, EqualFullSolutions) {
  for (const std::string_view name : rate_algorithm_names()) {
    std::size_t looked_at = 0, all = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      ChangingFlows fabric(rate_algorithm(name), seed);
      for (int step = 0; step < 100; ++step) {
        for (int i = 0; i <= step % 3; ++i) fabric.change();
        looked_at += fabric.check();
        all += fabric.size();
      }
    }
    if (name != "afa") {
      EXPECT_LT(looked_at, all) << name;  // applications reach over all links here
    }
  }
}

TEST(IncrementalRates, LeaveOtherComponentsAlone) {
  IncrementalRates rates(RateAlgorithm::ffa, {1, 1, 1}, {}, 10);
  rates.add(0, std::vector<std::uint32_t>{0}, 1);
  rates.add(1, std::vector<std::uint32_t>{1, 2}, 1);
  EXPECT_EQ(rates.recalculate().size(), 2u);
  rates.add(2, std::vector<std::uint32_t>{2}, 1);
  const auto touched = rates.recalculate();
  EXPECT_EQ(std::vector<std::uint32_t>(touched.begin(), touched.end()), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(rates.rate(0), 1.0);
  EXPECT_EQ(rates.rate(2), 0.5);
  rates.remove(1);
  rates.recalculate();
  EXPECT_EQ(rates.rate(2), 1.0);
  EXPECT_TRUE(rates.recalculate().empty());
}

TEST(IncrementalRates, LeaveSlowerFlowsAlone) {
  // Link 0 holds flows 0, 1 and 2 to 1/3; flow 2 leaves 2/3 of link 1 to flow 3. Flow 4 comes to link 1 and shares
  // with 3.
  IncrementalRates rates(RateAlgorithm::ffa, {1, 1}, {}, 10);
  for (const std::uint32_t f : {0u, 1u}) rates.add(f, std::vector<std::uint32_t>{0}, 1);
  rates.add(2, std::vector<std::uint32_t>{0, 1}, 1);
  rates.add(3, std::vector<std::uint32_t>{1}, 1);
  rates.recalculate();
  EXPECT_DOUBLE_EQ(rates.rate(3), 2.0 / 3);
  rates.remove(3);
  EXPECT_TRUE(rates.recalculate().empty());
  rates.add(3, std::vector<std::uint32_t>{1}, 1.5);
  const auto touched = rates.recalculate();
  EXPECT_EQ(std::vector<std::uint32_t>(touched.begin(), touched.end()), std::vector<std::uint32_t>{3});
  EXPECT_DOUBLE_EQ(rates.rate(3), 2.0 / 3);
  rates.remove(0);
  rates.recalculate();
  EXPECT_DOUBLE_EQ(rates.rate(1), 0.6);  // flow 2 is now held to 0.4 by the heavier flow 3
  EXPECT_DOUBLE_EQ(rates.rate(2), 0.4);
}

// Long series of changes in one large component: errors must not build up from one recalculation to the next.
TEST(IncrementalRates, StayExactOverManyChanges) {
  for (const bool weighted : {false, true}) {
    const testing_flow::Instance instance = testing_flow::tree_instance(4, 6, weighted);
    const auto flows = static_cast<std::uint32_t>(instance.incidence.flows());
    IncrementalRates rates(RateAlgorithm::ffa, instance.capacity, {}, flows);
    RandomStream random(3, Purpose::test, weighted);
    std::vector<bool> active(flows, false);
    for (int step = 0; step < (testing_flow::small_counts() ? 300 : 3000); ++step) {
      const auto f = static_cast<std::uint32_t>(random.below(flows));
      if (active[f]) {
        rates.remove(f);
      } else {
        rates.add(f, instance.incidence.links_of(f), instance.problem().weight_of(f));
      }
      active[f] = !active[f];
      if (step % 3 != 2) rates.recalculate();
      if (step % 50 != 49) continue;
      rates.recalculate();
      RowList paths;
      std::vector<double> weight;
      for (std::uint32_t i = 0; i < flows; ++i) {
        if (!active[i]) continue;
        paths.add_row(instance.incidence.links_of(i));
        weight.push_back(instance.problem().weight_of(i));
      }
      const Incidence incidence(instance.incidence.links(), std::move(paths));
      const RateSolution full = solve(RateAlgorithm::ffa, {&incidence, instance.capacity, weight});
      std::size_t at = 0;
      for (std::uint32_t i = 0; i < flows; ++i) {
        if (!active[i]) continue;
        ASSERT_NEAR(rates.rate(i), full.rate[at], 1e-15 * full.rate[at]) << "step " << step << " flow " << i;
        ++at;
      }
    }
  }
}

}  // namespace
}  // namespace weir
