// The tree of a document and its spelling as TOML; reading is in toml_reader.cpp.
#include "scenario/toml/toml_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/quantity.h"

namespace weir {

const Node* Node::find(std::string_view member) const {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Node& n) { return n.key == member; });
  return is_table() && found != items.end() ? &*found : nullptr;
}

Node* Node::find(std::string_view member) { return const_cast<Node*>(std::as_const(*this).find(member)); }

Node& Node::add(Node member) {
  if (Node* old = find(member.key)) return *old = std::move(member);
  return items.emplace_back(std::move(member));
}

void Node::erase(std::string_view member) {
  std::erase_if(items, [&](const Node& n) { return n.key == member; });
}

bool Node::is_list_of_tables() const {
  return is_list() && !items.empty() &&
         std::all_of(items.begin(), items.end(), [](const Node& n) { return n.is_table(); });
}

std::string toml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (code < 0x20 || code == 0x7f)
      out += fmt::format("\\u{:04X}", code);
    else
      out += c;
  }
  return out += '"';
}

std::string toml_key(std::string_view key) {
  const bool bare =
      !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                          std::string_view::npos;
  return bare ? std::string(key) : toml_quoted(key);
}

std::string to_toml(const Node& node) {
  std::string out;
  switch (node.type) {
    case Node::Type::text:
      return toml_quoted(node.text);
    case Node::Type::integer:
      return std::to_string(node.integer);
    case Node::Type::flag:
      return node.flag ? "true" : "false";
    case Node::Type::other:
      return node.text;
    case Node::Type::number:
      out = number_to_text(node.number);
      return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
    case Node::Type::list:
      for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + to_toml(item);
      return "[" + out + "]";
    case Node::Type::table:
      for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + toml_key(item.key) + " = " + to_toml(item);
      return out.empty() ? "{}" : "{ " + out + " }";
  }
  return out;
}

std::string describe(const Node& node) {
  constexpr std::size_t kLong = 40;
  switch (node.type) {
    case Node::Type::text: {
      if (node.text.size() <= kLong) return "the text " + toml_quoted(node.text);
      std::size_t cut = kLong;
      while (cut > 0 && (static_cast<unsigned char>(node.text[cut]) & 0xc0) == 0x80) --cut;  // not within a character
      return "the text " + toml_quoted(node.text.substr(0, cut)) + "...";
    }
    case Node::Type::integer:
      return "the integer " + to_toml(node);
    case Node::Type::number:
      return "the number " + to_toml(node);
    case Node::Type::flag:
      return to_toml(node);
    case Node::Type::list:
      return "a list";
    case Node::Type::table:
      return "a table";
    case Node::Type::other:
      break;
  }
  return "the date " + node.text;
}

}  // namespace weir
