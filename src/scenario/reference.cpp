// Markdown for the documentation and plain text for the terminal, from the same descriptions of keys.
#include "scenario/reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/conditions.h"
#include "scenario/sections.h"
#include "scenario/suggest.h"
#include "scenario/values.h"

namespace weir {
namespace {

constexpr std::string_view kIntroduction = R"md(# Scenario reference

This page is generated from the tables that the parser uses. A scenario is a [TOML](https://toml.io) file. Keys that a
section does not have, values out of range and units of the wrong kind are errors with file and line; nothing is
ignored.

## Quantities

| type | written | note |
| --- | --- | --- |
| time | `"15ns"`, `"1.5 us"`, `"2s"` | ps, ns, us, ms, s, min; whole picoseconds |
| bytes | `"2kB"`, `"1KiB"`, `"300B"`, `300` | kB = 1000 bytes, KiB = 1024; a plain integer is bytes |
| rate | `"8Gbps"`, `"8 Gb/s"`, `"1187.5MB/s"` | b is bits, B is bytes; kbps = 1000 bit/s |
| fraction | `0.66`, `"66%"` | |
| number | `0.25` | |
| integer | `3` | |
| true/false | `true` | |
| text, choice | `"fcfs"` | |
| file | `"flows.csv"` | relative to the scenario file; its contents are part of the configuration |
| host | `3`, `"tank1"` | number, counted from 0, or name; `weir topo FILE --hosts '*'` lists both |
| list of hosts | `[0, 3]`, `"stage*,tank1"`, `["tank1", "node1?"]` | `*` matches any text, `?` any character |
| lists | `[1, 2]`, `["1kB", "2kB"]`, `[["a", "b"], ["b", "c"]]` | |

Hosts of a fabric that weir builds are called `H0`, `H1` and so on. Hosts of an imported fabric are called by their node
description, such as `"node1 mlx5_0"`; `"node1"` and `"node?"` then mean all adapters of these hosts. A pattern never
includes the `target` of its entry.

Decimals are exact: `"0.1ns"` is 100 ps. A zero needs no unit.

## Overrides

`--set key=value` changes one value from the command line: `--set seed=7`, `--set link.rate=10Gbps`. Sections that are
lists are addressed by index, counted from 0, or by the entry's `name`: `--set traffic.0.load=0.3`,
`--set traffic.hot.load=0.3`. The value is a TOML literal, or else a bare text. If an override picks another kind of a
section, the keys that only the old kind had are dropped. `--set sweep.KEY=...` changes the table of sweeps.

## Comparing: `[[compare]]`

Each entry is a fragment that is laid over the scenario. A section with the same kind, or without one, is merged key by
key; a section of another kind replaces the one of the scenario. `set` takes dotted keys and reaches lists too. `label`
is optional, and must be unique.

```toml
[[compare]]
scheme = { name = "none" }

[[compare]]
label = "half the load"
set = { "traffic.0.load" = 0.3 }
```

## Sweeping: `[sweep]`

Dotted keys with a list of values or a range; all combinations are run. Axes keep the order of the file, and the last
one changes fastest.

```toml
[sweep]
"traffic.0.load" = { from = "10%", to = "90%", step = "10%" }  # `to` is included if a step reaches it
"link.delay" = ["15ns", "100ns", "1us"]
"link.rate" = { from = "1Gbps", to = "100Gbps", points = 3, scale = "log" }  # scale: "linear" if absent
zip = [["link.delay", "link.rate"]]  # these advance together and need the same number of points
repetitions = 3                      # the innermost axis: seed, seed + 1, seed + 2
```

The groups of `zip` may have names: `zip = { speed = ["link.delay", "link.rate"] }`. `weir sweep` runs the combinations
(docs/sweeps.md).

Steps are exact. Points between the ends of a range with `points` are rounded to whole picoseconds, bytes and bits per
second, numbers to 12 digits, and on a logarithmic scale to 6 digits.
)md";

std::string escaped_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|')
      out += "\\|";
    else
      out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", escaped_cell(text)); }

// The range, or the choices.
std::string allowed(const ParamSpec& param) {
  if (param.type == ParamType::file && !param.choices.empty()) return joined(param.choices) + ", or a file";
  return param.type == ParamType::choice ? joined(param.choices) : range_text(param);
}

// Whether every choice that the section has for the key fulfils the condition.
bool always_holds(const Condition& condition, const ParamSpec* key) {
  if (condition.is != Condition::Is::one_of || key == nullptr || key->type != ParamType::choice) return false;
  return std::all_of(key->choices.begin(), key->choices.end(), [&](std::string_view choice) {
    return std::find(condition.values.begin(), condition.values.end(), choice) != condition.values.end();
  });
}

// What the key is for, and what it needs in order to have an effect.
std::string meaning(const ParamSpec& param, const SectionSpec& section, const KindSpec* kind) {
  std::string out(param.help);
  std::string needs, excludes;
  for (const Condition& condition : param.applies_when) {
    const std::string_view key = condition.names.front();
    const ParamSpec* own = section.find_param(kind, key);
    const bool concerns = key.find('.') != key.npos || (own != nullptr && !always_holds(condition, own));
    const std::string text = concerns ? describe(condition) : "";
    if (text.empty()) continue;
    std::string& clause = condition.is == Condition::Is::not_given ? excludes : needs;
    clause += (clause.empty() ? "" : " and ") + text;
  }
  if (needs.empty() && excludes.empty()) return out;
  if (needs.empty()) return fmt::format("{} ({})", out, excludes);
  return fmt::format("{} (only {}{})", out, needs, excludes.empty() ? "" : ", and " + excludes);
}

// Kinds share tables of keys. One that has no effect on this kind, and is refused there, is not listed.
bool has_effect(const ParamSpec& param, const KindSpec* kind) {
  return kind == nullptr || std::none_of(kind->conditions.begin(), kind->conditions.end(), [&](const KeyCondition& c) {
           return c.key == param.name && c.condition.is == Condition::Is::never;
         });
}

std::string table_of(std::span<const ParamSpec> params, const SectionSpec& section, const KindSpec* kind) {
  if (params.empty()) return "";
  std::string out = "\n| key | type | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const ParamSpec& param : params) {
    if (!has_effect(param, kind)) continue;
    const std::string fallback = default_text(param);
    out += fmt::format("| {} | {} | {} | {} | {} |\n", code(param.name), type_name(param.type),
                       has_default(param) ? code(fallback) : fallback, escaped_cell(allowed(param)),
                       escaped_cell(meaning(param, section, kind)));
  }
  return out;
}

std::string kind_markdown(const SectionSpec& section, const KindSpec& kind) {
  const std::string tag = kind.tag.empty() ? "" : fmt::format(" (*{}*)", kind.tag);
  std::string out = fmt::format("\n### {} = \"{}\"\n\n{}{}\n", section.selector, kind.name, kind.summary, tag);
  out += table_of(kind.params, section, &kind);
  if (!kind.example.empty()) {
    out += fmt::format("\n```toml\n{}{}```\n", kind.example, kind.example.ends_with('\n') ? "" : "\n");
  }
  return out;
}

std::string section_markdown(const SectionSpec& section) {
  std::string out = section.name.empty() ? "\n## Top of the file\n" : fmt::format("\n## `{}`\n", title(section));
  out += fmt::format("\n{}\n", section.summary);
  std::string notes;
  if (section.repeated)
    notes += section.required ? "Given once or more." : "May be given any number of times.";
  else if (section.required)
    notes += "Required.";
  if (!section.selector.empty()) {
    std::vector<std::string_view> names;
    for (const KindSpec& kind : section.kinds) names.push_back(kind.name);
    notes += fmt::format("{}`{}` is one of {}", notes.empty() ? "" : " ", section.selector, joined(names));
    notes += section.default_kind.empty() ? "." : fmt::format("; `{}` if absent.", section.default_kind);
  }
  if (!notes.empty()) out += fmt::format("\n{}\n", notes);
  out += table_of(section.common, section, nullptr);
  for (const KindSpec& kind : section.kinds) out += kind_markdown(section, kind);
  return out;
}

// Columns on a terminal, where a character of several bytes takes one.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// Words on lines of at most `columns`; all lines but the first are indented. A longer word stays whole.
std::string wrapped(std::string_view first_indent, std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out(first_indent);
  std::size_t column = width(first_indent);
  bool line_empty = true;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\n') {
      ++at;
      continue;
    }
    const std::string_view word = text.substr(at, text.find_first_of(" \n", at) - at);
    at += word.size();
    if (!line_empty && column + 1 + width(word) > columns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      line_empty = true;
    }
    if (!line_empty) out += ' ';
    column += width(word) + (line_empty ? 0 : 1);
    out += word;
    line_empty = false;
  }
  return out + "\n";
}

std::string unquoted(const std::string& literal) {
  return literal.size() > 1 && literal.front() == '"' ? literal.substr(1, literal.size() - 2) : literal;
}

std::string param_line(const ParamSpec& param, std::size_t name_width, const SectionSpec& section,
                       const KindSpec& kind, std::size_t columns) {
  const std::string limits = allowed(param);
  const bool choice = param.type == ParamType::choice;
  const std::string fallback = param.fallback == kRequired ? "required"
                               : has_default(param)        ? "default " + (choice ? unquoted(default_text(param))
                                                                                  : default_text(param))
                                                           : "optional";
  const std::string details =
      choice ? fmt::format("{} (one of {}; {})", meaning(param, section, &kind), limits, fallback)
             : fmt::format("{} ({}, {}{}{})", meaning(param, section, &kind), type_name(param.type), fallback,
                           limits.empty() ? "" : ", ", limits);
  return wrapped(fmt::format("  {:<{}}  ", param.name, name_width), details, name_width + 4, columns);
}

std::string indented(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    out += end == 0 ? "\n" : fmt::format("  {}\n", lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

}  // namespace

std::string reference_markdown(const Vocabulary& vocabulary) {
  std::string out(kIntroduction);
  out += section_markdown(top_section(vocabulary));
  for (const SectionSpec& section : vocabulary.sections) {
    if (!section.name.empty()) out += section_markdown(section);
  }
  return out;
}

std::string describe_kind(const SectionSpec& section, const KindSpec& kind, std::size_t columns) {
  const std::string tag = kind.tag.empty() ? "" : fmt::format(" ({})", kind.tag);
  std::string out = wrapped("", fmt::format("{} {}{}: {}", section.name, kind.name, tag, kind.summary), 2, columns);
  std::size_t name_width = 0;
  for (const ParamSpec& param : section.common) name_width = std::max(name_width, param.name.size());
  for (const ParamSpec& param : kind.params) name_width = std::max(name_width, param.name.size());
  for (const ParamSpec& param : kind.params)
    if (has_effect(param, &kind)) out += param_line(param, name_width, section, kind, columns);
  for (const ParamSpec& param : section.common) out += param_line(param, name_width, section, kind, columns);
  if (!kind.example.empty()) out += fmt::format("\nExample:\n{}", indented(kind.example));
  return out;
}

}  // namespace weir
