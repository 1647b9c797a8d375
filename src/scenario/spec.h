// What a scenario may say. A ParamSpec describes one key: type, default, range, help. Layers export const tables of
// them; run/vocabulary.cpp gathers the tables into a Vocabulary. The parser, the error messages, `weir list` and
// docs/scenario.md all read the same tables, so none of them can drift from what the program does.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

class Section;

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
  file,        // a path, relative to the scenario file; its contents enter the configuration hash. Or one of `choices`
  integers,    // list of integers
  numbers,     // list of numbers
  bytes_list,  // list of byte quantities
  texts,       // list of strings, or one of them without the brackets
  host,        // 3, or a host's name; the topology says later which one it is
  hosts,       // list of those, where a pattern as in "stage*" means several; or one of them without the brackets
  rows,        // list of lists of strings/numbers kept as text, e.g. graph links
};

// What a key needs in order to have an effect. Where it does not hold, a scenario that gives the key is refused: its
// author believes that it does something. Keys are those of the same section, or of another one ("run.engine"); a key
// that the section does not have is no obstacle.
struct Condition {
  enum class Is : std::uint8_t {
    always,
    one_of,     // the first name has one of the values; of a list, any item has
    given,      // one of the names is given
    not_given,  // none of the names is given
    never,
  };
  Is is = Is::always;
  std::array<std::string_view, 5> names = {};   // of keys
  std::array<std::string_view, 12> values = {};  // of one_of
  std::string_view because = {};                // why there is no effect; empty: a sentence made from the rest
};

constexpr Condition when(std::string_view key, std::initializer_list<std::string_view> values,
                         std::string_view because = {}) {
  Condition condition{Condition::Is::one_of, {key}, {}, because};
  std::copy(values.begin(), values.end(), condition.values.begin());
  return condition;
}
constexpr Condition when_given(std::initializer_list<std::string_view> keys, std::string_view because = {}) {
  Condition condition{Condition::Is::given, {}, {}, because};
  std::copy(keys.begin(), keys.end(), condition.names.begin());
  return condition;
}
constexpr Condition unless_given(std::initializer_list<std::string_view> keys, std::string_view because = {}) {
  Condition condition = when_given(keys, because);
  condition.is = Condition::Is::not_given;
  return condition;
}
constexpr Condition never(std::string_view because) { return {Condition::Is::never, {}, {}, because}; }

struct ParamSpec {
  std::string_view name;
  ParamType type = ParamType::text;
  std::string_view fallback;  // default as it would be written in a scenario; kRequired, or kUnset = may be absent
  std::string_view help;
  double min = -std::numeric_limits<double>::infinity();  // in base units: s, bytes, bit/s
  double max = std::numeric_limits<double>::infinity();
  std::span<const std::string_view> choices = {};
  std::array<Condition, 3> applies_when = {};  // all of them
  std::string_view range_hint = {};             // what a value beyond the limits was probably meant to be
  std::string_view example_file = "flows.csv";  // of the type file: a name that fits, for messages

  constexpr ParamSpec hinting(std::string_view hint) const {
    ParamSpec copy = *this;
    copy.range_hint = hint;
    return copy;
  }
  // The same key with a file name for messages.
  constexpr ParamSpec with_example(std::string_view file) const {
    ParamSpec copy = *this;
    copy.example_file = file;
    return copy;
  }
  // The same key with one more condition.
  constexpr ParamSpec applying(const Condition& condition) const {
    ParamSpec copy = *this;
    auto free = copy.applies_when.begin();
    while (free->is != Condition::Is::always) ++free;
    *free = condition;
    return copy;
  }
};

// A condition of one kind for keys that other kinds have too.
struct KeyCondition {
  std::string_view key;
  Condition condition;
};

inline constexpr std::string_view kRequired = "\x01required";
inline constexpr std::string_view kUnset = "\x01unset";

// One variant of a section: a topology, a routing, a traffic pattern, a scheme.
struct KindSpec {
  std::string_view name;
  std::string_view summary;  // one line
  std::span<const ParamSpec> params = {};
  std::string_view example = {};  // TOML fragment that works
  std::string_view tag = {};      // of a scheme: "available", "standard", "research" or "ideal"
  std::span<const KeyCondition> conditions = {};  // beside those of the keys themselves
};

// A word that people use in this place, though it names nothing here, and what they should do instead.
struct OtherWord {
  std::string_view word;  // in small letters
  std::string_view advice;
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
  std::span<const OtherWord> other_words = {};  // that are taken for kinds or for keys
  void (*complete)(Section&) = nullptr;         // defaults that depend on other keys of the section

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
// that do not exist. Empty for a sound vocabulary, as a test asks.
std::vector<std::string> vocabulary_problems(const Vocabulary& vocabulary);

}  // namespace weir
