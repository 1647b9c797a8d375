// `weir help [COMMAND]`: what --help prints, for those who ask in words.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/commands.h"
#include "app/process.h"
#include "app/help_files.h"
#include "base/error.h"
#include "scenario/suggest.h"

namespace weir {
namespace {

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto known = commands_of(app);
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto* c) { return c->get_name() == name; });
  return found == known.end() ? nullptr : *found;
}

const CLI::App& command_called(const CLI::App& app, const std::string& name) {
  if (const CLI::App* found = find_command(app, name)) return *found;
  std::vector<std::string> names;  // the candidates are views of them
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw InputError(fmt::format("there is no command `{}`{}", name, suggestion(name, known, "there are:")));
}

}  // namespace

void check_command(const CLI::App& app, const std::string& name) {
  if (name.empty() || name.front() == '-') return;
  std::error_code error;
  if (find_command(app, name) == nullptr && std::filesystem::is_regular_file(name, error)) {
    const auto* what = name.ends_with(".toml") ? "`{0}` is a file, not a command; to run it: weir run {0}"
                                               : "`{0}` is a file, not a command; if it describes a fabric: weir topo "
                                                 "{0}, or weir new {0}";
    throw InputError(fmt::format(fmt::runtime(what), name));
  }
  command_called(app, name);
}

int answer_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, problem;
  const int code = app.exit(error, out, problem);
  put(out.str());
  note("{}", problem.str());
  return code == 0 ? 0 : 2;
}

Command add_help(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  auto shell = std::make_shared<std::string>();
  auto man = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("help", "what the program, or one command, can do");
  command->add_option("command", *name, "show the help of this command");
  CLI::Option* as_man = command->add_flag("--man", *man, "the manual page of weir");
  command->add_option("--completion", *shell, "completion of commands and options, for this shell")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->excludes(as_man);
  return [&app, name, shell, man] {
    app.clear();  // CLI11 would answer for the command that was given, which is `help`
    if (*man) put(man_page(app));
    else if (!shell->empty()) put(completion(app, *shell));
    else put(name->empty() ? app.help() : command_called(app, *name).help(app.get_name()));
    return 0;
  };
}

}  // namespace weir
