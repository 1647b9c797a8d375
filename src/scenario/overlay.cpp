// Finds the place that a dotted key means and changes it; drops what belongs to a kind that is no longer chosen.
#include "scenario/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "scenario/sections.h"
#include "scenario/suggest.h"

namespace weir {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string example_key(const SectionSpec& spec) {
  if (!spec.selector.empty()) return std::string(spec.selector);
  return spec.common.empty() ? "key" : std::string(spec.common.front().name);
}

std::size_t entry_by_index(const SectionSpec& spec, std::string_view text, std::size_t count,
                           const SourcePosition& where) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  // The first entry may be made by an override; a later one out of range is more likely a slip.
  if (error == std::errc() && index < std::max<std::size_t>(count, 1)) return index;
  throw InputError(where, fmt::format("there is no {}.{}; the scenario has {} {}, counted from 0", spec.name, text,
                                      count, title(spec)));
}

std::size_t entry_by_name(const SectionSpec& spec, std::string_view name, const TomlNode* list,
                          const SourcePosition& where) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const TomlNode* given = list->items[i].find("name");
    if (given == nullptr || !given->is_text()) continue;
    if (given->text == name) return i;
    names.push_back(given->text);
  }
  const std::string hint = names.empty() ? fmt::format("; use its index, as in {}.0.{}, or give it this name with name "
                                                       "= \"{}\" (the class of an entry is not its name)",
                                                       spec.name, example_key(spec), name)
                                         : suggestion(name, names, "the names are");
  throw InputError(where, fmt::format("no {} is named `{}`{}", title(spec), name, hint));
}

Target resolve_repeated(const SectionSpec& spec, std::string_view rest, const TomlNode* list,
                        const SourcePosition& where) {
  const auto last_dot = rest.rfind('.');
  if (last_dot == std::string_view::npos) {
    throw InputError(
        where, fmt::format("{} is a list; say which one, as in {}.0.{}, or by its name", title(spec), spec.name, rest));
  }
  const std::string_view entry = rest.substr(0, last_dot);
  const std::size_t count = list == nullptr || !list->is_list() ? 0 : list->items.size();
  const std::size_t index =
      all_digits(entry) ? entry_by_index(spec, entry, count, where) : entry_by_name(spec, entry, list, where);
  return {&spec, index, std::string(rest.substr(last_dot + 1))};
}

// The table of a target, made if it is not there; null where the document has something else in its place, which the
// builder of sections refuses with a better message.
TomlNode* table_for(TomlNode& document, const Target& target, const SourcePosition& where) {
  const std::string name(target.section->name);
  TomlNode* node = document.find(name);
  if (node == nullptr) {
    TomlNode fresh;
    fresh.key = name;
    fresh.where = where;
    fresh.type = target.section->repeated ? TomlNode::Type::list : TomlNode::Type::table;
    node = &document.add(std::move(fresh));
  }
  if (!target.section->repeated) return node->is_table() ? node : nullptr;
  if (!node->is_list()) return nullptr;
  if (node->items.empty()) node->items.emplace_back().where = where;
  return target.entry < node->items.size() && node->items[target.entry].is_table() ? &node->items[target.entry]
                                                                                   : nullptr;
}

// Whether a key of the old kind means the same in the new one.
bool carries_over(const SectionSpec& spec, const KindSpec* from, const KindSpec* to, std::string_view key) {
  const ParamSpec* before = spec.find_param(from, key);
  const ParamSpec* after = spec.find_param(to, key);
  if (before == nullptr) return true;  // never a valid key: it stays, and is refused
  if (after == nullptr || after->type != before->type) return false;
  return std::equal(after->choices.begin(), after->choices.end(), before->choices.begin(), before->choices.end());
}

using Change = std::pair<Target, const Assignment*>;

void change_section(TomlNode& table, const SectionSpec& spec, const std::vector<Change>& changes) {
  const std::string old_kind(chosen_kind(spec, table));
  std::vector<std::string_view> assigned;
  for (const auto& [target, assignment] : changes) {
    TomlNode value = assignment->value;
    value.key = target.key;
    assigned.push_back(target.key);
    table.add(std::move(value));
  }
  const std::string new_kind(chosen_kind(spec, table));
  if (old_kind == new_kind) return;
  const KindSpec* from = spec.find_kind(old_kind);
  const KindSpec* to = spec.find_kind(new_kind);
  if (to == nullptr) return;
  std::erase_if(table.items, [&](const TomlNode& node) {
    const bool is_new = std::find(assigned.begin(), assigned.end(), node.key) != assigned.end();
    return !is_new && node.key != spec.selector && !carries_over(spec, from, to, node.key);
  });
}

// "sweep.link.rate" addresses the key "link.rate" in the table of sweeps.
void change_sweep(TomlNode& document, const Assignment& assignment) {
  TomlNode* sweep = document.find(kSweep);
  if (sweep == nullptr) {
    TomlNode fresh;
    fresh.key = std::string(kSweep);
    fresh.where = assignment.value.where;
    sweep = &document.add(std::move(fresh));
  }
  TomlNode value = assignment.value;
  value.key = assignment.key.substr(kSweep.size() + 1);
  if (sweep->is_table()) sweep->add(std::move(value));
}

std::vector<Assignment> set_of(const TomlNode& fragment) {
  std::vector<Assignment> assignments;
  const TomlNode* set = fragment.find("set");
  if (set == nullptr) return assignments;
  if (!set->is_table()) {
    throw InputError(set->where,
                     fmt::format("`set` needs a table such as {{ \"traffic.0.load\" = 0.3 }}, not {}", describe(*set)));
  }
  for (const TomlNode& item : set->items) {
    if (item.is_table()) {
      throw InputError(item.where, fmt::format("put the whole key in quotes: \"{}.{}\" = ...", item.key,
                                               item.items.empty() ? "key" : item.items.front().key));
    }
    assignments.push_back({item.key, item});
  }
  return assignments;
}

void lay_section(TomlNode& document, const SectionSpec& spec, const TomlNode& part) {
  if (spec.repeated) {
    throw InputError(part.where, fmt::format("{} cannot be replaced in [[compare]]; use set = {{ \"{}.0.{}\" = ... }}",
                                             title(spec), spec.name, example_key(spec)));
  }
  if (!part.is_table()) {
    throw InputError(part.where, fmt::format("`{}` needs a table such as {{ {} = ... }}, not {}", spec.name,
                                             example_key(spec), describe(part)));
  }
  TomlNode* base = document.find(spec.name);
  const bool same_kind = base != nullptr && base->is_table() &&
                         (spec.selector.empty() || part.find(spec.selector) == nullptr ||
                          chosen_kind(spec, *base) == chosen_kind(spec, part));
  if (!same_kind) {
    document.add(part);
    return;
  }
  for (const TomlNode& item : part.items) base->add(item);
}

}  // namespace

Target resolve(const TomlNode& document, const Vocabulary& vocabulary, std::string_view key,
               const SourcePosition& where) {
  const auto dot = key.find('.');
  const std::string_view first = key.substr(0, dot);
  if (first == kCompare || first == kSweep) {
    throw InputError(where, fmt::format("`{}` cannot be set here; name a key of a section, as in \"link.rate\"", key));
  }
  const SectionSpec* spec = first.empty() ? nullptr : vocabulary.find(first);
  if (dot == std::string_view::npos) {
    if (spec == nullptr) return {nullptr, 0, std::string(key)};
    throw InputError(where, fmt::format("`{}` is a section; name a key in it, as in {}{}.{}", key, key,
                                        spec->repeated ? ".0" : "", example_key(*spec)));
  }
  if (spec == nullptr) {
    TomlNode unknown;
    unknown.key = std::string(first);
    unknown.where = where;
    refuse_unknown_section(vocabulary, unknown, fmt::format(" in `{}`", key));
  }
  const std::string_view rest = key.substr(dot + 1);
  if (spec->repeated) return resolve_repeated(*spec, rest, document.find(first), where);
  return {spec, 0, std::string(rest)};
}

const TomlNode* value_at(const TomlNode& document, const Target& target) {
  if (target.section == nullptr) return document.find(target.key);
  const TomlNode* node = document.find(target.section->name);
  if (node != nullptr && target.section->repeated) {
    node = node->is_list() && target.entry < node->items.size() ? &node->items[target.entry] : nullptr;
  }
  return node == nullptr ? nullptr : node->find(target.key);
}

const ParamSpec* param_at(const TomlNode& document, const SectionSpec& top, const Target& target) {
  if (target.section == nullptr) return top.find_param(nullptr, target.key);
  const SectionSpec& spec = *target.section;
  const TomlNode* selector = value_at(document, {target.section, target.entry, std::string(spec.selector)});
  const std::string_view chosen = selector == nullptr ? spec.default_kind : std::string_view(selector->text);
  if (const ParamSpec* param = spec.find_param(spec.find_kind(chosen), target.key)) return param;
  for (const KindSpec& kind : spec.kinds) {
    if (const ParamSpec* param = spec.find_param(&kind, target.key)) return param;
  }
  return nullptr;
}

void assign(TomlNode& document, const Vocabulary& vocabulary, const std::vector<Assignment>& assignments) {
  std::vector<Change> changes;
  for (const Assignment& assignment : assignments) {
    if (assignment.key.starts_with(std::string(kSweep) + "."))
      change_sweep(document, assignment);
    else
      changes.emplace_back(resolve(document, vocabulary, assignment.key, assignment.value.where), &assignment);
  }
  while (!changes.empty()) {
    const Target first = changes.front().first;
    const SourcePosition where = changes.front().second->value.where;
    const auto same_place = [&](const Change& change) {
      return change.first.section == first.section && change.first.entry == first.entry;
    };
    const auto rest = std::stable_partition(changes.begin(), changes.end(), same_place);
    const std::vector<Change> here(changes.begin(), rest);
    changes.erase(changes.begin(), rest);
    if (first.section == nullptr) {
      for (const auto& [target, assignment] : here) {
        TomlNode value = assignment->value;
        value.key = target.key;
        document.add(std::move(value));
      }
    } else if (TomlNode* table = table_for(document, first, where)) {
      change_section(*table, *first.section, here);
    }
  }
}

void lay_over(TomlNode& document, const Vocabulary& vocabulary, const TomlNode& fragment) {
  const SectionSpec top = top_section(vocabulary);
  for (const TomlNode& part : fragment.items) {
    if (part.key == "label" || part.key == "set") continue;
    const SectionSpec* spec = part.key.empty() ? nullptr : vocabulary.find(part.key);
    if (spec != nullptr)
      lay_section(document, *spec, part);
    else if (top.find_param(nullptr, part.key) != nullptr)
      document.add(part);
    else
      refuse_unknown_section(vocabulary, part, " in [[compare]]");
  }
  assign(document, vocabulary, set_of(fragment));
}

}  // namespace weir
