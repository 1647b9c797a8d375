#include "report/page/page.h"

#include <nlohmann/json.hpp>

#include "base/check.h"

namespace weir {
namespace {

constexpr std::string_view kPlace = "{\"weir\":\"data\"}";  // where web/index.html wants the document

}  // namespace

std::string script_safe(const nlohmann::ordered_json& document) {
  const std::string text = document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') safe += "\\u003c";
    else safe += c;
  }
  return safe;
}

std::string page_with(const nlohmann::ordered_json& document) {
  const std::string_view page = page_template();
  const std::size_t at = page.find(kPlace);
  if (at == std::string_view::npos) fail(__FILE__, __LINE__, "the page has no place for its data");
  std::string text(page.substr(0, at));
  text += script_safe(document);
  return text.append(page.substr(at + kPlace.size()));
}

std::string report_page(const std::vector<PreparedRun>& runs, const ReportOptions& options) {
  return page_with(report_document(runs, options));
}

}  // namespace weir
