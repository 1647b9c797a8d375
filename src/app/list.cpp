// `weir list`: what there is, from the same tables that the parser uses.
#include <fmt/format.h>

#include "app/commands.h"
#include "app/process.h"
#include "app/runner.h"
#include "packet/config/adapter_presets.h"
#include "packet/config/switch_presets.h"
#include "report/terminal/terminal_text.h"
#include "run/simulate.h"
#include "scenario/quantity.h"
#include "scenario/reference.h"
#include "scenario/suggest.h"
#include "schemes/registry.h"

namespace weir {
namespace {

struct ListOptions {
  std::string what, name;
  bool markdown = false;
};

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"topologies", "topology"}, {"routings", "routing"}, {"patterns", "traffic"}, {"schemes", "scheme"}};

// One kind per line.
std::string kind_lines(const SectionSpec& section) {
  std::size_t widest = 0;
  for (const KindSpec& kind : section.kinds) widest = std::max(widest, kind.name.size());
  std::string text;
  for (const KindSpec& kind : section.kinds) {
    const std::string tag = kind.tag.empty() ? "" : fmt::format("{:<9}  ", kind.tag);
    const std::string line = fmt::format("{:<{}}  {}{}", kind.name, widest, tag, kind.summary);
    text += wrap(line, line_width(), widest + tag.size() + 2);
  }
  return text;
}

std::string tag_lines() {
  std::string text;
  for (const SchemeTag tag : {SchemeTag::hardware, SchemeTag::standard, SchemeTag::research, SchemeTag::ideal})
    text += fmt::format("{:<9}  {}\n", name_of(tag), meaning_of(tag));
  return text +
         wrap(fmt::format("In results, a scheme that exists only for Ethernet, but runs on an InfiniBand fabric, shows "
                          "\"{}\" instead of one of these; in the opposite case, \"{}\".",
                          name_of(SchemeTag::for_ethernet), name_of(SchemeTag::for_infiniband)),
              line_width());
}

std::string memory_of(const SwitchPreset& preset) {
  if (!preset.memory.empty()) return std::string(preset.memory);
  return fmt::format("not published ({} for each input and lane is assumed)", kAssumedBuffer);
}

// Switches and adapters that can be bought: all, or the one of this name.
std::string preset_lines(const std::string& only) {
  std::string text = "[switch] preset =\n";
  std::vector<std::string_view> names;
  bool found = only.empty();
  const auto line = [&](std::string_view name, const std::string& about) {
    names.push_back(name);
    if (!only.empty() && name != only) return;
    found = true;
    text += wrap(fmt::format("  {:<17} {}", name, about), line_width(), 20);
  };
  for (const SwitchPreset& p : switch_presets())
    line(p.name, fmt::format("{}; port to port {}, memory {}. Source: {}", p.product, p.latency, memory_of(p),
                             p.published));
  text += "\n[adapter] preset =\n";
  for (const AdapterPreset& p : adapter_presets())
    line(p.name,
         fmt::format("{}; link {}, {}: {}. Source: {}", p.product, to_text(p.link), p.bus, p.bus_rate, p.published));
  if (!found)
    throw InputError(fmt::format("there is no preset `{}`{}", only, suggestion(only, names, "the presets are")));
  if (only.empty()) return text;
  const std::size_t adapters = text.find("\n[adapter]");  // one of the two lists has the name
  const std::string switches = text.substr(0, adapters);
  return switches.find("  " + only) != switches.npos ? switches : text.substr(adapters + 1);
}

int list_one(const SectionSpec& section, const std::string& name) {
  for (const KindSpec& kind : section.kinds) {
    if (kind.name == name) {
      show(describe_kind(section, kind, terminal_style().width));
      if (section.name == "scheme")
        put(fmt::format("\nTry it:\n  weir run scenarios/hotspot.toml --set scheme.name={}\n", name));
      if (section.name == "scheme" && name == "cca")
        put("\nTo write its settings for opensm.conf:\n  weir convert scenarios/hotspot.toml opensm.conf --set "
            "scheme.name=cca\n");
      return 0;
    }
  }
  std::vector<std::string_view> names;
  for (const KindSpec& kind : section.kinds) names.push_back(kind.name);
  if (nearest(name, names))
    throw InputError(fmt::format("there is no {} `{}`{}", section.name, name, suggestion(name, names, "")));
  throw InputError(fmt::format("there is no {} `{}`; choose one of these:\n{}", section.name, name,
                               kind_lines(section)));
}

}  // namespace

Command add_list(CLI::App& app) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand(
      "list", "list topologies, routings, traffic patterns, schemes, and presets of switches and adapters");
  command->footer("Examples:\n  weir list schemes\n  weir list schemes renato\n  weir list patterns hotspot\n"
                  "  weir list presets");
  command->add_option("what", options->what, "topologies, routings, patterns, schemes or presets")
      ->check(CLI::IsMember({"topologies", "routings", "patterns", "schemes", "presets"}));
  command->add_option("name", options->name, "show this one with its parameters and an example");
  command->add_flag("--markdown", options->markdown, "print the whole scenario reference (docs/scenario.md)");
  return [options] {
    if (options->markdown && !options->what.empty())
      throw InputError(fmt::format("--markdown prints the whole reference: leave out `{}`", options->what));
    if (options->markdown) {
      put(reference_markdown(vocabulary()));
      return 0;
    }
    if (options->what == "presets") {
      put(preset_lines(options->name));
      return 0;
    }
    for (const auto& [word, section_name] : kWords) {
      if (!options->what.empty() && options->what != word) continue;
      const SectionSpec& section = *vocabulary().find(section_name);
      if (!options->name.empty()) return list_one(section, options->name);
      put(fmt::format("{}\n{}\n", word, kind_lines(section)));
      if (section_name == "scheme") put(tag_lines() + "\n");
    }
    return 0;
  };
}

}  // namespace weir
