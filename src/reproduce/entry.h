// Reproducing the papers. An entry is a figure or table; it runs what the paper ran and states checks, each against
// what the paper prints (reproduce/<paper>/paper-values.toml). Tolerances are written there before the first run and
// never widened; a value that is missed keeps its verdict "differs, explained" as long as it stays in the band that was
// recorded with the explanation.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "measure/measurements.h"
#include "report/book/figure.h"
#include "run/simulate.h"
#include "scenario/parse.h"

namespace weir {

enum class CheckKind { value, ordering, shape, unpublished };
enum class Verdict { reached, differs_explained, regressed, unexplained, reported };

struct Check {
  std::string what;
  CheckKind kind = CheckKind::value;
  std::string paper;     // as text, with unit; empty where nothing was published
  std::string measured;
  double paper_number = 0, measured_number = 0;
  Verdict verdict = Verdict::unexplained;
  std::string reason;    // where it differs
};

struct EntryResult {
  std::string id, title;
  std::vector<Check> checks;
  std::vector<Figure> figures;
  std::vector<std::string> notes;  // what was varied, calibrated, chosen
  std::size_t simulations = 0;     // runs and computations behind it
  double seconds = 0;              // wall time, not compared
};

enum class Depth { quick, normal, full };
std::string_view depth_name(Depth depth);

// Told when a stage of an entry begins (0 of so many runs) and after each of its runs, one call at a time.
using StageReport = std::function<void(std::size_t done, std::size_t runs)>;

// What an entry works with: runs scenarios (on all cores, results in order) and states checks.
class Reproduction {
 public:
  Reproduction(std::string id, std::string title, Depth depth, unsigned threads, StageReport report_stage = {});

  Depth depth() const { return depth_; }
  bool quick() const { return depth_ == Depth::quick; }
  bool full() const { return depth_ == Depth::full; }
  unsigned threads() const { return threads_; }

  // A scenario of reproduce/, e.g. "theory/hol.toml", with overrides.
  Scenario scenario(std::string_view file, const std::vector<Override>& overrides = {}) const;
  std::vector<Outcome> run(const std::vector<Scenario>& scenarios) const;
  // Calls work(0) ... work(count - 1) on all cores; the results must not depend on the order.
  void parallel(std::size_t count, const std::function<void(std::size_t)>& work) const;

  // A number that the paper prints. `what` must stand in paper-values.toml.
  void value(std::string_view what, double measured);
  // A statement of the paper about an order or a shape: does it hold? `measured` says with which numbers.
  void statement(std::string_view what, bool holds, const std::string& measured);
  // A number without a published counterpart.
  void report(std::string_view what, const std::string& measured);
  void note(std::string text) { result_.notes.push_back(std::move(text)); }
  void figure(Figure figure) { result_.figures.push_back(std::move(figure)); }
  EntryResult finish() {
    result_.simulations = simulations_;
    return std::move(result_);
  }

 private:
  EntryResult result_;
  Depth depth_;
  unsigned threads_;
  StageReport report_stage_;
  mutable std::size_t simulations_ = 0;  // entries count them from one thread
};

struct Entry {
  std::string_view id;     // "zdornov/fig-1.1"
  std::string_view title;
  void (*run)(Reproduction&);
};

std::span<const Entry> entries();
// Entries whose id is one of the names or lies below it ("zdornov" or "zdornov/fig-6" match by prefix up to '/', '-' or
// end); no names = all. An unknown name is an InputError with the nearest one.
std::vector<Entry> entries_named(const std::vector<std::string>& names);
EntryResult run_entry(const Entry& entry, Depth depth, unsigned threads, StageReport report_stage = {});

// What paper-values.toml says about one check.
struct PaperValue {
  std::string entry, what, unit, text, reason;
  CheckKind kind = CheckKind::value;
  double paper = 0;
  double tolerance = 0;          // absolute
  std::optional<double> low, high;  // recorded band of a value that differs
  bool holds = true;             // recorded: false for a statement that is known not to hold, with the reason
};
std::vector<PaperValue> read_paper_values(std::string_view text, const std::string& file);
const std::vector<PaperValue>& paper_values();  // of all papers
const PaperValue* paper_value(std::string_view entry, std::string_view what);
Check judge_value(const PaperValue& paper, double measured);
Check judge_statement(const PaperValue& paper, bool holds, const std::string& measured);

std::string_view verdict_name(Verdict verdict);  // "reached", "differs, explained", ...
std::optional<Verdict> verdict_named(std::string_view name);
std::string_view kind_name(CheckKind kind);
bool falls_short(Verdict verdict);               // regressed or unexplained

}  // namespace weir
