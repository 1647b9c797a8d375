// Paper 000, figures 6.9 and 6.11 and the packets of SAA-M: the protocols in simulated time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/zdornov/contention.h"
#include "reproduce/zdornov/flow_entries.h"
#include "reproduce/zdornov/protocols.h"

namespace weir {
namespace zdornov {
namespace {

std::vector<std::uint32_t> axis_of(const Reproduction& r, std::vector<std::uint32_t> all,
                                   std::vector<std::uint32_t> some) {
  return r.quick() ? some : all;
}

// All runs of all points, in parallel: result[point][run].
template <class Result, class Work>
std::vector<std::vector<Result>> all_runs(const Reproduction& r, const std::vector<std::uint32_t>& axis,
                                          std::uint32_t runs, Work work) {
  std::vector<std::vector<Result>> out(axis.size(), std::vector<Result>(runs));
  r.parallel(axis.size() * runs, [&](std::size_t i) {
    out[i / runs][i % runs] = work(axis[i / runs], static_cast<std::uint32_t>(i % runs));
  });
  return out;
}

template <class Result, class Number>
Interval over(const std::vector<Result>& runs, Number Result::*member) {
  Sample sample;
  for (const Result& run : runs) sample.add(static_cast<double>(run.*member));
  return interval_of(sample);
}

template <class Result, class Number>
Curve curve_of(const std::string& name, const std::vector<std::uint32_t>& axis,
               const std::vector<std::vector<Result>>& points, Number Result::*member) {
  Curve curve{name, {}, {}};
  for (std::size_t i = 0; i < axis.size(); ++i) {
    curve.x.push_back(axis[i]);
    curve.y.push_back(over(points[i], member).mean);
  }
  return curve;
}

// The largest mean over runs of any point.
template <class Result, class Number>
double peak(const std::vector<std::vector<Result>>& points, Number Result::*member) {
  double most = 0;
  for (const std::vector<Result>& runs : points) most = std::max(most, over(runs, member).mean);
  return most;
}

// The largest of all runs.
template <class Result, class Number>
double extreme(const std::vector<std::vector<Result>>& points, Number Result::*member) {
  double most = 0;
  for (const std::vector<Result>& runs : points) most = std::max(most, over(runs, member).max);
  return most;
}

std::string us(double x) { return fmt::format("{:.1f} us", x); }

}  // namespace
}  // namespace zdornov

using namespace zdornov;

void zdornov_fig_6_9(Reproduction& r) {
  const std::vector<std::uint32_t> axis = axis_of(r, {1, 2, 3, 4, 5}, {1, 5});
  const std::uint32_t runs = r.quick() ? 1 : r.full() ? 50 : 3;
  const auto points = all_runs<DffaTimes>(r, axis, runs, [](std::uint32_t flows, std::uint32_t run) {
    return dffa_times(flows, run);
  });
  double apart = 0;
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const Interval mean = over(points[i], &DffaTimes::start_mean), worst = over(points[i], &DffaTimes::start_worst),
                   late_mean = over(points[i], &DffaTimes::late_mean),
                   late_worst = over(points[i], &DffaTimes::late_worst);
    r.report(fmt::format("flows per source {}: mean, maximum (us)", axis[i]), text_of(mean) + ", " + text_of(worst));
    r.report(fmt::format("flows per source {}, one flow later: mean, maximum (us)", axis[i]),
             text_of(late_mean) + ", " + text_of(late_worst));
    apart = std::max({apart, std::fabs(late_mean.mean / mean.mean - 1), std::fabs(late_worst.mean / worst.mean - 1)});
  }
  const auto bounded = [&](std::string_view what, double limit, double measured) {
    r.statement(what, measured < limit, us(measured));
  };
  bounded("all flows start together: mean below 30 us", 30, peak(points, &DffaTimes::start_mean));
  bounded("all flows start together: maximum below 100 us", 100, peak(points, &DffaTimes::start_worst));
  bounded("one flow starts later: mean below 30 us", 30, peak(points, &DffaTimes::late_mean));
  bounded("one flow starts later: maximum below 100 us", 100, peak(points, &DffaTimes::late_worst));
  r.statement("both experiments look the same", apart <= 0.1, fmt::format("{:.0f} % apart at most", 100 * apart));
  const double used = extreme(points, &DffaTimes::share_of_bound);
  r.statement("the calculation ends within 6 |R| T_rt", used <= 1,
              fmt::format("{:.3f} of the bound at most, with {:.0f} rates and round trips of up to {}", used,
                          extreme(points, &DffaTimes::rates), us(extreme(points, &DffaTimes::longest_round_trip))));
  const double error = extreme(points, &DffaTimes::error);
  r.statement("DFFA ends at FFA", error <= 1e-9, fmt::format("{:.1g} apart at most", error));
  r.report("longest calculation of any run", us(extreme(points, &DffaTimes::start_worst)));
  r.figure({"calculation-time", "Calculation time of DFFA", "flows per source", "us",
            {curve_of("mean", axis, points, &DffaTimes::start_mean),
             curve_of("maximum", axis, points, &DffaTimes::start_worst),
             curve_of("mean, one flow later", axis, points, &DffaTimes::late_mean),
             curve_of("maximum, one flow later", axis, points, &DffaTimes::late_worst)},
            false, false});
  r.note(fmt::format("Runs: {}; timing of table 6.2; modified 16-ary 3-tree, ForcedDir(8), routes set up before; flows "
                     "start within 1 us; control packets are received whole at every hop; the routing delay applies to "
                     "all packets in switches; flows whose path is not in their round ask again at once.", runs));
}

void zdornov_fig_6_11(Reproduction& r) {
  const std::vector<std::uint32_t> axis = axis_of(r, {1, 2, 4, 8, 16, 32}, {4, 16});
  const std::uint32_t runs = r.quick() ? 2 : r.full() ? 50 : 5;
  const auto points = all_runs<DafaTimes>(r, axis, runs, [](std::uint32_t frag_coeff, std::uint32_t run) {
    return dafa_times(frag_coeff, run);
  });
  for (std::size_t i = 0; i < axis.size(); ++i) {
    const Interval iterations = over(points[i], &DafaTimes::iterations), time = over(points[i], &DafaTimes::measured);
    r.report(fmt::format("frag_coeff {}: iterations, most; measured (us), most", axis[i]),
             fmt::format("{}, {:.0f}; {}, {:.1f}", text_of(iterations), iterations.max, text_of(time), time.max));
  }
  r.statement("2 I h_max (Td + Tc) never exceeds 40 us", extreme(points, &DafaTimes::estimate) <= 40,
              fmt::format("{} in the worst run, {} on average at the worst fragmentation",
                          us(extreme(points, &DafaTimes::estimate)), us(peak(points, &DafaTimes::estimate))));
  r.statement("no element is more than four hops from a root switch", extreme(points, &DafaTimes::farthest) <= 4,
              fmt::format("{:.0f} hops", extreme(points, &DafaTimes::farthest)));
  const double error = extreme(points, &DafaTimes::error);
  r.statement("DAFA ends at AFA", error <= 1e-9, fmt::format("{:.1g} apart at most", error));
  r.report("DAFA as measured, message by message",
           fmt::format("{} in the worst run, {} on average at the worst fragmentation",
                       us(extreme(points, &DafaTimes::measured)), us(peak(points, &DafaTimes::measured))));
  r.figure({"calculation-time", "Calculation time of DAFA", "frag_coeff", "us",
            {curve_of("2 I h_max (Td + Tc)", axis, points, &DafaTimes::estimate),
             curve_of("measured", axis, points, &DafaTimes::measured)},
            true, false});
  r.note(fmt::format("{} runs of the traffic of figure 6.10 with adaptive routes, all applications start within 1 us; "
                     "measured from the last trigger at the leader, a root switch, to the leader's knowing all rates. "
                     "Measured times include one more wave, which finds that nothing is left, and the messages between "
                     "neighbours that are not parent and child.", runs));
}

void zdornov_saa_m_messages(Reproduction& r) {
  const std::vector<std::uint32_t> axis = axis_of(r, {1, 2, 3, 4, 5}, {1, 5});
  const std::uint32_t runs = r.quick() ? 2 : r.full() ? 50 : 5;
  const auto points = all_runs<SaaMMessages>(r, axis, runs, [](std::uint32_t max_flows, std::uint32_t run) {
    return saa_m_messages(max_flows, run);
  });
  for (std::size_t i = 0; i < axis.size(); ++i)
    r.report(fmt::format("max_flows {}: packets of a flow, most; all rates final after (us)", axis[i]),
             fmt::format("{}, {:.0f}; {}", text_of(over(points[i], &SaaMMessages::mean)),
                         over(points[i], &SaaMMessages::most).max, text_of(over(points[i], &SaaMMessages::settled))));
  const double mean = peak(points, &SaaMMessages::mean), most = extreme(points, &SaaMMessages::most);
  r.statement("a flow sends at most 5 packets on average", mean <= 5, fmt::format("{:.2f}", mean));
  r.statement("no flow sends more than 18 packets", most <= 18, fmt::format("{:.0f}", most));
  r.note(fmt::format("{} runs of the traffic of figure 6.8 with adaptive routes; counted from the moment at which the "
                     "last flow has its first rate, up to and including the packet that tells the links of the final "
                     "rate; flows without a change count 0. Probes every 10 us, at once after a change; back-off "
                     "uniform up to 10 us, doubled with every failure up to 160 us.", runs));
}

}  // namespace weir
