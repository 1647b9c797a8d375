// `weir calibrate`: thresholds, window and waiting interval for marking, derived from the network as Ferrer 2012
// derives them; for DCQCN, ECN thresholds compared by short runs.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <numeric>

#include "app/calibrate.h"
#include "app/commands.h"
#include "app/runner.h"
#include "base/error.h"
#include "report/number_format.h"
#include "report/terminal/progress.h"
#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"
#include "run/calibrate.h"
#include "run/calibrate_ecn.h"
#include "scenario/quantity.h"

namespace weir {
namespace {

std::string row(const UniformProbe& p, const char* what) {
  return fmt::format("{:<12} {:>7.3f} {:>10.3f} {:>8.1f} % {:>7.1f} % {:>11} {:>13.2f}\n", what, p.load, p.delivered,
                     100 * p.input_share, 100 * p.output_share, format_time(p.round_trip), p.window);
}

constexpr const char* kScheme = "mvcm";

// Thresholds are given in whole per cent: more is not known. A queue for a link may hold more than one buffer does, but
// nothing is ever above 100 %.
std::string threshold_line(const char* key, double share) {
  const int percent = std::clamp(static_cast<int>(100 * std::min(share, 1.0) + 0.5), 1, 99);
  return fmt::format("{} = \"{}%\"{}\n", key, percent,
                     share < 0.995 ? "" : "  # the most there is; more than one buffer's worth waits on average");
}

std::string slot_text(Time slot) {
  return slot.ps % 1000 == 0 ? fmt::format("{}ns", slot.ps / 1000) : fmt::format("{}ps", slot.ps);
}

std::string fragment(const Calibration& c) {
  return fmt::format("[scheme]\nname = \"{}\"\n{}{}window_packets = {}\nslot = \"{}\"\nfactor = {}\nlimit = {}\n",
                     kScheme, threshold_line("input_threshold", c.near.input_share),
                     threshold_line("output_threshold", c.near.output_share), c.trip.whole_window,
                     slot_text(c.trip.shortest), c.trip.radix, c.trip.stages);
}

// Others have no thresholds and windows that such a search could find.
void require_marking(const std::string& file, const Scenario& scenario) {
  constexpr std::string_view kFor[] = {"none", "window", "mvcm", "iocm", "renato", "pfister", "marking"};
  const std::string& name = scenario.section("scheme").kind;
  if (std::find(std::begin(kFor), std::end(kFor), name) != std::end(kFor)) return;
  throw InputError(
      fmt::format("{0}: `weir calibrate` finds thresholds and windows of mvcm, and kmin and kmax of dcqcn, but the "
                  "scheme of this scenario is {1}. `weir list schemes {1}` shows its parameters and which of them weir "
                  "calculates for a fabric. To calibrate this network for mvcm, add --set scheme.name=mvcm",
                  file, name));
}

// Minutes of search for parameters of a scheme that the scenario then refuses would be wasted.
void require_scheme(const std::string& file, std::vector<std::string> set) {
  set.push_back(fmt::format("scheme.name={}", kScheme));
  try {
    set_up(parse_scenario_file(file, vocabulary(), parse_overrides(set)));
  } catch (const InputError& e) {
    std::string why = e.what();
    const std::string setting = fmt::format("--set scheme.name={}: ", kScheme);  // nobody typed it
    if (why.starts_with(setting)) why.erase(0, setting.size());
    throw InputError(fmt::format("{}: `weir calibrate` finds the parameters of `{}` (for `dcqcn`, add --set "
                                 "scheme.name=dcqcn), but `{}` cannot run in this scenario: {}",
                                 file, kScheme, kScheme, why));
  }
}

void print(const Calibration& c) {
  fmt::print(
      "longest path     {} switches, {} per hop\nround trip       {} for the largest packet on an idle network\n",
      c.trip.hops, format_time(c.trip.per_hop), format_time(c.trip.shortest));
  const auto line = [](const char* title, const std::string& text) {
    constexpr std::size_t kMargin = 17;
    fmt::print("{}", wrap(fmt::format("{:<{}}{}", title, kMargin, text), terminal_style().width, kMargin));
  };
  const std::string smallest = fmt::format("{:.2f}", c.trip.window);
  const std::string largest = fmt::format("{:.2f}", c.largest_packet_window);
  line("window", fmt::format("{} {}, to fill a round trip on an idle network ({}, rounded up)", c.trip.whole_window,
                             c.trip.whole_window == 1 ? "packet" : "packets",
                             smallest == largest ? fmt::format("calculated: {} packets", smallest)
                                                 : fmt::format("calculated: {} packets of the largest size, or {} of "
                                                               "the smallest",
                                                               largest, smallest)));
  line("waiting", fmt::format("1 slot (a round trip) after the first mark, {} times as long after each further mark; "
                              "at most {} increases",
                              c.trip.radix, c.trip.stages));
  fmt::print("saturation       at a load of {:.3f} under uniform traffic\n\n", c.saturation);
  fmt::print("uniform         load  delivered    inputs   outputs  round trip  packets/trip\n");
  for (const UniformProbe& p : c.search) fmt::print("{}", row(p, p.saturated() ? "  saturated" : "  carried"));
  fmt::print("{}", row(c.near, "calibrated"));
  fmt::print("{}\n",
             wrap("load, delivered: share of the rate of a host's link; inputs, outputs: mean occupancy of a buffer, "
                  "as a share of its size; packets/trip: packets that fit into one round trip, which gets "
                  "longer as queues grow",
                  terminal_style().width));
  fmt::print("{}", fragment(c));
}

// The mean over the seeds, and the least and the most of them.
std::string spread_text(const std::vector<double>& values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (values.size() == 1) return format_slowdown(mean);
  return fmt::format("{} ({}-{})", format_slowdown(mean), format_slowdown(*least), format_slowdown(*most));
}

std::string bytes_list(const std::vector<Bytes>& bytes) {
  std::string text;
  for (const Bytes each : bytes) text += (text.empty() ? "" : ", ") + bytes_to_text(each);
  return text;
}

// " at 100Gbps, 400Gbps" where links have different thresholds.
std::string at_rates(const std::vector<Rate>& rates) {
  std::string text;
  if (rates.size() > 1)
    for (const Rate rate : rates) text += (text.empty() ? " at " : ", ") + to_text(rate);
  return text;
}

std::string_view origin(const EcnTrial& trial) {
  if (trial.which == EcnTrial::Which::by_default) return "default";
  return trial.which == EcnTrial::Which::given ? "yours" : "";
}

// What to write into the scenario. One number would not do for links of different rates.
std::string suggested_lines(const EcnCalibration& c) {
  const EcnTrial& best = c.trials[c.suggested];
  const std::string head = "\n[scheme]\nname = \"dcqcn\"\n";
  const std::string pmax = fmt::format("pmax = {}\n", c.pmax);
  const std::string kmin = bytes_list(best.kmin), kmax = bytes_list(best.kmax);
  if (best.which == EcnTrial::Which::by_default)
    return head + pmax + fmt::format("# without kmin ({}) and kmax ({}): these are the defaults{}\n", kmin, kmax,
                                     at_rates(c.rates));
  if (best.which == EcnTrial::Which::given)
    return head + pmax + fmt::format("# with kmin ({}) and kmax ({}) as they are{}\n", kmin, kmax, at_rates(c.rates));
  if (c.rates.size() == 1) return head + fmt::format("kmin = \"{}\"\nkmax = \"{}\"\n", kmin, kmax) + pmax;
  return head +
         fmt::format("kmin_per_gbps = \"{}\"  # {}{}\nkmax_per_gbps = \"{}\"  # {}{}\n",
                     bytes_to_text(best.kmin_per_gigabit), kmin, at_rates(c.rates),
                     bytes_to_text(best.kmax_per_gigabit), kmax, at_rates(c.rates)) +
         pmax;
}

std::string verdict_text(const EcnCalibration& c) {
  const std::size_t seeds = c.trials.front().short_p99.size();
  if (c.all_alike()) {
    const bool given = c.trials[c.suggested].which == EcnTrial::Which::given;
    return (seeds == 1 ? "With one run of each pair, differences may be chance: use --seeds 5 or more."
                       : fmt::format("For short flows, no pair differs from the best by more than chance ({} runs of "
                                     "each pair).", seeds)) +
           fmt::format(" Suggested, until more is known: the pair that the scenario has{}. ",
                       given ? "" : ", which is the default");
  }
  return fmt::format(
      "*: short flows are slower than with the best pair, and this is not chance ({} runs of each pair). "
      "Pairs without a star may be as good as the best; more runs (--seeds) would show it. Suggested: the highest "
      "thresholds with which short flows are at most 25 % slower than with the best pair. ",
      seeds);
}

std::string suggestion_remarks(const EcnCalibration& c) {
  constexpr double kMarked = 1.05;
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const EcnTrial& best = c.trials[c.suggested];
  std::string text;
  const bool lowest = c.suggested == 0, highest = c.suggested + 1 == c.trials.size();
  if (c.trials.size() > 1 && !c.all_alike() && lowest != highest)
    text += fmt::format("The suggested pair is the {} that was tried: {} ones may be better. ",
                        lowest ? "lowest" : "highest", lowest ? "lower" : "higher");
  double least = mean(best.long_p99);
  for (const EcnTrial& trial : c.trials) least = std::min(least, mean(trial.long_p99));
  if (const double cost = mean(best.long_p99) / least; cost > kMarked)
    text += fmt::format("The suggested pair has a price: for long flows, the 99th percentile of the slowdown is {} "
                        "higher than with the pair that is best for them. ",
                        format_share(cost - 1));
  return text + fmt::format("pmax was {} in all runs; other values were not tried.", format_share(c.pmax));
}

// What the slowdowns of the table are.
std::string legend(const EcnCalibration& c) {
  return fmt::format(
      "short p99, long p99: 99th percentile of the slowdown of short flows (up to {}) and long ones (above {}){}. "
      "Ideally, the two groups are the shortest and the longest 10 % of the {} flows; they can be larger or smaller, "
      "because flows of equal size are not split between groups. mean: mean slowdown of all flows. "
      "pauses, paused: how often and how long links were paused in a run. {}Low thresholds keep queues short, high "
      "ones keep links busy. The values hold only for this traffic and load.",
      format_bytes(static_cast<double>(c.shorter_than)), format_bytes(static_cast<double>(c.longer_than)),
      c.trials.front().short_p99.size() > 1 ? ", as the mean of all runs (in brackets: lowest and highest run)" : "",
      c.flows,
      c.rates.size() > 1 ? fmt::format("kmin and kmax: for links{}. ", at_rates(c.rates)) : "");
}

}  // namespace

std::string suggestion_text(const EcnCalibration& c) { return verdict_text(c) + suggestion_remarks(c); }

namespace {

void print(const EcnCalibration& c) {
  TextTable table({{"kmin", Align::right, 9},
                   {"kmax", Align::right, 9},
                   {"", Align::left, 9},
                   {"short p99", Align::right, 9},
                   {"", Align::left, 9},
                   {"long p99", Align::right, 8},
                   {"mean", Align::right, 7},
                   {"pauses", Align::right, 6},
                   {"paused", Align::right, 6}});
  for (const EcnTrial& t : c.trials)
    table.add({bytes_list(t.kmin), bytes_list(t.kmax), std::string(origin(t)), spread_text(t.short_p99),
               t.differs ? "*" : "", spread_text(t.long_p99), format_slowdown(t.mean_slowdown), format_count(t.stops),
               format_time(t.paused)});
  const TextStyle style = terminal_style();
  show(table.render(style) + "\n" + wrap(legend(c), style.width) + wrap(suggestion_text(c), style.width) +
       suggested_lines(c));
}

// The traffic of the scenario decides, so it must have flows with an end.
void require_flows(const std::string& file, const RunSetup& setup) {
  const auto& flows = setup.workload->flows;
  if (std::any_of(flows.begin(), flows.end(), [](const Flow& flow) { return flow.bytes != kEndless; })) return;
  throw InputError(fmt::format("{}: kmin and kmax are judged by the slowdown of flows, but this traffic has no flows "
                               "that end. `weir new leaf-spine --roce` writes a scenario with such flows", file));
}

void run_ecn(const std::string& file, const Scenario& scenario, int seeds) {
  require_flows(file, set_up(scenario));
  ProgressBar bar(std::cerr, stderr_is_terminal(), wall_seconds, 80, !terminal_shows_utf8());
  const EcnCalibration result =
      calibrate_ecn(scenario, seeds, [&](double share) { bar.update(share, "trying thresholds"); });
  bar.finish();
  print(result);
}

}  // namespace

Command add_calibrate(CLI::App& app) {
  struct Options {
    std::string file;
    std::vector<std::string> set;
    double near = 0.95;
    int trips = 300, steps = 7, seeds = 5;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("calibrate", "find parameters of the schemes mvcm, iocm and dcqcn for a network");
  command->footer(
      "If the scheme is dcqcn, `weir calibrate` runs the scenario with several pairs of the ECN thresholds kmin and "
      "kmax: the defaults, those of the scenario, and four from low to high.\n"
      "Otherwise it finds parameters of the schemes mvcm and iocm (`weir list schemes mvcm`): thresholds, window, and "
      "how long a sender waits after a mark. For this, uniform traffic from all hosts replaces the traffic of the "
      "scenario.\n"
      "Examples:\n  weir calibrate scenarios/hotspot.toml\n"
      "  weir calibrate scenarios/roce-incast.toml --set scheme.name=dcqcn");
  command->add_option("scenario", options->file, "scenario file (TOML)")->required();
  command->add_option("--set", options->set, "override a value (repeatable)")->take_all();
  command
      ->add_option("--near", options->near,
                   "with mvcm: measure buffer occupancy at this share of the saturation load")
      ->check(CLI::Range(0.1, 1.0))
      ->capture_default_str();
  command
      ->add_option("--trips", options->trips,
                   "with mvcm: length of the warm-up in round trips; the measurement takes as long again")
      ->check(CLI::Range(10, 1000000))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "with mvcm: steps of the search for saturation")
      ->check(CLI::Range(3, 30))
      ->capture_default_str();
  command
      ->add_option("--seeds", options->seeds,
                   "with dcqcn: runs of each pair of kmin and kmax, each with another seed")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  return [options, command] {
    const Scenario scenario = parse_scenario_file(options->file, vocabulary(), parse_overrides(options->set));
    const bool for_dcqcn = scenario.section("scheme").kind == "dcqcn";
    refuse_if_given(*command, {"--near", "--trips", "--steps"}, for_dcqcn, "it is for mvcm, but the scheme is dcqcn");
    refuse_if_given(*command, {"--seeds"}, !for_dcqcn, "it is for dcqcn, and the scheme is another one");
    if (for_dcqcn) {
      run_ecn(options->file, scenario, options->seeds);
      return 0;
    }
    require_marking(options->file, scenario);
    require_scheme(options->file, options->set);
    ProgressBar bar(std::cerr, stderr_is_terminal(), wall_seconds, 80, !terminal_shows_utf8());
    CalibrationEffort effort;
    effort.near = options->near;
    effort.settle_trips = effort.measured_trips = options->trips;
    effort.search_steps = options->steps;
    const Calibration result =
        calibrate(scenario, effort, [&](double share) { bar.update(share, "searching for saturation"); });
    bar.finish();
    print(result);
    return 0;
  };
}

}  // namespace weir
