#include "scenario/toml/table_reader.h"

#include <algorithm>

#include "scenario/suggest.h"

namespace weir {

const std::string& text_of(const TomlNode& node) {
  if (!node.is_text()) throw InputError(node.where, "`" + node.key + "` must be a text, not " + describe(node));
  return node.text;
}

double number_of(const TomlNode& node) {
  if (node.type == TomlNode::Type::integer) return static_cast<double>(node.integer);
  if (node.type == TomlNode::Type::number) return node.number;
  throw InputError(node.where, "`" + node.key + "` must be a number, not " + describe(node));
}

TableReader::TableReader(const TomlNode& table, std::string name) : table_(table), name_(std::move(name)) {
  if (!table.is_table()) throw InputError(table.where, name_ + " must be a table, not " + describe(table));
}

const TomlNode* TableReader::find(std::string_view key) {
  known_.push_back(key);
  return table_.find(key);
}

const TomlNode& TableReader::need(std::string_view key) {
  const TomlNode* node = find(key);
  if (node == nullptr) throw InputError(table_.where, name_ + " needs `" + std::string(key) + "`");
  return *node;
}

std::string TableReader::text(std::string_view key, const std::string& otherwise) {
  const TomlNode* node = find(key);
  return node == nullptr ? otherwise : text_of(*node);
}

std::string TableReader::needed_text(std::string_view key) { return text_of(need(key)); }

bool TableReader::flag(std::string_view key, bool otherwise) {
  const TomlNode* node = find(key);
  if (node == nullptr) return otherwise;
  if (node->type != TomlNode::Type::flag)
    throw InputError(node->where, "`" + node->key + "` must be true or false, not " + describe(*node));
  return node->flag;
}

double TableReader::number(std::string_view key, double otherwise) {
  const TomlNode* node = find(key);
  return node == nullptr ? otherwise : number_of(*node);
}

std::vector<std::string> TableReader::texts(std::string_view key) {
  const TomlNode* node = find(key);
  if (node == nullptr) return {};
  if (node->is_text()) return {node->text};
  std::vector<std::string> list;
  if (!node->is_list()) throw InputError(node->where, "`" + node->key + "` must be a text or a list of texts");
  for (const TomlNode& item : node->items) list.push_back(text_of(item));
  return list;
}

const std::vector<TomlNode>& TableReader::tables(std::string_view key) {
  static const std::vector<TomlNode> kNone;
  const TomlNode* node = find(key);
  if (node == nullptr) return kNone;
  if (!node->is_list_of_tables())
    throw InputError(node->where, "`" + node->key + "` must be a list of tables: write [[" + node->key + "]]");
  return node->items;
}

void TableReader::finish() const {
  for (const TomlNode& member : table_.items)
    if (std::find(known_.begin(), known_.end(), member.key) == known_.end())
      throw InputError(member.where, name_ + " has no key `" + member.key + "`" +
                                         suggestion(member.key, known_, "its keys are"));
}

}  // namespace weir
