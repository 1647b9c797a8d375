// Paper 000, figures 6.8 and 6.10: calculated rates against rates without control, which the packet engine measures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/zdornov/flow_entries.h"
#include "reproduce/zdornov/no_control.h"

namespace weir {
namespace zdornov {
namespace {

RateOptions options_for(const Reproduction& r) {
  RateOptions options;
  options.runs = r.quick() ? 2 : r.full() ? 50 : 5;
  return options;
}

const SchemeResult& scheme(const std::vector<SchemeResult>& schemes, std::string_view name) {
  return *std::find_if(schemes.begin(), schemes.end(), [&](const SchemeResult& s) { return s.name == name; });
}

double gain(const std::vector<SchemeResult>& schemes, std::string_view name) {
  return scheme(schemes, name).ratio.mean - 1;
}

std::string gain_text(const SchemeResult& s) { return percent_text(s.ratio.mean - 1, s.ratio.half_width); }

// At the place (0 slowest, 1 fastest) of the sorted rates.
const Interval& at(const std::vector<Interval>& sorted, const RateOptions& options, double place) {
  const auto found = std::lower_bound(options.places.begin(), options.places.end(), place - 1e-9);
  return sorted[static_cast<std::size_t>(found - options.places.begin())];
}

// One point of a figure's axis under every horizon.
template <class Row>
struct Point {
  Row steady, start, whole;
  const std::vector<SchemeResult>& schemes() const { return steady.schemes; }
};

template <class Row>
const Point<Row>& largest_gain(const std::vector<Point<Row>>& points, std::string_view name) {
  return *std::max_element(points.begin(), points.end(), [&](const Point<Row>& a, const Point<Row>& b) {
    return gain(a.schemes(), name) < gain(b.schemes(), name);
  });
}

// Largest |a / b - 1| of the mean rates of two schemes.
template <class Row>
double difference(const std::vector<Point<Row>>& points, std::string_view a, std::string_view b) {
  double most = 0;
  for (const Point<Row>& p : points)
    most = std::max(most,
                    std::fabs(scheme(p.schemes(), a).mean_rate.mean / scheme(p.schemes(), b).mean_rate.mean - 1));
  return most;
}

template <class Row, class Axis>
void add_gain_figure(Reproduction& r, const std::vector<Point<Row>>& points, const std::string& axis, Axis axis_of) {
  Figure figure{"mean-rate", "Mean rate over no control", axis, "ratio", {}, axis == "frag_coeff", false};
  for (const SchemeResult& s : points.front().schemes()) {
    Curve curve{s.name, {}, {}};
    for (const Point<Row>& p : points) {
      curve.x.push_back(axis_of(p.steady));
      curve.y.push_back(scheme(p.schemes(), s.name).ratio.mean);
    }
    figure.curves.push_back(std::move(curve));
  }
  r.figure(std::move(figure));
}

void add_sorted_figure(Reproduction& r, const std::vector<SchemeResult>& schemes, const RateOptions& options,
                       const std::string& title) {
  Figure figure{"sorted", title, "place (0 slowest, 1 fastest)", "ratio to no control", {}, false, true};
  for (const SchemeResult& s : schemes) {
    Curve curve{s.name, {}, {}};
    for (std::size_t i = 0; i < options.places.size(); ++i) {
      if (s.sorted_ratio[i].runs == 0) continue;  // nobody moved without control
      curve.x.push_back(options.places[i]);
      curve.y.push_back(s.sorted_ratio[i].mean);
    }
    figure.curves.push_back(std::move(curve));
  }
  r.figure(std::move(figure));
}

template <class Row>
void report_horizons(Reproduction& r, const std::vector<Point<Row>>& points, std::string_view name) {
  double start = -1, whole = -1;
  for (const Point<Row>& p : points) {
    start = std::max(start, gain(p.start.schemes, name));
    whole = std::max(whole, gain(p.whole.schemes, name));
  }
  r.report(fmt::format("{}: largest gain over {}", name, horizon_name(Horizon::start)),
           fmt::format("{:+.1f} %", 100 * start));
  r.report(fmt::format("{}: largest gain over {}", name, horizon_name(Horizon::whole)),
           fmt::format("{:+.1f} %", 100 * whole));
}

void note_choices(Reproduction& r, const RateOptions& options) {
  r.note(
      fmt::format("{} runs; intervals are 95 % over runs. No control: packet engine, FCFS outputs, infinite speedup, "
                  "8 buffers of 2 KiB, static routes, flows of a host served round robin, all flows start at once; "
                  "rates over {} (the paper names no time).",
                  options.runs, horizon_name(Horizon::steady)));
  r.note("Adaptive routes are set up in a random order; the default port wins ties; ForcedDir(8), width 2.");
}

}  // namespace
}  // namespace zdornov

using namespace zdornov;

void zdornov_fig_6_8(Reproduction& r) {
  const RateOptions options = options_for(r);
  const std::vector<std::uint32_t> axis = r.quick() ? std::vector<std::uint32_t>{1, 5}
                                                    : std::vector<std::uint32_t>{1, 2, 3, 4, 5};
  const std::vector<NoControl> no_control = measure_no_control(
      r, options.tree, axis.size(), options.runs, [&](std::size_t hosts, std::size_t point, std::uint32_t run) {
        return independent_flows(hosts, axis[point], options.seed, run);
      });
  std::vector<Point<IndependentRow>> points(axis.size());
  r.parallel(axis.size(), [&](std::size_t i) {
    const auto rows = rows_6_8(axis[i], options, no_control[i].baselines());
    points[i] = {rows[0], rows[1], rows[2]};
  });
  for (const auto& p : points)
    for (const SchemeResult& s : p.schemes())
      r.report(fmt::format("max_flows {}, {}: mean rate, gain", p.steady.max_flows, s.name),
               text_of(s.mean_rate) + ", " + gain_text(s));
  const std::vector<SchemeResult>& best = largest_gain(points, "FFA+AR").schemes();
  r.value("FFA+AR: largest gain in the mean rate", 100 * gain(best, "FFA+AR"));
  report_horizons(r, points, "FFA+AR");
  const double same = difference(points, "SAA-M+AR", "FFA+AR");
  r.statement("SAA-M+AR gains the same as FFA+AR", same <= 0.02, fmt::format("{:.2f} % apart at most", 100 * same));
  const std::vector<SchemeResult>& last = points.back().schemes();
  const Interval &saa = at(scheme(last, "SAA+AR").sorted_rate, options, 0.9),
                 &ffa = at(scheme(last, "FFA+AR").sorted_rate, options, 0.9);
  r.statement("SAA+AR is lower than FFA+AR for fast flows", saa.mean + saa.half_width < ffa.mean - ffa.half_width,
              fmt::format("{} against {} at place 0.9, max_flows 5", text_of(saa), text_of(ffa)));
  r.statement("FFA alone gives a large part of the gain", gain(best, "FFA") >= 0.5 * gain(best, "FFA+AR"),
              fmt::format("{} of {}", gain_text(scheme(best, "FFA")), gain_text(scheme(best, "FFA+AR"))));
  bool slow_gain = true;
  std::string text;
  for (const char* name : {"SAA+AR", "SAA-M+AR", "FFA+AR"}) {
    const Interval& slow = at(scheme(last, name).sorted_ratio, options, 0.1);
    slow_gain = slow_gain && slow.mean > scheme(last, name).ratio.mean;
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", name, slow.mean);
  }
  r.statement("slow flows gain most", slow_gain, "ratio at place 0.1: " + text);
  add_gain_figure(r, points, "max_flows", [](const IndependentRow& row) { return row.max_flows; });
  add_sorted_figure(r, last, options, "Sorted rates over no control, max_flows 5");
  note_choices(r, options);
  r.statement("AR alone may hurt", gain(points.back().schemes(), "AR") < 0,
              fmt::format("{} at max_flows 5", gain_text(scheme(points.back().schemes(), "AR"))));
  r.note("AR: the same without rate control in the modified tree, routes set up by packets, all at once.");
}

void zdornov_fig_6_10(Reproduction& r) {
  const RateOptions options = options_for(r);
  const std::vector<std::uint32_t> axis = r.quick() ? std::vector<std::uint32_t>{4, 16}
                                                    : std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32};
  const std::vector<NoControl> no_control = measure_no_control(
      r, options.tree, axis.size(), options.runs, [&](std::size_t hosts, std::size_t point, std::uint32_t run) {
        return application_traffic(hosts, 32, axis[point], options.seed, run).flows;
      });
  std::vector<Point<ApplicationsRow>> points(axis.size());
  r.parallel(axis.size(), [&](std::size_t i) {
    const auto rows = rows_6_10(axis[i], options, no_control[i].baselines());
    points[i] = {rows[0], rows[1], rows[2]};
  });
  double most_iterations = 0, mean_iterations = 0;
  for (const auto& p : points) {
    for (const SchemeResult& s : p.schemes())
      r.report(fmt::format("frag_coeff {}, {}: mean rate, gain", p.steady.frag_coeff, s.name),
               text_of(s.mean_rate) + ", " + gain_text(s));
    most_iterations = std::max(most_iterations, p.steady.iterations_ar.max);
    mean_iterations = std::max(mean_iterations, p.steady.iterations_ar.mean);
  }
  r.value("AFA+AR: largest gain in the mean rate", 100 * gain(largest_gain(points, "AFA+AR").schemes(), "AFA+AR"));
  report_horizons(r, points, "AFA+AR");
  const double same = difference(points, "SAA+AR", "FFA+AR");
  r.statement("SAA+AR and FFA+AR coincide", same <= 0.02, fmt::format("{:.2f} % apart at most", 100 * same));
  bool first = true, routing = true;
  for (const auto& p : points) {
    first = first && gain(p.schemes(), "AFA+AR") > std::max(gain(p.schemes(), "FFA+AR"), gain(p.schemes(), "AFA"));
    routing = routing && gain(p.schemes(), "AFA") < 0.5 * gain(p.schemes(), "AFA+AR");
  }
  const std::vector<SchemeResult>& four =
      std::find_if(points.begin(), points.end(), [](const auto& p) { return p.steady.frag_coeff == 4; })->schemes();
  r.statement("AFA+AR is best at every fragmentation", first,
              fmt::format("frag_coeff 4: AFA+AR {}, FFA+AR {}, AFA {}", gain_text(scheme(four, "AFA+AR")),
                          gain_text(scheme(four, "FFA+AR")), gain_text(scheme(four, "AFA"))));
  r.statement(
      "adaptive routing gives most of it", routing,
      fmt::format("frag_coeff 4: AFA {} of {}", gain_text(scheme(four, "AFA")), gain_text(scheme(four, "AFA+AR"))));
  const Interval &strong = at(scheme(four, "AFA+AR").sorted_ratio, options, 0.9),
                 &others = at(scheme(four, "FFA+AR").sorted_ratio, options, 0.9);
  r.statement("AFA+AR also helps strong applications", strong.mean > 1 && strong.mean > others.mean,
              fmt::format("place 0.9, frag_coeff 4: {} against FFA+AR {}", text_of(strong), text_of(others)));
  r.statement("DAFA: never over 40 us", dafa_microseconds(most_iterations) <= 40,
              fmt::format("{:.1f} us in the worst run, {:.1f} us on average", dafa_microseconds(most_iterations),
                          dafa_microseconds(mean_iterations)));
  add_gain_figure(r, points, "frag_coeff", [](const ApplicationsRow& row) { return row.frag_coeff; });
  add_sorted_figure(r, four, options, "Sorted rates of applications over no control, frag_coeff 4");
  note_choices(r, options);
}

}  // namespace weir
