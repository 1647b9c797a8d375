#include "network/host_names.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "scenario/suggest.h"

namespace weir {
namespace {

constexpr std::size_t kNamesShown = 4;

// Without the name of the adapter; empty where there is none.
std::string_view first_word(std::string_view name) {
  const std::size_t end = name.find(' ');
  return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

std::string numbered(HostId host, std::string_view name) { return fmt::format("\"{}\" ({})", name, host.index); }

// The names nearest to what was written, the nearest first.
std::vector<std::string_view> nearest_names(std::string_view text, std::span<const std::string> names) {
  constexpr std::size_t kMostCompared = 20'000;  // a fabric with more hosts has names that differ by their numbers
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (const std::string& name : names.first(std::min(names.size(), kMostCompared))) {
    const std::string_view word = first_word(name);
    const std::size_t far = edit_distance(text, name), far_word = word.empty() ? far : edit_distance(text, word);
    const std::size_t distance = std::min(far, far_word);
    if (distance <= std::max<std::size_t>(1, text.size() / 3)) ranked.emplace_back(distance, name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> nearest;
  for (const auto& [distance, name] : ranked)
    if (nearest.size() < kNamesShown) nearest.push_back(name);
  return nearest;
}

}  // namespace

// fnmatch() would take [ and \ for more than they are, and node descriptions have them.
bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::string escaped;
  for (const char c : pattern) {
    if (c == '[' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return ::fnmatch(escaped.c_str(), std::string(text).c_str(), 0) == 0;
}

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

HostNames::HostNames(std::span<const std::string> names) : names_(names) {
  for (std::uint32_t h = 0; h < names.size(); ++h) {
    by_name_[names[h]].push_back({h});
    if (const std::string_view word = first_word(names[h]); !word.empty()) by_first_word_[word].push_back({h});
  }
}

std::vector<std::string_view> HostNames::parts(std::string_view text) const {
  if (by_name_.contains(text) || by_first_word_.contains(text)) return {text};
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.size(), text.find(',', from));
    std::string_view part = text.substr(from, comma - from);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.push_back(part);
    from = comma + 1;
  }
  return parts;
}

std::vector<HostId> HostNames::find(std::string_view text) const {
  const std::vector<std::string_view> names = parts(text);
  std::vector<HostId> found;
  for (const std::string_view name : names) {
    const std::vector<HostId> some = find_one(name);
    if (some.empty()) return {};
    found.insert(found.end(), some.begin(), some.end());
  }
  if (names.size() == 1) return found;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

namespace {

// "node12" as "node" and 12; nothing where no number stands at the end.
struct NumberedName {
  std::string_view letters;
  std::uint64_t number = 0;
};
std::optional<NumberedName> numbered_name(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const std::size_t digits = last == text.npos ? 0 : last + 1;
  NumberedName name{text.substr(0, digits), 0};
  const auto [end, error] = std::from_chars(text.data() + digits, text.data() + text.size(), name.number);
  if (error != std::errc() || digits == text.size()) return std::nullopt;
  return name;
}

}  // namespace

// A name may have dashes itself, so each of them may be the one in the middle.
std::vector<HostId> HostNames::find_range(std::string_view text) const {
  std::vector<HostId> found;
  for (std::size_t dash = text.find('-'); dash != text.npos; dash = text.find('-', dash + 1)) {
    const auto first = numbered_name(text.substr(0, dash)), last = numbered_name(text.substr(dash + 1));
    if (!first || !last || first->letters.empty() || first->letters != last->letters) continue;
    for (std::uint32_t h = 0; h < names_.size(); ++h) {
      const std::string_view word = first_word(names_[h]);
      const auto name = numbered_name(word.empty() ? std::string_view(names_[h]) : word);
      if (name && name->letters == first->letters && first->number <= name->number && name->number <= last->number)
        found.push_back({h});
    }
  }
  return found;
}

bool HostNames::means_several(std::string_view text) const {
  if (by_name_.contains(text) || by_first_word_.contains(text)) return false;
  return is_pattern(text) || !find_range(text).empty();
}

std::vector<HostId> HostNames::find_one(std::string_view text) const {
  if (const auto named = by_name_.find(text); named != by_name_.end()) return named->second;
  if (const auto word = by_first_word_.find(text); word != by_first_word_.end()) return word->second;
  std::vector<HostId> found;
  if (is_pattern(text)) {
    for (std::uint32_t h = 0; h < names_.size(); ++h)
      if (matches_pattern(text, names_[h]) || matches_pattern(text, first_word(names_[h]))) found.push_back({h});
    return found;
  }
  if (std::vector<HostId> range = find_range(text); !range.empty()) return range;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number < names_.size()) found.push_back({number});
  return found;
}

std::string HostNames::no_such_host(std::string_view text) const {
  if (names_.empty()) return "this network has no hosts";
  if (const std::vector<std::string_view> names = parts(text); names.size() > 1)
    for (const std::string_view name : names)
      if (find_one(name).empty()) return no_such_host(name);
  const std::string all =
      names_.size() == 1
          ? fmt::format("the only host of this network is \"{}\"", names_.front())
          : fmt::format("this network has {} hosts, for example \"{}\" and \"{}\"; `weir topo FILE --hosts '*'` "
                        "lists all", names_.size(), names_.front(), names_.back());
  if (is_pattern(text)) return fmt::format("no host matches \"{}\"; {}", text, all);
  if (text.find_first_not_of("-0123456789") == std::string_view::npos)
    return fmt::format("\"{}\" is no host; this network has {} hosts, numbered 0 to {}", text, names_.size(),
                       names_.size() - 1);
  const std::vector<std::string_view> near = nearest_names(text, names_);
  if (near.empty()) return fmt::format("\"{}\" is no host; {}", text, all);
  return fmt::format("\"{}\" is no host; did you mean \"{}\"?", text, fmt::join(near, "\", \""));
}

std::string HostNames::several_hosts(std::string_view text, const std::vector<HostId>& found) const {
  std::string shown;
  for (std::size_t i = 0; i < std::min(found.size(), kNamesShown); ++i)
    shown += (i == 0 ? "" : ", ") + numbered(found[i], names_[found[i].index]);
  if (found.size() > kNamesShown) shown += ", ...";
  return fmt::format("\"{}\" means {} hosts, and one is needed: {}; give the full name or the number in brackets", text,
                     found.size(), shown);
}

namespace {

class Numbering {
 public:
  Numbering(const Section& section, const Topology& topology) : section_(section), names_(topology.host_names()) {}

  void number_one(Value& value) {
    if (!value.text.empty()) value.integer = one(value, value.text).index;
    value.number = static_cast<double>(value.integer);
    value.text.clear();
    single_.push_back(value.integer);
  }

  // A pattern leaves out what is named on its own, in the list or as the section's single host: everybody else sends.
  void number_all(Value& value) const {
    std::vector<std::int64_t> numbers;
    const auto is_there = [](const std::vector<std::int64_t>& list, std::int64_t n) {
      return std::find(list.begin(), list.end(), n) != list.end();
    };
    for (std::size_t i = 0; i < value.texts.size(); ++i) {
      const std::string& text = value.texts[i];
      if (text.empty()) {
        numbers.push_back(value.integers[i]);
        continue;
      }
      for (const std::string_view part : names_.parts(text))
        for (const HostId host : some(value, part, i))
          if (!names_.means_several(part) || (!is_there(numbers, host.index) && !is_there(single_, host.index)))
            numbers.push_back(host.index);
    }
    value.integers = std::move(numbers);
    value.texts.clear();
  }

 private:
  std::vector<HostId> some(const Value& value, std::string_view text, std::size_t item = 0) const {
    std::vector<HostId> found = names_.find(text);
    if (!found.empty()) return found;
    const std::string what = fmt::format("{}: {}", value.key, names_.no_such_host(text));
    if (item < value.row_positions.size()) throw InputError(value.row_positions[item], what);
    section_.refuse(value.key, what);
  }
  HostId one(const Value& value, const std::string& text) const {
    const std::vector<HostId> found = some(value, text);
    if (found.size() > 1)
      section_.refuse(value.key, fmt::format("{}: {}", value.key, names_.several_hosts(text, found)));
    return found.front();
  }

  const Section& section_;
  HostNames names_;
  std::vector<std::int64_t> single_;  // of the keys that take one host
};

bool has_names(const Value& value) {
  return (value.type == ParamType::host && !value.text.empty()) ||
         (value.type == ParamType::hosts && !value.texts.empty());
}

}  // namespace

Section with_host_numbers(const Section& section, const Topology& topology) {
  Section numbered = section;
  if (std::none_of(section.values.begin(), section.values.end(), has_names)) return numbered;
  Numbering numbering(section, topology);
  for (Value& value : numbered.values)
    if (value.type == ParamType::host && value.is_set) numbering.number_one(value);
  for (Value& value : numbered.values)
    if (value.type == ParamType::hosts && has_names(value)) numbering.number_all(value);
  return numbered;
}

}  // namespace weir
