// Results in one SQLite file: any number of runs, one transaction per run, so that a run is in the file completely or
// not at all. A run is known by its id (configuration hash and label); adding it again replaces it. The schema is
// that of tables.h; rows depend on the run alone, not on the order in which runs are added.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "store/run_record.h"
#include "store/sqlite/stored_run.h"

struct sqlite3;

namespace weir {

class ResultDatabase {
 public:
  explicit ResultDatabase(const std::filesystem::path& path);  // creates it where it does not exist
  ~ResultDatabase();
  ResultDatabase(const ResultDatabase&) = delete;
  ResultDatabase& operator=(const ResultDatabase&) = delete;

  void add(const AnalysedRun& run);  // with all its tables
  void add(const StoredRun& run);
  bool has(const std::string& run_id) const;
  std::vector<std::string> run_ids() const;  // sorted
  void close();                              // reports what a destructor could not

  // For the other parts of the store: all of a change or nothing of it.
  void transaction(const std::function<void()>& change);
  void execute(const std::string& sql) const;
  void insert_all(const StoredRun& run) const;  // within a transaction
  void clear(const std::string& run_id) const;  // the same: all that there is of the run
  sqlite3* handle() const { return db_; }       // for functions of SQL that a layer above adds

 private:
  void create_or_check_schema() const;
  [[noreturn]] void refuse(const std::string& doing) const;
  friend class Statement;

  std::filesystem::path path_;
  sqlite3* db_ = nullptr;
};

inline constexpr int kResultSchema = 9;  // PRAGMA user_version
std::string result_schema();             // CREATE TABLE statements

}  // namespace weir
