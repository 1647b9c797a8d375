// One key of a scenario: from what was written to a typed, checked value, and back to the one canonical spelling.
#pragma once
#include <string>

#include "scenario/scenario.h"
#include "scenario/spec.h"
#include "scenario/toml/toml_tree.h"

namespace weir {

// Checks type, range, choice and the presence of files; `directory` is where the scenario file lies.
Value read_value(const ParamSpec& spec, const Node& node, const std::string& directory);
// The value of a key that was not given: the vocabulary's default, or unset. Not for required keys.
Value default_value(const ParamSpec& spec, const std::string& directory);
bool has_default(const ParamSpec& spec);

// The unique TOML spelling of a value: equal values give equal text.
std::string canonical_literal(const Value& value);

std::string type_name(ParamType type);          // "time", "list of integers"
std::string example_of(const ParamSpec& spec);  // a TOML literal that would be right
// "1ns to 5us", "at least 1", or "" where everything is allowed.
std::string range_text(const ParamSpec& spec);
// What happens when the key is left out: the canonical default, "required" or "none".
std::string default_text(const ParamSpec& spec);

}  // namespace weir
