#include "app/report_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "report/page/page.h"

namespace weir {

std::string shell_word(const std::string& text) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string repeat_command(const std::string& verb, const ScenarioOptions& options,
                           const std::vector<std::string>& more) {
  std::string command = "weir " + verb + " " + shell_word(std::filesystem::path(options.file).filename().string());
  for (const std::string& setting : options.set) command += " --set " + shell_word(setting);
  for (const std::string& word : more) command += " " + shell_word(word);
  return command;
}

std::string opensm_hint(const ScenarioOptions& options, const std::vector<Variant>& variants) {
  std::string text;
  for (const Variant& variant : variants) {
    if (variant.scenario.section("scheme").kind != "cca") continue;
    std::string command = "weir convert " + shell_word(options.file) + " opensm.conf";
    for (const std::string& setting : options.set) command += " --set " + shell_word(setting);
    for (const Override& o : variant.settings) {
      const bool quoted = o.value.size() > 2 && o.value.find_first_of("\"\\", 1) == o.value.size() - 1;
      command += " --set " + shell_word(o.key + "=" + (quoted ? o.value.substr(1, o.value.size() - 2) : o.value));
    }
    text += fmt::format("to write the opensm.conf settings of {}:\n  {}\n",
                        variant.label.empty() ? "scheme `cca`" : "`" + variant.label + "`", command);
  }
  return text;
}

ExtraFiles report_files(const std::vector<AnalysedRun>& runs, const std::string& command) {
  return {{"report.html", report_page(runs, {command, {}})}};
}

}  // namespace weir
