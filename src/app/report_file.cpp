#include "app/report_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/runner.h"
#include "report/page/page.h"
#include "schemes/registry.h"

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

namespace {

// As it is typed: a text without its quotes.
std::string typed_value(const std::string& value) {
  const bool quoted = value.size() > 2 && value.front() == '"' && value.find_first_of("\"\\", 1) == value.size() - 1;
  return quoted ? value.substr(1, value.size() - 2) : value;
}

// " --set KEY=VALUE" for all that was set for this variant: each key once, the later value, and of [scheme] what its
// scheme has.
std::string settings_of(const ScenarioOptions& options, const Variant& variant) {
  constexpr std::string_view kOfScheme = "scheme.", kName = "scheme.name";
  std::vector<Override> settings;
  const auto set = [&](const Override& o) {
    const bool of_scheme = o.key.starts_with(kOfScheme) && o.key != kName;
    if (of_scheme && !variant.scenario.section("scheme").knows(o.key.substr(kOfScheme.size()))) return;
    std::erase_if(settings, [&](const Override& other) { return other.key == o.key; });
    settings.push_back(o);
  };
  for (const std::string& text : options.set) set(parse_override(text));
  for (const Override& o : variant.settings) set({o.key, typed_value(o.value)});
  std::string words;
  for (const Override& o : settings) words += " --set " + shell_word(o.key + "=" + o.value);
  return words;
}

}  // namespace

std::string opensm_hint(const ScenarioOptions& options, const Variant& variant) {
  if (variant.scenario.section("scheme").kind != "cca" || tag_of(variant.scenario) != SchemeTag::hardware) return "";
  return fmt::format("to write the opensm.conf settings of {}:\n  weir convert {} opensm.conf{}\n",
                     variant.label.empty() ? "scheme `cca`" : "`" + variant.label + "`", shell_word(options.file),
                     settings_of(options, variant));
}

std::string repetition_hint(const ScenarioOptions& options, const std::vector<const Variant*>& variants,
                            const std::string& directory, std::size_t flows) {
  std::string text = fmt::format("this was one run, of {} random flows; to see how much results vary:\n", flows);
  for (const Variant* variant : variants) {
    const std::filesystem::path out = std::filesystem::path(directory + "/.").parent_path().string() + "-" +
                                      file_name_of(variant->label) + ".sqlite";
    text += fmt::format("  weir sweep {}{} --repetitions 5 --out {}\n", shell_word(options.file),
                        settings_of(options, *variant), shell_word(out.lexically_normal().string()));
  }
  return text;
}

std::size_t arriving_flows(const Workload& workload) {
  std::vector<bool> arrives(workload.apps, false);
  for (const ArrivingLoad& load : workload.arriving) arrives[load.app.index] = true;
  std::size_t flows = 0;
  for (std::uint32_t f = 0; f < workload.flows.size(); ++f) flows += arrives[workload.flows[{f}].app.index];
  return flows;
}

ExtraFiles report_files(const std::vector<AnalysedRun>& runs, const std::string& command) {
  return {{"report.html", report_page(runs, {command, {}})}};
}

}  // namespace weir
