// What an installation has beside the program: its manual page, and completion for shells. All of it is made from the
// command line that the program itself parses.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace weir {

std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::string man_page(const CLI::App& app);
std::string completion(const CLI::App& app, const std::string& shell);  // "bash", "zsh" or "fish"

}  // namespace weir
