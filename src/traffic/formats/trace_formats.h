// Workloads in the formats of other simulators, as traces. Errors have file and line, or the byte.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "traffic/trace.h"

namespace weir {

inline constexpr std::uint32_t kMostRanks = 1u << 22;

// htsim: connection matrices.
Trace parse_connection_matrix(const std::string& file, std::string_view text);
std::string write_connection_matrix(const Trace& trace);

// ns-3, HPCC and SimAI: flow.txt.
Trace parse_ns3_flows(const std::string& file, std::string_view text, std::uint32_t ranks);
std::string write_ns3_flows(const Trace& trace);

// GOAL schedules: text, and the binary form of LogGOPSim.
std::string write_goal(const Trace& trace);
bool is_goal_binary(std::string_view bytes);
Trace parse_goal_binary(const std::string& file, std::string_view bytes, Time unit);
std::string write_goal_binary(const Trace& trace);

enum class TraceFormat : std::uint8_t { automatic, csv, goal, goal_binary, htsim, ns3, chakra };
inline constexpr std::string_view kTraceFormats[] = {"auto", "csv", "goal", "goal-binary", "htsim", "ns3", "chakra"};
// By its contents, and by the name of the file where these do not tell.
TraceFormat format_of(const std::string& file, std::string_view bytes);
// `ranks`: as many as there may be, for formats that do not say; `unit`: of plain times.
Trace parse_trace(const std::string& file, std::string_view bytes, TraceFormat format, std::uint32_t ranks, Time unit);
// An InputError where the format cannot say what the trace says.
std::string write_trace(const Trace& trace, TraceFormat format);

// A file with its name. Chakra's traces have one for every rank.
struct TraceFile {
  std::string name, bytes;
};
std::vector<TraceFile> read_trace_files(const std::string& name, FileReader read);
std::vector<TraceFile> write_trace_files(const Trace& trace, TraceFormat format, const std::string& name);

}  // namespace weir
