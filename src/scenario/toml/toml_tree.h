// A TOML document as a plain tree of values with the place where each was written. The library that reads TOML stays
// behind this one header: it is slow to compile, and overrides and fragments need a tree that can be changed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace weir {

struct Node {
  enum class Type { table, list, text, integer, number, flag, other };

  Type type = Type::table;
  std::string key;   // within the parent table
  std::string text;  // text; `other` (dates) as written
  std::int64_t integer = 0;
  double number = 0;
  bool flag = false;
  std::vector<Node> items;  // of a list, or the members of a table in the order of the file
  SourcePosition where;
  std::string typed;  // from a command line: the characters as typed, since `name=1` may mean the text "1"

  bool is_table() const { return type == Type::table; }
  bool is_list() const { return type == Type::list; }
  bool is_text() const { return type == Type::text; }
  bool is_list_of_tables() const;
  const Node* find(std::string_view member) const;
  Node* find(std::string_view member);
  Node& add(Node member);  // replaces a member with the same key
  void erase(std::string_view member);
};

// Syntax errors are InputError with file and line.
Node read_toml(std::string_view text, const std::string& file);
// A TOML literal, or else the text itself as a string: what stands right of `=` in --set, and defaults in the
// vocabulary.
Node read_literal(std::string_view text, const SourcePosition& where);

// As TOML on one line; read_literal gives the same value again.
std::string to_toml(const Node& node);
std::string toml_quoted(std::string_view text);
std::string toml_key(std::string_view key);

// "the text \"two\"", "the integer 3", "a list": what was given, for messages.
std::string describe(const Node& node);

}  // namespace weir
