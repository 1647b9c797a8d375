// Each rule of verify.h as a sweep over links or flows.
#include "flow/solvers/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "flow/solvers/extended_precision.h"

namespace weir {
namespace {

class Verifier {
 public:
  Verifier(RateAlgorithm algorithm, const RateProblem& problem, const std::vector<double>& rates, double tolerance,
           std::size_t limit)
      : algorithm_(algorithm),
        problem_(problem),
        incidence_(*problem.incidence),
        rates_(rates),
        tolerance_(tolerance),
        limit_(limit) {}

  Certificate run() {
    if (rates_.size() != incidence_.flows())
      throw InputError(fmt::format("{} rates were given for {} flows", rates_.size(), incidence_.flows()));
    if (!rates_are_numbers()) return std::move(out_);
    look_at_links();
    switch (algorithm_) {
      case RateAlgorithm::saa:
        check_saa();
        break;
      case RateAlgorithm::saa_m:
        check_saa_m();
        break;
      case RateAlgorithm::ffa:
        check_ffa();
        break;
      case RateAlgorithm::afa:
        check_afa();
        break;
    }
    return std::move(out_);
  }

 private:
  using Kind = Violation::Kind;
  struct LinkView {
    double fastest = 0;  // largest normalised rate on it
    double time = 0;     // W_l
    bool saturated = false;
  };

  void report(Kind kind, std::size_t index, double measured, double bound) {
    ++out_.count;
    if (out_.violations.size() < limit_)
      out_.violations.push_back({kind, static_cast<std::uint32_t>(index), measured, bound});
  }
  double weight(std::size_t f) const {
    return algorithm_ == RateAlgorithm::afa ? problem_.prioritised_weight(f) : problem_.weight_of(f);
  }
  double normalised(std::size_t f) const { return rates_[f] / weight(f); }
  bool at_least(double value, double bound) const { return value >= bound * (1 - tolerance_); }

  bool rates_are_numbers() {
    for (std::size_t f = 0; f < rates_.size(); ++f)
      if (!incidence_.links_of(f).empty() && !(rates_[f] > 0 && std::isfinite(rates_[f])))
        report(Kind::rate_invalid, f, rates_[f], 0);
    return out_.count == 0;
  }

  void look_at_links() {
    links_.resize(incidence_.links());
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (incidence_.flows_of(l).empty()) continue;
      extended::Sum load, weights;
      for (const std::uint32_t f : incidence_.flows_of(l)) {
        load.add(rates_[f]);
        weights.add(weight(f));
        links_[l].fastest = std::max(links_[l].fastest, normalised(f));
      }
      const double offered = problem_.usable(l);
      links_[l].time = weights.value() / offered;
      links_[l].saturated = at_least(load.value(), offered);
      if (load.value() > offered * (1 + tolerance_)) report(Kind::overload, l, load.value(), offered);
    }
  }

  double guarantee(std::size_t f) const {
    double longest = 0;
    for (const std::uint32_t l : incidence_.links_of(f)) longest = std::max(longest, links_[l].time);
    return weight(f) / longest;
  }
  // Is there a saturated link on f's path on which nobody's normalised rate is above `own`?
  bool bottlenecked(std::size_t f, double own) const {
    const std::span<const std::uint32_t> path = incidence_.links_of(f);
    return std::any_of(path.begin(), path.end(),
                       [&](std::uint32_t l) { return links_[l].saturated && at_least(own, links_[l].fastest); });
  }

  template <class Check>
  void for_each_flow(Check check) {
    for (std::size_t f = 0; f < rates_.size(); ++f)
      if (!incidence_.links_of(f).empty()) check(f);
  }
  void check_saa() {
    for_each_flow([&](std::size_t f) {
      const double right = guarantee(f);
      if (std::abs(rates_[f] - right) > tolerance_ * right) report(Kind::rate_wrong, f, rates_[f], right);
    });
  }
  void check_saa_m() {
    for_each_flow([&](std::size_t f) {
      if (!at_least(rates_[f], guarantee(f))) report(Kind::below_guarantee, f, rates_[f], guarantee(f));
      if (!bottlenecked(f, std::numeric_limits<double>::infinity())) report(Kind::not_bottlenecked, f, rates_[f], 0);
    });
  }
  void check_ffa() {
    for_each_flow([&](std::size_t f) {
      if (!bottlenecked(f, normalised(f))) report(Kind::not_bottlenecked, f, rates_[f], 0);
    });
  }
  void check_afa() {
    struct AppView {
      double slowest = std::numeric_limits<double>::infinity(), fastest = 0;
      bool bottlenecked = false;
    };
    std::vector<AppView> apps;
    for_each_flow([&](std::size_t f) {
      const std::size_t a = problem_.application.empty() ? 0 : problem_.application[f];
      if (a >= apps.size()) apps.resize(a + 1);
      apps[a].slowest = std::min(apps[a].slowest, normalised(f));
      apps[a].fastest = std::max(apps[a].fastest, normalised(f));
      if (!apps[a].bottlenecked) apps[a].bottlenecked = bottlenecked(f, normalised(f));
    });
    for (std::size_t a = 0; a < apps.size(); ++a) {
      if (!(apps[a].fastest > 0)) continue;  // no flows
      if (!at_least(apps[a].slowest, apps[a].fastest))
        report(Kind::uneven_application, a, apps[a].slowest, apps[a].fastest);
      if (!apps[a].bottlenecked) report(Kind::not_bottlenecked, a, apps[a].slowest, 0);
    }
  }

  RateAlgorithm algorithm_;
  const RateProblem& problem_;
  const Incidence& incidence_;
  const std::vector<double>& rates_;
  double tolerance_;
  std::size_t limit_;
  std::vector<LinkView> links_;
  Certificate out_;
};

}  // namespace

std::string Violation::text(std::string (*rate)(double)) const {
  const auto plain = [](double value) { return fmt::format("{:.12g}", value); };
  const auto written = [&](double value) { return rate == nullptr ? plain(value) : rate(value); };
  switch (kind) {
    case Kind::overload:
      return fmt::format("it carries {}, but its usable capacity is {}", written(measured), written(bound));
    case Kind::rate_wrong:
      return fmt::format("its rate is {} instead of {}", written(measured), written(bound));
    case Kind::below_guarantee:
      return fmt::format("its rate of {} is below its guaranteed rate of {}", written(measured), written(bound));
    case Kind::not_bottlenecked:
      return fmt::format("its rate of {} could be raised without taking capacity from anything slower",
                         written(measured));
    case Kind::uneven_application:
      return fmt::format("its flows have normalised rates from {} to {} instead of the same one", plain(measured),
                         plain(bound));
    case Kind::rate_invalid:
      break;
  }
  return fmt::format("its rate is {}, which is not a positive number", measured);
}

Certificate verify(RateAlgorithm algorithm, const RateProblem& problem, const std::vector<double>& rates,
                   double tolerance, std::size_t limit) {
  check_problem(problem);
  return Verifier(algorithm, problem, rates, tolerance, limit).run();
}

}  // namespace weir
