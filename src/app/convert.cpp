// `weir convert A B`: a workload from one format to another, as far as the other can say it.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/process.h"
#include "base/file_text.h"
#include "store/files/output_file.h"
#include "traffic/formats/trace_formats.h"

namespace weir {
namespace {

struct ConvertOptions {
  std::string from, to;
  std::string from_format = "auto", to_format = "auto";
  std::uint32_t ranks = kMostRanks;
};

TraceFormat named(const std::string& name) {
  return static_cast<TraceFormat>(std::find(std::begin(kTraceFormats), std::end(kTraceFormats), name) -
                                  std::begin(kTraceFormats));
}

// By the ending of the name.
TraceFormat format_to_write(const std::string& file) {
  constexpr std::pair<std::string_view, TraceFormat> kEndings[] = {{".csv", TraceFormat::csv},
                                                                   {".goal", TraceFormat::goal},
                                                                   {".bin", TraceFormat::goal_binary},
                                                                   {".cm", TraceFormat::htsim},
                                                                   {".txt", TraceFormat::ns3}};
  for (const auto& [ending, format] : kEndings)
    if (file.ends_with(ending)) return format;
  throw InputError(file + ": the ending names no format (.csv, .goal, .bin, .cm, .txt); say it with --to");
}

// Formats that do not say how many ranks there are get as many as take part.
void shrink_ranks(Trace& trace) {
  std::uint32_t most = 0;
  for (const Trace::Message& m : trace.messages) most = std::max({most, m.source, m.destination});
  trace.ranks = most + 1;
}

int run_convert(const ConvertOptions& options) {
  check_output_file(options.to, {options.from});
  const std::string bytes = read_text_file(options.from);
  TraceFormat format = named(options.from_format);
  if (format == TraceFormat::automatic) format = format_of(options.from, bytes);
  Trace trace = parse_trace(options.from, bytes, format, options.ranks, Time{1000});
  const bool says_ranks = format != TraceFormat::csv && format != TraceFormat::ns3;
  if (!says_ranks && options.ranks == kMostRanks) shrink_ranks(trace);
  const TraceFormat target = options.to_format == "auto" ? format_to_write(options.to) : named(options.to_format);
  std::string text;
  try {
    text = write_trace(trace, target);
  } catch (const InputError& e) {
    throw InputError(options.to + ": " + e.what());
  }
  write_file(options.to, text);
  fmt::print("{}: {} messages among {} ranks, as {}\n", options.to, trace.messages.size(), trace.ranks,
             kTraceFormats[static_cast<std::size_t>(target)]);
  return 0;
}

}  // namespace

Command add_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "a workload from one format to another");
  command->footer(
      "Formats: csv (a table of messages), goal and goal-binary (schedules), htsim (connection matrices), ns3 "
      "(flow.txt).\n"
      "Examples:\n  weir convert scenarios/traces/foreground.goal foreground.bin\n"
      "  weir convert foreground.bin again.goal");
  const std::vector<std::string> names(std::begin(kTraceFormats), std::end(kTraceFormats));
  command->add_option("from", options->from, "file to read")->required();
  command->add_option("to", options->to, "file to write")->required();
  command->add_option("--from", options->from_format, "format of the first, if it is not recognised")
      ->check(CLI::IsMember(names));
  command->add_option("--to", options->to_format, "format of the second, if its name does not tell")
      ->check(CLI::IsMember(names));
  command->add_option("--ranks", options->ranks, "number of ranks, for csv and ns3; default: as many as take part")
      ->check(CLI::Range(1u, kMostRanks));
  return [options] { return run_convert(*options); };
}

}  // namespace weir
