// What the manager has done, in a database that survives it: each setting is written down, with what was there before,
// before it is sent. Whoever starts next finds what was not undone.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/units.h"
#include "mad/congestion.h"

struct sqlite3;

namespace weir::manage {

struct LoggedAction {
  std::int64_t id = 0;
  Time at;                         // of the manager's clock, which begins with the manager
  std::int64_t wall_seconds = 0;  // since 1970
  std::uint64_t switch_guid = 0;
  std::uint32_t port = 0;
  mad::SwitchPortCongestion before, after;
  std::string why;       // in words
  std::string counters;  // that led to it
  std::string state = "intended";  // intended, done, failed, undone, left
};

class ActionLog {
 public:
  explicit ActionLog(const std::filesystem::path& file);
  ~ActionLog();
  ActionLog(const ActionLog&) = delete;
  ActionLog& operator=(const ActionLog&) = delete;

  // On the disk before it returns.
  std::int64_t intend(const LoggedAction& action);
  void set_state(std::int64_t id, const std::string& state);
  // What may still be in effect, the newest first.
  std::vector<LoggedAction> open_actions() const;
  // When settings were made, in seconds since 1970, after that moment.
  std::vector<std::int64_t> times_after(std::int64_t wall_seconds) const;
  std::vector<LoggedAction> all() const;

 private:
  void execute(const std::string& sql) const;
  std::vector<LoggedAction> select(const std::string& condition) const;
  [[noreturn]] void refuse(const std::string& doing) const;

  std::filesystem::path file_;
  sqlite3* db_ = nullptr;
};

}  // namespace weir::manage
