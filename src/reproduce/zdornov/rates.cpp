// Calculated rates against rates without control: figures 6.8 and 6.10 of Zdornov & Birk 2009. Each run has one set of
// flows, routed once statically in the plain tree and once adaptively in the modified one; every scheme is calculated
// on the same routes. Rates without control are measured packet by packet, since congestion spreads in a way that no
// formula of the paper gives; the paper does not say over which time, so one run serves three horizons.
#include <algorithm>
#include <functional>

#include "flow/performance.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "flow/solvers/saa.h"
#include "flow/solvers/saa_m.h"
#include "reproduce/computations.h"
#include "reproduce/zdornov/runs.h"

namespace weir::zdornov {
namespace {

constexpr double kPlaces[] = {0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1};  // of sorted rates

// Both trees with their routers, kept for all runs of a point.
class Trees {
 public:
  Incidence fixed(const std::vector<FlowPair>& flows, std::uint32_t run) { return routed(fixed_, flows, run); }
  Incidence adaptive(const std::vector<FlowPair>& flows, std::uint32_t run) { return routed(adaptive_, flows, run); }
  RateProblem problem(const Incidence& routes) const { return {&routes, {capacity_.data(), routes.links()}}; }

 private:
  static Incidence routed(FlowRouter& router, const std::vector<FlowPair>& flows, std::uint32_t run) {
    return {router.topology().ports(), route(router, flows, kSeed, run)};
  }

  Wired plain_{kPlain}, modified_{kModified};
  FlowRouter fixed_{plain_.topology, plain_.routes, FlowRoutingPolicy::fixed()};
  FlowRouter adaptive_{modified_.topology, modified_.routes, forced_dir()};
  std::vector<double> capacity_ = std::vector<double>(modified_.topology.ports(), 1.0);
};

// What a point of the axis is: its flows, and the rates that the schemes calculate for them.
struct Calculated {
  const char* scheme;
  std::vector<double> rates;  // of flows, or of applications
};
struct Experiment {
  std::function<ApplicationTraffic(std::uint32_t point, std::uint32_t run)> traffic;
  std::function<std::vector<Calculated>(Trees&, const ApplicationTraffic&, std::uint32_t run)> calculate;
  bool by_application = false;
};

std::vector<double> rates_of_apps(const std::vector<double>& rates, const ApplicationTraffic& traffic) {
  RateProblem problem;
  problem.application = traffic.application;
  return application_rates(problem, rates);
}

// By point and run, static routes in the plain tree and adaptive ones in the modified tree. These are set up by
// packets, all at once, and are not those of the calculated schemes.
class NoControl {
 public:
  NoControl(const Work& work, const Experiment& experiment, const std::vector<std::uint32_t>& axis, std::uint32_t runs)
      : runs_(runs), fixed_(axis.size() * runs), adaptive_(axis.size() * runs) {
    const Wired plain(kPlain), modified(kModified);
    const Scenario static_routes = work.scenario("zdornov2009/no-control.toml"),
                   flow_setup = work.scenario("zdornov2009/no-control.toml", with_flow_setup());
    const std::size_t ways = experiment.by_application ? 1 : 2;  // the paper has no AR for applications
    work.parallel(ways * fixed_.size(), [&](std::size_t job) {
      const std::size_t i = fixed_.size() - 1 - job / ways;  // the last points usually take longest
      const ApplicationTraffic traffic =
          experiment.traffic(axis[i / runs], static_cast<std::uint32_t>(i % runs));
      if (job % ways == 0) fixed_[i] = measure(experiment, static_routes, plain, traffic);
      else adaptive_[i] = measure(experiment, flow_setup, modified, traffic);
    });
  }
  const FlowShares& fixed(std::size_t point, std::uint32_t run) const { return fixed_[point * runs_ + run]; }
  const FlowShares& adaptive(std::size_t point, std::uint32_t run) const { return adaptive_[point * runs_ + run]; }

 private:
  static FlowShares measure(const Experiment& experiment, const Scenario& scenario, const Wired& fabric,
                               const ApplicationTraffic& traffic) {
    const FlowShares shares = measure_shares(scenario, fabric, traffic.flows);
    if (!experiment.by_application) return shares;
    return {rates_of_apps(shares.steady, traffic), rates_of_apps(shares.start, traffic),
            rates_of_apps(shares.whole, traffic)};
  }

  std::uint32_t runs_;
  std::vector<FlowShares> fixed_, adaptive_;
};

// Rows of one run and horizon: the mean rate and its ratio to no control, and with `sorted` both at the places of the
// sorted rates (0 slowest, 1 fastest).
void add_rows(RowTable& table, std::uint32_t point, std::uint32_t run, const char* horizon, const Calculated& c,
              const std::vector<double>& reference, bool sorted) {
  const auto add = [&](Cell place, double rate, Cell ratio) {
    table.rows.push_back({std::int64_t{point}, std::int64_t{run}, std::string(c.scheme), std::string(horizon),
                          std::move(place), rate, std::move(ratio)});
  };
  const double mean = summarize_rates(c.rates).mean;
  add({}, mean, mean / summarize_rates(reference).mean);
  if (!sorted) return;
  const std::vector<double> places(std::begin(kPlaces), std::end(kPlaces));
  const std::vector<double> own = sorted_at(c.rates, places), base = sorted_at(reference, places);
  for (std::size_t i = 0; i < places.size(); ++i)
    add(places[i], own[i], base[i] > 0 ? Cell{own[i] / base[i]} : Cell{});  // nothing where nobody moved
}

RowTable rate_table(const Work& work, Parameters& with, const Experiment& experiment) {
  const std::vector<std::uint32_t> axis = with.numbers("axis");
  const std::uint32_t runs = with.number("runs");
  const NoControl none(work, experiment, axis, runs);
  std::vector<RowTable> parts(axis.size());
  work.parallel(axis.size(), [&](std::size_t point) {
    Trees trees;
    for (std::uint32_t run = 0; run < runs; ++run) {
      const FlowShares &fixed = none.fixed(point, run), &adaptive = none.adaptive(point, run);
      const std::vector<Calculated> calculated =
          experiment.calculate(trees, experiment.traffic(axis[point], run), run);
      const auto horizon = [&](const char* name, std::vector<double> FlowShares::*over, bool sorted) {
        std::vector<Calculated> all{{"NC", fixed.*over}};
        if (!experiment.by_application) all.push_back({"AR", adaptive.*over});
        all.insert(all.end(), calculated.begin(), calculated.end());
        for (const Calculated& c : all) add_rows(parts[point], axis[point], run, name, c, fixed.*over, sorted);
      };
      horizon("400 to 1000 packet times", &FlowShares::steady, true);
      horizon("the first 400 packet times", &FlowShares::start, false);
      horizon("the first 1000 packet times", &FlowShares::whole, false);
    }
  });
  RowTable table{{"point", "run", "scheme", "horizon", "place", "rate", "ratio"}, {}};
  for (const RowTable& part : parts) table.rows.insert(table.rows.end(), part.rows.begin(), part.rows.end());
  return table;
}

std::vector<std::uint32_t> claim_order(std::size_t flows, std::uint32_t run) {
  std::vector<std::uint32_t> order = zero_to(flows);
  RandomStream random(kSeed, Purpose::backoff, run);
  shuffle(order, random);
  return order;
}

}  // namespace

// Figure 6.8: every host opens 1 to `point` flows.
RowTable independent(const Work& work, Parameters& with) {
  return rate_table(work, with, {
      [](std::uint32_t max_flows, std::uint32_t run) {
        return ApplicationTraffic{independent_flows(hosts_of(kPlain), max_flows, kSeed, run), {}};
      },
      [](Trees& trees, const ApplicationTraffic& traffic, std::uint32_t run) {
        const Incidence fixed = trees.fixed(traffic.flows, run), adaptive = trees.adaptive(traffic.flows, run);
        const RateProblem problem = trees.problem(adaptive);
        return std::vector<Calculated>{{"FFA", ffa(trees.problem(fixed)).rate},
                                       {"SAA+AR", saa(problem).rate},
                                       {"SAA-M+AR", saa_m(problem, claim_order(traffic.flows.size(), run)).rate},
                                       {"FFA+AR", ffa(problem).rate}};
      },
      false});
}

// Figure 6.10: 32 applications in `point` groups of hosts each; rates of applications.
RowTable applications(const Work& work, Parameters& with) {
  return rate_table(work, with, {
      [](std::uint32_t frag_coeff, std::uint32_t run) {
        return application_traffic(hosts_of(kPlain), kApps, frag_coeff, kSeed, run);
      },
      [](Trees& trees, const ApplicationTraffic& traffic, std::uint32_t run) {
        const Incidence fixed = trees.fixed(traffic.flows, run), adaptive = trees.adaptive(traffic.flows, run);
        RateProblem plain = trees.problem(fixed), modified = trees.problem(adaptive);
        plain.application = modified.application = traffic.application;
        return std::vector<Calculated>{{"AFA", afa(plain).app_rate},
                                       {"SAA+AR", application_rates(modified, saa(modified).rate)},
                                       {"FFA+AR", application_rates(modified, ffa(modified).rate)},
                                       {"AFA+AR", afa(modified).app_rate}};
      },
      true});
}

}  // namespace weir::zdornov
