// Type by type: what a key accepts, what is said when it gets something else, and the one spelling of each value.
#include "scenario/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "scenario/quantity.h"
#include "scenario/suggest.h"

namespace weir {
namespace {

bool is_whole(ParamType type) {
  return type == ParamType::integer || type == ParamType::time || type == ParamType::bytes || type == ParamType::rate ||
         type == ParamType::integers || type == ParamType::bytes_list || type == ParamType::host ||
         type == ParamType::hosts;
}

bool is_physical(ParamType type) {
  return type == ParamType::time || type == ParamType::bytes || type == ParamType::rate ||
         type == ParamType::bytes_list;
}

std::string whole_text(ParamType type, std::int64_t value) {
  switch (type) {
    case ParamType::time:
      return to_text(Time{value});
    case ParamType::rate:
      return to_text(Rate{value});
    case ParamType::bytes:
    case ParamType::bytes_list:
      return bytes_to_text(value);
    default:
      return std::to_string(value);
  }
}

// Limits are written in seconds, bytes and bit/s; compared in whole base units, where 15e-9 s is exactly 15000 ps.
std::int64_t whole_limit(ParamType type, double limit) {
  const double scaled = std::round(type == ParamType::time ? limit * 1e12 : limit);
  if (scaled >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
  if (scaled <= -0x1p63) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(scaled);
}

std::string limit_text(const ParamSpec& spec, double limit) {
  return is_whole(spec.type) ? whole_text(spec.type, whole_limit(spec.type, limit)) : number_to_text(limit);
}

// Physical quantities are never negative, unless a table says so.
double lower_limit(const ParamSpec& spec) { return is_physical(spec.type) && std::isinf(spec.min) ? 0.0 : spec.min; }

std::string_view needed(ParamType type) {
  switch (type) {
    case ParamType::integer:
      return "an integer";
    case ParamType::number:
      return "a number";
    case ParamType::fraction:
      return "a fraction";
    case ParamType::time:
      return "a time";
    case ParamType::bytes:
      return "a number of bytes";
    case ParamType::rate:
      return "a rate";
    case ParamType::text:
      return "a text";
    case ParamType::choice:
      return "one of its choices";
    case ParamType::flag:
      return "true or false";
    case ParamType::file:
      return "the path of a file";
    case ParamType::integers:
      return "a list of integers";
    case ParamType::numbers:
      return "a list of numbers";
    case ParamType::bytes_list:
      return "a list of byte quantities";
    case ParamType::texts:
      return "a list of texts";
    case ParamType::host:
      return "a host's number or name";
    case ParamType::hosts:
      return "a list of hosts' numbers, names, ranges or patterns";
    case ParamType::rows:
      return "a list of lists";
  }
  return "";
}

std::string generic_example(const ParamSpec& spec) {
  switch (spec.type) {
    case ParamType::integer:
      return std::to_string(std::isfinite(spec.min) ? whole_limit(spec.type, spec.min) : 3);
    case ParamType::number:
      return "0.25";
    case ParamType::fraction:
      return "0.66 or \"66%\"";
    case ParamType::time:
      return "\"15ns\"";
    case ParamType::bytes:
      return "\"2kB\"";
    case ParamType::rate:
      return "\"8Gbps\"";
    case ParamType::text:
      return "\"text\"";
    case ParamType::choice:
      return spec.choices.empty() ? "\"\"" : toml_quoted(spec.choices.front());
    case ParamType::flag:
      return "true";
    case ParamType::file:
      return toml_quoted(spec.choices.empty() ? spec.example_file : spec.choices.front());
    case ParamType::integers:
      return "[1, 2]";
    case ParamType::numbers:
      return "[0.5, 1.5]";
    case ParamType::bytes_list:
      return "[\"1kB\", \"2kB\"]";
    case ParamType::texts:
      return "[\"a\", \"b\"]";
    case ParamType::host:
      return "0 or \"H0\"";
    case ParamType::hosts:
      return "[0, 1] or [\"H1*\"]";
    case ParamType::rows:
      return "[[\"a\", \"b\"], [\"b\", \"c\"]]";
  }
  return "";
}

// Reads one node for one spec; every refusal names the key and the place.
class ValueReader {
 public:
  ValueReader(const ParamSpec& spec, const std::string& directory, std::string_view hint)
      : spec_(spec), directory_(directory), hint_(hint) {}

  Value read(const TomlNode& node) {
    value_.key = std::string(spec_.name);
    value_.type = spec_.type;
    value_.is_set = true;
    value_.where = node.where;
    read_by_type(node);
    return std::move(value_);
  }

 private:
  void read_by_type(const TomlNode& node) {
    switch (spec_.type) {
      case ParamType::integer:
      case ParamType::time:
      case ParamType::bytes:
      case ParamType::rate:
        value_.integer = whole(node);
        value_.number = static_cast<double>(value_.integer);
        return;
      case ParamType::number:
      case ParamType::fraction:
        value_.number = number(node);
        return;
      case ParamType::text:
        value_.text = text(node);
        return;
      case ParamType::choice:
        value_.text = choice(node);
        value_.choices = spec_.choices;
        return;
      case ParamType::file:
        read_file(node);
        return;
      case ParamType::flag:
        if (node.type != TomlNode::Type::flag) wrong_type(node);
        value_.flag = node.flag;
        return;
      case ParamType::integers:
      case ParamType::bytes_list:
        for (const TomlNode& item : listed(node)) value_.integers.push_back(whole(item));
        return;
      case ParamType::numbers:
        for (const TomlNode& item : listed(node)) value_.numbers.push_back(number(item));
        return;
      case ParamType::host:
        if (node.is_text()) value_.text = host_name(node);
        else value_.integer = whole(node);
        value_.number = static_cast<double>(value_.integer);
        return;
      case ParamType::hosts:
        read_hosts(node);
        return;
      case ParamType::texts:
        read_texts(node);
        return;
      case ParamType::rows:
        for (const TomlNode& item : listed(node)) value_.rows.push_back(row(item));
        return;
    }
  }

  const std::vector<TomlNode>& listed(const TomlNode& node) {
    if (!node.is_list()) wrong_type(node);
    for (const TomlNode& item : node.items) value_.row_positions.push_back(item.where);
    return node.items;
  }

  std::string host_name(const TomlNode& node) {
    if (node.text.empty()) refuse(node, "needs a host's name or number, not an empty text");
    return node.text;
  }

  void read_hosts(const TomlNode& node) {
    const std::vector<TomlNode> alone{node};
    for (const TomlNode& item : node.is_list() ? listed(node) : alone) {
      value_.texts.push_back(item.is_text() ? host_name(item) : "");
      value_.integers.push_back(item.is_text() ? 0 : whole(item));
    }
    const auto is_number = [](const std::string& name) { return name.empty(); };
    if (std::all_of(value_.texts.begin(), value_.texts.end(), is_number)) value_.texts.clear();
  }

  void read_texts(const TomlNode& node) {
    const std::vector<TomlNode> alone{node};
    for (const TomlNode& item : node.is_text() ? alone : listed(node)) value_.texts.push_back(text(item));
  }

  std::int64_t whole(const TomlNode& node) {
    const std::int64_t value = unchecked_whole(node);
    const bool low = value < whole_limit(spec_.type, lower_limit(spec_));
    if (low || value > whole_limit(spec_.type, spec_.max)) out_of_range(node, whole_text(spec_.type, value));
    return value;
  }
  std::int64_t unchecked_whole(const TomlNode& node) {
    const bool integer_given = node.type == TomlNode::Type::integer;
    if (!is_physical(spec_.type) && !integer_given) wrong_type(node);
    if (!is_physical(spec_.type)) return node.integer;
    const bool plain_allowed =
        spec_.type == ParamType::bytes || spec_.type == ParamType::bytes_list || node.integer == 0;
    if (integer_given && plain_allowed) return node.integer;
    if (!node.is_text()) wrong_type(node);
    return quantity(node, [&] {
      if (spec_.type == ParamType::time) return parse_time(node.text).ps;
      if (spec_.type == ParamType::rate) return parse_rate(node.text).bits_per_second;
      return parse_bytes(node.text);
    });
  }

  double number(const TomlNode& node) {
    double value = 0;
    if (node.type == TomlNode::Type::integer)
      value = static_cast<double>(node.integer);
    else if (node.type == TomlNode::Type::number)
      value = node.number;
    else if (node.is_text() && spec_.type == ParamType::fraction)
      value = quantity(node, [&] { return parse_fraction(node.text); });
    else
      wrong_type(node);
    if (!std::isfinite(value) && number_to_text(value) != spec_.fallback) refuse(node, "needs a finite number");
    if (value < spec_.min || value > spec_.max)
      out_of_range(node, number_to_text(value), spec_.type == ParamType::fraction ? percent_suggestion(value) : "");
    return value == 0 ? 0.0 : value;  // no negative zero: it would be a second spelling of the same value
  }

  std::string text(const TomlNode& node) {
    if (node.is_text()) return node.text;
    if (node.typed.empty()) wrong_type(node);
    return node.typed;
  }
  static std::string without_digits(std::string_view text) {
    std::string rest(text);
    std::erase_if(rest, [](char c) { return c >= '0' && c <= '9'; });
    return rest;
  }
  std::string choice(const TomlNode& node) {
    std::string given = text(node);
    if (std::find(spec_.choices.begin(), spec_.choices.end(), given) == spec_.choices.end()) {
      auto near = nearest(given, spec_.choices);
      if (near && without_digits(*near) == without_digits(given)) near.reset();  // another number is another thing
      refuse(node, fmt::format("cannot be \"{}\"{}; the choices are {}{}{}{}", given,
                               near ? fmt::format(" (did you mean \"{}\"?)", *near) : "", joined(spec_.choices),
                               near ? "" : hint_, near || spec_.range_hint.empty() ? "" : "; ",
                               near ? "" : spec_.range_hint));
    }
    return given;
  }

  // Files that lie in the program itself, for its own scenarios: whoever runs those knows where.
  static constexpr std::string_view kBuiltin = "builtin:";

  void read_file(const TomlNode& node) {
    namespace fs = std::filesystem;
    const std::string given = text(node);
    const bool printable = std::none_of(given.begin(), given.end(), [](char c) { return c >= 0 && c < 0x20; });
    if (given.empty() || !printable)
      refuse(node, fmt::format("needs the path of a file, such as {}", toml_quoted(spec_.example_file)));
    // Where there are choices, they are names of what is no file.
    if (std::find(spec_.choices.begin(), spec_.choices.end(), given) != spec_.choices.end()) {
      value_.type = ParamType::choice;
      value_.text = given;
      return;
    }
    if (given.starts_with(kBuiltin)) {
      value_.text = value_.written_path = given;
      return;
    }
    const fs::path written = fs::path(given).lexically_normal();
    const fs::path path = written.is_absolute() ? written : fs::path(directory_) / written;
    std::error_code error;
    const auto status = fs::status(path, error);
    if (fs::is_directory(status)) refuse(node, fmt::format("names a directory, {}; a file is needed", path.string()));
    if (fs::exists(status) && !fs::is_regular_file(status))
      refuse(node, fmt::format("names {}, a device or a pipe; a file is needed", path.string()));
    if (!fs::is_regular_file(status)) {
      refuse(node, fmt::format("names a file that does not exist: {} (paths are relative to the scenario file){}",
                               path.string(),
                               spec_.choices.empty() ? "" : suggestion(given, spec_.choices, "built-in ones are")));
    }
    value_.text = path.string();
    value_.written_path = written.string();
  }

  std::vector<std::string> row(const TomlNode& node) {
    if (!node.is_list())
      refuse(node, fmt::format("needs a list in each row, as in {}, not {}", example_of(spec_), describe(node)));
    std::vector<std::string> cells;
    for (const TomlNode& cell : node.items) {
      if (cell.is_text())
        cells.push_back(cell.text);
      else if (cell.type == TomlNode::Type::integer)
        cells.push_back(std::to_string(cell.integer));
      else if (cell.type == TomlNode::Type::number)
        cells.push_back(number_to_text(cell.number));
      else
        refuse(cell, fmt::format("takes texts and numbers in its rows, not {}", describe(cell)));
    }
    return cells;
  }

  template <class Parse>
  auto quantity(const TomlNode& node, Parse parse) -> decltype(parse()) {
    try {
      return parse();
    } catch (const InputError& error) {
      throw InputError(node.where, fmt::format("`{}`: {}", spec_.name, error.what()));
    }
  }

  [[noreturn]] void refuse(const TomlNode& node, const std::string& what) const {
    throw InputError(node.where, fmt::format("`{}` {}", spec_.name, what));
  }
  [[noreturn]] void wrong_type(const TomlNode& node) const {
    const std::string example = spec_.type == ParamType::flag ? "" : " such as " + example_of(spec_);
    refuse(node, fmt::format("needs {}{}, not {}", needed(spec_.type), example, describe(node)));
  }
  [[noreturn]] void out_of_range(const TomlNode& node, const std::string& value, const std::string& hint = "") const {
    refuse(node, fmt::format("is {}, but must be {}{}{}{}", value, range_text(spec_), hint,
                             spec_.range_hint.empty() ? "" : "; ", spec_.range_hint));
  }

  const ParamSpec& spec_;
  const std::string& directory_;
  std::string_view hint_;
  Value value_;
};

template <class Items, class Text>
std::string list_text(const Items& items, Text text) {
  std::string out;
  for (const auto& item : items) (out += out.empty() ? "" : ", ") += text(item);
  return "[" + out + "]";
}

std::string hosts_text(const Value& value) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < value.integers.size(); ++i) {
    const bool named = !value.texts.empty() && !value.texts[i].empty();
    items.push_back(named ? toml_quoted(value.texts[i]) : std::to_string(value.integers[i]));
  }
  return list_text(items, [](const std::string& item) { return item; });
}

}  // namespace

bool has_default(const ParamSpec& spec) { return spec.fallback != kRequired && spec.fallback != kUnset; }

Value read_value(const ParamSpec& spec, const TomlNode& node, const std::string& directory,
                 std::string_view hint) {
  return ValueReader(spec, directory, hint).read(node);
}

Value default_value(const ParamSpec& spec, const std::string& directory) {
  Value value;
  if (has_default(spec)) value = read_value(spec, read_literal(spec.fallback, {}), directory);
  value.key = std::string(spec.name);
  value.type = spec.type;
  value.is_default = value.is_set;
  return value;
}

std::string canonical_literal(const Value& value) {
  const auto whole = [&](std::int64_t v) {
    std::string text = whole_text(value.type, v);
    return is_physical(value.type) ? toml_quoted(text) : text;
  };
  switch (value.type) {
    case ParamType::integer:
    case ParamType::time:
    case ParamType::bytes:
    case ParamType::rate:
      return whole(value.integer);
    case ParamType::number:
    case ParamType::fraction:
      return number_to_text(value.number);
    case ParamType::text:
    case ParamType::choice:
      return toml_quoted(value.text);
    case ParamType::file:
      return toml_quoted(value.written_path);
    case ParamType::flag:
      return value.flag ? "true" : "false";
    case ParamType::integers:
    case ParamType::bytes_list:
      return list_text(value.integers, whole);
    case ParamType::host:
      return value.text.empty() ? whole(value.integer) : toml_quoted(value.text);
    case ParamType::hosts:
      return hosts_text(value);
    case ParamType::numbers:
      return list_text(value.numbers, number_to_text);
    case ParamType::texts:
      return list_text(value.texts, toml_quoted);
    case ParamType::rows:
      return list_text(value.rows, [](const auto& row) { return list_text(row, toml_quoted); });
  }
  return "";
}

std::string type_name(ParamType type) {
  switch (type) {
    case ParamType::integer:
      return "integer";
    case ParamType::number:
      return "number";
    case ParamType::fraction:
      return "fraction";
    case ParamType::time:
      return "time";
    case ParamType::bytes:
      return "bytes";
    case ParamType::rate:
      return "rate";
    case ParamType::text:
      return "text";
    case ParamType::choice:
      return "choice";
    case ParamType::flag:
      return "true/false";
    case ParamType::file:
      return "file";
    case ParamType::integers:
      return "list of integers";
    case ParamType::numbers:
      return "list of numbers";
    case ParamType::bytes_list:
      return "list of bytes";
    case ParamType::texts:
      return "list of texts";
    case ParamType::host:
      return "host";
    case ParamType::hosts:
      return "list of hosts";
    case ParamType::rows:
      return "list of rows";
  }
  return "";
}

std::string example_of(const ParamSpec& spec) {
  if (!has_default(spec) || spec.fallback.empty() || spec.type == ParamType::file) return generic_example(spec);
  return canonical_literal(default_value(spec, ""));
}

std::string range_text(const ParamSpec& spec) {
  const double low = lower_limit(spec);
  const bool has_low = std::isfinite(low), has_high = std::isfinite(spec.max);
  if (has_low && has_high) return fmt::format("{} to {}", limit_text(spec, low), limit_text(spec, spec.max));
  if (has_low) return "at least " + limit_text(spec, low);
  return has_high ? "at most " + limit_text(spec, spec.max) : "";
}

std::string default_text(const ParamSpec& spec) {
  if (spec.fallback == kRequired) return "required";
  if (!has_default(spec)) return "none";
  return spec.type == ParamType::file ? toml_quoted(spec.fallback) : canonical_literal(default_value(spec, ""));
}

}  // namespace weir
