// A table with a known set of columns, read once by name; then one reader per kind of file.
#include "app/rates/rates_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/csv.h"
#include "base/error.h"
#include "network/host_names.h"
#include "scenario/quantity.h"
#include "scenario/suggest.h"
#include "traffic/flow_list.h"

namespace weir {
namespace {

using Names = std::vector<std::string_view>;

class CsvTable {
 public:
  CsvTable(const NamedText& source, const Names& needed, const Names& optional, const Names& ignored = {})
      : file_(source.file), splitter_(source.file, source.text) {
    CsvRecord header;
    if (!splitter_.next(header))
      throw InputError(SourcePosition{file_, 1, 0},
                       fmt::format("is empty; the first line names the columns, as in {}", fmt::join(needed, ",")));
    record_.line = header.line;
    Names known = needed;
    known.insert(known.end(), optional.begin(), optional.end());
    for (std::size_t i = 0; i < header.cells.size(); ++i) {
      const std::string& name = header.cells[i];
      const bool unused = std::find(ignored.begin(), ignored.end(), name) != ignored.end();
      if (!unused && std::find(known.begin(), known.end(), name) == known.end())
        refuse(fmt::format("unknown column \"{}\"{}", name, suggestion(name, known, "the columns are")));
      if (!places_.emplace(name, i).second) refuse(fmt::format("column \"{}\" appears twice", name));
    }
    for (const std::string_view name : needed)
      if (!has(name)) refuse(fmt::format("column \"{}\" is missing; columns are {}", name, joined(known)));
    columns_ = header.cells.size();
  }

  bool next() {
    if (!splitter_.next(record_)) return false;
    if (record_.cells.size() > columns_)
      refuse(fmt::format("{} cells where the first line names {} columns", record_.cells.size(), columns_));
    return true;
  }
  bool has(std::string_view column) const { return places_.contains(std::string(column)); }
  std::string cell(std::string_view column) const {
    const auto place = places_.find(std::string(column));
    return place == places_.end() || place->second >= record_.cells.size() ? "" : record_.cells[place->second];
  }
  std::string needed(std::string_view column) const {
    std::string text = cell(column);
    if (text.empty()) refuse(fmt::format("{} is missing", column));
    return text;
  }
  double positive(std::string_view column, double fallback) const {
    const std::string text = cell(column);
    if (text.empty()) return fallback;
    const std::optional<double> value = number(text);
    if (!value || !(*value > 0) || !std::isfinite(*value))
      refuse(fmt::format("{} must be a positive number, not \"{}\"", column, text));
    return *value;
  }
  double capacity() const {
    const std::string text = needed("capacity");
    if (number(text)) return positive("capacity", 0);
    try {
      const Rate rate = parse_rate(text);
      if (rate.bits_per_second > 0) return static_cast<double>(rate.bits_per_second);
    } catch (const InputError& e) {
      refuse(fmt::format("capacity: {}", e.what()));
    }
    refuse(fmt::format("capacity must be positive, not \"{}\"", text));
  }
  double share(std::string_view column) const {
    const std::string text = cell(column);
    if (text.empty()) return 0;
    double value = 0;
    try {
      value = parse_fraction(text);
    } catch (const InputError& e) {
      refuse(fmt::format("{}: {}", column, e.what()));
    }
    if (!(value >= 0 && value < 1)) refuse(fmt::format("{} must be at least 0 and below 1, not \"{}\"", column, text));
    return value;
  }
  bool is_bare_number(std::string_view column) const { return number(cell(column)).has_value(); }
  std::uint32_t line() const { return record_.line; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(SourcePosition{file_, record_.line, 0}, what);
  }

 private:
  static std::optional<double> number(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  }

  std::string file_;
  CsvSplitter splitter_;
  CsvRecord record_;
  std::unordered_map<std::string, std::size_t> places_;  // order-free: only looked up
  std::size_t columns_ = 0;
};

// Numbers in the order of first appearance.
class Numbering {
 public:
  explicit Numbering(std::vector<std::string>& names) : names_(names) {
    for (std::uint32_t i = 0; i < names.size(); ++i) numbers_.emplace(names[i], i);
  }
  std::optional<std::uint32_t> find(const std::string& name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  bool add(const std::string& name) {
    if (!numbers_.emplace(name, static_cast<std::uint32_t>(names_.size())).second) return false;
    names_.push_back(name);
    return true;
  }
  std::uint32_t of(const std::string& name) {
    add(name);
    return numbers_.at(name);
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // order-free: only looked up
};

// What paths.csv and flows.csv share: name, weight and application of a flow.
class FlowColumns {
 public:
  explicit FlowColumns(RateInput& input) : input_(input), ids_(input.flow_names), apps_(input.app_names) {}

  void read(const CsvTable& table) {
    std::string id = table.cell("id");
    if (id.empty()) id = std::to_string(input_.flow_names.size());
    if (!ids_.add(id)) table.refuse(fmt::format("flow \"{}\" appears twice", id));
    const double weight = table.positive("weight", 1.0);
    all_ones_ = all_ones_ && !(weight < 1 || weight > 1);
    input_.weight.push_back(weight);
    const std::string app = table.cell("app");
    input_.application.push_back(apps_.of(app.empty() ? "0" : app));
  }
  void finish() {
    if (all_ones_) input_.weight.clear();
  }

 private:
  RateInput& input_;
  Numbering ids_, apps_;
  bool all_ones_ = true;
};

// Capacities are all bare numbers, in whatever unit, or all rates with units. A bare 4 beside "10Gbps" would be 4
// bit/s, which nobody means.
class CapacityUnits {
 public:
  void check(const CsvTable& table) {
    const bool is_bare = table.is_bare_number("capacity");
    const std::string text = table.cell("capacity");
    if (first_line_ == 0) {
      first_line_ = table.line();
      first_text_ = text;
      first_is_bare_ = is_bare;
    } else if (is_bare != first_is_bare_) {
      table.refuse(fmt::format("capacity \"{}\" has {} unit, but \"{}\" in line {} has {}; write a unit behind all of "
                               "them, or behind none",
                               text, is_bare ? "no" : "a", first_text_, first_line_, is_bare ? "one" : "none"));
    }
  }

  bool are_bare() const { return first_line_ > 0 && first_is_bare_; }

 private:
  std::uint32_t first_line_ = 0;  // 0: no link yet
  std::string first_text_;
  bool first_is_bare_ = false;
};

void read_links(const NamedText& source, RateInput& input) {
  CsvTable table(source, {"link", "capacity"}, {"reserved"});
  Numbering links(input.link_names);
  CapacityUnits units;
  while (table.next()) {
    const std::string name = table.needed("link");
    if (!links.add(name)) table.refuse(fmt::format("link \"{}\" appears twice", name));
    input.capacity.push_back(table.capacity());
    units.check(table);
    input.reserved.push_back(table.share("reserved"));
  }
  input.in_bits = !units.are_bare();
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t", at);
    if (begin == std::string::npos) break;
    at = std::min(text.find_first_of(" \t", begin), text.size());
    out.push_back(text.substr(begin, at - begin));
  }
  return out;
}

HostId one_host(const CsvTable& table, std::string_view column, const HostNames& names) {
  const std::string text = table.needed(column);
  const std::vector<HostId> found = names.find(text);
  if (found.empty()) table.refuse(fmt::format("{} {}", column, names.no_such_host(text)));
  if (found.size() > 1) table.refuse(fmt::format("{} {}", column, names.several_hosts(text, found)));
  return found.front();
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

struct Line {
  const std::string& flow;
  const std::string& app;
  double rate, normalised;
  std::string bottleneck;
};

Line line(const RateInput& input, const RateSolution& solution, std::size_t f) {
  const std::uint32_t link = solution.bottleneck[f];
  return {input.flow_names[f], input.app_names[input.application[f]], solution.rate[f],
          solution.rate[f] / input.problem().weight_of(f), link == kNoLink ? "" : input.link_names[link]};
}

}  // namespace

RateInput read_links_and_paths(const NamedText& links_file, const NamedText& paths_file) {
  RateInput input;
  read_links(links_file, input);
  const Numbering links(input.link_names);
  const Names known(input.link_names.begin(), input.link_names.end());
  CsvTable table(paths_file, {"path"}, {"id", "weight", "app"});
  FlowColumns columns(input);
  std::vector<std::uint32_t> last_user(input.link_names.size(), std::numeric_limits<std::uint32_t>::max());
  RowList paths;
  while (table.next()) {
    const auto flow = static_cast<std::uint32_t>(paths.rows());
    columns.read(table);
    for (const std::string& name : words(table.needed("path"))) {
      const std::optional<std::uint32_t> link = links.find(name);
      if (!link)
        table.refuse(fmt::format("flow \"{}\" crosses link \"{}\", which {} does not have{}", input.flow_names[flow],
                                 name, links_file.file,
                                 known.size() > 1000 ? "" : suggestion(name, known, "the links are")));
      if (last_user[*link] == flow)
        table.refuse(fmt::format("the path of flow \"{}\" has a loop: it crosses link \"{}\" twice",
                                 input.flow_names[flow], name));
      last_user[*link] = flow;
      paths.push(*link);
    }
    paths.close_row();
  }
  columns.finish();
  input.incidence = Incidence(input.link_names.size(), std::move(paths));
  return input;
}

RateInput read_flows(const NamedText& flows, const Topology& topology, const RouteTable& routes,
                     const FlowRoutingPolicy& policy, std::uint64_t seed, double reserved) {
  RateInput input;
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    input.link_names.push_back(topology.port_name({p}));
    input.capacity.push_back(static_cast<double>(topology.link({p}).rate.bits_per_second));
  }
  if (reserved > 0) input.reserved.assign(topology.ports(), reserved);
  const HostNames hosts(topology.host_names());
  CsvTable table(flows, {"src", "dst"}, {"weight", "app", "id"}, flow_columns());
  FlowColumns columns(input);
  FlowRouter router(topology, routes, policy, seed);
  RowList paths;
  while (table.next()) {
    columns.read(table);
    const HostId source = one_host(table, "src", hosts), destination = one_host(table, "dst", hosts);
    if (source == destination) table.refuse("a flow from a host to itself crosses no link and has no rate");
    router.set_up(source, destination, table.positive("weight", 1.0), paths.items);
    paths.close_row();
  }
  columns.finish();
  input.incidence = Incidence(input.link_names.size(), std::move(paths));
  return input;
}

void read_priorities(const NamedText& apps, RateInput& input) {
  CsvTable table(apps, {"app", "priority"}, {});
  const Numbering numbers(input.app_names);
  const Names known(input.app_names.begin(), input.app_names.end());
  input.priority.assign(input.app_names.size(), 1.0);
  std::vector<bool> seen(input.app_names.size(), false);
  while (table.next()) {
    const std::string name = table.needed("app");
    const std::optional<std::uint32_t> app = numbers.find(name);
    if (!app)
      table.refuse(fmt::format("no flow belongs to application \"{}\"{}", name,
                               suggestion(name, known, "the applications are")));
    if (seen[*app]) table.refuse(fmt::format("application \"{}\" appears twice", name));
    seen[*app] = true;
    table.needed("priority");
    input.priority[*app] = table.positive("priority", 1.0);
  }
}

std::string rates_to_csv(const RateInput& input, const RateSolution& solution) {
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "flow,app,rate,normalised_rate,bottleneck\n");
  for (std::size_t f = 0; f < solution.rate.size(); ++f) {
    const Line l = line(input, solution, f);
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{}\n", csv_text(l.flow), csv_text(l.app), l.rate, l.normalised,
                   csv_text(l.bottleneck));
  }
  return fmt::to_string(out);
}

std::string rates_to_json(RateAlgorithm algorithm, const RateInput& input, const RateSolution& solution) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "{{\"algorithm\":{},\"flows\":[", json_text(name_of(algorithm)));
  for (std::size_t f = 0; f < solution.rate.size(); ++f) {
    const Line l = line(input, solution, f);
    fmt::format_to(to, "{}\n{{\"flow\":{},\"app\":{},\"rate\":{},\"normalised_rate\":{},\"bottleneck\":{}}}",
                   f == 0 ? "" : ",", json_text(l.flow), json_text(l.app), json_number(l.rate),
                   json_number(l.normalised), l.bottleneck.empty() ? "null" : json_text(l.bottleneck));
  }
  fmt::format_to(to, "],\n\"apps\":[");
  for (std::size_t a = 0; a < solution.app_rate.size(); ++a)
    fmt::format_to(to, "{}{{\"app\":{},\"rate\":{}}}", a == 0 ? "" : ",", json_text(input.app_names[a]),
                   json_number(solution.app_rate[a]));
  fmt::format_to(to, "]}}\n");
  return fmt::to_string(out);
}

}  // namespace weir
