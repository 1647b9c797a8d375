// The vocabulary for people: docs/scenario.md and the texts of `weir list`, made from the tables that the parser uses.
#pragma once
#include <string>

#include "scenario/spec.h"

namespace weir {

// The whole scenario reference as Markdown: introduction, then every section with its keys, kinds and examples.
std::string reference_markdown(const Vocabulary& vocabulary);

// One kind with its keys, defaults, ranges and example as plain text, at most 100 columns wide.
std::string describe_kind(const SectionSpec& section, const KindSpec& kind, std::size_t columns = 100);

}  // namespace weir
