// Changes to a document before it becomes a scenario: dotted overrides and [[compare]] fragments. When a change picks
// another kind of a section (another scheme, say), the settings of the old kind go with it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scenario/spec.h"
#include "scenario/toml/toml_tree.h"

namespace weir {

// A dotted key and its value; `value.where` says where the change was asked for.
struct Assignment {
  std::string key;
  Node value;
};

// What a dotted key means in a document: "seed", "link.rate", "traffic.0.load", "traffic.hot.load".
struct Target {
  const SectionSpec* section = nullptr;  // null: a key at the top of the file
  std::size_t entry = 0;                 // which one of a repeated section
  std::string key;

  friend bool operator==(const Target&, const Target&) = default;
};

Target resolve(const Node& document, const Vocabulary& vocabulary, std::string_view key, const SourcePosition& where);
// The value that stands there now, or null.
const Node* value_at(const Node& document, const Target& target);
// The description of the key; null if there is no such key. Kinds other than the present one are asked last.
const ParamSpec* param_at(const Node& document, const SectionSpec& top, const Target& target);

// All at once: keys of an old kind are dropped if the new kind does not have them, unless they are assigned here too.
void assign(Node& document, const Vocabulary& vocabulary, const std::vector<Assignment>& assignments);

// Lays one entry of [[compare]] over the document. Its `label` and `set` are not sections.
void lay_over(Node& document, const Vocabulary& vocabulary, const Node& fragment);

}  // namespace weir
