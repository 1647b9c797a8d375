// From the document tree to the sections of a scenario: everything that the vocabulary allows, and a helpful refusal
// for everything else. A typo must never pass for a default.
#pragma once
#include <string>
#include <string_view>

#include "scenario/scenario.h"
#include "scenario/spec.h"
#include "scenario/toml/toml_tree.h"

namespace weir {

// The reserved names at the top of a file, which are not sections of a run.
inline constexpr std::string_view kCompare = "compare";
inline constexpr std::string_view kSweep = "sweep";

// The scenario of one run. `sweep` and `compare` are left empty, and those tables of the document unread.
Scenario build_scenario(Node document, const std::string& file, const Vocabulary& vocabulary);

// "[link]", "[[traffic]]", "the top of the file"
std::string title(const SectionSpec& spec);
// The value of the selector, or the default kind; empty where neither is there or the section has no kinds.
std::string_view chosen_kind(const SectionSpec& spec, const Node& table);

[[noreturn]] void refuse_unknown_section(const Vocabulary& vocabulary, const Node& node, std::string_view place);

}  // namespace weir
