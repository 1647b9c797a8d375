// A run as the rows it will have in the database: small where only a summary is kept, independent of topology and
// measurements, and a plain sequence of bytes if need be. A worker makes it, the one process that writes stores it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/run_record.h"
#include "store/tables.h"

namespace weir {

enum class Detail : std::uint8_t { summary, full };  // summary: without what exists per flow, host, port and bin
std::string_view detail_name(Detail detail);

struct StoredRow {
  std::uint32_t table = 0;  // number in stored_tables()
  Row cells;                // without the run's id
};

struct StoredFrame {
  Cell from_s, to_s;
  std::vector<std::uint8_t> load, occupancy, wait;
};

struct StoredRun {
  std::string run_id;
  std::vector<StoredRow> rows;
  std::vector<StoredFrame> frames;

  void add(std::string_view table, Row cells);
  bool failed() const;  // has a row in `failures`
};

StoredFrame stored_frame(const Measurements& m, std::size_t frame);

// All tables whose rows belong to a run: `runs`, result_tables(), and those of sweeps: `sweep` and `failures`.
const std::vector<const ResultTable*>& stored_tables();

StoredRun stored_run(const AnalysedRun& run, Detail detail);
// A run that came to nothing. Of the record, only label, scenario, version and parameters are looked at.
StoredRun stored_failure(const RunRecord& record, const std::string& error);

// For another process of the same program. unpack() throws InputError if the bytes are not those of a run.
std::string pack(const StoredRun& run);
StoredRun unpack(std::string_view bytes);

}  // namespace weir
