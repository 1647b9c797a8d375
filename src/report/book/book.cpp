#include "report/book/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/number_format.h"
#include "report/page/page.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kVerdicts[] = {"reached", "reached in a second reading", "differs, explained", "regressed",
                                          "unexplained", "reported"};

// What a reader of the book has to know about each; docs/reproducing.md says how an entry records it.
constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
    {"reached", "within the tolerance; the statement holds"},
    {"reached in a second reading", "not with the literal reading of the paper, but with other choices where it is "
                                    "ambiguous; below each paper stands what was fitted"},
    {"differs, explained", "outside the tolerance, or the statement does not hold; the reason is given, and the value "
                           "is where it was when the reason was found"},
    {"regressed", "differs more than it did when the reason was found"},
    {"unexplained", "differs, and no reason is known"},
    {"reported", "measured; the paper prints no such number"}};

struct Paper {
  std::string id, title;
  Json about = Json::object();  // authors, year, summary, claims ... as the document has them
  Json entries = Json::array();
};

std::vector<Paper> papers_of(const Json& document) {
  std::vector<Paper> papers;
  for (const Json& entry : document["entries"]) {
    const std::string name = entry["id"].get<std::string>(), id = name.substr(0, name.find('/'));
    if (papers.empty() || papers.back().id != id) {
      Paper paper{id, id};
      for (const Json& about : document.value("papers", Json::array()))
        if (about.at("id") == id) paper.about = about;
      const std::string authors = paper.about.value("authors", ""), year = paper.about.value("year", "");
      paper.title = paper.about.value("title", id);
      if (!authors.empty()) paper.title = fmt::format("{}: {} ({})", authors, paper.title, year);
      papers.push_back(std::move(paper));
    }
    papers.back().entries.push_back(entry);
  }
  return papers;
}

// What has become of a claim: counts of the verdicts of the checks that it stands or falls with.
Json claim_of(const Json& claim, const Paper& paper) {
  int reached = 0, second = 0, all = 0;
  Json where = Json::array();
  for (const Json& name : claim.at("checks")) {
    const std::string text = name.get<std::string>(), entry_name = paper.id + "/" + text.substr(0, text.find(": "));
    const std::string what = text.find(": ") == std::string::npos ? "" : text.substr(text.find(": ") + 2);
    for (const Json& entry : paper.entries) {
      if (entry["id"] != entry_name) continue;
      if (where.empty() || where.back() != entry_name) where.push_back(entry_name);
      for (const Json& check : entry.value("checks", Json::array())) {
        if ((!what.empty() && check.at("what") != what) || check.at("verdict") == "reported") continue;
        ++all;
        reached += check.at("verdict") == "reached" ? 1 : 0;
        second += check.at("verdict") == "reached in a second reading" ? 1 : 0;
      }
    }
  }
  std::string holds = all == 0 ? "not run" : reached == all ? "yes" : reached + second == 0 ? "no" : "";
  if (holds.empty() && second > 0)
    holds = fmt::format("{} of {}; {} more in a second reading", reached, all, second);
  if (holds.empty()) holds = fmt::format("{} of {}", reached, all);
  return {{"says", claim.at("says")}, {"holds", holds}, {"where", where}};
}

Json claims_of(const Paper& paper) {
  Json claims = Json::array();
  for (const Json& claim : paper.about.value("claims", Json::array())) claims.push_back(claim_of(claim, paper));
  return claims;
}

Json counts_of(const Json& entries) {
  Json counts = Json::object();
  for (const std::string_view verdict : kVerdicts) counts[std::string(verdict)] = 0;
  for (const Json& entry : entries)
    for (const Json& check : entry.value("checks", Json::array())) {
      Json& count = counts[check.at("verdict").get<std::string>()];
      count = count.is_null() ? 1 : count.get<int>() + 1;
    }
  return counts;
}

Json page_document(const Json& document, const std::vector<Paper>& papers, const Paper* paper) {
  Json page{{"format", 1}, {"kind", "book"}};
  page["title"] = paper != nullptr ? paper->title : "Reproduction of the papers";
  page["paper"] = paper != nullptr ? Json(paper->id) : Json(nullptr);
  for (const char* key : {"weir_version", "machine", "date", "depth", "seed", "simulations", "seconds"})
    page[key] = document.at(key);
  page["papers"] = Json::array();
  for (const Paper& p : papers)
    page["papers"].push_back({{"id", p.id},
                              {"title", p.title},
                              {"file", p.id + ".html"},
                              {"counts", counts_of(p.entries)},
                              {"summary", p.about.value("summary", "")},
                              {"claims", claims_of(p)},
                              {"entries", p.entries.size()}});
  page["unreached"] = paper != nullptr ? paper->about.value("unreached", Json::array()) : Json::array();
  page["second"] = paper != nullptr ? paper->about.value("second", Json()) : Json();
  page["entries"] = paper != nullptr ? paper->entries : Json::array();
  return page;
}

// One cell of a Markdown table: no line break, no bar, no markup. Not every reader of Markdown takes a backslash before
// "<" for an escape; all of them know entities.
std::string md(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '\n': case '\r': out += ' '; break;
      case '|': case '*': case '_': case '`': case '[': case ']': case '\\': out += '\\'; [[fallthrough]];
      default: out += c;
    }
  }
  return out;
}

std::string text_of(const Json& object, const char* key) { return md(object.value(key, std::string())); }

std::string checks_markdown(const std::vector<const Json*>& checks) {
  const auto any = [&](const auto& has) { return std::any_of(checks.begin(), checks.end(), has); };
  const bool twice = any([](const Json* c) { return c->contains("second"); });
  const bool tolerances = any([](const Json* c) { return !tolerance_text(*c).empty(); });
  const auto cell = [](bool shown, const std::string& content) { return shown ? fmt::format(" {} |", content) : ""; };
  std::string text = fmt::format("| | paper |{} measured |{} verdict |\n| --- | --- |{} --- |{} --- |\n",
                                 cell(tolerances, "tolerance"), cell(twice, "second reading"), cell(tolerances, "---"),
                                 cell(twice, "---"));
  for (const Json* check : checks)
    text += fmt::format("| {} | {} |{} {} |{} {} |\n", text_of(*check, "what"), text_of(*check, "paper"),
                        cell(tolerances, tolerance_text(*check)), text_of(*check, "measured"),
                        cell(twice, text_of(*check, "second")), text_of(*check, "verdict"));
  return text + "\n";
}

std::string reasons_markdown(const Json& checks) {
  std::string text;
  for (const SharedReason& shared : shared_reasons(checks)) {
    std::string names;
    for (const std::string& what : shared.checks) names += fmt::format("{}**{}**", names.empty() ? "" : ", ", md(what));
    text += fmt::format("- {}: {}\n", names, md(shared.reason));
  }
  return text;
}

// What the paper prints; why it differs; notes; and, folded away, numbers that no paper prints.
std::string entry_markdown(const Json& entry) {
  std::string text = fmt::format("### {}: {}\n\n", text_of(entry, "id"), text_of(entry, "title"));
  const Json checks = entry.value("checks", Json::array());
  std::vector<const Json*> judged, reported;
  for (const Json& check : checks) (check.at("verdict") == "reported" ? reported : judged).push_back(&check);
  if (!judged.empty()) text += checks_markdown(judged);
  std::string remarks = reasons_markdown(checks);
  for (const Json& note : entry.value("notes", Json::array()))
    remarks += fmt::format("- Note: {}\n", md(note.get<std::string>()));
  if (!remarks.empty()) text += remarks + "\n";
  if (reported.empty()) return text;
  text += fmt::format("<details><summary>{} {} without a published counterpart</summary>\n\n| | measured |\n"
                      "| --- | --- |\n", reported.size(), reported.size() == 1 ? "number" : "numbers");
  for (const Json* number : reported)
    text += fmt::format("| {} | {} |\n", text_of(*number, "what"), text_of(*number, "measured"));
  return text + "\n</details>\n\n";
}

// First what a reader wants to know: what holds. Then how the paper was read, and what could not be reached.
std::string about_markdown(const Paper& paper) {
  std::string text = paper.about.value("summary", "");
  if (!text.empty()) text = md(text) + "\n\n";
  const Json claims = claims_of(paper);
  if (!claims.empty()) text += "| what the paper says | does it hold | where |\n| --- | --- | --- |\n";
  for (const Json& claim : claims) {
    std::string where;
    for (const Json& entry : claim["where"]) where += (where.empty() ? "" : ", ") + md(entry.get<std::string>());
    text += fmt::format("| {} | {} | {} |\n", text_of(claim, "says"), text_of(claim, "holds"), where);
  }
  if (!claims.empty()) text += "\n";
  const Json second = paper.about.value("second", Json());
  if (second.is_object())
    text += fmt::format("**Second reading** ({}). {}\n\n", text_of(second, "fitted"), text_of(second, "why"));
  const Json unreached = paper.about.value("unreached", Json::array());
  if (!unreached.empty()) text += "**What we could not reach, and why.**\n\n";
  for (const Json& paragraph : unreached) text += md(paragraph.get<std::string>()) + "\n\n";
  return text;
}

}  // namespace

std::string tolerance_text(const Json& check) {
  const auto tolerance = check.find("tolerance");
  if (tolerance == check.end()) return "";
  const auto number = tolerance->get<double>();
  return number == 0 ? "exact" : fmt::format("± {:.4g}", number);
}

std::vector<SharedReason> shared_reasons(const Json& checks) {
  std::vector<SharedReason> all;
  for (const Json& check : checks) {
    const std::string reason = check.value("reason", "");
    if (reason.empty()) continue;
    auto at = std::find_if(all.begin(), all.end(), [&](const SharedReason& s) { return s.reason == reason; });
    if (at == all.end()) at = all.insert(all.end(), {{}, reason});
    at->checks.push_back(check.at("what"));
  }
  return all;
}

void check_book_document(const Json& document, const std::string& file) {
  const bool known = document.is_object() && document.value("format", 0) == 1 && document.contains("entries") &&
                     document["entries"].is_array() && document.contains("machine");
  if (!known)
    throw InputError(file + " is no result of `weir reproduce --json`; run `weir reproduce --all --report` once");
  for (const Json& entry : document["entries"])
    if (!entry.is_object() || !entry.contains("id") || !entry["id"].is_string())
      throw InputError(file + ": an entry without an id");
  try {  // a book that cannot be made to its end is not begun
    book_pages(document);
    book_markdown(document);
    for (const Json& entry : document["entries"])
      for (const char* key : {"simulations", "seconds"}) static_cast<void>(entry.value(key, 0.0));
  } catch (const Json::exception& e) {
    throw InputError(fmt::format("{} holds something that weir does not write: {}", file, e.what()));
  }
}

Json merged_book(const std::vector<Json>& documents, const std::vector<std::string>& order) {
  Json merged = documents.back();
  if (documents.size() == 1) return merged;
  std::map<std::string, Json> entries;
  std::map<std::string, std::vector<std::string>> texts;  // what differs from document to document
  for (const Json& document : documents) {
    if (document.at("depth") != merged.at("depth"))
      throw InputError("these books have entries of different depths; give those of one depth");
    for (const Json& entry : document.at("entries")) entries[entry.at("id")] = entry;
    for (const char* key : {"machine", "date", "weir_version"}) {
      std::vector<std::string>& seen = texts[key];
      const std::string text = document.value(key, "");
      if (std::find(seen.begin(), seen.end(), text) == seen.end()) seen.push_back(text);
    }
  }
  for (const auto& [key, seen] : texts) merged[key] = fmt::format("{}", fmt::join(seen, "; "));
  merged["entries"] = Json::array();
  for (const std::string& id : order)
    if (const auto found = entries.find(id); found != entries.end()) merged["entries"].push_back(found->second);
  for (const char* key : {"simulations", "seconds"}) {
    double sum = 0;
    for (const Json& entry : merged["entries"]) sum += entry.value(key, 0.0);
    merged[key] = std::llround(sum);
  }
  return merged;
}

std::vector<std::pair<std::string, std::string>> book_pages(const Json& document) {
  const std::vector<Paper> papers = papers_of(document);
  std::vector<std::pair<std::string, std::string>> pages;
  pages.emplace_back("index.html", page_with(page_document(document, papers, nullptr)));
  for (const Paper& paper : papers)
    pages.emplace_back(paper.id + ".html", page_with(page_document(document, papers, &paper)));
  return pages;
}

std::string book_markdown(const Json& document) {
  const std::vector<Paper> papers = papers_of(document);
  std::string text =
      "# Reproduction of the papers\n\nWritten by `weir reproduce`; do not edit. Every number is measured by the "
      "program "
      "and judged against what the paper\nprints, with a tolerance that was fixed before the first run unless the "
      "entry says otherwise.\n\n";
  text += fmt::format(
      "| | |\n| --- | --- |\n| machine | {} |\n| date | {} |\n| amount of work | {} |\n| seed | {} |\n"
      "| simulations | {} |\n| time | {} |\n| weir | {} |\n\n",
      text_of(document, "machine"), text_of(document, "date"), text_of(document, "depth"), text_of(document, "seed"),
      document.value("simulations", 0), format_duration(document.value("seconds", 0.0)),
      text_of(document, "weir_version"));
  text += "| verdict | when |\n| --- | --- |\n";
  for (const auto& [verdict, when] : kMeanings) text += fmt::format("| {} | {} |\n", verdict, when);
  text += "\nThe tolerance is in the unit of the paper's value. Statements about an order or a shape hold or do not "
          "hold; they\nhave no tolerance.\n\n| paper | entries |";
  for (const std::string_view verdict : kVerdicts) text += fmt::format(" {} |", verdict);
  text += "\n| --- | --- |";
  for (std::size_t i = 0; i < std::size(kVerdicts); ++i) text += " --- |";
  text += "\n";
  for (const Paper& paper : papers) {
    const Json counts = counts_of(paper.entries);
    text += fmt::format("| {} | {} |", md(paper.title), paper.entries.size());
    for (const std::string_view verdict : kVerdicts)
      text += fmt::format(" {} |", counts[std::string(verdict)].get<int>());
    text += "\n";
  }
  for (const Paper& paper : papers) {
    text += fmt::format("\n## {}\n\n", md(paper.title)) + about_markdown(paper);
    for (const Json& entry : paper.entries) text += entry_markdown(entry);
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace weir
