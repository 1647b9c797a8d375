// `weir help [COMMAND]`: what --help prints, for those who ask in words.
#include <fmt/format.h>

#include <sstream>

#include "app/commands.h"
#include "app/process.h"
#include "base/error.h"

namespace weir {
namespace {

const CLI::App& command_called(const CLI::App& app, const std::string& name) {
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return *command;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw InputError(fmt::format("there is no command `{}`; there are: {}", name, known));
}

}  // namespace

int answer_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, problem;
  const int code = app.exit(error, out, problem);
  put(out.str());
  note("{}", problem.str());
  return code == 0 ? 0 : 2;
}

Command add_help(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "what the program, or one command, can do");
  command->add_option("command", *name, "show the help of this command");
  return [&app, name] {
    app.clear();  // CLI11 would answer for the command that was given, which is `help`
    put(name->empty() ? app.help() : command_called(app, *name).help(app.get_name()));
    return 0;
  };
}

}  // namespace weir
