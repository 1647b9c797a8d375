// The tables that a reader sorts and filters. Each keeps the rows that matter where there are too many, and says so;
// all of them are in the CSV files.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/page/compressed.h"
#include "report/page/run_document.h"
#include "store/cell_json.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

struct PageTable {
  const char* id;
  const char* table;
  const char* csv;
  std::size_t most;
  std::vector<std::string> columns;
  std::string key_column;
  double sign = 1;  // -1: the largest values matter
};

double number_of(const Cell& cell) {
  if (const auto* i = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&cell)) return *d;
  return std::numeric_limits<double>::quiet_NaN();
}

std::size_t column_of(const ResultTable& table, const std::string& name) {
  std::size_t i = 0;
  while (i < table.columns.size() && table.columns[i].name != name) ++i;
  return i;
}

// The rows that matter most, in the order of the table where it has no more; never many more than that at a time.
class MostImportant {
 public:
  MostImportant(const PageTable& page, std::size_t key) : page_(page), key_(key) {}

  void add(const Row& row) {
    ++total_;
    rows_.push_back(row);
    if (rows_.size() >= 2 * page_.most) cut();
  }
  std::vector<Row> take() {
    if (rows_.size() > page_.most || cut_) cut();
    return std::move(rows_);
  }
  std::size_t total() const { return total_; }

 private:
  // What has no value is not extreme; it goes last.
  double rank(const Row& row) const {
    const double value = page_.sign * number_of(row[key_]);
    return value == value ? value : std::numeric_limits<double>::infinity();
  }
  void cut() {
    cut_ = true;
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) { return rank(a) < rank(b); });
    if (rows_.size() > page_.most) rows_.resize(page_.most);
  }

  const PageTable& page_;
  std::size_t key_, total_ = 0;
  std::vector<Row> rows_;
  bool cut_ = false;
};

Json table_document(const AnalysedRun& run, const PageTable& page) {
  const ResultTable& table = result_table(page.table);
  MostImportant important(page, column_of(table, page.key_column));
  table.rows(run, [&](const Row& row) { important.add(row); });
  const std::vector<Row> rows = important.take();
  const std::size_t total = important.total();
  std::vector<std::size_t> chosen;
  for (const std::string& name : page.columns) chosen.push_back(column_of(table, name));
  Json list = Json::array();
  for (const Row& row : rows) {
    Json cells = Json::array();
    for (const std::size_t i : chosen) cells.push_back(to_json(row[i]));
    list.push_back(std::move(cells));
  }
  return {{"id", page.id},
          {"csv", page.csv},
          {"total", total},
          {"shown", list.size()},
          {"kept_by", total > page.most ? Json(page.key_column) : Json(nullptr)},
          {"columns", page.columns},
          {"rows", compressed(list.dump(-1, ' ', false, Json::error_handler_t::replace))}};
}

}  // namespace

Json tables_document(const AnalysedRun& run) {
  const PageTable pages[] = {
      {"flows", "flows", "flows.csv", kFlowRows,
       {"id", "src", "dst", "class", "bytes", "delivered_bytes", "rate_bps", "assigned_rate_bps", "start_s",
        "completion_s", "duration_s", "slowdown", "role"},
       "rate_bps"},
      {"hosts", "hosts", "hosts.csv", kTableRows,
       {"host", "name", "class", "injected_bps", "received_bps", "injected", "received", "peak_backlog_packets"},
       "peak_backlog_packets", -1},
      {"links", "ports", "ports.csv", kTableRows,
       {"port", "name", "peer", "role", "utilisation", "wait_share", "wait_s", "mean_input_bytes", "peak_input_bytes",
        "peak_output_bytes", "marked", "rate_bps"},
       "wait_s", -1},
      {"roots", "congestion_roots", "roots.csv", kTableRows,
       {"rank", "port", "name", "peer", "from_s", "to_s", "congested_s", "load", "caused_wait_s", "victims"}, "rank"},
      {"victims", "congestion_victims", "victims.csv", kTableRows, {"rank", "port", "name", "peer", "wait_s"},
       "wait_s", -1},
      {"pauses", "pauses", "pauses.csv", kTableRows,
       {"port", "lane", "name", "peer", "stops", "paused_s", "paused_share"}, "paused_s", -1},
  };
  Json list = Json::array();
  for (const PageTable& page : pages) list.push_back(table_document(run, page));
  return list;
}

}  // namespace weir
