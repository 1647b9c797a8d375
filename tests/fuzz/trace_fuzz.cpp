// Throws arbitrary bytes at the readers of traces and of lists of flows. They may refuse them only with an InputError;
// what they accept must make a workload in which every flow can start.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "traffic/flow_list.h"
#include "traffic/flow_progress.h"
#include "traffic/formats/chakra.h"

namespace {

using namespace weir;

constexpr std::uint32_t kRanks = 16;

void check(const Workload& workload) {
  if (!stuck_flow(workload).valid()) return;
  fmt::print(stderr, "a flow can never start\n");
  std::abort();
}

void check(const Trace& trace) {
  if (trace.ranks > kRanks) return;
  TraceOptions options;
  for (std::uint32_t h = 0; h < trace.ranks; ++h) options.hosts.push_back({h});
  options.rates.assign(trace.ranks, Rate{8'000'000'000});
  options.repeat = 2;
  options.period = Time{1000};
  options.after_received = 1;
  Workload workload;
  add_trace(workload, trace, options);
  check(workload);
}

void check_flow_list(std::string_view text) {
  HostList hosts;
  for (std::uint32_t h = 0; h < kRanks; ++h) {
    hosts.rates.push_back(Rate{8'000'000'000});
    hosts.names.push_back(fmt::format("H{}", h));
  }
  Workload workload;
  workload.classes = {{"all"}};
  add_flow_rows(workload, flow_rows_from_csv("fuzz.csv", text), {}, hosts);
  check_dependencies(workload);
  check(workload);
}

// The files of ranks, one after another.
std::vector<TraceFile> ranks_of(std::string_view text) {
  constexpr std::string_view kNext = "\n--\n";
  std::vector<TraceFile> files;
  while (files.size() < kRanks) {
    const std::size_t end = std::min(text.find(kNext), text.size());
    files.push_back({"fuzz.et", std::string(text.substr(0, end))});
    if (end == text.size()) break;
    text.remove_prefix(end + kNext.size());
  }
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check_flow_list(text);
  } catch (const InputError&) {
  }
  try {
    check(parse_trace_csv("fuzz.csv", text, kRanks, Time{1000}));
  } catch (const InputError&) {
  }
  try {
    check(parse_goal("fuzz.goal", text, Time{1000}));
  } catch (const InputError&) {
  }
  for (const TraceFormat format :
       {TraceFormat::goal_binary, TraceFormat::htsim, TraceFormat::ns3, TraceFormat::chakra}) {
    try {
      const Trace trace = format == TraceFormat::chakra ? parse_chakra(ranks_of(text))
                                                        : parse_trace("fuzz", text, format, kRanks, Time{1000});
      check(trace);
      if (trace.messages.size() + trace.conditions.size() > 10'000) continue;
      check(parse_trace("again", write_trace(trace, TraceFormat::goal_binary), TraceFormat::goal_binary, kRanks,
                        Time{1000}));
      check(parse_chakra(write_trace_files(trace, TraceFormat::chakra, "again.0.et")));
    } catch (const InputError&) {
    }
  }
  return 0;
}
