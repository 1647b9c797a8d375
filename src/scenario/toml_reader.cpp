// The only file that includes the TOML library, because it takes long to compile.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <toml++/toml.h>

#include "scenario/document.h"

namespace weir {
namespace {

SourcePosition position(const toml::source_position& at, const std::string& file) {
  return {file, static_cast<std::uint32_t>(at.line), static_cast<std::uint32_t>(at.column)};
}

Node converted(const toml::node& source, const std::string& file);

// The library keeps tables sorted by key; messages and sweeps follow the order of the file.
void sort_by_position(std::vector<Node>& items) {
  std::stable_sort(items.begin(), items.end(), [](const Node& a, const Node& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
}

void fill_table(Node& node, const toml::table& table, const std::string& file) {
  for (auto&& [key, value] : table) {
    Node member = converted(value, file);
    member.key = std::string(key.str());
    const auto at = key.source().begin;
    if (at.line != 0) member.where = position(at, file);
    node.items.push_back(std::move(member));
  }
  sort_by_position(node.items);
  // Tables that exist only through dotted keys have no place of their own.
  if (node.where.line == 0 && !node.items.empty()) node.where = node.items.front().where;
}

template <class T>
std::string as_written(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

Node converted(const toml::node& source, const std::string& file) {
  Node node;
  node.where = position(source.source().begin, file);
  if (const auto* table = source.as_table()) {
    node.type = Node::Type::table;
    fill_table(node, *table, file);
  } else if (const auto* array = source.as_array()) {
    node.type = Node::Type::list;
    for (const auto& item : *array) node.items.push_back(converted(item, file));
  } else if (const auto* text = source.as_string()) {
    node.type = Node::Type::text;
    node.text = text->get();
  } else if (const auto* integer = source.as_integer()) {
    node.type = Node::Type::integer;
    node.integer = integer->get();
  } else if (const auto* number = source.as_floating_point()) {
    node.type = Node::Type::number;
    node.number = number->get();
  } else if (const auto* flag = source.as_boolean()) {
    node.type = Node::Type::flag;
    node.flag = flag->get();
  } else {
    node.type = Node::Type::other;
    if (const auto* date = source.as_date()) node.text = as_written(date->get());
    if (const auto* time = source.as_time()) node.text = as_written(time->get());
    if (const auto* both = source.as_date_time()) node.text = as_written(both->get());
  }
  return node;
}

// No TOML literal ends like a quantity with a unit, or begins like a word: most overrides and defaults are settled here.
bool is_plainly_text(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty()) return true;
  if (text == "true" || text == "false" || text == "inf" || text == "nan") return false;
  const char first = text.front(), last = text.back();
  if (is_letter(first)) return true;
  const bool digit_first = first >= '0' && first <= '9';
  return digit_first && (last == '%' || (last >= 'g' && last <= 'y'));
}

Node text_node(std::string_view text) {
  Node node;
  node.type = Node::Type::text;
  node.text = std::string(text);
  return node;
}

bool is_utf8(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
  try {
    return !toml::parse(fmt::format("v = {}\n", toml_quoted(text))).empty();
  } catch (const toml::parse_error&) {
    return false;
  }
}

void set_position(Node& node, const SourcePosition& where) {
  node.where = where;
  for (Node& item : node.items) set_position(item, where);
}

}  // namespace

Node read_toml(std::string_view text, const std::string& file) {
  try {
    Node root = converted(toml::parse(text, std::string_view(file)), file);
    root.where = {file, 0, 0};
    return root;
  } catch (const toml::parse_error& error) {
    throw InputError(position(error.source().begin, file), fmt::format("not valid TOML: {}", error.description()));
  }
}

Node read_literal(std::string_view text, const SourcePosition& where) {
  if (!is_utf8(text)) throw InputError(where, "the value is not valid UTF-8 text");
  Node node = text_node(text);
  if (!is_plainly_text(text)) {
    try {
      const toml::table table = toml::parse(fmt::format("v = {}\n", text));
      if (table.size() == 1 && table.contains("v")) node = converted(*table.get("v"), where.file);
    } catch (const toml::parse_error&) {
      // Not a literal, so it is the bare text.
    }
  }
  set_position(node, where);
  node.typed = std::string(text);
  return node;
}

}  // namespace weir
