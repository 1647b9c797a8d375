#include "packet/config/component_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::config {
namespace {

// "voq-input: one shared buffer per input; output-queued: ..."
std::string help_of(const std::vector<const ComponentSpec*>& components) {
  std::string help;
  for (const ComponentSpec* c : components)
    help += fmt::format("{}{}{}{}", help.empty() ? "" : "; ", c->name, c->help.empty() ? "" : ": ", c->help);
  return help;
}

}  // namespace

ComponentKeys::ComponentKeys(std::string_view key, std::vector<const ComponentSpec*> components,
                             std::string_view before, std::string_view after)
    : key_(key), help_(fmt::format("{}{}{}", before, help_of(components), after)) {
  for (const ComponentSpec* c : components) names_.push_back(c->name);
  const auto fewer_keys = [](const ComponentSpec* a, const ComponentSpec* b) {
    return a->params.size() < b->params.size();
  };
  std::stable_sort(components.begin(), components.end(), fewer_keys);
  for (const ComponentSpec* c : components)
    for (const ParamSpec& param : c->params) of_components_.push_back(belonging_to(*c, param));
}

ParamSpec ComponentKeys::choice() const { return {key_, ParamType::choice, names_.front(), help_, 0, 0, names_}; }

// One that needs another key of its component needs the component by that.
ParamSpec ComponentKeys::belonging_to(const ComponentSpec& component, ParamSpec param) const {
  auto& conditions = param.applies_when;
  if (std::any_of(conditions.begin(), conditions.end(), [](auto& c) { return c.is == Condition::Is::given; }))
    return param;
  std::rotate(conditions.begin(), conditions.end() - 1, conditions.end());
  if (conditions.front().is != Condition::Is::always)
    fail(__FILE__, __LINE__, "a component's key has too many conditions");
  conditions.front() = when(key_, {component.name});
  return param;
}

Condition with_components(std::string_view key, const std::vector<std::string_view>& names, std::string_view because) {
  Condition condition{Condition::Is::one_of, {key}, {}, because};
  if (names.size() > condition.values.size())
    fail(__FILE__, __LINE__, "a condition has no room for so many components");
  std::copy(names.begin(), names.end(), condition.values.begin());
  return condition;
}

std::string enumerated(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 < names.size() ? ", " : " and ", names[i]);
  return out;
}

}  // namespace weir::config
