// The order of things: read, override, build, then try every variant of a comparison and every point of every axis of a
// sweep, so that no mistake waits for a later run.
#include "scenario/parse.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <system_error>

#include "base/file_text.h"
#include "scenario/overlay.h"
#include "scenario/sections.h"
#include "scenario/sweep.h"
#include "scenario/toml/toml_tree.h"

namespace weir {
namespace {

constexpr std::size_t kMaxCombinations = 1'000'000;

std::vector<Assignment> assignments_of(const std::vector<Override>& overrides) {
  std::vector<Assignment> assignments;
  for (const Override& o : overrides) {
    assignments.push_back({o.key, read_literal(o.value, {fmt::format("--set {}={}", o.key, o.value), 0, 0})});
  }
  return assignments;
}

TomlNode document_of(const Scenario& scenario) {
  // A scenario that was put together in code has no document, but its canonical text is one.
  return scenario.document != nullptr ? *scenario.document : read_toml(scenario.canonical(), scenario.file);
}

// What a reader knows a routing by: its kind, or how it chooses if the kind was left open.
std::string routing_name(const Section& routing) {
  const bool chooses = routing.given("choice");
  return chooses && routing.kind == "auto" ? routing.text("choice") : routing.kind;
}

// "window", or "window + adaptive" where the fragment is about the routing too.
std::string default_label(const Scenario& variant, const TomlNode& fragment, std::size_t index) {
  std::string label;
  const Section* scheme = variant.find("scheme");
  const Section* routing = variant.find("routing");
  const TomlNode* set = fragment.find("set");
  bool routing_given = fragment.find("routing") != nullptr;
  if (set != nullptr) {
    for (const TomlNode& item : set->items) routing_given = routing_given || item.key.starts_with("routing.");
  }
  if (scheme != nullptr) label = scheme->kind;
  if (routing != nullptr && routing_given) label += (label.empty() ? "" : " + ") + routing_name(*routing);
  return label.empty() ? fmt::format("variant {}", index) : label;
}

std::string label_of(const Scenario& variant, const TomlNode& fragment, std::size_t index) {
  const TomlNode* label = fragment.find("label");
  if (label == nullptr) return default_label(variant, fragment, index);
  if (label->is_text() && !label->text.empty()) return label->text;
  throw InputError(label->where,
                   fmt::format("`label` needs a text such as \"small window\", not {}", describe(*label)));
}

std::vector<Variant> build_compare(const TomlNode& document, const std::string& file, const Vocabulary& vocabulary) {
  std::vector<Variant> variants;
  const TomlNode* list = document.find(kCompare);
  if (list == nullptr || (list->is_list() && list->items.empty())) return variants;
  if (!list->is_list_of_tables())
    throw InputError(list->where, "`compare` is a list: write [[compare]] with double brackets");
  std::map<std::string, std::size_t> labels;
  for (const TomlNode& fragment : list->items) {
    TomlNode changed = document;
    changed.erase(kCompare);
    lay_over(changed, vocabulary, fragment);
    Variant variant;
    variant.scenario = build_scenario(std::move(changed), file, vocabulary);
    variant.label = label_of(variant.scenario, fragment, variants.size());
    if (!labels.emplace(variant.label, variants.size()).second) {
      throw InputError(
          fragment.where,
          fmt::format("two entries of [[compare]] are called \"{}\"; give this one another `label`", variant.label));
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<CompareEntry> compare_entries(const TomlNode& document, const std::vector<Variant>& variants) {
  std::vector<CompareEntry> entries;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const TomlNode& fragment = document.find(kCompare)->items[i];
    std::string toml;
    for (const TomlNode& item : fragment.items) toml += fmt::format("{} = {}\n", toml_key(item.key), to_toml(item));
    entries.push_back({variants[i].label, std::move(toml), fragment.where});
  }
  return entries;
}

// The kinds that the sweep gives the section of this target, as texts.
std::vector<std::string> swept_kinds(const Scenario& base, const TomlNode& document, const Vocabulary& vocabulary,
                                     const Target& target) {
  std::vector<std::string> kinds;
  const Target selector{target.section, target.entry, std::string(target.section->selector)};
  for (const SweepAxis& axis : base.sweep)
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (resolve(document, vocabulary, axis.keys[k], axis.where) == selector)
        for (const auto& point : axis.points) kinds.push_back(read_literal(point[k], axis.where).text);
  return kinds;
}

// Where a sweep chooses between kinds of a section, such as schemes, a key that only some of them have is left out for
// the others. A key that none of them has stays, and is refused.
void leave_out_of_other_kinds(const Scenario& base, const TomlNode& document, const Vocabulary& vocabulary,
                              std::vector<Assignment>& assignments) {
  const auto target_of = [&](const Assignment& a) { return resolve(document, vocabulary, a.key, a.value.where); };
  std::vector<bool> foreign;
  for (const Assignment& assignment : assignments) {
    const Target target = target_of(assignment);
    foreign.push_back(false);
    if (target.section == nullptr || target.section->selector.empty() || target.key == target.section->selector)
      continue;
    const SectionSpec& spec = *target.section;
    const auto chosen = std::find_if(assignments.begin(), assignments.end(), [&](const Assignment& a) {
      return target_of(a) == Target{&spec, target.entry, std::string(spec.selector)};
    });
    if (chosen == assignments.end()) continue;
    const auto has_it = [&](const std::string& kind) {
      return spec.find_kind(kind) != nullptr && spec.find_param(spec.find_kind(kind), target.key) != nullptr;
    };
    const std::vector<std::string> kinds = swept_kinds(base, document, vocabulary, target);
    foreign.back() = !has_it(chosen->value.text) && std::any_of(kinds.begin(), kinds.end(), has_it);
  }
  std::size_t at = 0;
  std::erase_if(assignments, [&](const Assignment&) { return foreign[at++]; });
}

// One point of each axis.
Variant build_point(const Scenario& base, const TomlNode& document, const std::vector<std::size_t>& choice,
                    const Vocabulary& vocabulary) {
  Variant variant;
  std::vector<Assignment> assignments;
  for (std::size_t a = 0; a < base.sweep.size(); ++a) {
    const SweepAxis& axis = base.sweep[a];
    for (std::size_t k = 0; k < axis.keys.size(); ++k) {
      const std::string& literal = axis.points[choice[a]][k];
      TomlNode value = read_literal(literal, axis.where);
      const std::string shown = value.is_text() ? value.text : literal;
      value.typed.clear();  // written as TOML, so the type is meant
      variant.label += fmt::format("{}{}={}", variant.label.empty() ? "" : ", ", axis.keys[k], shown);
      if (axis.keys[k] != "seed")
        variant.point += fmt::format("{}{}={}", variant.point.empty() ? "" : ", ", axis.keys[k], shown);
      variant.settings.push_back({axis.keys[k], literal});
      assignments.push_back({axis.keys[k], std::move(value)});
    }
  }
  leave_out_of_other_kinds(base, document, vocabulary, assignments);
  TomlNode changed = document;
  assign(changed, vocabulary, assignments);
  variant.scenario = build_scenario(std::move(changed), base.file, vocabulary);
  return variant;
}

// Every point of every axis once, the other axes at their first: each of these is a combination of the sweep, so what
// is refused here would be refused there.
void check_sweep(const Scenario& base, const Vocabulary& vocabulary) {
  TomlNode document = *base.document;
  document.erase(kSweep);
  document.erase(kCompare);
  std::vector<std::size_t> choice(base.sweep.size(), 0);
  for (std::size_t a = 0; a < base.sweep.size(); ++a) {
    for (choice[a] = 0; choice[a] < base.sweep[a].points.size(); ++choice[a])
      build_point(base, document, choice, vocabulary);
    choice[a] = 0;
  }
}

Scenario parse_document(TomlNode document, const std::string& file, const Vocabulary& vocabulary,
                        const std::vector<Override>& overrides) {
  assign(document, vocabulary, assignments_of(overrides));
  Scenario scenario = build_scenario(std::move(document), file, vocabulary);
  scenario.sweep = read_sweep(*scenario.document, scenario.seed, vocabulary);
  scenario.compare = compare_entries(*scenario.document, build_compare(*scenario.document, file, vocabulary));
  check_sweep(scenario, vocabulary);
  return scenario;
}

// A key that is set on the command line and swept as well would have no effect.
void refuse_swept_overrides(const Scenario& base, const TomlNode& document, const Vocabulary& vocabulary) {
  const TomlNode* sweep = document.find(kSweep);
  const bool repeats =
      sweep != nullptr && sweep->find("repetitions") != nullptr;  // counts up from the seed that was set
  for (const SweepAxis& axis : base.sweep) {
    for (const std::string& key : axis.keys) {
      const TomlNode* present = value_at(document, resolve(document, vocabulary, key, axis.where));
      if (present == nullptr || !present->where.file.starts_with("--set ") || (repeats && key == "seed")) continue;
      throw InputError(present->where, fmt::format("`{}` is swept, so this has no effect; change the sweep, as in "
                                                   "--set 'sweep.{}=[...]'",
                                                   key, key));
    }
  }
}

}  // namespace

Override parse_override(std::string_view text) {
  const auto equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  if (equals == std::string_view::npos || key.find_first_not_of(' ') == std::string_view::npos) {
    throw InputError(SourcePosition{fmt::format("--set {}", text), 0, 0}, "write key=value, as in link.rate=10Gbps");
  }
  const auto trim = [](std::string_view part) {
    const auto first = part.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string()
                                           : std::string(part.substr(first, part.find_last_not_of(' ') - first + 1));
  };
  std::string name = trim(key);
  std::erase(name, '"');  // as TOML needs them in [sweep]; sweep.scheme.name means the same
  return {std::move(name), trim(text.substr(equals + 1))};
}

Scenario parse_scenario_text(std::string_view text, const std::string& filename, const Vocabulary& vocabulary,
                             const std::vector<Override>& overrides) {
  return parse_document(read_toml(text, filename), filename, vocabulary, overrides);
}

Scenario parse_scenario_file(const std::string& path, const Vocabulary& vocabulary,
                             const std::vector<Override>& overrides) {
  constexpr std::size_t kLargestScenario = std::size_t{64} << 20;
  const std::optional<std::string> text = file_text(path, kLargestScenario);
  std::error_code error;
  if (!text)
    throw InputError(SourcePosition{path, 0, 0}, std::filesystem::exists(path, error) ? "cannot read this scenario file"
                                                                                      : "there is no such file");
  return parse_scenario_text(*text, path, vocabulary, overrides);
}

Scenario with_overrides(const Scenario& base, const std::vector<Override>& overrides, const Vocabulary& vocabulary) {
  return parse_document(document_of(base), base.file, vocabulary, overrides);
}

std::vector<Variant> compare_variants(const Scenario& base, const Vocabulary& vocabulary) {
  std::vector<Variant> variants = build_compare(document_of(base), base.file, vocabulary);
  for (Variant& variant : variants) {
    variant.scenario.sweep = read_sweep(*variant.scenario.document, variant.scenario.seed, vocabulary);
  }
  return variants;
}

std::size_t sweep_size(const Scenario& base) {
  std::size_t combinations = 1;
  for (const SweepAxis& axis : base.sweep) {
    combinations *= axis.points.size();
    if (combinations > kMaxCombinations) {
      throw InputError(axis.where, fmt::format("the sweep has more than {} combinations", kMaxCombinations));
    }
  }
  return combinations;
}

std::vector<Variant> sweep_variants(const Scenario& base, const Vocabulary& vocabulary) {
  const std::size_t combinations = sweep_size(base);
  std::vector<Variant> variants;
  for (std::size_t n = 0; n < combinations; ++n) variants.push_back(sweep_variant(base, n, vocabulary));
  return variants;
}

Variant sweep_variant(const Scenario& base, std::size_t number, const Vocabulary& vocabulary) {
  TomlNode document = document_of(base);
  if (number == 0) refuse_swept_overrides(base, document, vocabulary);  // the same for all, so once is enough
  document.erase(kSweep);
  std::vector<std::size_t> choice(base.sweep.size(), 0);
  for (std::size_t a = base.sweep.size(); a-- > 0; number /= base.sweep[a].points.size())
    choice[a] = number % base.sweep[a].points.size();
  Variant variant = build_point(base, document, choice, vocabulary);
  variant.scenario.compare = base.compare;
  return variant;
}

}  // namespace weir
