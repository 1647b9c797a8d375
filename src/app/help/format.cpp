#include "app/help/format.h"

#include <sstream>

namespace weir {
namespace {

// "UINT:UINT in [0 - 4096]" is a type and a range, "TEXT:{csv,json}" a type and its choices.
std::string value_name(const std::string& type_name) {
  const std::size_t colon = type_name.find(':');
  const std::string type = type_name.substr(0, colon);
  const std::string rest = colon == type_name.npos ? "" : type_name.substr(colon + 1);
  if (rest.starts_with('{')) return rest.substr(0, rest.find('}') + 1);
  return type == "UINT" || type == "INT" || type == "FLOAT" ? "N" : type;
}

}  // namespace

std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = CLI::Formatter::make_option_name(option, is_positional);
  const std::string_view negated = "{false}";
  if (const std::size_t at = name.find(negated); at != name.npos) name.erase(at, negated.size());
  return name;
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_type_size() == 0) return "";
  const std::string value = value_name(option->get_type_name());
  std::string text = value.empty() ? "" : " " + value;
  if (std::string given = option->get_default_str(); !given.empty()) {
    if (given.starts_with('[')) given = given.substr(1, given.size() - 2);  // of a list
    text += " (default: " + given + ")";
  }
  return text;
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_name(), first_line(command->get_description()), column_width_);
  return out.str();
}

std::string first_line(const std::string& description) { return description.substr(0, description.find('\n')); }

}  // namespace weir
