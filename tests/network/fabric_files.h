// Where the tests find files: their own, and real ones that are not part of the project.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "source_dir.h"

namespace weir::testing {

inline std::string fixture(const std::string& name) {
  return source_dir() + "/tests/network/data/" + name;
}

// Sorted; empty where the directory is missing.
inline std::vector<std::string> real_files(const std::string& directory) {
  std::vector<std::string> files;
  const std::filesystem::path path = std::filesystem::path(source_dir()) / ".." / "shared" / "data" / directory;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(path, missing)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<std::string> all_fabric_files() {
  std::vector<std::string> files{fixture("small.ibnetdiscover"), fixture("director.ibdm"), fixture("ring.cables")};
  for (const char* directory : {"ibnetdiscover", "ibutils"}) {
    for (const std::string& file : real_files(directory)) files.push_back(file);
  }
  return files;
}

}  // namespace weir::testing
