// `weir help [COMMAND]`: what --help prints, for those who ask in words.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "app/commands.h"
#include "app/process.h"
#include "app/help/files.h"
#include "app/input/file_kinds.h"
#include "app/runner.h"
#include "base/error.h"
#include "report/terminal/terminal_text.h"
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
  throw InputError(fmt::format("there is no command `{}`{}", name, suggestion(name, known, "the commands are")));
}

// Where the description of an option begins; else a little further than the line itself. Prose goes on at the margin.
std::size_t hanging_indent(std::string_view line) {
  const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", margin);
  const std::size_t text = gap == line.npos ? gap : line.find_first_not_of(' ', gap);
  constexpr std::size_t kDescriptions = 20;  // further in, the whole line is one
  if (text == line.npos || text > line.size() / 2 + 20)
    return margin == 0 || margin > kDescriptions ? margin : margin + 2;
  return text;
}

// A command line goes on behind a backslash, so that it can be copied as it is printed.
std::string broken_command(std::string_view line, std::size_t width) {
  std::string text;
  while (line.size() > width) {
    const std::size_t space = line.rfind(' ', width - 2);
    if (space == line.npos || line.find_first_not_of(' ') > space) break;
    text += std::string(line.substr(0, space)) + " \\\n";
    line.remove_prefix(space + 1);
    text += "      ";
  }
  return text + std::string(line) + "\n";
}

// CLI11 leaves long lines as they are, and two blank lines between groups of options.
std::string fitted(std::string_view help, std::size_t width) {
  std::string text;
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size());
    const std::string_view line = help.substr(0, end);
    help.remove_prefix(std::min(end + 1, help.size()));
    if (line.empty() && text.ends_with("\n\n")) continue;
    if (display_width(line) <= width) text += std::string(line) + "\n";
    else if (line.starts_with("  weir ") || line.starts_with("  ibnetdiscover ")) text += broken_command(line, width);
    else text += wrap(line, width, hanging_indent(line));
  }
  return text;
}

}  // namespace

void check_command(const CLI::App& app, const std::string& name) {
  if (name.empty() || name.front() == '-') return;
  if (find_command(app, name) != nullptr) return;
  std::error_code error;
  if (name.find_first_of("./") != name.npos && !std::filesystem::exists(name, error))
    throw InputError(fmt::format("there is no command and no file `{}`; `weir help` lists the commands", name));
  if (const std::optional<FileKind> kind = kind_of_file(name))
    throw InputError(fmt::format("`{}` is {}, not a command. {}", name, name_of(*kind), advice_on(*kind, name)));
  command_called(app, name);
}

namespace {

// "0.000000" -> "0"
std::string plain_number(std::string text) {
  if (text.find('.') == text.npos) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// What stands between two words of a message; nothing if they do not stand there.
std::string between(const std::string& text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  if (at == text.npos) return "";
  const std::size_t begin = at + before.size(), end = after.empty() ? text.size() : text.find(after, begin);
  return end == text.npos ? "" : text.substr(begin, end - begin);
}

// What people call options elsewhere, and the name that a command may have for it.
constexpr std::pair<std::string_view, std::string_view> kOtherOptions[] = {
    {"speed", "rate"},         {"bandwidth", "rate"},  {"link-speed", "rate"}, {"cable", "length"},
    {"cable-length", "length"}, {"distance", "length"}, {"metres", "length"},   {"meters", "length"},
    {"output", "out"},         {"output-dir", "out"},  {"override", "set"},    {"param", "set"},
    {"jobs", "threads"},       {"cores", "threads"},
};

// Options that are keys of the scenario here, and words that are no options anywhere.
constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
    {"scheme", "scheme.name"}, {"seed", "seed"},     {"routing", "routing.choice"},
    {"duration", "run.duration"}, {"topology", "topology.kind"},
};

// "--set scheme.name=dcqcn" instead of --scheme dcqcn.
std::string meant_setting(const CLI::App& command, std::string_view word, const std::string& next) {
  if (!word.starts_with("--") || command.get_option_no_throw("--set") == nullptr) return "";
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string value = equals < word.size() ? std::string(word.substr(equals + 1)) : next;
  for (const auto& [other, key] : kKeys)
    if (word.substr(2, equals - 2) == other)
      return fmt::format("--set {}={}", key, value.empty() || value.starts_with('-') ? "..." : value);
  return "";
}

// The option of this command that was probably meant; empty if none was.
std::string meant_option(const CLI::App& command, std::string_view word) {
  if (!word.starts_with("--")) return "";
  word = word.substr(2, word.find('=') - 2);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const auto& [other, ours] : kOtherOptions)
    if (word == other && std::find(known.begin(), known.end(), ours) != known.end()) return fmt::format("--{}", ours);
  const auto near = nearest(word, known);
  return near ? fmt::format("--{}", *near) : "";
}

// CLI11 lists them from the last to the first.
std::string unexpected(const CLI::App& command, const std::string& backwards) {
  std::istringstream stream(backwards);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.insert(words.begin(), word);
  std::string hints;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string meant = meant_setting(command, words[i], i + 1 < words.size() ? words[i + 1] : "");
    if (meant.empty()) meant = meant_option(command, words[i]);
    if (!meant.empty()) hints += fmt::format("; instead of {}, did you mean {}?", words[i], meant);
    if (words[i] == "--xoff") hints += "; xoff of a PG profile (SONiC) is the headroom that this command prints";
  }
  return fmt::format("unexpected argument{} {}{}", words.size() == 1 ? "" : "s", fmt::join(words, " "), hints);
}

// What a value should have been that is no number, or stands behind an option that takes none.
std::string not_converted(const CLI::Option* option, const std::string& name, const std::string& value) {
  if (option == nullptr || option->get_items_expected_max() == 0)
    return fmt::format("{} takes no value, but {} was given", name, value);
  const std::string type = option->get_type_name();
  return fmt::format("{} needs {}, not {}", name,
                     type.starts_with("FLOAT") ? "a number"
                     : type.starts_with("INT") ? "a whole number"
                                               : "a whole number that is not negative",
                     value);
}

// CLI11's messages in the words of a user.
std::string in_plain_words(const CLI::App& command, const std::string& what) {
  if (const std::string name = between("\n" + what, "\n", " is required"); !name.empty() && name != "A subcommand") {
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option != nullptr)
      return "an argument is required: " + option->get_description();
  }
  const std::string option = what.substr(0, what.find(':'));
  if (!between(what, ": 1 required ", " missing").empty()) return option + " needs a value";
  if (const std::string value = between(what, "Value ", " not in range "); !value.empty())
    return fmt::format("{} needs a number from {} to {}, not {}", option,
                       plain_number(between(what, " not in range ", " to ")),
                       plain_number(what.substr(what.rfind(" to ") + 4)), value);
  if (const std::string choices = between(what, " not in {", "}"); !choices.empty()) {
    std::string list;
    for (const char c : choices) list += c == ',' ? std::string(", ") : std::string(1, c);
    const char* quote = option.starts_with('-') ? "" : "`";
    return fmt::format("{0}{1}{0} must be one of {2}, not {0}{3}{0}", quote, option, list,
                       between(what, ": ", " not in {"));
  }
  if (const std::string word = between(what, "Could not convert: ", " = "); !word.empty())
    return not_converted(command.get_option_no_throw(word), word, between(what, " = ", ""));
  if (const std::string rest = between(what, "The following argument was not expected: ", ""); !rest.empty())
    return unexpected(command, rest);
  if (const std::string rest = between(what, "The following arguments were not expected: ", ""); !rest.empty())
    return unexpected(command, rest);
  if (const std::string other = between(what, " excludes ", ""); !other.empty())
    return fmt::format("{} and {} cannot be used together", what.substr(0, what.find(' ')), other);
  return what;
}

}  // namespace

int answer_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, problem;
  const int code = app.exit(error, out, problem);
  show(fitted(out.str(), terminal_style().width));
  if (code == 0) return 0;
  const auto given = app.get_subcommands();
  const std::string command = given.empty() ? "" : " " + given.front()->get_name();
  std::string what = given.empty() ? error.what() : in_plain_words(*given.front(), error.what());
  // CLI11 misses the command first, whatever stands in its place.
  if (const auto words = app.remaining(); given.empty() && !words.empty() && words.front().starts_with('-'))
    what = fmt::format("there is no option {}", words.front());
  if (what == "A subcommand is required") what = "a command is required";
  if (what.size() > 1 && std::islower(static_cast<unsigned char>(what[1])) != 0)
    what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
  note("weir: {}; see `weir{} --help`\n", what, command);
  return 2;
}

Command add_help(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  auto shell = std::make_shared<std::string>();
  auto man = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("help", "show the help of weir or of one command");
  command->add_option("command", *name, "show the help of this command");
  CLI::Option* as_man = command->add_flag("--man", *man, "print the manual page of weir");
  command->add_option("--completion", *shell, "print the completion script for this shell")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->excludes(as_man);
  return [&app, name, shell, man] {
    app.clear();  // CLI11 would answer for the command that was given, which is `help`
    if (*man) put(man_page(app));
    else if (!shell->empty()) put(completion(app, *shell));
    else show(fitted(name->empty() ? app.help() : command_called(app, *name).help(app.get_name()),
                     terminal_style().width));
    return 0;
  };
}

}  // namespace weir
