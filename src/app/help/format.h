// How --help shows options: what a value is in one word, its default, and nothing of CLI11's own notation. Ranges and
// exclusions are told by the error that they cause.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace weir {

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  // In the list of commands, the first line of a description is enough.
  std::string make_subcommand(const CLI::App* command) const override;
};

std::string first_line(const std::string& description);

}  // namespace weir
