// A Scenario is everything a run depends on, as a plain value: sections of typed values, each with the place where it
// was written, defaults filled in. Later layers read their section and report errors with file and line.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "scenario/spec.h"

namespace weir {

struct TomlNode;

struct Value {
  std::string key;
  ParamType type = ParamType::text;
  bool is_set = false;       // false: kUnset and not given
  bool is_written = false;   // in the scenario, be it a default or not
  bool is_default = false;   // filled in from the vocabulary, or written out but equal to it
  std::int64_t integer = 0;  // integer, bytes, time in ps, rate in bit/s, host by number
  double number = 0;         // number, fraction; also a double copy of integer
  bool flag = false;
  std::string text;          // text, choice, file (path as to open it), host by name
  std::span<const std::string_view> choices;  // choice: all of them, in the order of the vocabulary
  std::string written_path;  // file: the path as written, relative to the scenario file
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  std::vector<std::string> texts;  // of hosts: the name where integers has none, empty where it has; none if all have
  std::vector<std::vector<std::string>> rows;
  std::vector<SourcePosition> row_positions;  // one per row, or per list item
  SourcePosition where;
};

// Values of keys that a scenario leaves open, as they were calculated for its fabric: key, and how to write it.
using CalculatedValues = std::vector<std::pair<std::string, std::string>>;

class Section {
 public:
  std::string name;       // "topology", "traffic"
  std::string kind;       // value of the selector, empty where there is none
  std::string selector;   // the key that names the kind, empty where there is none
  bool repeated = false;  // one of several, as in [[traffic]]
  SourcePosition where;   // of the table header, or of the scenario where the section is absent
  SourcePosition kind_where;
  std::vector<Value> values;  // in the order of the vocabulary: common keys, then the kind's
  std::shared_ptr<CalculatedValues> calculated;  // where those who read the section note them; null: nobody asks

  // Typed access. Asking for a key that the vocabulary does not have is a programming error and aborts.
  const Value& at(std::string_view key) const;
  bool has(std::string_view key) const;    // given or defaulted
  bool given(std::string_view key) const;  // by the scenario, not by a default; false for a key of another kind
  bool knows(std::string_view key) const;  // a key of this section's kind at all
  std::int64_t integer(std::string_view key) const;  // also a host, once its name has become a number
  double number(std::string_view key) const;  // number and fraction
  Time time(std::string_view key) const;
  // Refuses one that is not longer than the time of `other`.
  Time time_longer_than(std::string_view other, std::string_view key) const;
  Bytes bytes(std::string_view key) const;
  Rate rate(std::string_view key) const;
  bool flag(std::string_view key) const;
  const std::string& text(std::string_view key) const;  // text, choice, file
  // A choice as an enumeration, whose values stand in the order of the choices.
  template <class Enum>
  Enum choice(std::string_view key) const {
    return static_cast<Enum>(choice_number(key));
  }
  // Is it this one? Asking for one that the vocabulary does not have aborts.
  bool chooses(std::string_view key, std::string_view choice_name) const;
  // An error at the place where `key` was written (or at the section, if it was defaulted).
  [[noreturn]] void refuse(std::string_view key, const std::string& what) const;
  // An error of the section as a whole.
  [[noreturn]] void refuse(const std::string& what) const { refuse_at(where, what); }

 private:
  [[noreturn]] void refuse_at(const SourcePosition& place, const std::string& what) const;
  std::size_t choice_number(std::string_view key) const;
};

struct SweepAxis {
  std::string key;                               // dotted: "scheme.packets", "traffic.cold.load", or a zip name
  std::vector<std::string> keys;                 // the dotted keys set together (one, or several when zipped)
  std::vector<std::vector<std::string>> points;  // per point: one TOML literal per key
  SourcePosition where;
};

// One entry of [[compare]]: a fragment of a scenario that is laid over the base.
struct CompareEntry {
  std::string label;
  std::string toml;  // the fragment, canonical text
  SourcePosition where;
};

class Scenario {
 public:
  std::string file;  // as given
  std::string name;  // top-level `name`, or the file's stem
  std::uint64_t seed = 1;
  std::vector<Section> sections;  // in vocabulary order; repeated ones one after another
  std::vector<SweepAxis> sweep;
  std::vector<CompareEntry> compare;

  // What was read, with overrides applied; variants are made from it.
  std::shared_ptr<const TomlNode> document;

  const Section& section(std::string_view name) const;           // exactly one; "" = the keys at the top
  const Section* find(std::string_view name) const;              // the first one, or null where there is none
  std::vector<const Section*> all(std::string_view name) const;  // repeated sections
  // The effective configuration: canonical TOML with every value, defaults included; independent of key order, comments
  // and of where the files lie. Parsing it gives the same scenario again.
  std::string canonical() const;
  // 128-bit hash (32 hex digits) of canonical() and the contents of every file it names. The scenario's own name and
  // description do not enter.
  std::string hash() const;
};

}  // namespace weir
