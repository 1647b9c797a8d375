#include "app/machine_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace weir {
namespace {

// The text behind "key : " in a file of such lines.
std::string field(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t from = line.find_first_not_of(" \t:=\"", key.size());
    if (from == std::string::npos) return "";
    return line.substr(from, line.find_last_not_of(" \"") - from + 1);
  }
  return "";
}

}  // namespace

std::string machine_text() {
  utsname system{};
  uname(&system);
  const std::string processor = field("/proc/cpuinfo", "model name"), name = field("/etc/os-release", "PRETTY_NAME");
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return fmt::format("{}, {} cores, {:.0f} GiB of memory, {}", processor.empty() ? system.machine : processor,
                     std::max(1u, std::thread::hardware_concurrency()), memory / 1073741824.0,
                     name.empty() ? system.sysname : name);
}

std::string date_text() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now())); }

}  // namespace weir
