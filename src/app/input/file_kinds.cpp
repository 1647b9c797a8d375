#include "app/input/file_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <span>

#include "base/error.h"
#include "network/topologies/topology_files.h"
#include "traffic/formats/trace_formats.h"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEnoughToTell = 1 << 16;
constexpr std::string_view kOpensmKeys[] = {"congestion_control ", "cc_sw_cong_setting_", "cc_cct ", "subnet_prefix "};

std::string beginning_of(const std::string& path) {
  std::string text(kEnoughToTell, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return text;
}

// Behind blanks and comments.
std::string_view first_line(std::string_view text) {
  for (;;) {
    const std::size_t from = text.find_first_not_of(" \t\r\n");
    if (from == text.npos) return {};
    text.remove_prefix(from);
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    if (!line.starts_with('#')) return line;
    text.remove_prefix(line.size());
  }
}

bool is_html(std::string_view line) {
  std::string small(line.substr(0, 14));
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small.starts_with("<!doctype html") || small.starts_with("<html");
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](auto part) { return text.find(part) != text.npos; });
}

// Lines like "   P1 -> MTS800 SW-0-0 P1".
bool is_ibdm(std::string_view text) {
  for (std::size_t at = text.find("->"); at != text.npos; at = text.find("->", at + 1)) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view line = text.substr(begin, at - begin);
    const std::size_t p = line.find_first_not_of(" \t");
    if (p == line.npos || line[p] != 'P' || p + 1 == line.size()) continue;
    if (std::isdigit(static_cast<unsigned char>(line[p + 1])) != 0) return true;
  }
  return false;
}

// Its keys of congestion control are those that weir writes, too.
bool is_opensm_conf(std::string_view text) {
  return std::any_of(std::begin(kOpensmKeys), std::end(kOpensmKeys), [&](std::string_view key) {
    return text.starts_with(key) || text.find("\n" + std::string(key)) != text.npos;
  });
}

std::optional<FileKind> kind_of_text(const std::string& path, std::string_view text) {
  const std::string_view line = first_line(text);
  if (text.empty()) return FileKind::empty_file;
  for (const std::string_view magic : {"\x1f\x8b", "BZh", "\xfd" "7zXZ", "\x28\xb5\x2f\xfd"})
    if (text.starts_with(magic)) return FileKind::packed_file;
  if (text.starts_with(std::string_view("SQLite format 3\0", 16))) return FileKind::database;
  if (is_html(line)) return FileKind::html;
  if (path.ends_with(".json") || line.starts_with('{')) return FileKind::json;
  if (has_any(text, {"PortXmitData:", "PortXmitWait:", "[PortXmit"})) return FileKind::counters;
  if (has_any(text, {"Unicast lids"})) return FileKind::forwarding;
  if (is_opensm_conf(text)) return FileKind::opensm_conf;
  if (has_any(text, {"\nvendid=", "\nswitchguid=", "\ncaguid=", "\"S-", "\"H-"})) return FileKind::ibnetdiscover;
  if (const std::string_view simulator = simulator_of_fabric(text); !simulator.empty())
    return simulator == "htsim" ? FileKind::htsim_fabric : FileKind::ns3_fabric;
  if (is_ibdm(text)) return FileKind::ibdm;
  switch (format_of(path, text)) {
    case TraceFormat::chakra:
      return FileKind::chakra;
    case TraceFormat::goal:
    case TraceFormat::goal_binary:
      return FileKind::goal;
    case TraceFormat::htsim:
      return FileKind::htsim_messages;
    case TraceFormat::ns3:
      return FileKind::ns3_messages;
    default:
      break;
  }
  const bool is_table = path.ends_with(".csv") && line.find(',') != line.npos && line.find('=') == line.npos;
  return is_table ? std::optional(FileKind::table) : std::nullopt;
}

using enum FileKind;
constexpr FileKind kScenarios[] = {scenario};
constexpr FileKind kFabrics[] = {ibnetdiscover, ibdm, htsim_fabric, ns3_fabric};
constexpr FileKind kNetworks[] = {scenario, ibnetdiscover, ibdm, htsim_fabric, ns3_fabric};
constexpr FileKind kSubnets[] = {ibnetdiscover, ibdm};
constexpr FileKind kCounters[] = {counters};
// A sweep that was killed at once leaves an empty file, of which its reader knows more.
constexpr FileKind kResults[] = {result, database, empty_file};
constexpr FileKind kPages[] = {result, database, html, empty_file};
constexpr FileKind kTables[] = {table};
constexpr FileKind kConverted[] = {scenario,     ibnetdiscover,  ibdm, htsim_fabric, ns3_fabric, htsim_messages,
                                   ns3_messages, goal, chakra, table};

// What the arguments of a command may be. `argument` is the name of the option; `first` and `last` count its files.
struct Taken {
  std::string_view command, argument, wanted;
  std::span<const FileKind> kinds;
  std::size_t first = 0, last = 0;
};
constexpr Taken kTaken[] = {
    {"run", "scenario", "a scenario", kScenarios},
    {"compare", "scenario", "a scenario", kScenarios},
    {"sweep", "scenario", "a scenario", kScenarios},
    {"calibrate", "scenario", "a scenario", kScenarios},
    {"topo", "file", "a fabric or a scenario", kNetworks},
    {"fabric", "file", "a fabric or a scenario", kNetworks},
    {"new", "what", "a fabric", kFabrics},
    {"convert", "from", "a workload or a fabric", kConverted},
    {"query", "result", "a result", kResults},
    {"view", "result", "a result", kPages},
    {"diagnose", "files", "a dump of the subnet", kSubnets, 0, 0},
    {"diagnose", "files", "a dump of counters", kCounters, 1, 2},
    {"rates", "--topology", "a fabric or a scenario", kNetworks},
    {"rates", "--flows", "a CSV table", kTables},
    {"rates", "--links", "a CSV table", kTables},
    {"rates", "--paths", "a CSV table", kTables},
};

// Files for people, by their names: what is in them may look like anything.
bool is_for_people(std::string_view path) {
  constexpr std::string_view kEndings[] = {".md", ".markdown", ".rst", ".adoc", ".pdf", ".docx", ".tex", ".svg"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](auto ending) { return path.ends_with(ending); });
}

// A line that begins like a section or a key of TOML.
bool may_be_toml(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t\r")));
    if (line.starts_with('[')) return true;
    constexpr std::string_view kOfKeys =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.\"' ";
    const std::size_t key = line.find_first_not_of(kOfKeys);
    if (key != line.npos && key > 0 && line[key] == '=') return true;
  }
  return false;
}

// A file of no kind that weir knows goes to the reader of what the command takes, unless it is plain that the reader's
// words would be about its prose.
void check_unknown(const Taken& taken, const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  const bool scenarios_only = taken.kinds.size() == 1 && taken.kinds.front() == scenario;
  if (!is_for_people(path) && !(scenarios_only && !may_be_toml(beginning_of(path)))) return;
  throw InputError(
      fmt::format("weir does not recognise the format of {}. `weir {}` needs {}. Scenarios are TOML files, as "
                  "in scenarios/ or from `weir new`; fabrics are files of ibnetdiscover, ibdm, htsim or "
                  "ns-3",
                  path, taken.command, taken.wanted));
}

void check_argument(const Taken& taken, const std::string& path) {
  const std::optional<FileKind> kind = kind_of_file(path);
  if (!kind) return check_unknown(taken, path);
  if (std::find(taken.kinds.begin(), taken.kinds.end(), *kind) != taken.kinds.end()) return;
  throw InputError(fmt::format("{} is {}, and `weir {}` takes {}. {}", path, name_of(*kind),
                               taken.argument.starts_with('-') ? fmt::format("{} {}", taken.command, taken.argument)
                                                               : std::string(taken.command),
                               taken.wanted, advice_on(*kind, path)));
}

}  // namespace

std::optional<FileKind> kind_of_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return fs::exists(fs::path(path) / "MANIFEST", error) ? std::optional(FileKind::result) : std::nullopt;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  if (path.ends_with(".toml")) return FileKind::scenario;
  return kind_of_text(path, beginning_of(path));
}

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case scenario: return "a scenario";
    case ibnetdiscover: return "a dump of ibnetdiscover";
    case ibdm: return "a topology of ibdm";
    case htsim_fabric: return "a fabric of htsim";
    case ns3_fabric: return "a fabric of ns-3";
    case htsim_messages: return "a connection matrix of htsim";
    case ns3_messages: return "a list of flows of ns-3";
    case goal: return "a GOAL schedule";
    case chakra: return "a Chakra execution trace";
    case table: return "a CSV table";
    case counters: return "a dump of counters";
    case forwarding: return "a dump of forwarding tables";
    case database: return "an SQLite database";
    case result: return "a result directory";
    case json: return "a JSON file";
    case html: return "an HTML page";
    case opensm_conf: return "a configuration of opensm";
    case packed_file: return "a compressed file";
    case empty_file: return "an empty file";
  }
  return "";
}

std::string advice_on(FileKind kind, const std::string& path) {
  switch (kind) {
    case scenario:
      return fmt::format("To run it: weir run {0}. To see its fabric: weir topo {0}", path);
    case ibnetdiscover:
    case ibdm:
    case htsim_fabric:
    case ns3_fabric:
      return fmt::format("To inspect it: weir topo {0} --check. To make a scenario of it: weir new {0} --out mine.toml",
                         path);
    case htsim_messages:
    case ns3_messages:
    case goal:
    case chakra:
      return fmt::format("It is traffic: name it in a scenario, with pattern = \"trace\" and file = \"{0}\" in "
                         "[[traffic]]. To write it in another format: weir convert {0} messages.csv",
                         path);
    case table:
      return fmt::format("If it lists flows, name it in a scenario, with pattern = \"flows\" and file = \"{}\" in "
                         "[[traffic]]; if messages, with pattern = \"trace\"",
                         path);
    case counters:
      return "With two of them and a dump of the subnet, weir finds congestion: weir diagnose cluster.topo before.txt "
             "after.txt --seconds 10";
    case forwarding:
      return fmt::format("Use it together with the dump of its subnet: weir topo cluster.topo --set routing.kind=lft "
                         "--set routing.path={}",
                         path);
    case database:
    case result:
      return fmt::format("To see it in the browser: weir view {0}. To query it: weir query {0}", path);
    case json:
      return "weir cannot read JSON; give the result directory to `weir view` or `weir query`";
    case html:
      return fmt::format("Open it in a browser, or: weir view {}", path);
    case opensm_conf:
      return fmt::format("The lines of congestion control in it are made from a scenario: weir convert mine.toml {}",
                         path);
    case packed_file:
      return "Unpack it first";
    case empty_file:
      return "The command that was to write it has not written anything";
  }
  return "";
}

void check_files(const CLI::App& command) {
  for (const Taken& taken : kTaken) {
    if (command.get_name() != taken.command) continue;
    const CLI::Option* option = command.get_option_no_throw(std::string(taken.argument));
    if (option == nullptr) continue;
    const std::vector<std::string> values = option->results();
    const std::size_t end = std::min(values.size(), taken.last + 1);
    for (std::size_t i = taken.first; i < end; ++i) check_argument(taken, values[i]);
  }
}

}  // namespace weir
