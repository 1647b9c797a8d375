#include "app/report_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/runner.h"
#include "report/page/page.h"
#include "scenario/toml/toml_tree.h"
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

// All that was set for this variant: each key once, the later value, and of [scheme] what its scheme has.
std::vector<Override> settings_for(const ScenarioOptions& options, const Variant& variant) {
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
  return settings;
}

std::string set_words(const std::vector<Override>& settings) {
  std::string words;
  for (const Override& o : settings) words += " --set " + shell_word(o.key + "=" + o.value);
  return words;
}

const SweepAxis* axis_of(const Scenario& scenario, const std::string& key) {
  for (const SweepAxis& axis : scenario.sweep)
    if (std::find(axis.keys.begin(), axis.keys.end(), key) != axis.keys.end()) return &axis;
  return nullptr;
}

std::string in_list(const std::string& typed) { return to_toml(read_literal(typed, {})); }

// The settings of two variants that differ in the value of one key, with a sweep of that key; nothing where they differ
// in more.
std::optional<std::vector<Override>> as_one_sweep(const std::vector<Override>& a, const std::vector<Override>& b) {
  if (a.size() != b.size()) return {};
  std::vector<Override> both;
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].key != b[i].key) return {};
    if (a[i].value == b[i].value) {
      both.push_back(a[i]);
      continue;
    }
    ++different;
    both.push_back({"sweep." + a[i].key, "[" + in_list(a[i].value) + "," + in_list(b[i].value) + "]"});
  }
  return different == 1 ? std::optional(both) : std::nullopt;
}

// What the scenario sweeps can be changed in its sweep alone; not even there if it advances together with other keys.
// Keys of a scheme that is swept are swept too: the scenario's own scheme may not have them.
std::optional<std::vector<Override>> within_sweep(const Scenario& scenario, std::vector<Override> settings) {
  constexpr std::string_view kSweep = "sweep.";
  const bool schemes = axis_of(scenario, "scheme.name") != nullptr ||
                       std::any_of(settings.begin(), settings.end(),
                                   [](const Override& o) { return o.key == "sweep.scheme.name"; });
  for (Override& o : settings) {
    const bool is_list = o.key.starts_with(kSweep);
    const SweepAxis* axis = axis_of(scenario, is_list ? o.key.substr(kSweep.size()) : o.key);
    if (axis != nullptr && axis->keys.size() > 1) return {};
    const bool swept = axis != nullptr || (schemes && o.key.starts_with("scheme."));
    if (swept && !is_list) o = {std::string(kSweep) + o.key, "[" + in_list(o.value) + "]"};
  }
  return settings;
}

}  // namespace

std::string opensm_hint(const ScenarioOptions& options, const Variant& variant) {
  if (variant.scenario.section("scheme").kind != "cca" || tag_of(variant.scenario) != SchemeTag::hardware) return "";
  return fmt::format("to write the opensm.conf settings of {}:\n  weir convert {} opensm.conf{}\n",
                     variant.label.empty() ? "scheme `cca`" : "`" + variant.label + "`", shell_word(options.file),
                     set_words(settings_for(options, variant)));
}

std::string repetition_hint(const ScenarioOptions& options, const std::vector<const Variant*>& variants,
                            const std::string& directory, std::size_t flows) {
  struct Sweep {
    std::vector<Override> settings;
    std::string name;
  };
  std::vector<Sweep> sweeps;
  for (const Variant* variant : variants)
    sweeps.push_back({settings_for(options, *variant), file_name_of(variant->label)});
  // In one file, runs of the same seed can be compared in pairs.
  if (sweeps.size() == 2)
    if (const auto both = as_one_sweep(sweeps[0].settings, sweeps[1].settings)) sweeps = {{*both, "repeated"}};
  const Scenario& scenario = variants[0]->scenario;
  const std::string repetitions = axis_of(scenario, "seed") == nullptr ? " --repetitions 5" : "";
  std::string text;
  for (const Sweep& sweep : sweeps) {
    const auto settings = within_sweep(scenario, sweep.settings);
    if (!settings) return "";
    const std::filesystem::path out =
        std::filesystem::path(directory + "/.").parent_path().string() + "-" + sweep.name + ".sqlite";
    text += fmt::format("  weir sweep {}{}{} --out {}\n", shell_word(options.file), set_words(*settings), repetitions,
                        shell_word(out.lexically_normal().string()));
  }
  return fmt::format("this was one run, of {} random flows; to see how much results vary:\n{}", flows, text);
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
