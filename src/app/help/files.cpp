#include "app/help/files.h"

#include <fmt/format.h>

#include "app/help/format.h"

namespace weir {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

bool takes_value(const CLI::Option& option) { return !option.get_type_name().empty(); }

// ---- manual page ----

std::string roff(const std::string& text) {
  std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  safe = replaced(safe, "\n.", "\n\\&.");
  return safe.starts_with(".") || safe.starts_with("'") ? "\\&" + safe : safe;
}

std::string roff_option(const CLI::Option& option) {
  const std::string kind = option.get_type_name().substr(0, option.get_type_name().find(':'));  // without its range
  const std::string type = takes_value(option) ? " \\fI" + roff(kind) + "\\fR" : "";
  const bool positional = option.get_positional();
  const std::string names = replaced(option.get_name(false, true), "{false}", "");
  const std::string name = positional ? "\\fI" + roff(option.get_single_name()) + "\\fR"
                                      : "\\fB" + roff(names) + "\\fR" + type;
  return fmt::format(".TP\n{}\n{}\n", name, roff(option.get_description()));
}

// ---- completion ----

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

std::string bash(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : commands_of(app)) {
    names += " " + command->get_name();
    std::string options;
    for (const std::string& name : option_names(*command)) options += " --" + name;
    cases += fmt::format("    {}) options=\"{}\" ;;\n", command->get_name(), options.substr(options.empty() ? 0 : 1));
  }
  return fmt::format(R"(_weir() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" options=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) if [ "${{COMP_WORDS[1]}}" = help ]; then COMPREPLY=($(compgen -W "{}" -- "$current"));
       else COMPREPLY=($(compgen -f -- "$current")); fi ;;
  esac
}}
complete -o filenames -F _weir weir
)", names.substr(1), cases, names.substr(1));
}

std::string in_quotes(const std::string& text) { return replaced(text, "'", "'\\''"); }

std::string zsh(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* command : commands_of(app)) {
    const std::string about = in_quotes(replaced(first_line(command->get_description()), ":", ","));
    names += fmt::format("    '{}:{}'\n", command->get_name(), about);
    cases += fmt::format("    {}) _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) {
        const std::string meaning =
            in_quotes(replaced(replaced(option->get_description(), "[", "("), "]", ")"));
        cases += fmt::format(" \\\n      '--{}[{}]{}'", name, replaced(meaning, ":", ","),
                             takes_value(*option) ? ":value:_files" : "");
      }
    cases += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef weir
_weir() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
{}  esac
}}
_weir "$@"
)", names, cases);
}

std::string fish(const CLI::App& app) {
  std::string text = "complete -c weir -n __fish_use_subcommand -l version -d 'version of the program'\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("complete -c weir -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                        replaced(first_line(command->get_description()), "'", "\\'"));
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames())
        text += fmt::format("complete -c weir -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
                            command->get_name(), name, takes_value(*option) ? " -r" : "",
                            replaced(option->get_description(), "'", "\\'"));
  }
  return text;
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH WEIR 1 \"\" \"weir {}\"\n.SH NAME\nweir \\- congestion management for lossless interconnects\n"
      ".SH SYNOPSIS\n.B weir\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
      "weir simulates lossless fabrics (InfiniBand, lossless Ethernet), compares schemes against congestion on them,\n"
      "and watches and manages congestion of real InfiniBand subnets. A scenario is a TOML file.\n.SH COMMANDS\n",
      WEIR_VERSION);
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format(".SS weir {}\n{}\n", roff(command->get_name()), roff(command->get_description()));
    std::string group = "Options";
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_lnames() == std::vector<std::string>{"help"}) continue;
      if (option->get_group() != group) text += fmt::format(".PP\n{}:\n", roff(group = option->get_group()));
      text += roff_option(*option);
    }
    if (!command->get_footer().empty()) text += ".PP\n.nf\n" + roff(command->get_footer()) + "\n.fi\n";
  }
  return text + ".SH SEE ALSO\n.BR weir\\-manage (8)\n";
}

std::string completion(const CLI::App& app, const std::string& shell) {
  return shell == "bash" ? bash(app) : shell == "zsh" ? zsh(app) : fish(app);
}

}  // namespace weir
