// Recalculating only what a change touches gives the rates of a full solution, and touches no more than it must.
#include "flow/incremental.h"

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

class Fabric {
 public:
  Fabric(RateAlgorithm algorithm, std::uint64_t seed)
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
    flow.weight = algorithm_ == RateAlgorithm::ffa && random_.chance(0.5) ? 1.0 : std::pow(10.0, 2 * random_.unit());
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
      Fabric fabric(rate_algorithm(name), seed);
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

}  // namespace
}  // namespace weir
