// The small cases of Zdornov & Birk 2009 whose answers are known in closed form: figure 2.2 and the bounds of
// section 4.4.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "flow/performance.h"
#include "flow/solvers/saa.h"
#include "reproduce/computations.h"

namespace weir::zdornov {
namespace {

Incidence incidence_of(std::size_t links, const std::vector<std::vector<std::uint32_t>>& paths) {
  RowList rows;
  for (const std::vector<std::uint32_t>& p : paths) rows.add_row(p);
  return Incidence(links, std::move(rows));
}

double bound_for(double heaviest) { return (heaviest + 1) * (heaviest + 1) / (4 * heaviest); }

double heaviest_link(const RateProblem& p) {
  double heaviest = 0;
  for (std::size_t l = 0; l < p.incidence->links(); ++l) {
    double sum = 0;
    for (const std::uint32_t f : p.incidence->flows_of(l)) sum += p.weight_of(f);
    heaviest = std::max(heaviest, sum);
  }
  return heaviest;
}

double largest_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isfinite(a[i]) && std::isfinite(b[i])) largest = std::max(largest, a[i] / b[i]);
  return largest;
}

}  // namespace

// Propositions 4.4.1 and 4.4.2: the printed examples for several W, the weight of the heaviest link. What a flow may
// lose under SAA, and what an application may lose under FFA and SAA.
RowTable bounds(const Work&, Parameters& with) {
  // f1 and f2 leave the switch by one link (2); f2 shares its way in (1) with f3.
  const Incidence flows = incidence_of(3, {{0, 2}, {1, 2}, {1}});
  // f1 of a1 and f2 of a2 share a link (0); f3, also of a2, fills another (1).
  const Incidence apps = incidence_of(2, {{0}, {0}, {1}});
  const std::vector<double> capacity(3, 1.0);
  const std::vector<std::uint32_t> application = {0, 1, 1};
  RowTable table{{"heaviest", "flow", "app_to_ffa", "app_to_saa", "bound"}, {}};
  for (const std::uint32_t heaviest : with.numbers("heaviest")) {
    const double w = heaviest;
    const std::vector<double> flow_weight = {1, (w - 1) / 2, (w + 1) / 2}, app_weight = {1, (w - 1) / 2, w};
    const RateProblem of_flows{&flows, capacity, flow_weight};
    const RateProblem of_apps{&apps, {capacity.data(), 2}, app_weight, {}, application};
    const double by_app = afa(of_apps).app_rate[0];
    table.rows.push_back({w, ffa(of_flows).rate[0] / saa(of_flows).rate[0],
                          by_app / application_rates(of_apps, ffa(of_apps).rate)[0],
                          by_app / application_rates(of_apps, saa(of_apps).rate)[0], bound_for(w)});
  }
  return table;
}

// The largest ratio / bound found in random instances; both propositions say that it is at most 1.
RowTable bound_search(const Work&, Parameters& with) {
  const std::uint32_t instances = with.number("instances");
  double flow = 0, app_to_ffa = 0, app_to_saa = 0;
  for (std::uint32_t n = 0; n < instances; ++n) {
    RandomStream random(1, Purpose::test, n);
    const std::size_t links = 2 + random.below(6), flows = 2 + random.below(10);
    RowList paths;
    std::vector<double> weight;
    std::vector<std::uint32_t> application;
    for (std::size_t f = 0; f < flows; ++f) {
      const std::size_t first = random.below(links), length = 1 + random.below(std::min<std::size_t>(links, 3));
      for (std::size_t i = 0; i < length; ++i) paths.push(static_cast<std::uint32_t>((first + i) % links));
      paths.close_row();
      weight.push_back(random.chance(0.5) ? 1.0 : std::pow(10.0, 2 * random.unit()));
      application.push_back(static_cast<std::uint32_t>(random.below(4)));
    }
    const Incidence incidence(links, std::move(paths));
    const std::vector<double> capacity(links, 1.0);
    const RateProblem problem{&incidence, capacity, weight, {}, application};
    const double bound = bound_for(heaviest_link(problem));
    const std::vector<double> by_saa = saa(problem).rate, by_ffa = ffa(problem).rate, by_afa = afa(problem).app_rate;
    flow = std::max(flow, largest_ratio(by_ffa, by_saa) / bound);
    app_to_ffa = std::max(app_to_ffa, largest_ratio(by_afa, application_rates(problem, by_ffa)) / bound);
    app_to_saa = std::max(app_to_saa, largest_ratio(by_afa, application_rates(problem, by_saa)) / bound);
  }
  return {{"flow", "app_to_ffa", "app_to_saa", "instances"}, {{flow, app_to_ffa, app_to_saa, std::int64_t{instances}}}};
}

// Figure 2.2: two applications, rated by application and by flow.
RowTable two_applications(const Work&, Parameters&) {
  const Incidence incidence = incidence_of(2, {{0}, {0}, {0}, {1}, {1}});
  const std::vector<double> capacity(2, 1.0);
  const std::vector<std::uint32_t> application = {0, 0, 0, 0, 1};
  const RateProblem problem{&incidence, capacity, {}, {}, application};
  const std::vector<double> by_app = afa(problem).app_rate, by_flow = application_rates(problem, ffa(problem).rate);
  return {{"app", "afa", "ffa"},
          {{std::string("a1"), by_app[0], by_flow[0]}, {std::string("a2"), by_app[1], by_flow[1]}}};
}

}  // namespace weir::zdornov
