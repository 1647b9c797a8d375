// What the papers print, and the verdict on what was measured.
#include <fmt/format.h>

#include <cmath>

#include "base/check.h"
#include "reproduce/embedded.h"
#include "reproduce/entry.h"
#include "scenario/quantity.h"
#include "scenario/toml/toml_tree.h"

namespace weir {
namespace {

constexpr std::pair<std::string_view, CheckKind> kKinds[] = {{"value", CheckKind::value},
                                                             {"ordering", CheckKind::ordering},
                                                             {"shape", CheckKind::shape},
                                                             {"no published number", CheckKind::unpublished}};

constexpr std::pair<std::string_view, Verdict> kVerdicts[] = {{"reached", Verdict::reached},
                                                              {"differs, explained", Verdict::differs_explained},
                                                              {"regressed", Verdict::regressed},
                                                              {"unexplained", Verdict::unexplained},
                                                              {"reported", Verdict::reported}};

double number_of(const Node& node) {
  if (node.type == Node::Type::integer) return static_cast<double>(node.integer);
  if (node.type == Node::Type::number) return node.number;
  throw InputError(node.where, "a number is needed, not " + describe(node));
}

// "1%" is relative to the paper's value; a plain number is absolute, in the value's unit.
double tolerance_of(const Node& node, double paper) {
  return node.is_text() ? std::fabs(paper) * parse_fraction(node.text) : number_of(node);
}

PaperValue read_value(const Node& table) {
  PaperValue v;
  const Node* tolerance = nullptr;
  bool has_number = false;
  for (const Node& member : table.items) {
    if (member.key == "entry") v.entry = member.text;
    else if (member.key == "what") v.what = member.text;
    else if (member.key == "unit") v.unit = member.text;
    else if (member.key == "text") v.text = member.text;
    else if (member.key == "reason") v.reason = member.text;
    else if (member.key == "holds") v.holds = member.flag;
    else if (member.key == "tolerance") tolerance = &member;
    else if (member.key == "paper") v.paper = number_of(member), has_number = true;
    else if (member.key == "band" && member.items.size() == 2) {
      v.low = number_of(member.items[0]);
      v.high = number_of(member.items[1]);
    } else if (member.key == "kind") {
      bool known = false;
      for (const auto& [name, kind] : kKinds)
        if (name == member.text) v.kind = kind, known = true;
      if (!known) throw InputError(member.where, "kind must be value, ordering or shape");
    } else {
      throw InputError(member.where, "unknown key `" + member.key + "`");
    }
  }
  if (v.entry.empty() || v.what.empty()) throw InputError(table.where, "entry and what are needed");
  if (v.kind == CheckKind::value && (!has_number || tolerance == nullptr))
    throw InputError(table.where, "a value needs `paper` and `tolerance`");
  if (tolerance != nullptr) v.tolerance = tolerance_of(*tolerance, v.paper);
  if ((v.low || !v.holds) && v.reason.empty()) throw InputError(table.where, "what differs needs a reason");
  return v;
}

}  // namespace

std::vector<PaperValue> read_paper_values(std::string_view text, const std::string& file) {
  const Node document = read_toml(text, file);
  std::vector<PaperValue> values;
  for (const Node& member : document.items) {
    if (member.key != "check" || !member.is_list_of_tables())
      throw InputError(member.where, "only [[check]] tables are known");
    for (const Node& table : member.items) values.push_back(read_value(table));
  }
  return values;
}

const std::vector<PaperValue>& paper_values() {
  static const std::vector<PaperValue> all = [] {
    std::vector<PaperValue> values;
    for (const EmbeddedFile& file : embedded_files()) {
      if (!file.path.ends_with("paper-values.toml")) continue;
      for (PaperValue& value : read_paper_values(file.text, std::string(file.path))) values.push_back(std::move(value));
    }
    return values;
  }();
  return all;
}

const PaperValue* paper_value(std::string_view entry, std::string_view what) {
  for (const PaperValue& value : paper_values())
    if (value.entry == entry && value.what == what) return &value;
  return nullptr;
}

Check judge_value(const PaperValue& paper, double measured) {
  Check check{paper.what, paper.kind, {}, {}, paper.paper, measured, Verdict::unexplained, {}};
  const auto print = [&](double x) {
    return fmt::format("{:.4g}{}{}", x, paper.unit.empty() || paper.unit == "%" ? "" : " ", paper.unit);
  };
  check.paper = paper.text.empty() ? print(paper.paper) : paper.text;
  check.measured = print(measured);
  if (std::fabs(measured - paper.paper) <= paper.tolerance) {
    check.verdict = Verdict::reached;
  } else if (paper.low && measured >= *paper.low && measured <= *paper.high) {
    check.verdict = Verdict::differs_explained;
    check.reason = paper.reason;
  } else if (paper.low) {
    check.verdict = Verdict::regressed;
    check.reason =
        fmt::format("outside the tolerance and outside the recorded band {:.4g} to {:.4g}", *paper.low, *paper.high);
  } else {
    check.reason = fmt::format("off by {:.3g}, tolerance {:.3g}", measured - paper.paper, paper.tolerance);
  }
  return check;
}

Check judge_statement(const PaperValue& paper, bool holds, const std::string& measured) {
  Check check{paper.what, paper.kind, paper.text, measured, 0, 0, Verdict::reached, {}};
  if (holds) return check;
  check.verdict = paper.holds ? Verdict::unexplained : Verdict::differs_explained;
  check.reason = paper.holds ? "does not hold" : paper.reason;
  return check;
}

std::string_view verdict_name(Verdict verdict) {
  for (const auto& [name, v] : kVerdicts)
    if (v == verdict) return name;
  return "";
}

std::optional<Verdict> verdict_named(std::string_view name) {
  for (const auto& [n, verdict] : kVerdicts)
    if (n == name) return verdict;
  return std::nullopt;
}

std::string_view kind_name(CheckKind kind) {
  for (const auto& [name, k] : kKinds)
    if (k == kind) return name;
  return "";
}

bool falls_short(Verdict verdict) { return verdict == Verdict::regressed || verdict == Verdict::unexplained; }

std::string_view embedded_file(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.text;
  fail(__FILE__, __LINE__, "a file that is not embedded");
}

}  // namespace weir
