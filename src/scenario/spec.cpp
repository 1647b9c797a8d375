// Looking things up in the vocabulary, and finding mistakes in the tables themselves.
#include "scenario/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "scenario/conditions.h"
#include "scenario/values.h"

namespace weir {
namespace {

constexpr ParamSpec kBuiltIn[] = {
    {.name = "name",
     .type = ParamType::text,
     .fallback = kUnset,
     .help = "name of the scenario; the file's name if absent"},
    {.name = "description", .type = ParamType::text, .fallback = kUnset, .help = "what the scenario is for"},
    {.name = "seed", .type = ParamType::integer, .fallback = "1", .help = "seed of every random choice", .min = 0},
};

template <class Items>
auto* find_named(Items& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

class VocabularyCheck {
 public:
  explicit VocabularyCheck(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  std::vector<std::string> run() {
    std::set<std::string_view> names{"compare", "sweep"};
    for (const SectionSpec& section : vocabulary_.sections) {
      if (!names.insert(section.name).second) report(section, "", "the section's name is taken");
      check(section);
    }
    return std::move(problems_);
  }

 private:
  void check(const SectionSpec& section) {
    if (section.selector.empty() != section.kinds.empty())
      report(section, "", "a selector needs kinds, and kinds a selector");
    if (!section.default_kind.empty() && section.find_kind(section.default_kind) == nullptr) {
      report(section, section.default_kind, "the default kind does not exist");
    }
    std::set<std::string_view> common{section.selector};
    for (const ParamSpec& param : section.common) check(section, "", param, common);
    std::set<std::string_view> kinds;
    for (const KindSpec& kind : section.kinds) {
      if (!kinds.insert(kind.name).second) report(section, kind.name, "the kind is listed twice");
      std::set<std::string_view> keys = common;
      for (const ParamSpec& param : kind.params) check(section, kind.name, param, keys);
      for (const KeyCondition& c : kind.conditions) {
        if (section.find_param(&kind, c.key) == nullptr) report(section, c.key, "a condition for no key");
        check(section, kind.name, c.condition);
      }
    }
  }

  void check(const SectionSpec& section, std::string_view kind, const ParamSpec& param,
             std::set<std::string_view>& keys) {
    const std::string place = fmt::format("{}.{}", kind, param.name);
    if (!keys.insert(param.name).second) report(section, place, "the key is listed twice");
    if (param.help.empty()) report(section, place, "no help");
    if ((param.type == ParamType::choice && param.choices.empty()) ||
        (param.type != ParamType::choice && param.type != ParamType::file && !param.choices.empty()))
      report(section, place, "choices are for the types choice and file");
    if (!(param.min <= param.max)) report(section, place, "the range is empty");
    for (const Condition& condition : param.applies_when) check(section, place, condition);
    if (param.type == ParamType::file || !has_default(param)) return;
    try {
      default_value(param, "");
    } catch (const InputError& error) {
      report(section, place, fmt::format("bad default: {}", error.what()));
    }
  }

  void check(const SectionSpec& section, std::string_view place, const Condition& condition) {
    const std::string problem = condition_problem(condition, section, vocabulary_);
    if (!problem.empty()) report(section, place, problem);
  }

  void report(const SectionSpec& section, std::string_view place, std::string_view problem) {
    problems_.push_back(fmt::format("[{}] {}: {}", section.name, place, problem));
  }

  const Vocabulary& vocabulary_;
  std::vector<std::string> problems_;
};

}  // namespace

const SectionSpec* Vocabulary::find(std::string_view section) const { return find_named(sections, section); }

const KindSpec* SectionSpec::find_kind(std::string_view kind) const { return find_named(kinds, kind); }

const ParamSpec* SectionSpec::find_param(const KindSpec* kind, std::string_view key) const {
  if (const ParamSpec* param = find_named(common, key)) return param;
  return kind == nullptr ? nullptr : find_named(kind->params, key);
}

SectionSpec top_section(const Vocabulary& vocabulary) {
  SectionSpec top{.name = "", .summary = "Keys at the top of the file, before the first section."};
  const SectionSpec* given = vocabulary.find("");
  if (given != nullptr && !given->summary.empty()) top.summary = given->summary;
  if (given != nullptr) top.other_words = given->other_words;
  for (const ParamSpec& param : kBuiltIn) {
    if (given == nullptr || given->find_param(nullptr, param.name) == nullptr) top.common.push_back(param);
  }
  if (given != nullptr) top.common.insert(top.common.end(), given->common.begin(), given->common.end());
  return top;
}

std::vector<std::string> vocabulary_problems(const Vocabulary& vocabulary) { return VocabularyCheck(vocabulary).run(); }

}  // namespace weir
