// The rate solvers against exact rational references, against their own certificates on large instances, and on the
// small cases whose answers are known in closed form.
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "flow/exact_reference.h"
#include "flow/instances.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "flow/solvers/saa.h"
#include "flow/solvers/saa_m.h"
#include "flow/solvers/verify.h"

namespace weir {
namespace {

using testing_flow::Instance;
using testing_flow::random_instance;
using testing_flow::small_counts;
using testing_flow::tree_instance;

double worst_error(const std::vector<double>& rates, const std::vector<mpq_class>& exact) {
  mpq_class worst = 0;
  for (std::size_t f = 0; f < rates.size(); ++f) {
    const mpq_class error = abs(mpq_class(rates[f]) - exact[f]) / exact[f];
    if (error > worst) worst = error;
  }
  return worst.get_d();
}

Instance make(std::size_t links, const std::vector<std::vector<std::uint32_t>>& paths, std::vector<double> weight = {},
              std::vector<std::uint32_t> application = {}) {
  Instance out;
  RowList rows;
  for (const auto& p : paths) rows.add_row(p);
  out.incidence = Incidence(links, std::move(rows));
  out.capacity.assign(links, 1.0);
  out.weight = std::move(weight);
  out.application = std::move(application);
  return out;
}

TEST(RateSolvers, AgreeWithRationalReferenceOnRandomInstances) {
  const std::uint64_t count = small_counts() ? 500 : 10'000;
  double worst[4] = {0, 0, 0, 0};
  for (std::uint64_t n = 0; n < count; ++n) {
    const Instance instance = random_instance(n);
    const RateProblem problem = instance.problem();
    const exact::Instance flows = exact::instance_of(problem, false), apps = exact::instance_of(problem, true);
    RandomStream random(21, Purpose::test, n);
    std::vector<std::uint32_t> order(instance.incidence.flows());
    std::iota(order.begin(), order.end(), 0u);
    shuffle(order, random);

    worst[0] = std::max(worst[0], worst_error(saa(problem).rate, exact::saa(flows)));
    worst[1] = std::max(worst[1], worst_error(saa_m(problem, order).rate, exact::saa_m(flows, order)));
    worst[2] = std::max(worst[2], worst_error(ffa(problem).rate, exact::max_min(flows, false)));
    worst[3] = std::max(worst[3], worst_error(afa(problem).rate, exact::max_min(apps, true)));
  }
  for (const double error : worst) EXPECT_LT(error, 1e-12);
  // All sums are exact and results are rounded once or twice, so the solvers stay far below the promise.
  EXPECT_LT(worst[1], 1e-15);
  EXPECT_LT(worst[2], 1e-15);
  EXPECT_LT(worst[3], 1e-15);
}

// Weights as far apart as they may be, in whole powers of ten, so that links differ by less than a double can tell:
// every rate is right to what a certificate asks for, or the problem is refused.
TEST(RateSolvers, AgreeWithItWhereWeightsAreFarApart) {
  std::uint64_t solved = 0;
  double worst = 0;
  for (std::uint64_t n = 0; n < 2'000; ++n) {
    Instance instance = random_instance(n);
    instance.reserved.clear();
    instance.priority.clear();
    instance.capacity.assign(instance.capacity.size(), 7.0);
    RandomStream random(22, Purpose::test, n);
    instance.weight.clear();
    for (std::size_t f = 0; f < instance.incidence.flows(); ++f)
      instance.weight.push_back(std::pow(10.0, static_cast<double>(4 * random.below(6)) - 4));
    const RateProblem problem = instance.problem();
    const exact::Instance flows = exact::instance_of(problem, false), apps = exact::instance_of(problem, true);
    try {
      for (const auto& [algorithm, right] :
           {std::pair{RateAlgorithm::saa, exact::saa(flows)},
            std::pair{RateAlgorithm::ffa, exact::max_min(flows, false)},
            std::pair{RateAlgorithm::afa, exact::max_min(apps, true)}})
        worst = std::max(worst, worst_error(solve(algorithm, problem).rate, right));
      ++solved;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("differ too much"), std::string::npos) << e.what();
    }
  }
  EXPECT_LT(worst, kCertificateTolerance);
  EXPECT_GT(solved, 1'000u);
}

// A rate below the smallest number that a double has would be printed as 0.
TEST(RateSolvers, RefuseWhatTheyCannotCalculate) {
  const Instance instance = make(1, {{0}, {0}}, {1e-300, 1e300});
  for (const RateAlgorithm a : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa, RateAlgorithm::afa})
    EXPECT_THROW(solve(a, instance.problem()), InputError) << name_of(a);
}

TEST(RateSolvers, KeepTheirAccuracyInLongChainsOfBottlenecks) {
  // Link i carries a light flow of its own, and a heavy one that link i - 1 has stopped: each step amplifies what
  // rounding left by the ratio of the weights.
  const std::uint32_t length = 12;
  std::vector<std::vector<std::uint32_t>> paths;
  std::vector<double> weight;
  for (std::uint32_t l = 0; l < length; ++l) {
    paths.push_back(l + 1 < length ? std::vector<std::uint32_t>{l, l + 1} : std::vector<std::uint32_t>{l});
    weight.push_back(l % 2 == 0 ? 9999.0 : 1.25);
    paths.push_back({l});
    weight.push_back(0.7 + l);
  }
  Instance instance = make(length, paths, weight);
  for (std::uint32_t l = 0; l < length; ++l) instance.capacity[l] = 1.0 + 0.1 * l;
  const RateProblem problem = instance.problem();
  EXPECT_LT(worst_error(ffa(problem).rate, exact::max_min(exact::instance_of(problem, false), false)), 1e-12);
}

TEST(RateSolvers, CertificatesHoldOnLargeInstances) {
  for (const bool weighted : {false, true}) {
    const Instance instance = tree_instance(small_counts() ? 8 : 16, 5, weighted);
    const RateProblem problem = instance.problem();
    for (const RateAlgorithm a : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa, RateAlgorithm::afa}) {
      const Certificate c = verify(a, problem, solve(a, problem).rate, 1e-12);
      EXPECT_TRUE(c.holds()) << name_of(a) << ": " << (c.violations.empty() ? "" : c.violations[0].text());
    }
  }
}

TEST(RateSolvers, CertificateOfAMillionFlows) {
  if (small_counts()) GTEST_SKIP() << "full counts only";
  const Instance instance = tree_instance(64, 4, true);
  EXPECT_TRUE(verify(RateAlgorithm::ffa, instance.problem(), ffa(instance.problem()).rate, 1e-12).holds());
}

TEST(Certificate, NamesEveryKindOfWrongAnswer) {
  const Instance instance = make(2, {{0}, {0, 1}, {1}});
  const RateProblem problem = instance.problem();
  const std::vector<double> right = ffa(problem).rate;
  const auto first = [&](RateAlgorithm a, std::vector<double> rates) {
    const Certificate c = verify(a, problem, rates);
    EXPECT_FALSE(c.holds());
    EXPECT_EQ(c.count, c.violations.size());
    return c.violations.at(0).kind;
  };
  using Kind = Violation::Kind;
  EXPECT_EQ(first(RateAlgorithm::ffa, {0.6, 0.5, 0.5}), Kind::overload);
  EXPECT_EQ(first(RateAlgorithm::ffa, {0.5, 0.5, 0.4}), Kind::not_bottlenecked);
  EXPECT_EQ(first(RateAlgorithm::ffa, {0.7, 0.3, 0.7}), Kind::not_bottlenecked);  // feasible and maximal, but unfair
  EXPECT_EQ(first(RateAlgorithm::saa, {0.5, 0.4, 0.5}), Kind::rate_wrong);
  EXPECT_EQ(first(RateAlgorithm::saa_m, {0.6, 0.4, 0.6}), Kind::below_guarantee);
  EXPECT_EQ(first(RateAlgorithm::afa, {0.5, 0.25, 0.5}), Kind::uneven_application);
  EXPECT_EQ(first(RateAlgorithm::ffa, {0.5, -1, 0.5}), Kind::rate_invalid);
  EXPECT_TRUE(verify(RateAlgorithm::ffa, problem, right).holds());
}

// Figure 1.1: f1..f4 share the link between the switches (0), f1, f2 go on to d1 (1), f3..f6 to d2 (2).
TEST(SmallCases, SpreadingCongestionIsCuredByAQuarterForEach) {
  const Instance instance = make(3, {{0, 1}, {0, 1}, {0, 2}, {0, 2}, {2}, {2}});
  for (const RateAlgorithm a : {RateAlgorithm::saa, RateAlgorithm::ffa})
    EXPECT_EQ(solve(a, instance.problem()).rate, std::vector<double>(6, 0.25)) << name_of(a);
}

// Figure 2.2: three flows of a1 on one link; one of a1 and one of a2 on another.
TEST(SmallCases, ApplicationTakesNoMoreThanItsSlowestFlowNeeds) {
  const Instance instance = make(2, {{0}, {0}, {0}, {1}, {1}}, {}, {0, 0, 0, 0, 1});
  const RateSolution apps = afa(instance.problem());
  EXPECT_DOUBLE_EQ(apps.app_rate[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(apps.app_rate[1], 2.0 / 3);
  EXPECT_EQ(apps.levels, 2u);
  const RateSolution flows = ffa(instance.problem());
  EXPECT_DOUBLE_EQ(flows.rate[3], 0.5);
  EXPECT_DOUBLE_EQ(flows.rate[4], 0.5);
}

// Figure 4.3 and proposition 4.4.1: links s1, s2, s3 -> sw1 and sw1 -> d1; f1: s1, d1; f2: s2, d1; f3: s2 alone.
TEST(SmallCases, FlowFairOverSingleApplicationReachesTheBound) {
  for (const double w : {3.0, 7.0, 41.0, 1001.0}) {
    const Instance instance = make(3, {{0, 2}, {1, 2}, {1}}, {1, (w - 1) / 2, (w + 1) / 2});
    const double ratio = ffa(instance.problem()).rate[0] / saa(instance.problem()).rate[0];
    EXPECT_NEAR(ratio, (w + 1) * (w + 1) / (4 * w), 1e-12 * w);
  }
}

// Figure 4.4 and proposition 4.4.2: f1 of a1 and f2 of a2 share a link; f3 of a2 has another to itself.
TEST(SmallCases, ApplicationFairOverFlowFairReachesTheBound) {
  for (const double w : {3.0, 7.0, 41.0, 1001.0}) {
    const Instance instance = make(2, {{0}, {0}, {1}}, {1, (w - 1) / 2, w}, {0, 1, 1});
    const double bound = (w + 1) * (w + 1) / (4 * w);
    EXPECT_NEAR(afa(instance.problem()).app_rate[0] / ffa(instance.problem()).rate[0], bound, 1e-12 * w);
    EXPECT_NEAR(afa(instance.problem()).app_rate[0] / saa(instance.problem()).rate[0], bound, 1e-12 * w);
  }
}

TEST(SmallCases, OrderOfClaimsDecidesWhoGetsTheRest) {
  // Link 0 is shared by 0, 1 and 2; flow 2 is held to 1/4 by link 1, which leaves 1/12 of link 0.
  const Instance instance = make(2, {{0}, {0}, {0, 1}, {1}, {1}, {1}});
  const std::vector<std::uint32_t> forward = {0, 1, 2, 3, 4, 5}, backward = {5, 4, 3, 2, 1, 0};
  const RateSolution a = saa_m(instance.problem(), forward), b = saa_m(instance.problem(), backward);
  EXPECT_DOUBLE_EQ(a.rate[0], 1.0 / 3 + 1.0 / 12);
  EXPECT_DOUBLE_EQ(a.rate[1], 1.0 / 3);
  EXPECT_DOUBLE_EQ(b.rate[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(b.rate[1], 1.0 / 3 + 1.0 / 12);
  EXPECT_EQ(a.bottleneck[0], 0u);
}

TEST(SmallCases, ReservedFractionsAndUnequalCapacities) {
  Instance instance = make(2, {{0}, {0, 1}, {1}});
  instance.capacity = {10, 4};
  instance.reserved = {0.5, 0.25};
  EXPECT_EQ(ffa(instance.problem()).rate, (std::vector<double>{3.5, 1.5, 1.5}));
  EXPECT_EQ(saa(instance.problem()).rate, (std::vector<double>{2.5, 1.5, 1.5}));
}

TEST(SmallCases, PrioritiesScaleApplications) {
  Instance instance = make(1, {{0}, {0}}, {}, {0, 1});
  instance.priority = {1, 3};
  const RateSolution s = afa(instance.problem());
  EXPECT_DOUBLE_EQ(s.rate[0], 0.25);
  EXPECT_DOUBLE_EQ(s.rate[1], 0.75);
  EXPECT_DOUBLE_EQ(s.app_rate[0], s.app_rate[1]);
}

TEST(SmallCases, FlowsWithoutLinksAreUnbounded) {
  const Instance instance = make(1, {{}, {0}});
  for (const RateAlgorithm a : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa}) {
    const RateSolution s = solve(a, instance.problem());
    EXPECT_EQ(s.rate[0], std::numeric_limits<double>::infinity());
    EXPECT_EQ(s.rate[1], 1.0);
    EXPECT_EQ(s.bottleneck[0], kNoLink);
  }
  const Instance none = make(3, {});
  for (const std::string_view name : rate_algorithm_names())
    EXPECT_TRUE(solve(rate_algorithm(name), none.problem()).rate.empty());
}

TEST(RateProblems, AreRefusedByNumber) {
  Instance instance = make(2, {{0}, {0, 1}}, {1, 2});
  const auto message = [&] {
    try {
      ffa(instance.problem());
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  instance.weight = {1, 0};
  EXPECT_NE(message().find("weight of flow 1 is 0"), std::string::npos);
  instance.weight = {1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_NE(message().find("weight of flow 1"), std::string::npos);
  instance.weight = {1, 1e30};
  EXPECT_NE(message().find("weights differ too much"), std::string::npos);
  instance.weight = {1};
  EXPECT_NE(message().find("1 values of weight"), std::string::npos);
  instance.weight = {};
  instance.capacity = {1, -2};
  EXPECT_NE(message().find("capacity of link 1 is -2"), std::string::npos);
  instance.capacity = {1, 1};
  instance.reserved = {0, 1};
  EXPECT_NE(message().find("reserved fraction of link 1"), std::string::npos);
  EXPECT_THROW(saa_m(make(1, {{0}}).problem(), std::vector<std::uint32_t>{3}), InputError);
  EXPECT_THROW(rate_algorithm("max-min"), InputError);
}

// Proposition 4.4.1 and 4.4.2 as properties: no flow and no application gains more than the bound.
TEST(RateSolvers, NeverExceedTheBoundsOnRandomInstances) {
  for (std::uint64_t n = 0; n < (small_counts() ? 200u : 2'000u); ++n) {
    Instance instance = random_instance(1'000'000 + n);
    std::fill(instance.capacity.begin(), instance.capacity.end(), 1.0);
    instance.reserved.clear();
    instance.priority.clear();
    const RateProblem problem = instance.problem();
    double heaviest = 0;
    for (std::size_t l = 0; l < instance.incidence.links(); ++l) {
      double sum = 0;
      for (const std::uint32_t f : instance.incidence.flows_of(l)) sum += problem.weight_of(f);
      heaviest = std::max(heaviest, sum);
    }
    const double bound = (heaviest + 1) * (heaviest + 1) / (4 * heaviest) * (1 + 1e-12);
    const RateSolution s = saa(problem), f = ffa(problem), a = afa(problem);
    std::vector<double> slowest(a.app_rate.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < s.rate.size(); ++i) {
      EXPECT_LE(f.rate[i] / s.rate[i], bound);
      slowest[instance.application[i]] = std::min(slowest[instance.application[i]], f.rate[i] / problem.weight_of(i));
    }
    for (std::size_t i = 0; i < slowest.size(); ++i)
      EXPECT_TRUE(std::isinf(slowest[i]) || a.app_rate[i] / slowest[i] <= bound) << i;
  }
}

}  // namespace
}  // namespace weir
