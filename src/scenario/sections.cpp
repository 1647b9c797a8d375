// Walks the vocabulary and the document side by side, so that nothing in either is overlooked.
#include "scenario/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "scenario/conditions.h"
#include "scenario/suggest.h"
#include "scenario/values.h"

namespace weir {
namespace {

std::vector<std::string_view> kind_names(const SectionSpec& spec) {
  std::vector<std::string_view> names;
  for (const KindSpec& kind : spec.kinds) names.push_back(kind.name);
  return names;
}

std::vector<std::string_view> key_names(const SectionSpec& spec, const KindSpec* kind) {
  std::vector<std::string_view> names;
  if (!spec.selector.empty()) names.push_back(spec.selector);
  for (const ParamSpec& param : spec.common) names.push_back(param.name);
  if (kind != nullptr) {
    for (const ParamSpec& param : kind->params) names.push_back(param.name);
  }
  return names;
}

// "[scheme] with name = "window""
std::string title(const SectionSpec& spec, const KindSpec* kind) {
  return kind == nullptr ? title(spec) : fmt::format("{} with {} = \"{}\"", title(spec), spec.selector, kind->name);
}

class Builder {
 public:
  Builder(const std::string& file, const Vocabulary& vocabulary)
      : file_(file),
        directory_(std::filesystem::path(file).parent_path().string()),
        vocabulary_(vocabulary),
        top_(top_section(vocabulary)) {}

  Scenario build(const TomlNode& document) {
    Scenario scenario;
    scenario.file = file_;
    check_names(document);
    scenario.sections.push_back(section(top_, top_table(document)));
    for (const SectionSpec& spec : vocabulary_.sections) {
      if (spec.name.empty()) continue;
      if (spec.repeated)
        add_repeated(scenario, spec, document.find(spec.name));
      else
        add_single(scenario, spec, document.find(spec.name));
    }
    const Section& top = scenario.sections.front();
    scenario.seed = static_cast<std::uint64_t>(top.integer("seed"));
    scenario.name = top.has("name") ? top.text("name") : std::filesystem::path(file_).stem().string();
    refuse_without_effect(scenario, vocabulary_);
    return scenario;
  }

 private:
  // Every name at the top of the document must mean something.
  void check_names(const TomlNode& document) {
    for (const TomlNode& node : document.items) {
      if (node.key == kCompare || node.key == kSweep) continue;
      if (!node.key.empty() && vocabulary_.find(node.key) != nullptr) continue;
      if (top_.find_param(nullptr, node.key) != nullptr) continue;
      if (node.is_table() || node.is_list_of_tables()) refuse_unknown_section(vocabulary_, node, "");
      refuse_unknown_key(top_, nullptr, node);
    }
  }

  // Only the keys at the top, so that they can be read like any other section.
  TomlNode top_table(const TomlNode& document) {
    TomlNode table;
    table.where = {file_, 0, 0};
    for (const TomlNode& node : document.items) {
      if (top_.find_param(nullptr, node.key) != nullptr) table.items.push_back(node);
    }
    return table;
  }

  void add_single(Scenario& scenario, const SectionSpec& spec, const TomlNode* node) {
    if (node == nullptr) {
      if (spec.required) refuse_missing_section(spec);
      if (!all_defaults(spec)) return;
      TomlNode empty;
      empty.where = {file_, 0, 0};
      scenario.sections.push_back(section(spec, empty));
      return;
    }
    if (node->is_list_of_tables()) {
      throw InputError(node->where,
                       fmt::format("{} is given once: write [{}], not [[{}]]", spec.name, spec.name, spec.name));
    }
    if (!node->is_table()) {
      throw InputError(node->where, fmt::format("`{}` is a section: write [{}] and its keys below, not {}", spec.name,
                                                spec.name, describe(*node)));
    }
    scenario.sections.push_back(section(spec, *node));
  }

  void add_repeated(Scenario& scenario, const SectionSpec& spec, const TomlNode* node) {
    if (node == nullptr || (node->is_list() && node->items.empty())) {
      if (spec.required) refuse_missing_section(spec);
      return;
    }
    if (!node->is_list_of_tables()) {
      throw InputError(node->where, fmt::format("`{}` is a list of sections: write [[{}]] with double brackets{}",
                                                spec.name, spec.name, node->is_table() ? "" : ", and its keys below"));
    }
    check_entry_names(spec, *node);
    for (const TomlNode& entry : node->items) scenario.sections.push_back(section(spec, entry));
  }

  // Names address the entries in overrides, so they must be different, and not look like an index.
  void check_entry_names(const SectionSpec& spec, const TomlNode& list) {
    std::map<std::string_view, const TomlNode*> seen;
    if (spec.selector == "name") return;
    for (const TomlNode& entry : list.items) {
      const TomlNode* name = entry.find("name");
      if (name == nullptr || !name->is_text()) continue;
      const auto [first, is_new] = seen.emplace(name->text, name);
      if (!is_new) {
        const std::uint32_t line = first->second->where.line;
        throw InputError(name->where,
                         fmt::format("the name \"{}\" is taken by another {}{}; each needs its own", name->text,
                                     title(spec), line == 0 ? "" : fmt::format(" (line {})", line)));
      }
      if (!name->text.empty() && name->text.find_first_not_of("0123456789") == std::string::npos) {
        throw InputError(name->where,
                         fmt::format("the name \"{}\" looks like an index; it needs a letter", name->text));
      }
    }
  }

  Section section(const SectionSpec& spec, const TomlNode& table) {
    Section section;
    section.name = std::string(spec.name);
    section.selector = std::string(spec.selector);
    section.repeated = spec.repeated;
    section.where = table.where;
    section.kind_where = table.where;
    const KindSpec* kind = spec.selector.empty() ? nullptr : &read_kind(spec, table);
    if (kind != nullptr) {
      section.kind = std::string(kind->name);
      if (const TomlNode* selector = table.find(spec.selector)) section.kind_where = selector->where;
    }
    for (const TomlNode& node : table.items) {
      const bool known =
          (!spec.selector.empty() && node.key == spec.selector) || spec.find_param(kind, node.key) != nullptr;
      if (!known) refuse_unknown_key(spec, kind, node);
    }
    for (const ParamSpec& param : spec.common) section.values.push_back(value(spec, kind, param, table));
    if (kind != nullptr) {
      for (const ParamSpec& param : kind->params) section.values.push_back(value(spec, kind, param, table));
    }
    if (spec.complete != nullptr) spec.complete(section);
    return section;
  }

  const KindSpec& read_kind(const SectionSpec& spec, const TomlNode& table) {
    const TomlNode* selector = table.find(spec.selector);
    const std::vector<std::string_view> names = kind_names(spec);
    if (selector == nullptr && spec.default_kind.empty()) {
      throw InputError(table.where, fmt::format("{} lacks `{}`: one of {}", title(spec), spec.selector, joined(names)));
    }
    if (selector != nullptr && !selector->is_text() && selector->typed.empty()) {
      throw InputError(selector->where, fmt::format("`{}` needs a text such as \"{}\", not {}", spec.selector,
                                                    names.front(), describe(*selector)));
    }
    const std::string_view name = chosen_kind(spec, table);
    if (const KindSpec* kind = spec.find_kind(name)) return *kind;
    throw InputError(selector == nullptr ? table.where : selector->where,
                     fmt::format("unknown {} `{}`{}", spec.selector == "pattern" ? spec.selector : spec.name, name,
                                 advice(spec, name, names)));
  }

  static std::string other_word(const SectionSpec& spec, std::string_view name) {
    for (const OtherWord& other : spec.other_words)
      if (edit_distance(name, other.word) == 0)
        return fmt::format("{} {}", other.advice.starts_with("did you mean") ? ";" : ":", other.advice);
    return "";
  }
  // "schemes", "topologies"; "patterns" of traffic.
  static std::string plural_of_kinds(const SectionSpec& spec) {
    std::string word(spec.selector == "pattern" ? spec.selector : spec.name);
    if (!word.ends_with('y')) return word + "s";
    word.pop_back();
    return word + "ies";
  }
  static std::string advice(const SectionSpec& spec, std::string_view name, std::span<const std::string_view> names) {
    const std::string other = other_word(spec, name);
    return other.empty() ? suggestion(name, names, "the " + plural_of_kinds(spec) + " are") : other;
  }

  Value value(const SectionSpec& spec, const KindSpec* kind, const ParamSpec& param, const TomlNode& table) {
    if (const TomlNode* node = table.find(param.name)) {
      Value written = read_value(param, *node, directory_, choice_elsewhere(param, *node));
      // A default that is written out says nothing new: the canonical text writes out all of them.
      written.is_written = true;
      written.is_default = has_default(param) && written.type != ParamType::file &&
                           canonical_literal(written) == canonical_literal(default_value(param, directory_));
      return written;
    }
    if (param.fallback == kRequired) {
      throw InputError(table.where, fmt::format("{} lacks `{}` ({}); for example {} = {}", title(spec, kind),
                                                param.name, param.help, param.name, example_of(param)));
    }
    return default_value(param, directory_);
  }

  bool all_defaults(const SectionSpec& spec) {
    const KindSpec* kind = spec.find_kind(spec.default_kind);
    if (!spec.selector.empty() && kind == nullptr) return false;
    const auto optional = [](const ParamSpec& param) { return param.fallback != kRequired; };
    if (!std::all_of(spec.common.begin(), spec.common.end(), optional)) return false;
    return kind == nullptr || std::all_of(kind->params.begin(), kind->params.end(), optional);
  }

  [[noreturn]] void refuse_missing_section(const SectionSpec& spec) {
    std::string hint;
    if (!spec.selector.empty()) hint = fmt::format(" with {} = one of {}", spec.selector, joined(kind_names(spec)));
    throw InputError(SourcePosition{file_, 0, 0},
                     fmt::format("the section {} is missing; add it{}", title(spec), hint));
  }

  [[noreturn]] void refuse_unknown_key(const SectionSpec& spec, const KindSpec* kind, const TomlNode& node) {
    const std::vector<std::string_view> owners = owners_of(spec, node.key);
    if (!owners.empty()) {
      const std::string_view name = kind == nullptr ? "" : kind->name;
      if (spec.repeated)  // entries have names of their own, so that of the kind alone would say little
        throw InputError(node.where, fmt::format("{} with {} = \"{}\" has no `{}`; {}s with `{}`: {}", title(spec),
                                                 spec.selector, name, node.key, spec.selector, node.key,
                                                 joined(owners)));
      throw InputError(node.where, fmt::format("`{}` is not a key of {} `{}`; it belongs to {}", node.key, spec.name,
                                               name, joined(owners)));
    }
    const std::vector<std::string_view> keys = key_names(spec, kind);
    std::string hint = other_word(spec, node.key);
    if (const auto near = nearest(node.key, keys); near && hint.empty())
      hint = fmt::format("; did you mean `{}`?", *near);
    if (hint.empty()) hint = file_instead(kind, node.key);
    if (hint.empty()) hint = elsewhere(node.key);
    if (hint.empty()) hint = near_in_other_kind(spec, node.key);
    if (hint.empty() && keys.size() > 1) hint = fmt::format("; its keys are {}", quoted(keys));
    if (hint.empty()) hint = keys.empty() ? "; it has no keys" : fmt::format("; its only key is `{}`", keys.front());
    const std::string place = spec.name.empty() ? "at the top of the file" : "in " + title(spec, kind);
    throw InputError(node.where, fmt::format("unknown key `{}` {}{}", node.key, place, hint));
  }

  // A key that is a file elsewhere, where this kind has a file of another name.
  std::string file_instead(const KindSpec* kind, std::string_view key) const {
    const auto is_file = [](const ParamSpec* param) { return param != nullptr && param->type == ParamType::file; };
    bool meant = false;
    for (const SectionSpec& spec : vocabulary_.sections)
      for (const KindSpec& other : spec.kinds) meant = meant || is_file(spec.find_param(&other, key));
    if (!meant || kind == nullptr) return "";
    for (const ParamSpec& param : kind->params)
      if (is_file(&param)) return fmt::format("; did you mean `{}`?", param.name);
    return "";
  }

  // The kinds that have this key of their own.
  static std::vector<std::string_view> owners_of(const SectionSpec& spec, std::string_view key) {
    std::vector<std::string_view> owners;
    for (const KindSpec& kind : spec.kinds) {
      if (spec.find_param(&kind, key) != nullptr) owners.push_back(kind.name);
    }
    return owners;
  }

  static std::string near_in_other_kind(const SectionSpec& spec, std::string_view key) {
    std::vector<std::string_view> names;
    for (const KindSpec& kind : spec.kinds) {
      for (const ParamSpec& param : kind.params) names.push_back(param.name);
    }
    const auto near = nearest(key, names);
    return near ? fmt::format("; `{}` is a key of {}", *near, joined(owners_of(spec, *near))) : "";
  }

  // A right key in the wrong place is a common slip: in TOML, everything after a header belongs to it.
  std::string elsewhere(std::string_view key) {
    if (top_.find_param(nullptr, key) != nullptr) {
      return fmt::format("; `{}` belongs at the top of the file, before the first section", key);
    }
    for (const SectionSpec& spec : vocabulary_.sections) {
      bool has = !spec.name.empty() && (spec.find_param(nullptr, key) != nullptr || key == spec.selector);
      for (const KindSpec& kind : spec.kinds) has = has || spec.find_param(&kind, key) != nullptr;
      if (has) return fmt::format("; it is a key of {}", title(spec));
    }
    return "";
  }

  // A choice of another key, which the author may have meant: "fluid" is an engine, and no method of a scheme.
  std::string choice_elsewhere(const ParamSpec& param, const TomlNode& node) {
    if (param.type != ParamType::choice || !node.is_text() || node.text == "none") return "";  // many keys know "none"
    const auto has = [&](const ParamSpec& other) {
      return std::find(other.choices.begin(), other.choices.end(), node.text) != other.choices.end();
    };
    for (const SectionSpec& spec : vocabulary_.sections)
      for (const ParamSpec& other : spec.common)
        if (has(other)) return fmt::format("; {} = \"{}\" belongs to {}", other.name, node.text, title(spec));
    return "";
  }

  std::string file_;
  std::string directory_;
  const Vocabulary& vocabulary_;
  SectionSpec top_;
};

}  // namespace

std::string title(const SectionSpec& spec) {
  if (spec.name.empty()) return "the top of the file";
  return spec.repeated ? fmt::format("[[{}]]", spec.name) : fmt::format("[{}]", spec.name);
}

std::string_view chosen_kind(const SectionSpec& spec, const TomlNode& table) {
  if (spec.selector.empty()) return {};
  const TomlNode* selector = table.find(spec.selector);
  if (selector == nullptr) return spec.default_kind;
  return selector->is_text() ? std::string_view(selector->text) : std::string_view(selector->typed);
}

// Whoever writes [dcqcn] or [star] means a section that has this as one of its kinds.
std::string advice_for_section(const Vocabulary& vocabulary, std::string_view name) {
  if (const SectionSpec* top = vocabulary.find(""))
    for (const OtherWord& other : top->other_words)
      if (edit_distance(name, other.word) == 0) return fmt::format(": {}", other.advice);
  for (const SectionSpec& spec : vocabulary.sections)
    for (const KindSpec& kind : spec.kinds)
      if (edit_distance(name, kind.name) == 0)
        return fmt::format(": it is {} with {} = \"{}\"", title(spec), spec.selector, kind.name);
  return "";
}

void refuse_unknown_section(const Vocabulary& vocabulary, const TomlNode& node, std::string_view place) {
  std::vector<std::string_view> names;
  for (const SectionSpec& spec : vocabulary.sections) {
    if (!spec.name.empty()) names.push_back(spec.name);
  }
  const bool is_scenario = vocabulary.find("topology") != nullptr;  // and no policy of a manager
  if (place.empty() && is_scenario) names.insert(names.end(), {kCompare, kSweep});
  std::string hint = advice_for_section(vocabulary, node.key);
  if (hint.empty()) hint = suggestion(node.key, names, "the sections are");
  throw InputError(node.where, fmt::format("unknown section [{}]{}{}", node.key, place, hint));
}

Scenario build_scenario(TomlNode document, const std::string& file, const Vocabulary& vocabulary) {
  Scenario scenario = Builder(file, vocabulary).build(document);
  scenario.document = std::make_shared<const TomlNode>(std::move(document));
  return scenario;
}

}  // namespace weir
