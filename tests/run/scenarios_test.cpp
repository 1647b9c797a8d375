// Every scenario that comes with weir, under every scheme: it is refused when it is set up, or it runs to its end.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "run/lab.h"
#include "source_dir.h"

namespace weir {
namespace {

std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(source_dir() + "/scenarios"))
    if (file.path().extension() == ".toml") files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

// Nothing where the scenario is refused, with its place or with the scheme's.
std::optional<RunSetup> setup_of(const std::string& file, std::string_view scheme) {
  try {
    return set_up(parse_scenario_file(file, vocabulary(), {{"scheme.name", std::string(scheme)}}));
  } catch (const InputError& refusal) {
    EXPECT_FALSE(refusal.where().file.empty()) << file << " under " << scheme << ": " << refusal.what();
    return {};
  }
}

// Whole runs take minutes: in the long form of the tests only.
TEST(Scenarios, AreRefusedUnderASchemeBeforeWorkBegins) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const bool whole_runs = scaled_count(0, 0, 1) == 1;
  std::size_t fitting = 0;
  for (const std::string& file : scenario_files())
    for (const SchemeInfo& scheme : schemes()) {
      SCOPED_TRACE(file + " under " + std::string(scheme.name));
      const std::optional<RunSetup> setup = setup_of(file, scheme.name);
      fitting += setup.has_value();
      if (!setup || !whole_runs) continue;
      EXPECT_NO_THROW(run_simulation(*setup));
    }
  EXPECT_GE(fitting, 4 * schemes().size());
}

}  // namespace
}  // namespace weir
