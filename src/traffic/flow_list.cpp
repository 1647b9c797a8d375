// Reading of flow tables: columns are resolved once, then every cell is checked on its own.
#include "traffic/flow_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "base/csv.h"
#include "network/host_names.h"
#include "scenario/quantity.h"
#include "scenario/suggest.h"
#include "traffic/flow_progress.h"

namespace weir {

namespace {

enum Column : std::size_t { src, dst, bytes, start, weight, app, phase, id, after, traffic_class, lane, column_count };

constexpr std::array<std::string_view, column_count> kColumns{"src",   "dst", "bytes", "start", "weight", "app",
                                                              "phase", "id",  "after", "class", "lane"};
constexpr std::int64_t kMaxApps = 1'000'000;
constexpr std::int64_t kMaxPhase = 1'000'000'000;
constexpr Time kMaxStart{std::int64_t{1'000'000} * 1'000'000'000'000};  // as of every time in a scenario

// Where each known column stands in the table's rows.
using Places = std::array<std::optional<std::size_t>, column_count>;

Places find_columns(const FlowRows& table) {
  Places places;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i];
    const auto known = std::find(kColumns.begin(), kColumns.end(), name);
    if (known == kColumns.end()) {
      throw InputError(table.columns_where,
                       fmt::format("unknown column \"{}\"{}", name, suggestion(name, kColumns, "the columns are")));
    }
    auto& place = places[static_cast<std::size_t>(known - kColumns.begin())];
    if (place) throw InputError(table.columns_where, fmt::format("column \"{}\" appears twice", name));
    place = i;
  }
  for (const Column needed : {src, dst}) {
    if (places[needed]) continue;
    throw InputError(table.columns_where,
                     fmt::format("column \"{}\" is missing; the first line names the columns, as in "
                                 "\"src,dst,bytes,start\"",
                                 kColumns[needed]));
  }
  return places;
}

// One row with the names of its columns; every question ends in a value or in an error with the row's line.
class RowReader {
 public:
  RowReader(const FlowRows::Row& row, const Places& places) : row_(row), places_(places) {}

  std::string_view cell(Column column) const {
    const auto& place = places_[column];
    return place && *place < row_.cells.size() ? std::string_view(row_.cells[*place]) : std::string_view();
  }
  std::string_view needed(Column column) const {
    if (cell(column).empty()) refuse(column, "is missing");
    return cell(column);
  }
  [[noreturn]] void refuse(Column column, const std::string& what) const {
    throw InputError(row_.where, fmt::format("{} {}", kColumns[column], what));
  }
  std::int64_t integer(Column column, std::int64_t fallback, std::int64_t max) const {
    const std::string_view text = cell(column);
    if (text.empty()) return fallback;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > max) {
      refuse(column, fmt::format("must be a whole number from 0 to {}, not \"{}\"", max, text));
    }
    return value;
  }
  double number(Column column, double fallback, double min, double max) const {
    const std::string_view text = cell(column);
    if (text.empty()) return fallback;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool in_range = value >= min && value <= max;  // which nothing infinite is, and no NaN
    if (error != std::errc() || end != text.data() + text.size() || !in_range) {
      refuse(column, fmt::format("must be a number from {} to {}, not \"{}\"", min, max, text));
    }
    return value;
  }
  Time time(Column column, Time fallback) const {
    const std::string_view text = cell(column);
    if (text.empty()) return fallback;
    if (text == "0") return Time{};
    const Time value = quantity(column, [&] { return parse_time(text); });
    if (value < Time{}) refuse(column, fmt::format("must not be negative, but is \"{}\"", text));
    if (value > kMaxStart) refuse(column, fmt::format("must be at most {}, not \"{}\"", to_text(kMaxStart), text));
    return value;
  }
  Bytes size() const {
    if (!places_[Column::bytes]) return kEndless;
    const std::string_view text = cell(Column::bytes);
    if (text.empty()) refuse(Column::bytes, "is missing; write \"endless\" for a flow without end");
    if (text == "endless") return kEndless;
    const Bytes value = quantity(Column::bytes, [&] { return parse_bytes(text); });
    if (value <= 0) refuse(Column::bytes, fmt::format("must be above 0 or \"endless\", not \"{}\"", text));
    return value;
  }

 private:
  template <class Parse>
  auto quantity(Column column, Parse parse) const -> decltype(parse()) {
    try {
      return parse();
    } catch (const InputError& error) {
      refuse(column, fmt::format("cannot be read: {}", error.what()));
    }
  }

  const FlowRows::Row& row_;
  const Places& places_;
};

HostId one_host(const RowReader& row, Column column, const HostNames& names) {
  const std::string_view text = row.needed(column);
  const std::vector<HostId> found = names.find(text);
  if (found.empty()) row.refuse(column, names.no_such_host(text));
  if (found.size() > 1) row.refuse(column, names.several_hosts(text, found));
  return found.front();
}

// Applications by number or, where a cell of the column begins with a letter, all by name, in the order of the rows.
class Applications {
 public:
  Applications(const FlowRows& table, const Places& places) {
    for (const FlowRows::Row& cells : table.rows) {
      const std::string_view text = RowReader(cells, places).cell(app);
      named_ = named_ || (!text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0);
    }
  }

  std::uint32_t number(const RowReader& row) {
    if (!named_) return static_cast<std::uint32_t>(row.integer(app, 0, kMaxApps - 1));
    const std::string_view text = row.cell(app).empty() ? "0" : row.cell(app);
    const auto [entry, is_new] = numbers_.emplace(text, static_cast<std::uint32_t>(names_.size()));
    if (is_new && names_.size() == kMaxApps) row.refuse(app, fmt::format("is one of more than {}", kMaxApps));
    if (is_new) names_.emplace_back(text);
    return entry->second;
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  bool named_ = false;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::vector<std::string> names_;
};

Flow read_flow(const RowReader& row, const FlowBasics& defaults, const HostNames& names, Applications& apps) {
  Flow flow;
  flow.source = one_host(row, src, names);
  flow.destination = one_host(row, dst, names);
  if (flow.source == flow.destination) {
    row.refuse(dst, fmt::format("is the same host as src (\"{}\"); a flow needs two hosts", row.cell(dst)));
  }
  flow.bytes = row.size();
  flow.start = row.time(start, Time{});
  flow.weight = row.number(weight, defaults.weight, kLeastWeight, kMostWeight);
  flow.app = {defaults.app.index + apps.number(row)};
  flow.phase = static_cast<std::uint32_t>(row.integer(phase, 0, kMaxPhase));
  flow.lane = static_cast<std::uint8_t>(row.integer(lane, defaults.lane, 7));
  return flow;
}

std::unordered_map<std::string_view, FlowId> read_ids(const FlowRows& table, const Places& places) {
  std::unordered_map<std::string_view, FlowId> ids;
  if (!places[id]) return ids;
  for (std::uint32_t i = 0; i < table.rows.size(); ++i) {
    const RowReader row(table.rows[i], places);
    const auto [first, is_new] = ids.emplace(row.needed(id), FlowId{i});
    if (is_new) continue;
    row.refuse(
        id, fmt::format("\"{}\" is used before, at line {}", row.cell(id), table.rows[first->second.index].where.line));
  }
  return ids;
}

FlowId read_after(const RowReader& row, const FlowRows& table, const Places& places,
                  const std::unordered_map<std::string_view, FlowId>& ids) {
  const std::string_view text = row.cell(after);
  if (text.empty()) return {};
  if (places[id]) {
    const auto found = ids.find(text);
    if (found == ids.end()) row.refuse(after, fmt::format("names \"{}\", but no row has this id", text));
    return found->second;
  }
  const std::int64_t last = static_cast<std::int64_t>(table.rows.size()) - 1;
  return {static_cast<std::uint32_t>(row.integer(after, 0, last))};
}

// The flow `from` and those it waits for, until one comes again or waits for none.
std::vector<FlowId> chain(const Table<FlowId, Flow>& flows, FlowId from) {
  std::vector<std::uint8_t> seen(flows.size());
  std::vector<FlowId> passed;
  for (FlowId f = from; f.valid(); f = flows[f].after) {
    passed.push_back(f);
    if (seen[f.index]++) break;
  }
  return passed;
}

// Refuses what can never start, at the line of a flow that is part of the circle where there is one.
void refuse_stuck(const Workload& own, const FlowRows& table) {
  const FlowId stuck = stuck_flow(own);
  if (!stuck.valid()) return;
  const std::vector<FlowId> passed = chain(own.flows, stuck);
  const auto entry = std::find(passed.begin(), passed.end(), passed.back());
  const auto line = [&](FlowId f) { return table.rows[f.index].where.line; };
  if (entry + 1 == passed.end()) {
    throw InputError(
        table.rows[stuck.index].where,
        "this flow can never start: it waits, through `after` or its phase, for itself or for an endless flow");
  }
  std::string circle;
  for (auto f = entry; f != passed.end(); ++f) circle += fmt::format("{}{}", f == entry ? "" : " -> ", line(*f));
  throw InputError(table.rows[entry->index].where,
                   fmt::format("`after` forms a cycle: lines {}; none of these flows can ever start", circle));
}

}  // namespace

std::vector<std::string_view> flow_columns() { return {kColumns.begin(), kColumns.end()}; }

ClassNames::ClassNames(Workload& workload) : workload_(workload) {
  for (std::uint32_t c = 0; c < workload.classes.size(); ++c) numbers_.emplace(workload.classes[c].name, c);
}

ClassId ClassNames::number(std::string_view name) {
  const auto [entry, is_new] =
      numbers_.emplace(std::string(name), static_cast<std::uint32_t>(workload_.classes.size()));
  if (is_new && workload_.classes.size() == kMostClasses)
    throw InputError(fmt::format("\"{}\" is traffic class number {}; there may be {}: each has its own series and "
                                 "histograms",
                                 name, kMostClasses + 1, kMostClasses));
  if (is_new) workload_.classes.push_back({entry->first});
  return {entry->second};
}

FlowRows flow_rows_from_csv(const std::string& file, std::string_view text) {
  FlowRows table;
  CsvSplitter splitter(file, text);
  CsvRecord record;
  if (!splitter.next(record)) {
    throw InputError(SourcePosition{file, 1, 0},
                     "the file is empty; its first line must name the columns, as in "
                     "\"src,dst,bytes,start\"");
  }
  table.columns = record.cells;
  table.columns_where = {file, record.line, 0};
  while (splitter.next(record)) table.rows.push_back({{file, record.line, 0}, record.cells});
  return table;
}

std::vector<std::string> add_flow_rows(Workload& workload, const FlowRows& table, const FlowBasics& defaults,
                                       const HostList& hosts) {
  const Places places = find_columns(table);
  if (table.rows.empty())
    throw InputError(table.columns_where, "there is no flow after the line with the column names");
  const HostNames names(hosts.names);
  const auto ids = read_ids(table, places);
  ClassNames classes(workload);
  Applications apps(table, places);
  Workload own;
  for (const FlowRows::Row& cells : table.rows) {
    const RowReader row(cells, places);
    if (cells.cells.size() > table.columns.size()) {
      throw InputError(cells.where, fmt::format("{} cells, but there are only {} columns", cells.cells.size(),
                                                table.columns.size()));
    }
    Flow flow = read_flow(row, defaults, names, apps);
    flow.after = read_after(row, table, places, ids);
    if (!flow.after.valid() && flow.phase == 0) flow.start += defaults.start;
    const std::string_view class_name = row.cell(Column::traffic_class);
    flow.traffic_class = class_name.empty() ? defaults.traffic_class : classes.number(class_name);
    own.flows.push_back(flow);
  }
  refuse_stuck(own, table);
  const auto first = static_cast<std::uint32_t>(workload.flows.size());
  for (Flow& flow : own.flows) {
    if (flow.after.valid()) flow.after.index += first;
    workload.apps = std::max(workload.apps, flow.app.index + 1);
    workload.flows.push_back(flow);
  }
  return std::move(apps).names();
}

}  // namespace weir
