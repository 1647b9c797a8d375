// One check of an entry: what the paper prints, what was measured, and the verdict. Tolerances are written before the
// first run and never widened. A value that is missed keeps the verdict "differs, explained" as long as it stays in the
// band that was recorded with the explanation. Where a paper can be read in two ways, a value that only the second
// reading reaches has a verdict of its own.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace weir {

enum class CheckKind { value, ordering, shape, unpublished };
enum class Verdict { reached, reached_second, differs_explained, regressed, unexplained, reported };

struct Check {
  std::string what;
  CheckKind kind = CheckKind::value;
  std::string paper;     // as text, with unit; empty where nothing was published
  std::string measured;
  double paper_number = 0, measured_number = 0;
  Verdict verdict = Verdict::unexplained;
  std::string reason;    // where it differs, in the literal reading
  std::string second;    // measured in the second reading; empty: there is none
  double tolerance = 0;  // of a value: how far from the paper's it may be, absolute
};

// What the paper says, as the entry's file has it.
struct PaperValue {
  std::string what, unit, text, reason;
  CheckKind kind = CheckKind::value;
  double paper = 0;
  double tolerance = 0;             // absolute
  std::optional<double> low, high;  // recorded band of a value that differs
  bool holds = true;                // recorded: false for a statement that is known not to hold, with the reason
  bool second_reaches = false;      // recorded: the second reading reaches it
};

// A number, or whether a statement holds and with which numbers.
struct Finding {
  double number = 0;
  bool holds = false;
  std::string text;
};
Check judge(const PaperValue& paper, const Finding& first, const std::optional<Finding>& second = {});

std::string_view verdict_name(Verdict verdict);  // "reached", "differs, explained", ...
std::optional<Verdict> verdict_named(std::string_view name);
bool falls_short(Verdict verdict);
std::string_view kind_name(CheckKind kind);
std::optional<CheckKind> kind_named(std::string_view name);

}  // namespace weir
