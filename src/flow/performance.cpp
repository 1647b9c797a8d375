// The measures of performance.h as sweeps.
#include "flow/performance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir {

double completion_time(const RateProblem& problem, const std::vector<double>& rates) {
  double last = 0;
  for (std::size_t f = 0; f < rates.size(); ++f) last = std::max(last, problem.weight_of(f) / rates[f]);
  return last;
}

RateSummary summarize_rates(const std::vector<double>& rates) {
  RateSummary out;
  double sum = 0, squares = 0;
  std::size_t count = 0;
  for (const double r : rates) {
    if (!std::isfinite(r)) continue;
    out.min = count == 0 ? r : std::min(out.min, r);
    out.max = std::max(out.max, r);
    sum += r;
    squares += r * r;
    ++count;
  }
  if (count == 0) return out;
  out.mean = sum / static_cast<double>(count);
  if (squares > 0) out.jain = sum * sum / (static_cast<double>(count) * squares);
  return out;
}

std::vector<double> application_rates(const RateProblem& problem, const std::vector<double>& rates) {
  std::size_t apps = std::max<std::size_t>(problem.priority.size(), rates.empty() ? 0 : 1);
  for (const std::uint32_t a : problem.application) apps = std::max<std::size_t>(apps, a + 1);
  std::vector<double> out(apps, std::numeric_limits<double>::infinity());
  for (std::size_t f = 0; f < rates.size(); ++f) {
    double& app = out[problem.application.empty() ? 0 : problem.application[f]];
    app = std::min(app, rates[f] / problem.prioritised_weight(f));
  }
  return out;
}

std::vector<double> sorted_at(std::vector<double> rates, const std::vector<double>& places) {
  std::sort(rates.begin(), rates.end());
  std::vector<double> out;
  for (const double place : places) {
    const auto index = static_cast<std::size_t>(std::lround(place * static_cast<double>(rates.size() - 1)));
    out.push_back(rates[index]);
  }
  return out;
}

}  // namespace weir
