#include "scenario/rank_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace weir {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFirst = ".0.et", kEnding = ".et";

}  // namespace

std::vector<std::string> rank_files(const std::string& path) {
  if (!path.ends_with(kFirst)) return {path};
  const std::string stem = path.substr(0, path.size() - kFirst.size()) + ".";
  const std::string prefix = fs::path(stem).filename().string();
  const fs::path directory = fs::path(path).parent_path();
  std::vector<std::uint32_t> numbers;
  std::error_code error;
  for (fs::directory_iterator at(directory.empty() ? "." : directory, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(kEnding) || name.size() <= prefix.size() + kEnding.size())
      continue;
    const char *from = name.data() + prefix.size(), *to = name.data() + name.size() - kEnding.size();
    std::uint32_t number = 0;
    const bool is_plain = *from != '0' || to - from == 1;
    const auto [stop, wrong] = std::from_chars(from, to, number);
    if (is_plain && wrong == std::errc() && stop == to) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> files{path};
  for (const std::uint32_t number : numbers) {
    if (number == 0) continue;
    if (number != files.size())
      throw InputError(SourcePosition{path, 0, 0}, "there is " + stem + std::to_string(number) + ".et, but no " + stem +
                                                       std::to_string(files.size()) + ".et");
    files.push_back(stem + std::to_string(number) + ".et");
  }
  return files;
}

}  // namespace weir
