// What a scenario may say. A ParamSpec describes one key: type, default, range, help. Layers export const tables of
// them; the app gathers the tables into a Vocabulary. The parser, the error messages, `weir list` and docs/scenario.md
// all read the same tables, so none of them can drift from what the program does.
#pragma once
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

enum class ParamType {
  integer,     // 3
  number,      // 0.25
  fraction,    // 0.66 or "66%"; a plain number, percent signs allowed
  time,        // "15ns", "2 s", "100 cycles" is not a time
  bytes,       // "2kB", "1KiB", "300B", or a plain integer of bytes
  rate,        // "8Gbps", "10 Gb/s", "1187.5MB/s"
  text,        // any string
  choice,      // one of `choices`
  flag,        // true / false
  file,        // a path, relative to the scenario file; its contents enter the configuration hash
  integers,    // list of integers
  numbers,     // list of numbers
  bytes_list,  // list of byte quantities
  texts,       // list of strings
  rows,        // list of lists of strings/numbers kept as text, e.g. graph links
};

struct ParamSpec {
  std::string_view name;
  ParamType type = ParamType::text;
  std::string_view fallback;  // default as it would be written in a scenario; kRequired, or kUnset = may be absent
  std::string_view help;
  double min = -std::numeric_limits<double>::infinity();  // in base units: s, bytes, bit/s
  double max = std::numeric_limits<double>::infinity();
  std::span<const std::string_view> choices = {};
};

inline constexpr std::string_view kRequired = "\x01required";
inline constexpr std::string_view kUnset = "\x01unset";

// One variant of a section: a topology, a routing, a traffic pattern, a scheme.
struct KindSpec {
  std::string_view name;
  std::string_view summary;  // one line
  std::span<const ParamSpec> params = {};
  std::string_view example = {};  // TOML fragment that works
  std::string_view tag = {};      // of a scheme: "hardware", "standard", "research" or "ideal"
};

// One section of the scenario file. `selector` names the key that picks the kind ("kind", "pattern", "name"), or is
// empty where the section has no variants. A repeated section is an array of tables, as in [[traffic]]. A section that
// is not required and not given takes its defaults; where a key or the kind has none, the scenario is without that
// section.
struct SectionSpec {
  std::string_view name;  // "" = keys at the top of the file
  std::string_view summary;
  std::string_view selector = {};
  std::string_view default_kind = {};  // empty and selector set: the kind must be given
  bool repeated = false;
  bool required = false;
  std::vector<ParamSpec> common = {};  // keys that every kind has
  std::vector<KindSpec> kinds = {};

  const KindSpec* find_kind(std::string_view kind) const;
  // A common key, or one of the kind (which may be null).
  const ParamSpec* find_param(const KindSpec* kind, std::string_view key) const;
};

struct Vocabulary {
  std::vector<SectionSpec> sections;
  const SectionSpec* find(std::string_view section) const;
};

// The keys at the top of the file: those of the vocabulary's section "", and `name`, `description` and `seed` in any
// case.
SectionSpec top_section(const Vocabulary& vocabulary);

// What is wrong with the tables themselves: defaults that do not parse or are out of range, names used twice, kinds
// that do not exist. Empty for a sound vocabulary; a test of the app asks.
std::vector<std::string> vocabulary_problems(const Vocabulary& vocabulary);

}  // namespace weir
