// The reproduction book, made from the JSON document that `weir reproduce` writes: one page per paper with every figure
// and every check, an overview, and the same as Markdown for the repository.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace weir {

// "± 0.025", or "exact": how far a value may be from the paper's. Empty for what has no tolerance.
std::string tolerance_text(const nlohmann::ordered_json& check);

// Why checks differ, each reason once, with the names of all checks that it explains.
struct SharedReason {
  std::vector<std::string> checks;
  std::string reason;
};
std::vector<SharedReason> shared_reasons(const nlohmann::ordered_json& checks);

// The document: format (1), weir_version, machine, date, depth, seed, simulations, seconds, papers (id, title, authors,
// year, summary, claims, second, unreached) and entries (id, title, simulations, seconds, checks, figures, notes).
// InputError where it is something else.
void check_book_document(const nlohmann::ordered_json& document, const std::string& file);

// One document of several, at least one: each entry as the last of them has it, in this order; machines and dates are
// listed. InputError where depths differ.
nlohmann::ordered_json merged_book(const std::vector<nlohmann::ordered_json>& documents,
                                   const std::vector<std::string>& order);

// index.html and <paper>.html, as name and content.
std::vector<std::pair<std::string, std::string>> book_pages(const nlohmann::ordered_json& document);
std::string book_markdown(const nlohmann::ordered_json& document);

}  // namespace weir
