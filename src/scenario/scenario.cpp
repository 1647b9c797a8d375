// Typed access to a scenario, its canonical text, and the hash that names the run.
#include "scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/file_text.h"
#include "base/hash.h"
#include "scenario/quantity.h"
#include "scenario/rank_files.h"
#include "scenario/toml/toml_tree.h"
#include "scenario/values.h"

namespace weir {
namespace {

[[noreturn]] void misused(const Section& section, std::string_view key, const char* what) {
  fail(__FILE__, __LINE__, fmt::format("[{}] {}: {}", section.name, key, what).c_str());
}

const Value& typed(const Section& section, std::string_view key, std::initializer_list<ParamType> types) {
  const Value& value = section.at(key);
  if (std::find(types.begin(), types.end(), value.type) == types.end())
    misused(section, key, "asked for as another type");
  if (!value.is_set) misused(section, key, "has no value; ask has() first");
  return value;
}

std::string contents(const Value& value, const std::string& file) {
  std::optional<std::string> text = file_text(file);
  if (!text) throw InputError(value.where, fmt::format("`{}`: cannot read the file {}", value.key, file));
  return *std::move(text);
}

// Files enter the hash by what is in them, wherever they lie.
std::string content_literal(const Value& value) {
  Hash128 hash;
  for (const std::string& file : rank_files(value.text)) hash.add(contents(value, file));
  return toml_quoted("contents " + hash.hex());
}

enum class Use { configuration, identity };

// The scenario's own name and description say nothing about the run.
bool is_title(const Section& section, const Value& value) {
  return section.name.empty() && (value.key == "name" || value.key == "description");
}

std::string written(const Scenario& scenario, Use use) {
  std::string out;
  for (const Section& section : scenario.sections) {
    const std::string header = section.name.empty() ? "" : fmt::format("[{}]", toml_key(section.name));
    if (!header.empty()) out += section.repeated ? fmt::format("\n[{}]\n", header) : fmt::format("\n{}\n", header);
    if (!section.kind.empty()) out += fmt::format("{} = {}\n", toml_key(section.selector), toml_quoted(section.kind));
    for (const Value& value : section.values) {
      if (!value.is_set || (use == Use::identity && is_title(section, value))) continue;
      const bool by_content = use == Use::identity && value.type == ParamType::file;
      out +=
          fmt::format("{} = {}\n", toml_key(value.key), by_content ? content_literal(value) : canonical_literal(value));
    }
  }
  return out;
}

}  // namespace

const Value& Section::at(std::string_view key) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const Value& v) { return v.key == key; });
  if (found == values.end()) misused(*this, key, "no such key in the vocabulary");
  return *found;
}

bool Section::has(std::string_view key) const { return at(key).is_set; }

bool Section::given(std::string_view key) const { return knows(key) && has(key) && !at(key).is_default; }

bool Section::knows(std::string_view key) const {
  return std::any_of(values.begin(), values.end(), [&](const Value& v) { return v.key == key; });
}

std::int64_t Section::integer(std::string_view key) const {
  const Value& value = typed(*this, key, {ParamType::integer, ParamType::host});
  if (!value.text.empty()) misused(*this, key, "a host by its name; with_host_numbers() makes it a number");
  return value.integer;
}
double Section::number(std::string_view key) const {
  return typed(*this, key, {ParamType::number, ParamType::fraction, ParamType::integer}).number;
}
Time Section::time(std::string_view key) const { return {typed(*this, key, {ParamType::time}).integer}; }
Time Section::time_longer_than(std::string_view other, std::string_view key) const {
  if (time(key) <= time(other))
    refuse(key, fmt::format("`{}` is {}, but it must be longer than `{}`, {}", key, to_text(time(key)), other,
                            to_text(time(other))));
  return time(key);
}
Bytes Section::bytes(std::string_view key) const { return typed(*this, key, {ParamType::bytes}).integer; }
Rate Section::rate(std::string_view key) const { return {typed(*this, key, {ParamType::rate}).integer}; }
bool Section::flag(std::string_view key) const { return typed(*this, key, {ParamType::flag}).flag; }
const std::string& Section::text(std::string_view key) const {
  return typed(*this, key, {ParamType::text, ParamType::choice, ParamType::file}).text;
}

std::size_t Section::choice_number(std::string_view key) const {
  const Value& value = typed(*this, key, {ParamType::choice});
  const auto found = std::find(value.choices.begin(), value.choices.end(), value.text);
  if (found == value.choices.end()) fail(__FILE__, __LINE__, "a choice that the vocabulary does not have");
  return static_cast<std::size_t>(found - value.choices.begin());
}

bool Section::chooses(std::string_view key, std::string_view choice_name) const {
  const Value& value = typed(*this, key, {ParamType::choice});
  if (std::find(value.choices.begin(), value.choices.end(), choice_name) == value.choices.end())
    fail(__FILE__, __LINE__, "a choice that the vocabulary does not have");
  return value.text == choice_name;
}

void Section::refuse(std::string_view key, const std::string& what) const {
  const Value& value = at(key);
  refuse_at(value.where.file.empty() ? where : value.where, what);
}

// The place may be in the file, although something that was set on the command line is wrong there.
void Section::refuse_at(const SourcePosition& place, const std::string& what) const {
  std::string set;
  for (const Value& value : values)
    if (value.is_set && value.where.file.starts_with("--set ") && what.find("--set") == what.npos)
      set += (set.empty() ? " (with " : ", ") + value.where.file;
  const bool says_it = place.file.starts_with("--set ");
  throw InputError(place, set.empty() || says_it ? what : what + set + ")");
}

const Section* Scenario::find(std::string_view wanted) const {
  const auto found = std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.name == wanted; });
  return found == sections.end() ? nullptr : &*found;
}

const Section& Scenario::section(std::string_view wanted) const {
  const std::vector<const Section*> found = all(wanted);
  if (found.size() != 1) {
    fail(__FILE__, __LINE__, fmt::format("asked for one section [{}], there are {}", wanted, found.size()).c_str());
  }
  return *found.front();
}

std::vector<const Section*> Scenario::all(std::string_view wanted) const {
  std::vector<const Section*> found;
  for (const Section& section : sections) {
    if (section.name == wanted) found.push_back(&section);
  }
  return found;
}

std::string Scenario::canonical() const { return written(*this, Use::configuration); }

std::string Scenario::hash() const {
  Hash128 hash;
  hash.add(written(*this, Use::identity));
  return hash.hex();
}

}  // namespace weir
