// A table of a TOML file, key by key. What is left over in the end was not understood and is refused by name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scenario/toml/toml_tree.h"

namespace weir {

class TableReader {
 public:
  TableReader(const Node& table, std::string name);

  const Node* find(std::string_view key);  // nothing where it is not given
  const Node& need(std::string_view key);
  std::string text(std::string_view key, const std::string& otherwise = {});
  std::string needed_text(std::string_view key);
  bool flag(std::string_view key, bool otherwise = false);
  double number(std::string_view key, double otherwise = 0);
  std::vector<std::string> texts(std::string_view key);  // a text, or a list of them
  const std::vector<Node>& tables(std::string_view key);  // of a list [[key]]; empty where there is none
  void finish() const;  // refuses what was never asked for

  const SourcePosition& where() const { return table_.where; }

 private:
  const Node& table_;
  std::string name_;
  std::vector<std::string_view> known_;
};

const std::string& text_of(const Node& node);
double number_of(const Node& node);

}  // namespace weir
