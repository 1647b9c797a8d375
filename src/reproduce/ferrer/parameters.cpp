// Ferrer 2012, section 8.2.2: thresholds and windows from uniform traffic.
#include <algorithm>
#include <cctype>

#include "reproduce/computations.h"
#include "run/calibrate.h"

namespace weir::ferrer {
namespace {

struct Case {
  std::string network, size;
  Scenario scenario;
};

std::vector<Override> size_settings(const std::string& size) {
  if (size == "256") return {};
  if (size == "512") return {{"packet.payload", "[512]"}, {"switch.buffer", "2KiB"}};
  if (size == "1024") return {{"packet.payload", "[1024]"}, {"switch.buffer", "4KiB"}};
  return {{"packet.payload", "[64, 512]"}, {"switch.buffer", "2KiB"}};
}

// "bmin-4-ary-5-fly" as BMIN 4-ary 5-fly.
std::string title_of(const std::string& network) {
  std::string title = network;
  for (std::size_t i = 0; i < 4; ++i) title[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[i])));
  title[4] = ' ';
  std::replace(title.begin() + 8, title.begin() + 11, '-', ' ');
  return title;
}

std::vector<Case> cases_of(const Work& work, Parameters& with) {
  std::vector<Case> cases;
  const std::vector<std::string> sizes = with.texts("sizes");
  for (const std::string& network : with.texts("networks"))
    for (const std::string& size : sizes) {
      std::vector<Override> settings = size_settings(size), more = with.settings("set");
      settings.insert(settings.end(), more.begin(), more.end());
      cases.push_back({title_of(network), size, work.scenario("ferrer2012/" + network + ".toml", settings)});
    }
  return cases;
}

CalibrationEffort effort_of(int trips, int steps) {
  CalibrationEffort effort;
  effort.settle_trips = effort.measured_trips = trips;
  effort.search_steps = steps;
  return effort;
}

}  // namespace

// Mean occupancy of buffers near saturation, in per cent.
RowTable calibration(const Work& work, Parameters& with) {
  const std::vector<Case> cases = cases_of(work, with);
  const CalibrationEffort effort =
      effort_of(static_cast<int>(with.number("trips")), static_cast<int>(with.number("steps")));
  std::vector<Calibration> found(cases.size());
  work.parallel(cases.size(), [&](std::size_t i) { found[i] = calibrate(cases[i].scenario, effort); });
  RowTable table{{"network", "size", "input", "output", "saturation"}, {}};
  for (std::size_t i = 0; i < cases.size(); ++i)
    table.rows.push_back({cases[i].network, cases[i].size, 100 * found[i].near.input_share,
                          100 * found[i].near.output_share, found[i].saturation});
  return table;
}

// The window from the round trip: by formula, and measured under uniform traffic at a rate given for the 512 hosts.
RowTable window(const Work& work, Parameters& with) {
  const std::vector<Case> cases = cases_of(work, with);
  const std::vector<std::uint32_t> rates = with.numbers("rates");
  const CalibrationEffort effort = effort_of(static_cast<int>(with.number("trips")), 1);
  std::vector<UniformProbe> measured(cases.size());
  std::vector<Calibration> formula(cases.size());
  work.parallel(cases.size(), [&](std::size_t i) {
    const double load = rates[i * rates.size() / cases.size()] / 512.0;
    measured[i] = probe_uniform(cases[i].scenario, load, effort);
    formula[i] = calibrate(cases[i].scenario, effort_of(10, 1));
  });
  RowTable table{{"network", "size", "calculated", "whole", "measured", "outstanding", "outstanding_of_host"}, {}};
  for (std::size_t i = 0; i < cases.size(); ++i)
    table.rows.push_back({cases[i].network, cases[i].size, formula[i].trip.window,
                          cell(std::uint64_t{formula[i].trip.whole_window}), measured[i].window,
                          measured[i].outstanding, measured[i].outstanding_of_host});
  return table;
}

}  // namespace weir::ferrer
