#include "app/report_file.h"

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

ExtraFiles report_files(const std::vector<PreparedRun>& runs, const std::string& command) {
  return {{"report.html", report_page(runs, {command, {}})}};
}

}  // namespace weir
