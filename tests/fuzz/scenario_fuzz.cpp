// Throws arbitrary bytes at the scenario parser. It may refuse them only with an InputError; what it accepts must have
// a canonical text that reads back as the same configuration.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "scenario/parse.h"
#include "scenario/test_vocabulary.h"

namespace {

using namespace weir;

void expect(bool condition, const char* what, const Scenario& scenario) {
  if (condition) return;
  fmt::print(stderr, "{}; canonical text:\n{}\n", what, scenario.canonical());
  std::abort();
}

void check_canonical(const Scenario& scenario, const Vocabulary& vocabulary) {
  // Outside the try block of the caller: a canonical text that is refused is a bug.
  try {
    const Scenario again = parse_scenario_text(scenario.canonical(), "canonical.toml", vocabulary);
    expect(again.canonical() == scenario.canonical(), "the canonical text is not a fixed point", scenario);
    expect(again.hash() == scenario.hash(), "the hash changed", scenario);
  } catch (const InputError& error) {
    expect(false, error.what(), scenario);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Vocabulary vocabulary = testing_vocabulary::make();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  // A first line that begins with '!' is an override.
  std::vector<Override> overrides;
  try {
    if (text.starts_with('!')) {
      const auto end = text.find('\n');
      overrides.push_back(parse_override(text.substr(1, end == std::string_view::npos ? end : end - 1)));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    const Scenario scenario = parse_scenario_text(text, "fuzz.toml", vocabulary, overrides);
    check_canonical(scenario, vocabulary);
    for (const Variant& variant : compare_variants(scenario, vocabulary)) check_canonical(variant.scenario, vocabulary);
    std::size_t combinations = 1;
    for (const SweepAxis& axis : scenario.sweep) combinations *= axis.points.size();
    if (combinations <= 64) {
      for (const Variant& variant : sweep_variants(scenario, vocabulary)) check_canonical(variant.scenario, vocabulary);
    }
  } catch (const InputError&) {
  }
  return 0;
}
