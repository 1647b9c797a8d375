#include "reproduce/paper.h"

#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "reproduce/embedded.h"
#include "scenario/toml/table_reader.h"

namespace weir {
namespace {

Reading read_reading(const TomlNode& node) {
  TableReader table(node, "[second]");
  Reading reading;
  reading.fitted = table.needed_text("fitted");
  reading.why = table.needed_text("why");
  if (const TomlNode* set = table.find("set")) reading.settings = read_settings(*set);
  if (const TomlNode* choices = table.find("choices"))
    for (const TomlNode& choice : choices->items) reading.choices[choice.key] = text_of(choice);
  if (const TomlNode* schemes = table.find("scheme"))
    for (const TomlNode& scheme : schemes->items) reading.by_scheme[scheme.key] = read_settings(scheme);
  table.finish();
  return reading;
}

Claim read_claim(const TomlNode& node) {
  TableReader table(node, "[[claim]]");
  Claim claim{table.needed_text("says"), table.texts("checks"), node.where};
  table.finish();
  if (claim.checks.empty()) throw InputError(node.where, "a claim needs `checks`: those that it stands or falls with");
  return claim;
}

}  // namespace

PaperInfo read_paper(std::string_view text, const std::string& file) {
  const TomlNode document = read_toml(text, file);
  TableReader table(document, "a paper");
  PaperInfo paper;
  paper.id = std::filesystem::path(file).parent_path().filename().string();
  paper.title = table.needed_text("title");
  paper.authors = table.text("authors");
  paper.year = table.text("year");
  paper.formerly = table.text("formerly");
  paper.summary = table.text("summary");
  paper.unreached = table.texts("unreached");
  if (const TomlNode* second = table.find("second")) paper.second = read_reading(*second);
  for (const TomlNode& node : table.tables("claim")) paper.claims.push_back(read_claim(node));
  table.finish();
  return paper;
}

const std::vector<PaperInfo>& papers() {
  static const std::vector<PaperInfo> all = [] {
    std::vector<PaperInfo> list;
    for (const EmbeddedFile& file : embedded_files())
      if (file.path.ends_with("/paper.toml")) list.push_back(read_paper(file.text, std::string(file.path)));
    // What needs no paper comes first, then the oldest.
    std::stable_sort(list.begin(), list.end(), [](const PaperInfo& a, const PaperInfo& b) { return a.year < b.year; });
    return list;
  }();
  return all;
}

const PaperInfo& paper_of(std::string_view entry_id) {
  const std::string_view id = entry_id.substr(0, entry_id.find('/'));
  for (const PaperInfo& paper : papers())
    if (paper.id == id) return paper;
  fail(__FILE__, __LINE__, "an entry without a paper");
}

}  // namespace weir
