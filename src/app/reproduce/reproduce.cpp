// `weir reproduce`: the papers' figures: paper, measured, verdict, and the reason where they differ.
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/machine_text.h"
#include "app/process.h"
#include "app/reproduce/entry_file.h"
#include "app/runner.h"
#include "base/file_text.h"
#include "base/parallel.h"
#include "report/book/book.h"
#include "report/book/figure.h"
#include "report/number_format.h"
#include "report/terminal/progress.h"
#include "report/terminal/table.h"
#include "reproduce/entry.h"
#include "reproduce/paper.h"
#include "reproduce/plan.h"
#include "store/files/scratch.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

struct ReproduceOptions {
  std::vector<std::string> names;
  bool quick = false, full = false, list = false, all = false, report = false, go_on = false;
  std::vector<std::string> from;
  std::string json, markdown, out = "results/reproduce";
  unsigned threads = 0;
};

// A measured text that does not fit into its column follows below the table, whole.
void print_entry(const FinishedEntry& finished, bool from_before, const TextStyle& style) {
  const EntryResult& entry = finished.result;
  fmt::print("{}\n", bold(entry.id + ": " + entry.title, style));
  TextTable table({{"", Align::left, 9, 18}, {"paper", Align::left, 8, 8}, {"tolerance", Align::left, 7},
                   {"measured", Align::left, 9, 14}, {"second reading", Align::left, 9, 14},
                   {"verdict", Align::left, 9, 0}});
  const Json checks = finished.document.value("checks", Json::array());
  for (std::size_t i = 0; i < entry.checks.size(); ++i) {
    const Check& check = entry.checks[i];
    table.add({check.what, check.paper, tolerance_text(checks[i]), check.measured, check.second,
               std::string(verdict_name(check.verdict))});
  }
  const std::string shown = table.render(style);
  show(shown);
  for (const Check& check : entry.checks) {
    const auto cut = [&](const std::string& text) { return shown.find(text) == std::string::npos; };
    if (cut(check.measured)) fmt::print("  {}: measured {}\n", check.what, check.measured);
    if (cut(check.second)) fmt::print("  {}: in the second reading {}\n", check.what, check.second);
  }
  for (const SharedReason& shared : shared_reasons(checks))
    fmt::print("  {}: {}\n", fmt::join(shared.checks, "; "), shared.reason);
  for (const std::string& note : entry.notes) fmt::print("  note: {}\n", note);
  fmt::print("  ({:.1f} s{})\n\n", entry.seconds, from_before ? ", in an earlier run" : "");
}

void make_directory(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError("cannot make " + directory.string() + ": " + error.message());
}

void write_figures(const EntryResult& entry, const std::filesystem::path& directory) {
  for (const Figure& figure : entry.figures) {
    write_text_file((directory / (figure.name + ".csv")).string(), figure_csv(figure));
    write_text_file((directory / (figure.name + ".svg")).string(), figure_svg(figure));
  }
}

// How the papers are cited, what they claim and how they were read, for the book.
Json papers_json() {
  Json list = Json::array();
  for (const PaperInfo& paper : papers()) {
    Json j{{"id", paper.id}, {"title", paper.title}, {"authors", paper.authors}, {"year", paper.year},
           {"summary", paper.summary}, {"unreached", paper.unreached}, {"claims", Json::array()}};
    if (paper.second) j["second"] = {{"fitted", paper.second->fitted}, {"why", paper.second->why}};
    for (const Claim& claim : paper.claims)
      j["claims"].push_back({{"says", claim.says}, {"checks", claim.checks}});
    list.push_back(std::move(j));
  }
  return list;
}

// What a reader needs to judge the numbers by: where, when, how deep.
Json envelope(const std::vector<Json>& entries, Depth depth, std::size_t simulations, double seconds) {
  return {{"format", 1},
          {"weir_version", WEIR_VERSION},
          {"machine", machine_text()},
          {"date", date_text()},
          {"depth", depth_name(depth)},
          {"seed", "1 in every scenario; repetitions use 1, 2, 3 and so on"},
          {"simulations", simulations},
          {"seconds", std::round(seconds)},
          {"papers", papers_json()},
          {"entries", entries}};
}

void write_book(const Json& document, const ReproduceOptions& options) {
  if (options.report) {
    const std::filesystem::path directory(options.out);
    make_directory(directory);
    write_text_file((directory / "reproduction.json").string(), document.dump(1) + "\n");
    for (const auto& [name, content] : book_pages(document)) write_text_file((directory / name).string(), content);
  }
  if (!options.markdown.empty()) write_text_file(options.markdown, book_markdown(document));
  if (!options.json.empty()) write_text_file(options.json, document.dump(1) + "\n");
  if (options.report) fmt::print("book: {}\n", (std::filesystem::path(options.out) / "index.html").string());
}

// Before hours of work: whether there is a place for what comes of it.
class Targets {
 public:
  explicit Targets(const ReproduceOptions& options) : directory_(options.out) {
    check_text_file((std::filesystem::path(options.out) / "reproduction.json").string());
    if (!options.json.empty() && options.json == options.markdown)
      throw InputError("--json and --markdown name one file; give each its own");
    for (const std::string& file : {options.json, options.markdown})
      check_text_file(file, {options.from.begin(), options.from.end()});
  }

 private:
  MadeDirectories directory_;
};

// A book from what earlier calls measured.
int rewrite(const ReproduceOptions& options) {
  std::vector<Json> documents;
  for (const std::string& file : options.from) {
    documents.push_back(Json::parse(read_text_file(file), nullptr, false));
    check_book_document(documents.back(), file);
  }
  const Targets targets(options);
  std::vector<std::string> order;
  for (const EntryDefinition* entry : entries_named({})) order.push_back(entry->id);
  Json document = merged_book(documents, order);
  if (documents.size() > 1) document["papers"] = papers_json();  // those of a part may be older
  write_book(document, options);
  return 0;
}

// A bar for each stage of an entry: how long the next stage takes is not known before it begins.
StageReport stage_bars(std::string_view id) {
  auto bar = std::make_shared<std::optional<ProgressBar>>();
  return [id, bar](std::size_t done, std::size_t runs) {
    if (done == 0) bar->emplace(std::cerr, stderr_is_terminal(), wall_seconds, 80, !terminal_shows_utf8());
    (*bar)->update(static_cast<double>(done) / static_cast<double>(runs),
                   fmt::format("{}: {} of {} runs done", id, done, runs));
    if (done == runs) (*bar)->finish();
  };
}

FinishedEntry run_and_keep(const EntryDefinition& entry, const EntryOrigin& origin, unsigned threads,
                           const std::filesystem::path& directory) {
  const double before = wall_seconds();
  FinishedEntry finished;
  finished.result = run_entry(entry, origin.depth, threads, stage_bars(entry.id));
  finished.result.seconds = wall_seconds() - before;
  finished.document = entry_json(finished.result);
  make_directory(directory);
  write_figures(finished.result, directory);
  write_entry_file(directory, origin, finished);
  return finished;
}

// What is about to be run: a name may stand for more than was meant.
void announce(const ReproduceOptions& options, const std::vector<const EntryDefinition*>& entries) {
  std::map<std::string, std::size_t> papers;
  for (const EntryDefinition* entry : entries) ++papers[entry->id.substr(0, entry->id.find('/'))];
  if (entries.size() < 2 || options.names.empty()) return;
  std::string text;
  for (const auto& [paper, count] : papers) text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", count, paper);
  note("{} entries: {}\n", entries.size(), text);
}

// How much work an entry is: its runs in this depth, and how long it took last.
void list_entries(const ReproduceOptions& options, Depth depth) {
  for (const EntryDefinition* entry : entries_named(options.names)) {
    const std::size_t runs = plan_runs(*entry, depth, nullptr).runs.size() * (entry->second ? 2 : 1);
    const std::optional<double> seconds = last_seconds(std::filesystem::path(options.out) / entry->id, depth);
    fmt::print("{:26} {:>9} {:>9}  {}\n", entry->id, runs == 0 ? "" : fmt::format("{} runs", runs),
               seconds ? format_duration(*seconds) : "", entry->title);
  }
}

// How many checks have each verdict, in the words of the tables.
std::string verdicts_text(const std::map<Verdict, int>& counts) {
  std::string text;
  for (const auto& [verdict, count] : counts) {
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict_name(verdict));
    if (verdict == Verdict::differs_explained) text += " (see the reasons)";
    if (verdict == Verdict::regressed) text += " (differ more than when the reason was found)";
    if (verdict == Verdict::unexplained) text += " (differ for an unknown reason)";
    if (verdict == Verdict::reported) text += " (the paper prints no number)";
  }
  return "checks: " + (text.empty() ? "none" : text);
}

int reproduce(const ReproduceOptions& options) {
  if (options.all && !options.names.empty()) throw InputError("--all means all entries; leave out either --all or the "
                                                              "names");
  const Depth depth = options.quick ? Depth::quick : options.full ? Depth::full : Depth::normal;
  if (options.list) {
    list_entries(options, depth);
    return 0;
  }
  if (!options.from.empty()) return rewrite(options);
  const std::vector<const EntryDefinition*> entries = entries_named(options.names);
  announce(options, entries);
  const Targets targets(options);
  std::atomic<std::size_t> kept{0};
  when_interrupted([&] {
    return kept == 0 ? "nothing was written"
                     : fmt::format("{} of {} entries are in {}; run the same command with --continue to do the rest",
                                   kept.load(), entries.size(), options.out);
  });
  const EntryOrigin origin{program_hash(), depth};
  const unsigned threads = options.threads != 0 ? options.threads : hardware_threads();
  TextStyle style = terminal_style();
  style.width = line_width();  // nothing is cut where nobody has to fit it in
  std::map<Verdict, int> counts;
  std::vector<Json> document;
  bool short_fall = false;
  std::size_t simulations = 0;
  double seconds = 0;
  for (const EntryDefinition* entry : entries) {
    const std::filesystem::path directory = std::filesystem::path(options.out) / entry->id;
    std::optional<FinishedEntry> finished;
    if (options.go_on) finished = read_entry_file(directory, origin);
    const bool from_before = finished.has_value();
    if (!from_before) finished = run_and_keep(*entry, origin, threads, directory);
    ++kept;
    const EntryResult& result = finished->result;
    print_entry(*finished, from_before, style);
    flush_output();
    if (!stdout_is_terminal())
      note("{} of {} entries done: {}, {:.1f} s\n", kept.load(), entries.size(), entry->id, result.seconds);
    document.push_back(std::move(finished->document));
    simulations += result.simulations;
    seconds += result.seconds;
    for (const Check& check : result.checks) {
      ++counts[check.verdict];
      short_fall |= falls_short(check.verdict);
    }
  }
  write_book(envelope(document, origin.depth, simulations, seconds), options);
  fmt::print("{} ({} of work)\n", verdicts_text(counts), format_duration(seconds));
  fmt::print("figures (CSV and SVG): {}\n", (std::filesystem::path(options.out) / "PAPER/ENTRY").string());
  if (counts[Verdict::reached_second] > 0)
    fmt::print(
        "second reading: another interpretation where a paper is ambiguous, sometimes fitted to its results; see "
        "docs/reproduction.md\n");
  return short_fall ? 1 : 0;
}

}  // namespace

Command add_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command = app.add_subcommand("reproduce", "reproduce figures of papers and compare them with the "
                                                      "published values");
  command->footer(
      "Examples:\n  weir reproduce                    all entries, with the default amount of work\n"
      "  weir reproduce theory zdornov2009/fig-1.1\n  weir reproduce ferrer2012 --quick --json ferrer.json\n"
      "  weir reproduce --all --report --markdown docs/reproduction.md\n"
      "  weir reproduce --full --continue  takes hours; continues after the last finished entry");
  command->add_option("names", options->names,
                      "PAPER/ENTRY (theory/hol), ENTRY alone if it is unique (hol), or PAPER (theory); default: all");
  command->add_flag("--all", options->all, "all entries of all papers (the default)");
  command->add_flag("--quick", options->quick, "less work: fewer repetitions and grid points; takes minutes");
  command->add_flag("--full", options->full, "more work: the published sizes and numbers of runs; takes hours")
      ->excludes("--quick");
  command->add_flag(
      "--continue", options->go_on,
      "skip entries that the --out directory already contains, if this version of weir finished them with the "
      "same amount of work (--quick, default or --full)");
  command->add_flag(
      "--list", options->list,
      "list the entries and run nothing. For each: the number of runs (with --quick, default or --full), and how long "
      "the entry took the last time its result was written to the --out directory");
  command->add_option("--json", options->json, "write the result as JSON to this file (- for standard output)");
  command->add_flag(
      "--report", options->report,
      "write the book (all results as web pages: index.html and a page per paper) into the --out directory");
  command->add_option("--markdown", options->markdown, "write the book (see --report) as Markdown to this file");
  command->add_option("--from", options->from,
                      "run nothing; make the book from the reproduction.json files of earlier runs. If several files "
                      "contain an entry, the last file counts");
  command->add_option("--out", options->out, "directory for curves as CSV and SVG, and for the book")
      ->capture_default_str();
  add_threads_option(*command, options->threads);
  return [options] { return reproduce(*options); };
}

}  // namespace weir
