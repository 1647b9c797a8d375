// The keys of a scenario that choose a component (component.h), and those that components bring along.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "packet/config/component.h"
#include "scenario/spec.h"

namespace weir::config {

// It lives as long as the vocabulary, whose texts are its own.
class ComponentKeys {
 public:
  // `key` chooses one of them; its help is what they say, between these words.
  ComponentKeys(std::string_view key, std::vector<const ComponentSpec*> components, std::string_view before = {},
                std::string_view after = {});
  ComponentKeys(const ComponentKeys&) = delete;

  ParamSpec choice() const;
  // The keys of all components; those with few of them come first.
  const std::vector<ParamSpec>& of_components() const { return of_components_; }

 private:
  ParamSpec belonging_to(const ComponentSpec& component, ParamSpec param) const;

  std::string_view key_;
  std::vector<std::string_view> names_;
  std::string help_;
  std::vector<ParamSpec> of_components_;
};

template <class Kind>
std::vector<const ComponentSpec*> specs_of_components() {
  std::vector<const ComponentSpec*> specs;
  for (const Kind* kind : Kind::all()) specs.push_back(&kind->spec);
  return specs;
}

// The names of those components that are so.
template <class Kind, class Is>
std::vector<std::string_view> names_where(const Is& is) {
  std::vector<std::string_view> names;
  for (const Kind* kind : Kind::all())
    if (is(*kind)) names.push_back(kind->spec.name);
  return names;
}

// A key has an effect with these components only. `because`, which must live as long as the vocabulary, says why.
Condition with_components(std::string_view key, const std::vector<std::string_view>& names,
                          std::string_view because = {});

// "a, b and c"
std::string enumerated(const std::vector<std::string_view>& names);

}  // namespace weir::config
