// The report's page: the front end of web/, built into the program, with a document inside. One file that opens from
// disk and asks nobody for anything.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/page/document.h"

namespace weir {

std::string_view page_template();  // web/dist/report.html
// JSON that may stand inside a script element: no "<" is left in it, so nothing can end the element or open another.
std::string script_safe(const nlohmann::ordered_json& document);
std::string page_with(const nlohmann::ordered_json& document);
std::string report_page(const std::vector<PreparedRun>& runs, const ReportOptions& options = {});

}  // namespace weir
