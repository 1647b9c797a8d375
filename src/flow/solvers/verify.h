// Certificates: an answer is checked against the definition of the problem, not against the solver. Only the rates are
// believed, nothing else that a solver says. O(incidences + links).
//
// What must hold, within a relative tolerance (rates are rounded to double precision):
//   all    feasible: no link carries more than it offers
//   saa    r(f) = w_f / W_f
//   saa-m  r(f) >= w_f / W_f, and every flow crosses a saturated link
//   ffa    every flow crosses a saturated link on which no normalised rate is larger than its own
//   afa    all flows of an application have one normalised rate; one of them crosses a saturated link on which no
//          application has a larger rate
#pragma once
#include <string>
#include <vector>

#include "flow/solvers/solve.h"

namespace weir {

struct Violation {
  enum class Kind { overload, rate_wrong, below_guarantee, not_bottlenecked, uneven_application, rate_invalid };
  Kind kind;
  std::uint32_t index = 0;   // link for overload, application for the AFA kinds, flow otherwise
  double measured = 0;       // load, rate, or normalised rate
  double bound = 0;          // what it should be, or not exceed, or reach
  // What is wrong with that link, flow or application, in one sentence: "its rate is 1 instead of 2". `rate` writes a
  // rate with its unit; normalised rates have none.
  std::string text(std::string (*rate)(double) = nullptr) const;
};

struct Certificate {
  std::vector<Violation> violations;  // at most `limit` of them are kept
  std::size_t count = 0;              // all of them
  bool holds() const { return count == 0; }
};

inline constexpr double kCertificateTolerance = 1e-9;

Certificate verify(RateAlgorithm algorithm, const RateProblem& problem, const std::vector<double>& rates,
                   double tolerance = kCertificateTolerance, std::size_t limit = 100);

}  // namespace weir
