// A paper that is reproduced: how it is cited, how it may be read, and what it claims. From
// reproduce/<paper>/paper.toml.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/definition.h"

namespace weir {

// A second reading of what a paper leaves open: settings laid over every scenario, and over some schemes; and what the
// computations do differently.
struct Reading {
  std::string fitted;  // what of it is not in the text
  std::string why;
  std::vector<Override> settings;
  std::map<std::string, std::vector<Override>, std::less<>> by_scheme;
  std::map<std::string, std::string, std::less<>> choices;  // of computations
};

// What the paper says in its own summary, and the checks that it stands or falls with.
struct Claim {
  std::string says;
  // "fig-8.7: peak of cold latency under 4,000 cycles"; or "fig-8.7" alone: all checks of the figure.
  std::vector<std::string> checks;
  SourcePosition where;
};

struct PaperInfo {
  std::string id;        // "ferrer2012", the folder
  std::string title, authors, year, formerly;
  std::string summary;   // what holds and what does not, for those who read no further
  std::vector<std::string> unreached;  // what could not be reached, and why: one paragraph each
  std::optional<Reading> second;
  std::vector<Claim> claims;
};

PaperInfo read_paper(std::string_view text, const std::string& file);
const std::vector<PaperInfo>& papers();  // in the order of the book
const PaperInfo& paper_of(std::string_view entry_id);

}  // namespace weir
