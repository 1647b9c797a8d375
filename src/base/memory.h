// Memory of this machine: how much is left, refusing what would not fit, and what is said when it has run out.
#pragma once
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/error.h"

namespace weir {

inline constexpr const char* kOutOfMemory =
    "memory has run out. A smaller fabric needs less, and so do fewer flows, fewer runs at a time (--threads) and less "
    "that is kept: measure.frames, measure.max_bins, run.max_backlog";

// What an error says, in words also where the library has none.
inline std::string error_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kOutOfMemory;
  if (dynamic_cast<const std::length_error*>(&error) != nullptr) return kOutOfMemory;
  return error.what();
}

namespace memory_detail {

// The number that begins a file, or stands behind a word in it; nothing for "max".
inline std::optional<double> number_in(const std::string& file, const std::string& word = "") {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(word)) continue;
    double value = 0;
    if (std::sscanf(line.c_str() + word.size(), "%lf", &value) == 1) return value;
    return std::nullopt;
  }
  return std::nullopt;
}

// What the control group of this process may still take. Files that it has read count as taken, but make room.
inline std::optional<double> left_in_group() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const bool unified = line.starts_with("0::");
    const std::size_t at = unified ? 3 : line.find(":memory:");
    if (at == std::string::npos) continue;
    const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    for (const std::string& path : {root + line.substr(unified ? at : at + 8), root}) {
      const auto most = number_in(path + (unified ? "/memory.max" : "/memory.limit_in_bytes"));
      const auto taken = number_in(path + (unified ? "/memory.current" : "/memory.usage_in_bytes"));
      if (most && taken) return *most - *taken + number_in(path + "/memory.stat", "inactive_file ").value_or(0);
    }
  }
  return std::nullopt;
}

inline std::optional<double> left_of_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const double used = number_in("/proc/self/statm").value_or(0) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return static_cast<double>(limit.rlim_cur) - used;
}

}  // namespace memory_detail

// Bytes that this process can still take: of the machine, of its control group, of its own limit. Infinite where
// nothing tells.
inline double available_memory() {
  double left = std::numeric_limits<double>::infinity();
  if (const auto kilobytes = memory_detail::number_in("/proc/meminfo", "MemAvailable:")) left = 1024 * *kilobytes;
  if (const auto group = memory_detail::left_in_group()) left = std::min(left, *group);
  if (const auto own = memory_detail::left_of_address_space()) left = std::min(left, *own);
  return std::max(0.0, left);
}

// Set by --force: whatever is asked for is tried.
inline std::atomic<bool>& memory_is_forced() {
  static std::atomic<bool> forced{false};
  return forced;
}

inline std::string gigabytes(double bytes) {
  return fmt::format("{:.{}f} GB", bytes * 1e-9, bytes < 1e9 ? 2 : 1);
}

// Why that much cannot be had; empty if it can. `advice` says what to reduce. Small needs are not looked at.
inline std::string lack_of_memory(double bytes, const std::string& what, const std::string& advice) {
  constexpr double kSmall = 1e8;
  if (bytes < kSmall || memory_is_forced()) return "";
  const double left = available_memory();
  if (bytes <= left) return "";
  return what + " needs about " + gigabytes(bytes) + " of memory, and " + gigabytes(left) + " are left. " + advice +
         ", or try it with --force";
}
// Refuses what needs more than there is.
inline void need_memory(double bytes, const std::string& what, const std::string& advice) {
  const std::string lack = lack_of_memory(bytes, what, advice);
  if (!lack.empty()) throw InputError(lack);
}

}  // namespace weir
