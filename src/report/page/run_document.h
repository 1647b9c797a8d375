// What the report's page shows, as one JSON document that is put inside it. It is no second result: numbers come from
// the same tables as result.json. What is large is bounded here: curves are thinned without losing peaks, tables keep
// the rows that matter, and the fabric's frames share a budget.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/run_record.h"

namespace weir {

struct ReportOptions {
  std::string command;            // that repeats it; empty if nobody knows
  std::optional<double> running;  // of a run that goes on: the share done, negative if that is not known
};

// Cells (ports x moments x runs) of the fabric's state that one page holds; 1.5 bytes each before they are deflated.
inline constexpr std::size_t kFrameCells = 8'000'000;
inline constexpr std::size_t kTableRows = 5000;
inline constexpr std::size_t kFlowRows = 20000;

nlohmann::ordered_json report_document(const std::vector<AnalysedRun>& runs, const ReportOptions& options = {});

// Parts of it, in document_*.cpp.
nlohmann::ordered_json fabric_document(const Topology& topology);
// One moment: by port the shares of the time that its link was busy and that it was held back.
nlohmann::ordered_json moment_document(std::span<const double> load, std::span<const double> wait);
nlohmann::ordered_json frames_document(const AnalysedRun& run, std::size_t most_frames);
nlohmann::ordered_json tables_document(const AnalysedRun& run);

}  // namespace weir
