// Paper 001, chapter 4 and section 8.5: which packets the strategies mark, and when.
#include <fmt/format.h>

#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

constexpr std::string_view kDetections[] = {"ipm", "rpm", "opm", "iopm", "mvpm"};
bool two_bits(std::string_view detection) { return detection == "iopm" || detection == "mvpm"; }

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(c - 'a' + 'A');
  return text;
}

// Detection alone, or with dynamic window and waiting slots.
std::vector<Outcome> run_detections(const Reproduction& r, bool corrected) {
  std::vector<Scenario> scenarios;
  for (const std::string_view detection : kDetections) {
    std::vector<Override> settings{{"detection", std::string(detection)}};
    if (!corrected) settings.insert(settings.end(), {{"window", "none"}, {"delay", "none"}});
    scenarios.push_back(pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], parts(std::string(detection), settings)));
  }
  return r.run(scenarios);
}

Curve marks_over_time(const Outcome& outcome, std::string_view series, std::string label) {
  Curve curve{std::move(label), {}, {}, false};
  for (const SchemeSeries& s : outcome.measurements.scheme_series) {
    if (s.name != series) continue;
    for (std::size_t b = 0; b < s.values.size(); ++b) {
      curve.x.push_back(s.bin.nanoseconds() * static_cast<double>(b));
      curve.y.push_back(s.values[b]);
    }
  }
  return curve;
}

// Share of a scheme's counts that falls between the first and last hot delivery.
double share_in_pulse(const Outcome& outcome, std::string_view series) {
  const Measurements& m = outcome.measurements;
  const auto event = find_event(m, {});
  double inside = 0, total = 0;
  for (const SchemeSeries& s : m.scheme_series) {
    if (s.name != series) continue;
    for (std::size_t b = 0; b < s.values.size(); ++b) {
      const Time at = s.bin * static_cast<std::int64_t>(b);
      total += s.values[b];
      if (event && at >= event->span.from && at < event->span.to) inside += s.values[b];
    }
  }
  return total > 0 ? 100 * inside / total : 0;
}

Time first_of(const Outcome& outcome, std::string_view series, double least) {
  const auto event = find_event(outcome.measurements, {});
  for (const SchemeSeries& s : outcome.measurements.scheme_series) {
    if (s.name != series) continue;
    for (std::size_t b = 0; b < s.values.size(); ++b) {
      const Time at = s.bin * static_cast<std::int64_t>(b);
      if (s.values[b] >= least && (!event || at + s.bin > event->span.from)) return at;
    }
  }
  return kNever;
}

}  // namespace

void fig_4_11(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_detections(r, false);
  std::vector<Pulse> pulses;
  for (std::size_t i = 0; i < outcomes.size(); ++i) pulses.push_back(read_pulse(outcomes[i], two_bits(kDetections[i])));
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    r.value(fmt::format("hot packets marked, {}", upper(kDetections[i])), pulses[i].hot_marked);
  r.value("cold packets marked, IOPM", pulses[3].cold_marked);
  r.value("cold packets marked, MVPM", pulses[4].cold_marked);
  const auto cold = [&](std::size_t i) { return pulses[i].cold_marked; };
  r.statement("cold packets marked by IPM, RPM and OPM",
              cold(0) >= 5 && cold(0) <= 11 && cold(1) >= 5 && cold(1) <= 11 && cold(2) >= 5 && cold(2) <= 11,
              fmt::format("{:.1f}, {:.1f}, {:.1f} %", cold(0), cold(1), cold(2)));
  r.statement("IPM marks fewer cold packets than RPM", cold(0) < cold(1),
              fmt::format("{:.1f} < {:.1f} %", cold(0), cold(1)));
  r.statement("MVPM marks fewest cold packets, then IOPM",
              cold(4) < cold(3) && cold(3) < std::min({cold(0), cold(1), cold(2)}),
              fmt::format("MVPM {:.1f}, IOPM {:.1f}, OPM {:.1f}, IPM {:.1f}, RPM {:.1f} %", cold(4), cold(3), cold(2),
                          cold(0), cold(1)));
  Figure figure{
      "marked", "Marked packets by strategy (1 IPM, 2 RPM, 3 OPM, 4 IOPM, 5 MVPM)", "strategy", "per cent", {}, false,
      false};
  Curve of_hot{"hot", {}, {}, true}, of_cold{"cold", {}, {}, true};
  for (std::size_t i = 0; i < pulses.size(); ++i) {
    for (Curve* curve : {&of_hot, &of_cold}) curve->x.push_back(static_cast<double>(i + 1));
    of_hot.y.push_back(pulses[i].hot_marked);
    of_cold.y.push_back(pulses[i].cold_marked);
  }
  figure.curves = {of_hot, of_cold};
  r.figure(std::move(figure));
  r.note(
      "Detection without correction; two-bit strategies count packets with both bits, which is what makes a flow hot.");
}

void fig_4_12(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_detections(r, false);
  Figure figure{"marking", "Packets marked per 10,000 cycles, no correction", "cycles", "packets", {}, false, false};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string name = upper(kDetections[i]);
    if (kDetections[i] != "opm")
      figure.curves.push_back(marks_over_time(outcomes[i], "marks at inputs", name + " input"));
    if (i >= 2) figure.curves.push_back(marks_over_time(outcomes[i], "marks at outputs", name + " output"));
  }
  const double ipm =
      outcomes[0].measurements.scheme_series[0].values.empty() ? 0 : share_in_pulse(outcomes[0], "marks at inputs");
  const double rpm = share_in_pulse(outcomes[1], "marks at inputs");
  r.statement("IPM and RPM are similar", std::abs(ipm - rpm) < 10,
              fmt::format("{:.0f} and {:.0f} % of marks in the pulse", ipm, rpm));
  const double iopm = share_in_pulse(outcomes[3], "marks at outputs"),
               mvpm = share_in_pulse(outcomes[4], "marks at outputs");
  r.statement("MVPM concentrates its validations in the pulse more than IOPM its output marks", mvpm >= iopm,
              fmt::format("{:.0f} against {:.0f} %", mvpm, iopm));
  r.figure(std::move(figure));
}

void fig_8_38(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_detections(r, true);
  const Pulse iopm = read_pulse(outcomes[3], true), mvpm = read_pulse(outcomes[4], true);
  r.statement("MVPM marks fewer cold packets wrongly than IOPM", mvpm.cold_marked < iopm.cold_marked,
              fmt::format("{:.2f} against {:.2f} %", mvpm.cold_marked, iopm.cold_marked));
  r.report("hot packets marked, IOPM and MVPM", fmt::format("{:.0f} and {:.0f} %", iopm.hot_marked, mvpm.hot_marked));
}

void fig_8_37(Reproduction& r) {
  const std::vector<Outcome> outcomes = r.run({pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme("mvcm")),
                                               pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme("iocm"))});
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = i == 0 ? "MVCM" : "IOCM";
    Figure figure{i == 0 ? "mvcm" : "iocm",
                  name + ": marks and corrections per 10,000 cycles",
                  "cycles",
                  "count",
                  {},
                  false,
                  false};
    for (const char* series : {"marks at inputs", "marks at outputs", "windows made smaller", "delays made longer",
                               "resets by an empty queue"})
      figure.curves.push_back(marks_over_time(outcomes[i], series, series));
    r.figure(std::move(figure));
  }
  const Time mvcm = first_of(outcomes[0], "windows made smaller", 50),
             iocm = first_of(outcomes[1], "windows made smaller", 50);
  r.statement("IOCM reduces windows no later than MVCM", iocm <= mvcm,
              fmt::format("{:.0f} and {:.0f} cycles", iocm.nanoseconds(), mvcm.nanoseconds()));
  const double in_pulse = share_in_pulse(outcomes[0], "marks at outputs");
  r.statement("most validations of MVCM fall into the pulse", in_pulse > 50, fmt::format("{:.0f} %", in_pulse));
}

void fig_8_39(Reproduction& r) {
  const std::vector<Outcome> outcomes = r.run({pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme("iocm")),
                                               pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme("mvcm"))});
  const Pulse iocm = read_pulse(outcomes[0], true), mvcm = read_pulse(outcomes[1], true);
  r.statement("fewer cold packets suffer wrong severe actions with MVCM", mvcm.cold_marked < iocm.cold_marked,
              fmt::format("{:.2f} against {:.2f} % of cold packets", mvcm.cold_marked, iocm.cold_marked));
  Figure f = figure("cold-latency", "Latency of cold flows with IOCM and MVCM", Series::latency);
  f.curves = {class_curve(outcomes[0], "cold", Series::latency, "IOCM"),
              class_curve(outcomes[1], "cold", Series::latency, "MVCM")};
  r.figure(std::move(f));
}

}  // namespace weir::ferrer
