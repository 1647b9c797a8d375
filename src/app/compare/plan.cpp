#include "app/compare/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "app/runner.h"
#include "base/parallel.h"
#include "run/memory_need.h"
#include "scenario/toml/toml_tree.h"
#include "schemes/registry.h"

namespace weir {
namespace {

// Of two settings of one key the later one holds.
void set_in(std::vector<Override>& settings, const Override& setting) {
  std::erase_if(settings, [&](const Override& o) { return o.key == setting.key; });
  settings.push_back(setting);
}

// The fragment as dotted keys. Lists of sections ([[traffic]]) stay whole: they replace what was there.
std::vector<Override> settings_of(const CompareEntry& entry) {
  std::vector<Override> settings;
  for (const TomlNode& item : read_toml(entry.toml, entry.where.file).items) {
    if (item.key == "label") continue;
    if (!item.is_table()) {
      set_in(settings, {item.key, to_toml(item)});
      continue;
    }
    for (const TomlNode& member : item.items)
      set_in(settings, {item.key == "set" ? member.key : item.key + "." + member.key, to_toml(member)});
  }
  return settings;
}

std::vector<Variant> listed_variants(const Scenario& scenario) {
  std::vector<Variant> variants = compare_variants(scenario, vocabulary());
  for (std::size_t i = 0; i < variants.size(); ++i) variants[i].settings = settings_of(scenario.compare[i]);
  return variants;
}

// What fails is the scheme that weir put there: nobody typed the `--set` that stands for it.
std::string without_own_settings(std::string text) {
  constexpr std::string_view kOwn = "--set scheme.name=";
  for (std::size_t at; (at = text.find(kOwn)) != text.npos;) {
    const std::size_t end = text.find(": ", at);
    text.erase(at, end == text.npos ? end : end + 2 - at);
  }
  return text;
}

constexpr std::string_view kOfScheme = "scheme.";

bool is_known(const Scenario& scenario, const Override& setting) {
  return scenario.section("scheme").knows(std::string_view(setting.key).substr(kOfScheme.size()));
}

// Those of the settings that its scheme has.
void add_settings(Variant& variant, const std::vector<Override>& of_schemes) {
  std::vector<Override> known;
  std::copy_if(of_schemes.begin(), of_schemes.end(), std::back_inserter(known),
               [&](const Override& setting) { return is_known(variant.scenario, setting); });
  if (known.empty()) return;
  variant.scenario = with_overrides(variant.scenario, known, vocabulary());
  for (const Override& setting : known) set_in(variant.settings, setting);
}

void refuse_unused(const Scenario& scenario, const std::vector<Variant>& variants,
                   const std::vector<Override>& of_schemes) {
  for (const Override& setting : of_schemes) {
    if (std::any_of(variants.begin(), variants.end(), [&](const Variant& v) { return is_known(v.scenario, setting); }))
      continue;
    with_overrides(scenario, {setting}, vocabulary());  // says whose key it is, or what else is wrong
    throw InputError("--set " + setting.key + ": no scheme of this comparison has this key");
  }
}

Variant with_scheme(const Scenario& scenario, const std::string& name) {
  try {
    Scenario changed = with_overrides(scenario, {{"scheme.name", name}}, vocabulary());
    return {name, std::move(changed), {{"scheme.name", toml_quoted(name)}}};
  } catch (const InputError& error) {
    const bool known = std::ranges::any_of(schemes(), [&](const SchemeInfo& scheme) { return scheme.name == name; });
    throw InputError((known ? name : "--schemes") + ": " + without_own_settings(error.what()));
  }
}

std::vector<Variant> asked_for(const Scenario& scenario, const std::vector<std::string>& names) {
  std::vector<Variant> listed = listed_variants(scenario);
  if (names.empty()) return listed;
  std::vector<Variant> chosen;
  for (const std::string& name : names) {
    if (std::any_of(chosen.begin(), chosen.end(), [&](const Variant& v) { return v.label == name; }))
      throw InputError("--schemes names `" + name + "` twice; each run needs a label of its own");
    const auto found = std::find_if(listed.begin(), listed.end(), [&](const Variant& v) { return v.label == name; });
    chosen.push_back(found != listed.end() ? *found : with_scheme(scenario, name));
  }
  return chosen;
}

ComparePlan every_scheme(const Scenario& scenario, unsigned threads, const std::vector<Override>& of_schemes) {
  const std::size_t count = schemes().size();
  check_memory(scenario, count, runs_at_a_time(count, threads));
  std::vector<std::optional<Variant>> fitting(count);
  std::vector<RunSetup> setups(count);
  std::vector<std::string> refusals(count);
  parallel_for(count, threads, [&](std::size_t i) {
    try {
      Variant variant = with_scheme(scenario, std::string(schemes()[i].name));
      add_settings(variant, of_schemes);
      setups[i] = set_up(variant);
      fitting[i] = std::move(variant);
    } catch (const InputError& error) {
      refusals[i] = without_own_settings(error.what());
    }
  });
  ComparePlan plan;
  for (std::size_t i = 0; i < count; ++i) {
    if (!fitting[i]) {
      plan.left_out.push_back(std::move(refusals[i]));
      continue;
    }
    plan.variants.push_back(std::move(*fitting[i]));
    plan.setups.push_back(std::move(setups[i]));
  }
  if (plan.variants.empty()) {
    const std::string_view first = schemes().front().name, why = plan.left_out.front();
    throw InputError(fmt::format("no scheme can run this scenario. With scheme `{}`: {}", first,
                                 why.substr(std::min(why.size(), first.size() + 2))));
  }
  refuse_unused(scenario, plan.variants, of_schemes);
  return plan;
}

}  // namespace

ComparedSettings split_settings(const std::string& file, const std::vector<Override>& settings) {
  ComparedSettings split;
  std::vector<Override> maybe;
  for (const Override& setting : settings) {
    const bool is_of_scheme = setting.key.starts_with(kOfScheme) && setting.key != "scheme.name";
    (is_of_scheme ? maybe : split.of_scenario).push_back(setting);
  }
  if (maybe.empty()) return split;
  const Scenario scenario = parse_scenario_file(file, vocabulary(), split.of_scenario);
  for (const Override& setting : maybe)
    (is_known(scenario, setting) ? split.of_scenario : split.of_schemes).push_back(setting);
  return split;
}

ComparePlan plan_comparison(const Scenario& scenario, const std::vector<std::string>& names, unsigned threads,
                            const std::vector<Override>& of_schemes) {
  std::vector<Variant> variants = asked_for(scenario, names);
  if (variants.empty()) return every_scheme(scenario, threads, of_schemes);
  refuse_unused(scenario, variants, of_schemes);
  for (Variant& variant : variants) add_settings(variant, of_schemes);
  try {
    std::vector<RunSetup> setups = set_up_all(variants, threads);
    return {std::move(variants), std::move(setups), {}};
  } catch (const InputError& error) {
    throw InputError(without_own_settings(error.what()));
  }
}

}  // namespace weir
