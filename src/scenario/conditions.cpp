#include "scenario/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace weir {
namespace {

template <std::size_t N>
std::span<const std::string_view> used(const std::array<std::string_view, N>& names) {
  return {names.begin(), std::find(names.begin(), names.end(), std::string_view())};
}

// The key itself, or the section and its key.
struct Place {
  std::string_view section;  // empty: the same one
  std::string_view key;
};
Place place_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == name.npos ? Place{{}, name} : Place{name.substr(0, dot), name.substr(dot + 1)};
}

// "`window` or `rate`"
std::string quoted_keys(const Condition& c) {
  std::string out;
  for (const std::string_view key : used(c.names)) out += fmt::format("{}`{}`", out.empty() ? "" : " or ", key);
  return out;
}

// "delay = \"slots\" or \"table\""
std::string choices(const Condition& c) {
  std::string out = fmt::format("{} = ", c.names.front());
  const auto values = used(c.values);
  for (std::size_t i = 0; i < values.size(); ++i)
    out += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 < values.size() ? ", " : " or ", values[i]);
  return out;
}

std::string reason(const Condition& c) {
  if (!c.because.empty()) return std::string(c.because);
  if (c.is == Condition::Is::not_given) return fmt::format("{} is given", quoted_keys(c));
  if (c.is == Condition::Is::given) return fmt::format("{} is not given", quoted_keys(c));
  return fmt::format("it belongs to {}", choices(c));
}

class Effects {
 public:
  Effects(const Scenario& scenario, const Section& section) : scenario_(scenario), section_(section) {}

  void check(std::string_view key, const Condition& condition) const {
    if (holds(condition) || !section_.given(key)) return;
    if (const std::string_view other = set_beside(condition); !other.empty())
      section_.refuse(key,
                      fmt::format("`{0}` and `{1}` (from --set) exclude each other: set {2}.{0} instead, or remove "
                                  "`{0}` from the file",
                                  key, other, section_.name));
    section_.refuse(key, fmt::format("`{}` has no effect here: {}", key, reason(condition)));
  }

 private:
  // The key that `--set` gives, where it excludes one that the file has. Empty where there is none.
  std::string_view set_beside(const Condition& c) const {
    if (c.is != Condition::Is::not_given) return "";
    for (const std::string_view name : used(c.names)) {
      const Value* value = find(name);
      if (value != nullptr && value->is_set && !value->is_default && value->where.file.starts_with("--set "))
        return name;
    }
    return "";
  }

  // Null where there is no such key.
  const Value* find(std::string_view name) const {
    const Place place = place_of(name);
    const Section* section = place.section.empty() ? &section_ : scenario_.find(place.section);
    return section != nullptr && section->knows(place.key) ? &section->at(place.key) : nullptr;
  }

  bool holds(const Condition& c) const {
    switch (c.is) {
      case Condition::Is::always: return true;
      case Condition::Is::never: return false;
      case Condition::Is::one_of: return has_one_of(c);
      case Condition::Is::given: return any_given(c, true);
      case Condition::Is::not_given: return !any_given(c, false);
    }
    return true;
  }

  bool has_one_of(const Condition& c) const {
    const Value* value = find(c.names.front());
    if (value == nullptr) return true;
    const auto values = used(c.values);
    const auto wanted = [&](std::string_view text) {
      return std::find(values.begin(), values.end(), text) != values.end();
    };
    if (value->type == ParamType::texts) return std::any_of(value->texts.begin(), value->texts.end(), wanted);
    return value->is_set && wanted(value->text);
  }

  // `otherwise`: where the section has none of the keys.
  bool any_given(const Condition& c, bool otherwise) const {
    bool known = false;
    for (const std::string_view name : used(c.names)) {
      const Value* value = find(name);
      known |= value != nullptr;
      if (value != nullptr && value->is_set && !value->is_default) return true;
    }
    return !known && otherwise;
  }

  const Scenario& scenario_;
  const Section& section_;
};

}  // namespace

void refuse_without_effect(const Scenario& scenario, const Vocabulary& vocabulary) {
  for (const Section& section : scenario.sections) {
    const SectionSpec* spec = vocabulary.find(section.name);
    if (spec == nullptr) continue;
    const KindSpec* kind = spec->find_kind(section.kind);
    const Effects effects(scenario, section);
    if (kind != nullptr)
      for (const KeyCondition& c : kind->conditions) effects.check(c.key, c.condition);
    for (const Value& value : section.values) {
      const ParamSpec* param = spec->find_param(kind, value.key);  // none for the keys that every scenario has
      if (param == nullptr) continue;
      for (const Condition& c : param->applies_when) effects.check(value.key, c);
    }
  }
}

std::string describe(const Condition& c) {
  switch (c.is) {
    case Condition::Is::one_of: return fmt::format("with {}", choices(c));
    case Condition::Is::given: return fmt::format("together with {}", quoted_keys(c));
    case Condition::Is::not_given: return fmt::format("not together with {}", quoted_keys(c));
    case Condition::Is::always:
    case Condition::Is::never: break;
  }
  return "";
}

std::string condition_problem(const Condition& c, const SectionSpec& section, const Vocabulary& vocabulary) {
  for (const std::string_view name : used(c.names)) {
    const Place place = place_of(name);
    const SectionSpec* owner = place.section.empty() ? &section : vocabulary.find(place.section);
    if (owner == nullptr) return fmt::format("a condition names the section of `{}`, which does not exist", name);
    std::vector<const ParamSpec*> found;  // kinds may have keys of one name with different choices
    for (const ParamSpec& param : owner->common)
      if (param.name == place.key) found.push_back(&param);
    for (const KindSpec& kind : owner->kinds)
      for (const ParamSpec& param : kind.params)
        if (param.name == place.key) found.push_back(&param);
    if (found.empty()) return fmt::format("a condition names `{}`, which does not exist", name);
    for (const std::string_view value : used(c.values)) {
      const auto has = [&](const ParamSpec* param) {
        return param->type != ParamType::choice ||
               std::find(param->choices.begin(), param->choices.end(), value) != param->choices.end();
      };
      if (std::none_of(found.begin(), found.end(), has))
        return fmt::format("a condition asks for {} = \"{}\", which is no choice", name, value);
    }
  }
  return "";
}

}  // namespace weir
