// The reproduction book, made from the JSON document that `weir reproduce` writes: one page per paper with every figure
// and every check, an overview, and the same as Markdown for the repository.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace weir {

// The document: format (1), weir_version, machine, date, depth, seed, simulations, seconds, papers (id, title, authors,
// year, summary, claims, second, unreached) and entries (id, title, checks, figures, notes). InputError where it is
// something else.
void check_book_document(const nlohmann::ordered_json& document, const std::string& file);

// index.html and <paper>.html, as name and content.
std::vector<std::pair<std::string, std::string>> book_pages(const nlohmann::ordered_json& document);
std::string book_markdown(const nlohmann::ordered_json& document);

}  // namespace weir
