#include "reproduce/check.h"

#include <fmt/format.h>

#include <cmath>

namespace weir {
namespace {

constexpr std::pair<std::string_view, CheckKind> kKinds[] = {{"value", CheckKind::value},
                                                             {"ordering", CheckKind::ordering},
                                                             {"shape", CheckKind::shape},
                                                             {"no published number", CheckKind::unpublished}};

constexpr std::pair<std::string_view, Verdict> kVerdicts[] = {
    {"reached", Verdict::reached},         {"reached in a second reading", Verdict::reached_second},
    {"differs, explained", Verdict::differs_explained}, {"regressed", Verdict::regressed},
    {"unexplained", Verdict::unexplained}, {"reported", Verdict::reported}};

template <class T, std::size_t kCount>
std::string_view name_in(const std::pair<std::string_view, T> (&list)[kCount], T value) {
  for (const auto& [name, v] : list)
    if (v == value) return name;
  return "";
}
template <class T, std::size_t kCount>
std::optional<T> named_in(const std::pair<std::string_view, T> (&list)[kCount], std::string_view wanted) {
  for (const auto& [name, value] : list)
    if (name == wanted) return value;
  return std::nullopt;
}

std::string with_unit(double x, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", x, unit.empty() || unit == "%" ? "" : " ", unit);
}

bool reaches(const PaperValue& paper, const Finding& found) {
  return paper.kind == CheckKind::value ? std::fabs(found.number - paper.paper) <= paper.tolerance : found.holds;
}

std::string text_of(const PaperValue& paper, const Finding& found) {
  return paper.kind == CheckKind::value ? with_unit(found.number, paper.unit) : found.text;
}

void judge_missed_value(const PaperValue& paper, double measured, Check& check) {
  if (!paper.low) {
    check.reason = fmt::format("off by {:.3g}, tolerance {:.3g}", measured - paper.paper, paper.tolerance);
  } else if (measured >= *paper.low && measured <= *paper.high) {
    check.verdict = Verdict::differs_explained;
    check.reason = paper.reason;
  } else {
    check.verdict = Verdict::regressed;
    check.reason =
        fmt::format("outside the tolerance and outside the recorded band {:.4g} to {:.4g}", *paper.low, *paper.high);
  }
}

}  // namespace

Check judge(const PaperValue& paper, const Finding& first, const std::optional<Finding>& second) {
  Check check{paper.what, paper.kind, paper.text, text_of(paper, first), paper.paper, first.number,
              Verdict::unexplained, {}, second ? text_of(paper, *second) : "", paper.tolerance};
  if (paper.kind == CheckKind::value && check.paper.empty()) check.paper = with_unit(paper.paper, paper.unit);
  if (reaches(paper, first)) {
    check.verdict = Verdict::reached;
    return check;
  }
  if (paper.kind == CheckKind::value) {
    judge_missed_value(paper, first.number, check);
  } else {
    check.verdict = paper.holds ? Verdict::unexplained : Verdict::differs_explained;
    check.reason = paper.holds ? "does not hold" : paper.reason;
  }
  if (!second || falls_short(check.verdict)) return check;
  if (reaches(paper, *second)) {
    check.verdict = Verdict::reached_second;
  } else if (paper.second_reaches) {
    check.verdict = Verdict::regressed;
    check.reason = "the second reading no longer reaches it";
  }
  return check;
}

std::string_view verdict_name(Verdict verdict) { return name_in(kVerdicts, verdict); }
std::optional<Verdict> verdict_named(std::string_view name) { return named_in(kVerdicts, name); }
std::string_view kind_name(CheckKind kind) { return name_in(kKinds, kind); }
std::optional<CheckKind> kind_named(std::string_view name) { return named_in(kKinds, name); }
bool falls_short(Verdict verdict) { return verdict == Verdict::regressed || verdict == Verdict::unexplained; }

}  // namespace weir
