// The result file of a sweep: one SQLite database with one transaction per finished run, so that an interruption at any
// moment costs the runs under way and nothing else. Beside the tables of a result it has `sweep` (which run belongs to
// which point), `failures` (runs that came to nothing, with the reason) and `statistics` (over the repetitions of a
// point). All of them depend on the runs alone, not on the order in which they were finished.
#pragma once
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "measure/interval.h"
#include "store/files/file_lock.h"
#include "store/sqlite/sqlite.h"
#include "store/sqlite/stored_run.h"

namespace weir {

// What all runs of a file have in common. A file is continued only by the same sweep; its [sweep] table may grow.
struct SweepIdentity {
  std::string scenario;   // name
  std::string base_hash;  // of everything but [sweep]
  Detail detail = Detail::summary;
  std::string weir_version;
};

// A number over the repetitions of a point.
struct Statistic {
  std::string point;
  std::string kind;    // run, class, app, number
  std::string item;    // which class, application, number
  std::string metric;  // column
  Interval interval;
};

class SweepStore {
 public:
  // Creates or continues the file. Throws InputError if another sweep is writing to it, or if it holds another one.
  SweepStore(const std::filesystem::path& file, const SweepIdentity& identity);

  std::set<std::string> finished() const;  // run ids, those of failed runs included
  std::set<std::string> failed() const;
  void add(const StoredRun& run);
  // Over the first `repetitions` of a point; failed ones do not count.
  std::vector<Statistic> statistics(const std::string& point, std::int64_t repetitions, double confidence) const;
  void write_statistics(double confidence);  // of all points; and the view `swept`
  void close();

  const std::filesystem::path& file() const { return file_; }

 private:
  void claim(const SweepIdentity& identity);
  void create_swept_view();

  std::filesystem::path file_;
  FileLock lock_;
  ResultDatabase database_;
};

// Statistics as a file has them, in the order of points, kinds, items and metrics.
std::vector<Statistic> stored_statistics(const std::filesystem::path& file);

}  // namespace weir
