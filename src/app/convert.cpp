// `weir convert A B`: a workload or a fabric from one format to another, as far as the other can say it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "app/commands.h"
#include "app/fabric_input.h"
#include "app/process.h"
#include "app/runner.h"
#include "base/file_text.h"
#include "network/fabric/fabric.h"
#include "network/topologies/topology_files.h"
#include "scenario/rank_files.h"
#include "schemes/infiniband/infiniband.h"
#include "schemes/infiniband/opensm_lines.h"
#include "store/files/output_file.h"
#include "traffic/formats/chakra.h"

namespace weir {
namespace {

struct ConvertOptions {
  std::string from, to;
  std::string from_format = "auto", to_format = "auto";
  std::uint32_t ranks = kMostRanks;
  std::vector<std::string> set;
};

constexpr std::string_view kFabricWriters[] = {"htsim", "ns3", "ibnetdiscover", "dot"};

bool is_member(std::span<const std::string_view> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool reads_as_ibdm(std::string_view bytes) {
  try {
    return !parse_fabric("", bytes, FabricFormat::ibdm).cables.empty();
  } catch (const InputError&) {
    return false;
  }
}

// A scenario, or a file that describes a network and no messages.
bool is_fabric(const std::string& file, const std::string& format, std::string_view bytes) {
  if (format == "ibnetdiscover" || format == "ibdm" || file.ends_with(".toml")) return true;
  if (!simulator_of_fabric(bytes).empty()) return true;
  return format == "auto" && (file.ends_with(".topo") || bytes.find("\nSwitch\t") != bytes.npos ||
                              bytes.find("\nCa\t") != bytes.npos || reads_as_ibdm(bytes));
}

std::string fabric_format_to_write(const ConvertOptions& options) {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {".topo", "htsim"}, {".txt", "ns3"}, {".ibnetdiscover", "ibnetdiscover"}, {".dot", "dot"}};
  if (options.to_format != "auto") {
    if (!is_member(kFabricWriters, options.to_format))
      throw InputError(fmt::format("{} is a fabric, but format {} is for messages; a fabric can be written as {}",
                                   options.from, options.to_format, fmt::join(kFabricWriters, ", ")));
    return options.to_format;
  }
  for (const auto& [ending, format] : kEndings)
    if (options.to.ends_with(ending)) return std::string(format);
  throw InputError(fmt::format("{} {} is converted, but the output name {} does not show a format for fabrics: let it "
                               "end in .topo, .txt, .ibnetdiscover or .dot, or give the format with --to",
                               options.from.ends_with(".toml") ? "the fabric of scenario" : "fabric", options.from,
                               options.to));
}

int convert_fabric(const ConvertOptions& options) {
  const std::string format = fabric_format_to_write(options);
  std::string text;
  try {
    text = converted_fabric(options.from, options.from_format, format);
  } catch (const InputError& e) {
    if (!e.where().file.empty()) throw;
    throw InputError(options.to + ": " + e.what());
  }
  write_file(options.to, text);
  fmt::print("wrote {}: the fabric, in format {}\n", options.to, format);
  return 0;
}

bool wants_opensm(const ConvertOptions& options) {
  return options.to_format == "opensm" || (options.to_format == "auto" && options.to.ends_with(".conf"));
}

// The lines of opensm.conf for scheme `cca`: as the scenario sets it, or with its defaults if it has another scheme.
int convert_settings(const ConvertOptions& options) {
  if (!options.from.ends_with(".toml"))
    throw InputError(options.from + ": the lines of opensm.conf are made from a scenario (.toml)");
  const std::vector<Override> set = parse_overrides(options.set);
  Scenario scenario = parse_scenario_file(options.from, vocabulary(), set);
  const std::string& scheme = scenario.section("scheme").kind;
  const bool given = scheme == "cca";
  if (!given && std::any_of(set.begin(), set.end(), [](const Override& o) { return o.key == "scheme.name"; }))
    throw InputError(fmt::format("--set scheme.name={}: opensm.conf configures the scheme `cca` and no other one; "
                                 "write --set scheme.name=cca, or leave it out",
                                 scheme));
  if (!given)
    scenario = with_overrides(scenario, {{"scheme.name", "cca"}}, vocabulary());
  const RunSetup setup = set_up(scenario);
  // A file that is there belongs to a subnet manager: only congestion control is exchanged in it.
  const bool is_there = std::filesystem::is_regular_file(options.to);
  const std::string old = is_there ? read_text_file(options.to) : "";
  const OpensmLines lines =
      opensm_lines(run_input(setup), scenario.section("scheme"), read_opensm_settings(options.to, old));
  write_file(options.to, replace_opensm_settings(old, lines.text));
  fmt::print(
      "wrote {}: the congestion control settings of scheme `cca`, {}{}\n", options.to,
      given ? "as " + options.from + " sets it" : "with its defaults, because " + options.from + " does not set it",
      is_there ? "; all other settings in this file are kept" : "");
  if (lines.marking_rate == 0)
    note("note: marking_rate is 0: every packet that may be marked is marked. For `weir manage`, which lowers "
         "marking_rate at single ports, write a higher value: --set scheme.marking_rate={}\n",
         kDcmsMarkingRate);
  return 0;
}

TraceFormat named(const std::string& name) {
  if (!is_member(kTraceFormats, name))
    throw InputError(fmt::format("{} is a format for fabrics, but this file contains messages", name));
  return static_cast<TraceFormat>(std::find(std::begin(kTraceFormats), std::end(kTraceFormats), name) -
                                  std::begin(kTraceFormats));
}

// By the ending of the name.
TraceFormat format_to_write(const std::string& file) {
  constexpr std::pair<std::string_view, TraceFormat> kEndings[] = {
      {".csv", TraceFormat::csv},  {".goal", TraceFormat::goal}, {".bin", TraceFormat::goal_binary},
      {".cm", TraceFormat::htsim}, {".txt", TraceFormat::ns3},   {".et", TraceFormat::chakra}};
  for (const auto& [ending, format] : kEndings)
    if (file.ends_with(ending)) return format;
  throw InputError(file + ": the file name does not end in .csv, .goal, .bin, .cm, .txt or .0.et; give the format "
                          "with --to");
}

// Formats that do not say how many ranks there are get as many as take part.
void shrink_ranks(Trace& trace) {
  std::uint32_t most = 0;
  for (const Trace::Message& m : trace.messages) most = std::max({most, m.source, m.destination});
  trace.ranks = most + 1;
}

int run_convert(const ConvertOptions& options) {
  check_output_file(options.to, {options.from});
  if (wants_opensm(options)) return convert_settings(options);
  if (!options.set.empty())
    throw InputError("--set can be used only to write the lines of opensm.conf from a scenario");
  const std::string bytes = read_text_file(options.from);
  if (is_fabric(options.from, options.from_format, bytes)) return convert_fabric(options);
  TraceFormat format = named(options.from_format);
  if (format == TraceFormat::automatic) format = format_of(options.from, bytes);
  Trace trace = format == TraceFormat::chakra ? parse_chakra(read_trace_files(options.from, read_text_file))
                                              : parse_trace(options.from, bytes, format, options.ranks, Time{1000});
  const bool says_ranks = format != TraceFormat::csv && format != TraceFormat::ns3;
  if (!says_ranks && options.ranks == kMostRanks) shrink_ranks(trace);
  const TraceFormat target = options.to_format == "auto" ? format_to_write(options.to) : named(options.to_format);
  std::vector<TraceFile> files;
  try {
    files = write_trace_files(trace, target, options.to);
  } catch (const InputError& e) {
    throw InputError(options.to + ": " + e.what());
  }
  const std::vector<std::string> sources = rank_files(options.from);
  for (const TraceFile& file : files) check_output_file(file.name, {sources.begin(), sources.end()});
  for (const TraceFile& file : files) write_file(file.name, file.bytes);
  fmt::print("wrote {}: {} messages among {} ranks, in format {}{}\n", options.to, trace.messages.size(), trace.ranks,
             kTraceFormats[static_cast<std::size_t>(target)],
             files.size() > 1 ? fmt::format(", in {} files", files.size()) : "");
  return 0;
}

}  // namespace

Command add_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "convert a workload or a fabric to another format");
  command->footer(
      "Formats of workloads: csv (a table of messages), goal and goal-binary (schedules), htsim (connection matrices), "
      "ns3 (flow.txt), chakra (execution traces, a file for every rank).\n"
      "Formats of fabrics: htsim (.topo), ns3 (topology.txt), ibnetdiscover, ibdm (input only), dot (output only). A "
      "fabric is read from a fabric file or a scenario.\n"
      "Format opensm (a .conf file) writes the lines of opensm.conf that set up InfiniBand congestion control as in "
      "the scheme `cca` of a scenario. If that file exists, only these lines are replaced.\n"
      "If the target format cannot express something, nothing is written.\n"
      "Examples:\n  weir convert scenarios/traces/foreground.goal foreground.bin\n"
      "  weir convert foreground.bin again.goal\n"
      "  weir convert scenarios/websearch.toml topology.txt\n"
      "  weir convert scenarios/hotspot.toml opensm.conf --set scheme.name=cca --set scheme.threshold=8");
  std::vector<std::string> names(std::begin(kTraceFormats), std::end(kTraceFormats)), to_names = names;
  names.insert(names.end(), {"ibnetdiscover", "ibdm"});
  to_names.insert(to_names.end(), {"ibnetdiscover", "dot", "opensm"});
  command->add_option("input", options->from, "file to read")->required();
  command->add_option("output", options->to, "file to write")->required();
  command->add_option("--from", options->from_format, "format to read, if it is not recognised")
      ->check(CLI::IsMember(names));
  command->add_option("--to", options->to_format, "format to write, if the file name does not show it")
      ->check(CLI::IsMember(to_names));
  command->add_option("--set", options->set, "format opensm: override a value of the scenario (repeatable)")
      ->take_all();
  command
      ->add_option("--ranks", options->ranks,
                   "number of ranks, for csv and ns3 (default: the number of ranks that send or receive)")
      ->check(CLI::Range(1u, kMostRanks));
  return [options] { return run_convert(*options); };
}

}  // namespace weir
