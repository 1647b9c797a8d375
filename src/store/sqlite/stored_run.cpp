#include "store/sqlite/stored_run.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "base/error.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, 8> kSummary{"parameters", "classes", "marks",            "apps",
                                                   "phases",     "numbers", "congestion_roots", "slowdown"};

const ResultTable kSweep{
    "sweep", "", {{"point", CellType::text}, {"repetition", CellType::integer}}, nullptr};

const ResultTable kFailures{"failures",
                            "",
                            {{"label", CellType::text},
                             {"name", CellType::text},
                             {"scenario", CellType::text},
                             {"seed", CellType::any},
                             {"config_hash", CellType::text},
                             {"config", CellType::text},
                             {"weir_version", CellType::text},
                             {"error", CellType::text}},
                            nullptr};

std::uint32_t number_of(std::string_view table) {
  const auto& all = stored_tables();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ResultTable* t) { return t->name == table; });
  if (found == all.end()) fail(__FILE__, __LINE__, "no such table");
  return static_cast<std::uint32_t>(found - all.begin());
}

class Packer {
 public:
  void number(std::uint64_t value) { raw(&value, sizeof value); }
  void bytes(const void* data, std::size_t size) {
    number(size);
    raw(data, size);
  }
  void text(std::string_view text) { bytes(text.data(), text.size()); }
  void blob(const std::vector<std::uint8_t>& blob) { bytes(blob.data(), blob.size()); }
  void cell(const Cell& cell) {
    number(cell.index());
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) raw(integer, sizeof *integer);
    if (const auto* real = std::get_if<double>(&cell)) raw(real, sizeof *real);
    if (const auto* string = std::get_if<std::string>(&cell)) text(*string);
  }
  std::string take() { return std::move(out_); }

 private:
  void raw(const void* data, std::size_t size) {
    if (size > 0) out_.append(static_cast<const char*>(data), size);
  }
  std::string out_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view in) : in_(in) {}

  std::uint64_t number() { return value<std::uint64_t>(); }
  std::string text() { return std::string(piece(number())); }
  std::vector<std::uint8_t> blob() {
    const std::string_view bytes = piece(number());
    return {bytes.begin(), bytes.end()};
  }
  Cell cell() {
    switch (number()) {
      case 0:
        return {};
      case 1:
        return value<std::int64_t>();
      case 2:
        return value<double>();
      case 3:
        return text();
      default:
        broken();
    }
  }
  bool at_end() const { return in_.empty(); }
  [[noreturn]] static void broken() { throw InputError("a worker sent something that is not the result of a run"); }

 private:
  std::string_view piece(std::uint64_t size) {
    if (size > in_.size()) broken();
    const std::string_view taken = in_.substr(0, size);
    in_.remove_prefix(size);
    return taken;
  }
  template <class T>
  T value() {
    T result;
    std::memcpy(&result, piece(sizeof result).data(), sizeof result);
    return result;
  }
  std::string_view in_;
};

}  // namespace

std::string_view detail_name(Detail detail) { return detail == Detail::full ? "full" : "summary"; }

const std::vector<const ResultTable*>& stored_tables() {
  static const std::vector<const ResultTable*> all = [] {
    std::vector<const ResultTable*> tables{&runs_table()};
    for (const ResultTable& table : result_tables()) tables.push_back(&table);
    tables.insert(tables.end(), {&kSweep, &kFailures});
    return tables;
  }();
  return all;
}

void StoredRun::add(std::string_view table, Row cells) { rows.push_back({number_of(table), std::move(cells)}); }

bool StoredRun::failed() const {
  const std::uint32_t failures = number_of(kFailures.name);
  return std::any_of(rows.begin(), rows.end(), [&](const StoredRow& row) { return row.table == failures; });
}

StoredRun stored_run(const AnalysedRun& run, Detail detail) {
  StoredRun stored;
  stored.run_id = run.run_id;
  for (std::uint32_t t = 0; t < stored_tables().size(); ++t) {
    const ResultTable& table = *stored_tables()[t];
    const bool summary = t == 0 || std::find(kSummary.begin(), kSummary.end(), table.name) != kSummary.end();
    if (table.rows == nullptr || (detail == Detail::summary && !summary)) continue;
    table.rows(run, [&](const Row& row) { stored.rows.push_back({t, row}); });
  }
  for (std::size_t f = 0; detail == Detail::full && f < run.m().frames.size(); ++f)
    stored.frames.push_back(stored_frame(run.m(), f));
  return stored;
}

StoredFrame stored_frame(const Measurements& m, std::size_t number) {
  const Span span = frame_span(m, number);
  const FabricFrame& frame = m.frames[number];
  return {seconds_cell(span.from), seconds_cell(span.to), frame.load, frame.occupancy, frame.wait};
}

StoredRun stored_failure(const RunRecord& record, const std::string& error) {
  const Scenario& scenario = *record.scenario;
  StoredRun stored;
  stored.run_id = run_id_of(scenario, record.label);
  stored.add("failures", {record.label, scenario.name, scenario_file_name(scenario), seed_cell(scenario.seed),
                          scenario.hash(), scenario.canonical(), record.weir_version, error});
  for (const auto& [key, value] : record.parameters) stored.add("parameters", {key, literal_cell(value)});
  return stored;
}

std::string pack(const StoredRun& run) {
  Packer out;
  out.text(run.run_id);
  out.number(run.rows.size());
  for (const StoredRow& row : run.rows) {
    out.number(row.table);
    out.number(row.cells.size());
    for (const Cell& cell : row.cells) out.cell(cell);
  }
  out.number(run.frames.size());
  for (const StoredFrame& frame : run.frames) {
    out.cell(frame.from_s);
    out.cell(frame.to_s);
    for (const auto* blob : {&frame.load, &frame.occupancy, &frame.wait}) out.blob(*blob);
  }
  return out.take();
}

StoredRun unpack(std::string_view bytes) {
  Unpacker in(bytes);
  StoredRun run;
  run.run_id = in.text();
  for (std::uint64_t rows = in.number(); rows > 0; --rows) {
    StoredRow row;
    row.table = static_cast<std::uint32_t>(in.number());
    if (row.table >= stored_tables().size() || in.number() != stored_tables()[row.table]->columns.size()) in.broken();
    for (std::size_t c = 0; c < stored_tables()[row.table]->columns.size(); ++c) row.cells.push_back(in.cell());
    run.rows.push_back(std::move(row));
  }
  for (std::uint64_t frames = in.number(); frames > 0; --frames) {
    StoredFrame frame;
    frame.from_s = in.cell();
    frame.to_s = in.cell();
    for (auto* blob : {&frame.load, &frame.occupancy, &frame.wait}) *blob = in.blob();
    run.frames.push_back(std::move(frame));
  }
  if (!in.at_end()) in.broken();
  return run;
}

}  // namespace weir
