// Experiment II of paper 002: the controller against the same congestion with the marking rate left alone, high or low.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/entries.h"
#include "reproduce/mizero/mizero.h"

namespace weir {
namespace {

using namespace mizero;

constexpr Time at_seconds(double s) { return {static_cast<std::int64_t>(s * 1e12)}; }

struct DecisionTime {
  bool low;
  double at;  // s
  std::string text;
};

std::vector<DecisionTime> decisions(const Measurements& m) {
  std::vector<DecisionTime> list;
  for (const auto& [name, value] : m.scheme_numbers)
    if (name.starts_with("port ")) list.push_back({name.find("set low") != std::string::npos, value, name});
  return list;
}

std::string rates(const Measurements& m, double from, double to) {
  std::string text;
  for (const auto* name : {"X-Y", "A-D", "B-D", "C-D"})
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", name,
                        rate_between(m, name, at_seconds(from), at_seconds(to)));
  return text + " Gb/s";
}

void describe(Reproduction& r, const std::string& run, const Measurements& m) {
  std::string ends;
  for (const auto* name : {"X-Y", "A-D", "B-D", "C-D"})
    ends += fmt::format("{}{} {:.1f} s", ends.empty() ? "" : ", ", name, flow_of(m, name).completion.seconds());
  r.report(run + ": completions", ends);
  for (const DecisionTime& d : decisions(m))
    r.report(
        fmt::format("{}: {} at {:.2f} s, rates in the second before and after", run, d.low ? "low" : "default", d.at),
        rates(m, d.at - 1, d.at) + " -> " + rates(m, d.at + 0.2, d.at + 1));
  Figure f{run, "Throughput of each flow: " + run, "time [s]", "Gb/s", {}, false, false};
  for (const auto* name : {"X-Y", "B-D", "C-D", "A-D"}) f.curves.push_back(rate_curve(m, name));
  r.figure(std::move(f));
}

}  // namespace

void mizero_experiment_2(Reproduction& r) {
  const std::vector<std::string> names{"no-controller-128", "no-controller-0", "limit-12", "limit-6"};
  const Override never{"scheme.wait_threshold", "1e18"};  // the controller looks on
  const char* file = "mizero/experiment-2.toml";
  const std::vector<Outcome> outcomes =
      r.run({r.scenario(file, {never}), r.scenario(file, {never, {"scheme.marking_rate", "0"}}), r.scenario(file),
             r.scenario(file, {{"scheme.low_limit", "6"}})});
  std::vector<std::vector<DecisionTime>> acts;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    describe(r, names[i], outcomes[i].measurements);
    acts.push_back(decisions(outcomes[i].measurements));
  }
  const Measurements& high = outcomes[0].measurements;
  const Measurements& zero = outcomes[1].measurements;
  const Measurements& twelve = outcomes[2].measurements;
  const bool acted = acts[2].size() >= 2 && acts[2][0].low && !acts[2][1].low;
  const double low = acted ? acts[2][0].at : 8.6, back = acted ? acts[2][1].at : 23;
  r.statement("no action on localised congestion", acted && low > 7, fmt::format("first action at {:.2f} s", low));
  r.value("A-D before the reduction", rate_between(twelve, "A-D", at_seconds(7.2), at_seconds(low)));
  r.value("X-Y before the reduction", rate_between(twelve, "X-Y", at_seconds(7.2), at_seconds(low)));
  r.value("first reduction", low);
  r.value("X-Y while the rate is low", rate_between(twelve, "X-Y", at_seconds(low + 0.2), at_seconds(low + 8)));
  r.value("A-D while the rate is low", rate_between(twelve, "A-D", at_seconds(low + 0.2), at_seconds(low + 8)));
  r.value("completion of X-Y, limit 12", flow_of(twelve, "X-Y").completion.seconds());
  r.value("default returns, limit 12", back);
  r.value("A-D after the default returned", rate_between(twelve, "A-D", at_seconds(back + 0.2), at_seconds(back + 2)));
  r.statement("limit 12: one reduction, and none after X-Y has ended", acts[2].size() == 2,
              fmt::format("{} actions", acts[2].size()));
  const bool twice = acts[3].size() >= 3 && acts[3][0].low && !acts[3][1].low && acts[3][2].low;
  r.value("default returns, limit 6", acts[3].size() > 1 ? acts[3][1].at : 0);
  r.statement("limit 6: a second reduction rescues X-Y",
              twice && acts[3][2].at < flow_of(outcomes[3].measurements, "X-Y").completion.seconds(),
              twice ? fmt::format("at {:.2f} s", acts[3][2].at) : "none");
  r.statement("without the controller at 128, X-Y stays a victim",
              rate_between(high, "X-Y", at_seconds(10), at_seconds(20)) < 4,
              fmt::format("{:.2f} Gb/s", rate_between(high, "X-Y", at_seconds(10), at_seconds(20))));
  const double after = total_to_d(zero, flow_of(zero, "X-Y").completion + at_seconds(1), at_seconds(60));
  r.statement("always at 0, the flows to D never recover", after < 5, fmt::format("{:.2f} Gb/s together", after));
  r.report("wait of (S1,15) per sweep before the reduction, over T_W",
           fmt::format("{:.3f}", (1 - (rate_between(twelve, "A-D", at_seconds(7.6), at_seconds(low)) +
                                       rate_between(twelve, "X-Y", at_seconds(7.6), at_seconds(low))) / 32) *
                                     1.075 / 32e-9 / 27.4e6));
  r.note(
      "T_D is not given: 25M words per sweep (0.74 Gb/s). The limits are counted in sweeps of 1.075 s and must be "
      "exceeded; "
      "the runs without controller have one whose T_W is out of reach.");
}

}  // namespace weir
