// What a run on an imported fabric should not pass over in silence. A dump of a large cluster may be odd in a thousand
// lines: the first of them stands for all, which `weir topo --check` shows.
#include <fmt/format.h>

#include "network/fabric/fabric.h"
#include "scenario/quantity.h"

namespace weir {

namespace {

// Cables whose rate nobody has chosen. Whoever has written link.rate has decided; the default is a guess.
std::size_t at_default_rate(const ImportedFabric& imported, const Section& link) {
  if (link.given("rate")) return 0;
  const auto found = imported.guessed.find(link.rate("rate"));
  return found == imported.guessed.end() ? 0 : found->second;
}

}  // namespace

std::vector<std::string> import_warnings(const Fabric& fabric, const ImportedFabric& imported, const Section& link) {
  std::vector<std::string> warnings;
  if (const std::size_t cables = at_default_rate(imported, link); cables > 0)
    warnings.push_back(fmt::format("{} {} no known speed and {} the default of link.rate, {}", cables,
                                   cables == 1 ? "cable has" : "cables have", cables == 1 ? "takes" : "take",
                                   to_text(link.rate("rate"))));
  warnings.insert(warnings.end(), imported.left_out.begin(), imported.left_out.end());
  if (!fabric.remarks.empty()) warnings.push_back(fabric.remarks.front());
  if (fabric.remarks.size() > 1)
    warnings.back() += fmt::format(" ({} more: weir topo --check)", fabric.remarks.size() - 1);
  for (std::string& warning : warnings) warning = fabric.file + ": " + warning;
  return warnings;
}

}  // namespace weir
