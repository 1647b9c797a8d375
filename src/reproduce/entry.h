// Reproducing the papers. An entry is a figure or table; it runs what the paper ran and states checks, each against
// what the paper prints. Everything about it is in its file, reproduce/<paper>/entries/<entry>.toml.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/book/figure.h"
#include "reproduce/check.h"
#include "reproduce/definition.h"
#include "reproduce/work.h"

namespace weir {

struct EntryResult {
  std::string id, title;
  std::vector<Check> checks;
  std::vector<Figure> figures;
  std::vector<std::string> notes;  // what was varied, calibrated, chosen
  std::size_t simulations = 0;     // runs and computations behind it
  double seconds = 0;              // wall time, not compared
};

const std::vector<EntryDefinition>& entries();
// Entries whose id is one of the names or lies below it ("zdornov2009"); no names = all. The name without its paper
// serves if only one entry has it ("hol"), and so do the names that papers had before ("ferrer"). Another name is an
// InputError that says what was meant, or lists what there is.
std::vector<const EntryDefinition*> entries_named(const std::vector<std::string>& names);
EntryResult run_entry(const EntryDefinition& entry, Depth depth, unsigned threads, StageReport report_stage = {});

}  // namespace weir
