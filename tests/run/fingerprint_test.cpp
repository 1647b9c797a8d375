// Recorded results, to the bit: an engine that replaces this one, or a change that means to change nothing, gives the
// same fingerprints. tests/run/fingerprints.txt has a line for each run: name, fingerprint. Some are compared with
// WEIR_TEST_SCALE=full only.
//
// WEIR_RECORD_FINGERPRINTS=1 writes the file anew: after a change that is to move results, and says so.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "run/covering_scenario.h"
#include "run/fingerprint.h"
#include "run/short_scenarios.h"
#include "source_dir.h"

namespace weir {
namespace {

using testing::covered_choices;
using testing::CoveringScenario;

constexpr std::size_t kLeastRandom = 1000, kLeastOfScheme = 12;
const std::string kFile = source_dir() + "/tests/run/fingerprints.txt";

bool everything() { return scaled_count(0, 0, 1) == 1; }
bool recording() { return std::getenv("WEIR_RECORD_FINGERPRINTS") != nullptr; }

std::string fingerprint_of(const Scenario& scenario, FileReader read = {}) {
  const Outcome outcome = simulate(scenario, {}, read);
  return testing::Fingerprint::of(outcome.measurements);
}
std::string fingerprint_of_random(std::uint64_t number) {
  return fingerprint_of(testing::scenario_of(CoveringScenario(number).text()), CoveringScenario::trace);
}

// 512 hosts, of which a fifth send to host 0.
std::string large_hot_spot(std::string_view switches, std::string_view scheme) {
  return fmt::format(
      R"([topology]
kind = "k-ary-n-tree"
k = 8
n = 3
[link]
rate = "10Gbps"
delay = "15ns"
[packet]
payload = [1000]
header = "30B"
[switch]
{}route_delay = "100ns"
[scheme]
{}[[traffic]]
pattern = "hotspot"
name = "hot"
class = "hot"
share = 0.2
target = 0
load = 0.5
[[traffic]]
pattern = "uniform"
class = "cold"
except = "hot"
load = 0.4
[run]
duration = "60us"
warmup = "10us"
)",
      switches, scheme);
}

// Every file of scenarios/ with its variants, and larger fabrics, by name.
std::map<std::string, Scenario> runs_by_name(bool all) {
  std::map<std::string, Scenario> runs;
  const auto large = [&](const std::string& name, std::string_view switches, std::string_view scheme) {
    runs.emplace("large/" + name, testing::scenario_of(large_hot_spot(switches, scheme)));
  };
  large("plain", "buffer_packets = 8\n", "name = 'none'\n");
  if (all) large("crossbar", "organisation = 'fifo-in-out'\nbuffer = '4kB'\n", "name = 'mvcm'\n");
  if (all) large("pause", "flow_control = 'pause'\nbuffer = '16kB'\n", "name = 'qcn'\nqeq = '4kB'\n");
  for (const testing::ScenarioFile& file : testing::scenario_files()) {
    const Scenario base = parse_scenario_file(file.path, vocabulary(), file.shorter);
    runs.emplace(file.name, base);
    std::size_t number = 0;
    for (const Variant& variant : compare_variants(base, vocabulary()))
      runs.emplace(fmt::format("{}/{}:{}", file.name, number++, variant.label), variant.scenario);
    for (const Variant& variant : sweep_variants(base, vocabulary()))
      if (!variant.label.empty() && number++ % 7 == 0)
        runs.emplace(fmt::format("{}/sweep:{}", file.name, variant.label), variant.scenario);
  }
  return runs;
}

// Which pairs of choices a set of scenarios has.
class Coverage {
 public:
  // True if the scenario had a pair that was missing.
  bool add(const CoveringScenario& scenario) {
    const auto& chosen = scenario.chosen();
    const std::size_t before = seen_.size();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      for (std::size_t j = i + 1; j < chosen.size(); ++j) seen_.insert({i, chosen[i], j, chosen[j]});
    ++of_scheme_[std::string(chosen[0].substr(0, chosen[0].find(' ')))];
    return seen_.size() > before;
  }
  std::size_t of_scheme(std::string_view name) const {
    const auto found = of_scheme_.find(std::string(name));
    return found == of_scheme_.end() ? 0 : found->second;
  }
  std::vector<std::string> missing() const {
    std::vector<std::string> all;
    const auto& choices = covered_choices();
    for (std::size_t i = 0; i < choices.size(); ++i)
      for (std::size_t j = i + 1; j < choices.size(); ++j)
        for (const std::string_view a : choices[i].values)
          for (const std::string_view b : choices[j].values)
            if (CoveringScenario::possible(choices[i].what, a, choices[j].what, b) && !seen_.contains({i, a, j, b}))
              all.push_back(fmt::format("{} {} with {} {}", choices[i].what, a, choices[j].what, b));
    return all;
  }
  bool complete() const {
    for (const SchemeInfo& scheme : schemes())
      if (of_scheme(scheme.name) < kLeastOfScheme) return false;
    return missing().empty();
  }

 private:
  std::set<std::tuple<std::size_t, std::string_view, std::size_t, std::string_view>> seen_;
  std::map<std::string, std::size_t> of_scheme_;
};

std::map<std::string, std::string> recorded() {
  std::map<std::string, std::string> lines;
  std::ifstream file(kFile);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t blank = line.rfind(' ');
    lines[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return lines;
}

constexpr std::string_view kRandom = "random ";

void record() {
  std::vector<std::string> lines;
  Coverage coverage;
  std::size_t count = 0;
  for (std::uint64_t number = 0; number < 20'000 && (count < kLeastRandom || !coverage.complete()); ++number) {
    const CoveringScenario scenario(number);
    Coverage with = coverage;
    const bool new_pair = with.add(scenario);
    const std::string name(scenario.chosen("scheme").substr(0, scenario.chosen("scheme").find(' ')));
    if (!new_pair && coverage.of_scheme(name) >= kLeastOfScheme && count >= kLeastRandom) continue;
    try {
      lines.push_back(fmt::format("{}{} {}", kRandom, number, fingerprint_of_random(number)));
    } catch (const InputError& e) {
      fmt::print("random {} is refused: {}\n", number, e.what());
      continue;
    }
    coverage = std::move(with);
    ++count;
  }
  for (const auto& [name, scenario] : runs_by_name(true))
    lines.push_back(fmt::format("{} {}", name, fingerprint_of(scenario)));
  std::ofstream out(kFile);
  out << "# Fingerprints of runs, see fingerprint_test.cpp. One line each: name, hash of everything measured.\n";
  for (const std::string& line : lines) out << line << "\n";
  for (const std::string& pair : coverage.missing()) fmt::print("not covered: {}\n", pair);
}

TEST(Fingerprints, CoverAllPairsOfChoicesAndAllSchemes) {
  if (recording()) record();
  Coverage coverage;
  std::size_t count = 0;
  for (const auto& [name, hash] : recorded()) {
    if (!name.starts_with(kRandom)) continue;
    ++count;
    coverage.add(CoveringScenario(std::stoull(name.substr(kRandom.size()))));
  }
  EXPECT_GE(count, kLeastRandom);
  for (const std::string& pair : coverage.missing()) ADD_FAILURE() << "no scenario has " << pair;
  for (const SchemeInfo& scheme : schemes()) EXPECT_GE(coverage.of_scheme(scheme.name), kLeastOfScheme) << scheme.name;
}

TEST(Fingerprints, OfRandomScenarios) {
  const std::uint64_t every = scaled_count(10, 1, 1);  // a sanitizer takes a hundred times as long
  for (const auto& [name, hash] : recorded()) {
    if (!name.starts_with(kRandom) || std::stoull(name.substr(kRandom.size())) % every != 0) continue;
    const std::uint64_t number = std::stoull(name.substr(kRandom.size()));
    EXPECT_EQ(fingerprint_of_random(number), hash) << name << "\n" << CoveringScenario(number).text();
  }
}

TEST(Fingerprints, OfScenarioFiles) {
  const std::map<std::string, std::string> expected = recorded();
  const std::size_t step = scaled_count(4, 1, 1);
  std::size_t number = 0;
  for (const auto& [name, scenario] : runs_by_name(everything())) {
    ASSERT_TRUE(expected.contains(name)) << name;
    if (number++ % step != 0) continue;
    EXPECT_EQ(fingerprint_of(scenario), expected.at(name)) << name;
  }
}

TEST(Fingerprints, HaveEveryScenarioFile) {
  std::set<std::string> known;
  for (const testing::ScenarioFile& file : testing::scenario_files())
    known.insert(std::filesystem::path(file.path).filename().string());
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_TRUE(known.contains(entry.path().filename().string())) << entry.path();
  }
}

}  // namespace
}  // namespace weir
