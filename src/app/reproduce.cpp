// `weir reproduce`: the papers' figures: paper, measured, verdict, and the reason where they differ.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/runner.h"
#include "base/parallel.h"
#include "report/figure.h"
#include "report/table.h"
#include "reproduce/entry.h"

namespace weir {
namespace {

struct ReproduceOptions {
  std::vector<std::string> names;
  bool quick = false, full = false, list = false;
  std::string json, out = "results/reproduce";
  unsigned threads = 0;
};

void print_entry(const EntryResult& entry, const TextStyle& style) {
  fmt::print("{}\n", bold(entry.id + ": " + entry.title, style));
  TextTable table({{"", Align::left, 9, 30}, {"paper", Align::left, 8, 12}, {"measured", Align::left, 9, 20},
                   {"verdict", Align::left, 9, 0}});
  for (const Check& check : entry.checks)
    table.add({check.what, check.paper, check.measured, std::string(verdict_name(check.verdict))});
  std::cout << table.render(style);
  for (const Check& check : entry.checks)
    if (!check.reason.empty()) fmt::print("  {}: {}\n", check.what, check.reason);
  for (const std::string& note : entry.notes) fmt::print("  note: {}\n", note);
  fmt::print("  ({:.1f} s)\n\n", entry.seconds);
}

nlohmann::ordered_json to_json(const EntryResult& entry) {
  nlohmann::ordered_json j{{"id", entry.id}, {"title", entry.title}};
  for (const Check& check : entry.checks) {
    nlohmann::ordered_json c{{"what", check.what}, {"kind", kind_name(check.kind)}, {"paper", check.paper},
                             {"measured", check.measured}, {"verdict", verdict_name(check.verdict)}};
    if (check.kind == CheckKind::value) {
      c["paper_number"] = check.paper_number;
      c["measured_number"] = check.measured_number;
    }
    if (!check.reason.empty()) c["reason"] = check.reason;
    j["checks"].push_back(std::move(c));
  }
  for (const Figure& figure : entry.figures) j["figures"].push_back(figure_json(figure));
  j["notes"] = entry.notes;
  return j;
}

void write_figures(const EntryResult& entry, const std::string& out) {
  if (entry.figures.empty()) return;
  const std::filesystem::path directory = std::filesystem::path(out) / entry.id;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError("cannot make " + directory.string() + ": " + error.message());
  for (const Figure& figure : entry.figures) {
    write_text_file((directory / (figure.name + ".csv")).string(), figure_csv(figure));
    write_text_file((directory / (figure.name + ".svg")).string(), figure_svg(figure));
  }
}

int reproduce(const ReproduceOptions& options) {
  if (options.list) {
    for (const Entry& entry : entries_named(options.names)) fmt::print("{:22} {}\n", entry.id, entry.title);
    return 0;
  }
  const Depth depth = options.quick ? Depth::quick : options.full ? Depth::full : Depth::normal;
  const unsigned threads = options.threads != 0 ? options.threads : hardware_threads();
  std::map<Verdict, int> counts;
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  bool short_fall = false;
  for (const Entry& entry : entries_named(options.names)) {
    const double before = wall_seconds();
    if (stderr_is_terminal()) fmt::print(stderr, "{} ...\r", entry.id);
    EntryResult result = run_entry(entry, depth, threads);
    result.seconds = wall_seconds() - before;
    print_entry(result, terminal_style());
    std::cout.flush();
    write_figures(result, options.out);
    document.push_back(to_json(result));
    for (const Check& check : result.checks) {
      ++counts[check.verdict];
      short_fall |= falls_short(check.verdict);
    }
  }
  if (!options.json.empty()) write_text_file(options.json, document.dump(1) + "\n");
  fmt::print("{} reached, {} differ and are explained, {} regressed, {} unexplained, {} reported\n",
             counts[Verdict::reached], counts[Verdict::differs_explained], counts[Verdict::regressed],
             counts[Verdict::unexplained], counts[Verdict::reported]);
  return short_fall ? 1 : 0;
}

}  // namespace

Command add_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command = app.add_subcommand("reproduce", "the papers' figures: paper, measured, verdict");
  command->footer("Examples:\n  weir reproduce                    everything, in the usual depth\n"
                  "  weir reproduce theory zdornov/fig-1.1\n  weir reproduce ferrer --quick --json ferrer.json");
  command->add_option("names", options->names, "entries or papers (default: all)");
  command->add_flag("--quick", options->quick, "fewer repetitions and grid points");
  command->add_flag("--full", options->full, "the published sizes and numbers of runs")->excludes("--quick");
  command->add_flag("--list", options->list, "only say what there is");
  command->add_option("--json", options->json, "write the result as JSON to this file (- for standard output)");
  command->add_option("--out", options->out, "directory for curves as CSV and SVG")->capture_default_str();
  command->add_option("--threads", options->threads, "runs at a time (default: all cores)");
  return [options] { return reproduce(*options); };
}

}  // namespace weir
