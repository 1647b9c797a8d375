// `weir topo`: what a fabric is, where it is irregular, and whether its routes can deadlock. Takes a scenario, or the
// file of a fabric directly (an ibnetdiscover dump, an ibdm topology, a fabric of htsim or ns-3).
#include <fmt/format.h>

#include <map>
#include <optional>

#include "app/commands.h"
#include "app/fabric_input.h"
#include "app/process.h"
#include "app/runner.h"
#include "network/deadlock/deadlock.h"
#include "network/fabric/fabric.h"
#include "network/fabric/forwarding_dump.h"
#include "network/fabric/irregularities.h"
#include "network/fabric/link_speed.h"
#include "network/host_names.h"
#include "network/routings/routings.h"
#include "network/summary.h"
#include "network/topologies/topology_files.h"
#include "packet/config/config.h"
#include "report/number_format.h"
#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

struct TopoOptions {
  std::string file, out_format;
  std::string format = "auto";
  std::vector<std::string> set;
  std::vector<std::string> hosts;
  bool check = false;
};

struct View {
  std::optional<Fabric> fabric;  // where the topology comes from a file
  Topology topology;
  std::vector<std::string> remarks;
  std::map<Rate, std::size_t> guessed;  // cables whose speed the file does not tell
  std::vector<std::string> warnings;    // what a run on it would not pass over in silence
};

View build_view(const Scenario& scenario) {
  const Section& section = scenario.section("topology");
  if (section.kind != "file") return {std::nullopt, build_topology(scenario), {}, {}, {}};
  Fabric fabric = read_fabric(section);
  ImportedFabric imported = import_fabric(fabric, scenario.section("link"));
  std::vector<std::string> warnings = import_warnings(fabric, imported, scenario.section("link"));
  if (imported.unknown_speeds > 0)
    imported.remarks.push_back(
        fmt::format("{} cables without a speed; link.rate is assumed for them", imported.unknown_speeds));
  std::vector<std::string> lost;
  Topology topology = with_failures(scenario, std::move(imported.topology), &lost);
  for (const std::string& hosts : lost) note("warning: {}\n", printable(hosts));
  return {std::move(fabric), std::move(topology), std::move(imported.remarks), std::move(imported.guessed),
          std::move(warnings)};
}

constexpr std::size_t kMargin = 17;

void print_line(std::string_view title, const std::string& text) {
  show(wrap(fmt::format("{:<{}}{}", title, kMargin, printable(text)), line_width(), kMargin));
}

std::string cables_text(std::size_t count) { return count == 1 ? "1 cable" : fmt::format("{} cables", count); }

// A rate that was guessed, or chosen for a fabric that is no subnet, is no speed of InfiniBand, even where it equals
// one.
void print_rate(const RateCount& count, const View& view) {
  const auto found = view.guessed.find(count.rate);
  const std::size_t guesses = found == view.guessed.end() ? 0 : found->second;
  const std::string rate = format_rate(static_cast<double>(count.rate.bits_per_second));
  const auto speed = view.fabric ? link_speed_of(count.rate) : std::nullopt;
  if (count.cables > guesses)
    print_line("", fmt::format("{} at {}{}", cables_text(count.cables - guesses), rate,
                               speed ? ", as " + speed->text() : ""));
  if (guesses > 0)
    print_line("", fmt::format("{} at {}, assumed: the speed is not in the file (link.rate sets it)",
                               cables_text(guesses), rate));
}

void print_list(std::string_view title, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) print_line(i == 0 ? title : "", lines[i]);
}

// What the cables between switches carry, where no levels say it.
std::string cut_text(const Topology& topology, const TopologySummary::Cut& cut) {
  const double share = cut.carried / cut.sent;
  return fmt::format(
      "the cables from {} to other switches carry {}, {:.2f} times the {} of the host links behind them{}{}",
      topology.name(topology.node(cut.around)), format_rate(cut.carried), share, format_rate(cut.sent),
      share < 0.999 ? " (oversubscribed)" : "",
      cut.switches > 2 ? "; this is the lowest ratio of all switches. Larger parts of the fabric, such as the halves "
                         "of a ring, are not checked and may have a lower ratio"
                       : "");
}

void print_summary(const View& view, const TopologySummary& s, const RouteTable& routes) {
  print_line("hosts", std::to_string(s.hosts));
  const bool all_alike = s.fewest_switch_ports == s.most_switch_ports;
  const std::string dead =
      s.switches_without_cables > 0 ? fmt::format(", {} without a cable", s.switches_without_cables) : "";
  print_line("switches", s.switches == 0 ? "0"
                         : all_alike     ? fmt::format("{} ({} ports){}", s.switches, s.most_switch_ports, dead)
                                         : fmt::format("{} ({} to {} ports){}", s.switches, s.fewest_switch_ports,
                                                       s.most_switch_ports, dead));
  print_line("cables", fmt::format("{} to hosts, {} between switches; {} link directions", s.host_cables,
                                   s.switch_cables, s.link_directions));
  for (const RateCount& r : s.rates) print_rate(r, view);
  if (s.levels > 0) print_line("levels", fmt::format("{} (level 0: the switches of the hosts)", s.levels));
  for (std::size_t i = 0; i < s.capacity_ratio.size(); ++i)
    print_line(fmt::format("level {} to {}", i, i + 1),
               "capacity " + capacity_text(s.capacity_ratio[i]));
  const std::string lanes =
      routes.changes_lanes() ? fmt::format(", on {} lanes of every link", routes.lanes().size()) : "";
  print_line("routing", std::string(routes.name()) + lanes);
  print_line("paths", fmt::format("{:.2f} switches on average, {} at most ({}{} pairs of hosts)", s.mean_path,
                                  s.longest_path, s.all_pairs ? "all " : "sample of ", s.pairs));
}

// Levels of a graph, found from its cables.
void print_levels(const View& view, const TopologySummary& s, const TreeLevels& tree) {
  if (view.topology.shape() != Shape::graph) return;
  if (tree.is_tree) {
    print_list("tree", describe_levels(view.topology, tree));
    return;
  }
  print_line("levels",
             "none: the switches cannot be sorted into the levels of a tree with all hosts at the bottom. Up*/down* "
             "routing needs no levels: up means towards a root switch");
  if (s.narrowest) print_line("capacity", cut_text(view.topology, *s.narrowest));
}

void print_irregularities(const View& view, const TopologySummary& s, const TreeLevels& tree) {
  std::map<Rate, std::size_t> no_speeds = view.guessed;
  if (!view.fabric)
    for (const RateCount& count : s.rates) no_speeds[count.rate] = count.cables;
  std::vector<std::string> odd = irregularities(view.topology, tree, no_speeds);
  if (odd.empty() && view.remarks.empty()) odd.push_back("none");
  print_list("irregularities", odd);
  print_list("in the file", view.remarks);
}

std::string verdict_text(const Topology& topology, const DeadlockVerdict& verdict) {
  return verdict.free ? "cannot deadlock" : "can deadlock: " + verdict.text(topology);
}
std::string verdict_text(const Topology& topology, const RouteTable& routes, Dependencies which) {
  return verdict_text(topology, check_deadlock(topology, routes, which));
}

// The file of a subnet has no routes. A verdict on others must not be taken for one on its own.
bool has_other_routes(const Scenario& scenario) {
  return scenario.section("topology").kind == "file" && scenario.section("routing").kind != "lft";
}

std::string whose_routes(const Scenario& scenario, const RouteTable& routes) {
  const Section& routing = scenario.section("routing");
  if (routing.kind == "lft") return "routes of " + routing.text("path");
  if (!has_other_routes(scenario)) return fmt::format("this fabric's routes ({})", routes.name());
  return fmt::format("routes {} by weir ({})", routing.kind == "auto" ? "assumed" : "made", routes.name());
}

// Default ports and, where there are alternatives, all of them: every choice but `fixed` may use any. Whether the
// routes that the scenario chooses are free.
bool print_deadlock_check(const Scenario& scenario, const Topology& topology, const RouteTable& routes) {
  const std::string& choice = scenario.section("routing").text("choice");
  const DeadlockVerdict fixed = check_deadlock(topology, routes, Dependencies::default_ports);
  const DeadlockVerdict all = check_deadlock(topology, routes, Dependencies::all_candidates);
  const bool free = choice == "fixed" ? fixed.free : all.free;
  const std::string counts = choice == "fixed" ? "" : fmt::format(" (as routing.choice = \"{}\" does)", choice);
  print_line("deadlock", fmt::format("{}: {}", whose_routes(scenario, routes), verdict_text(topology, fixed)));
  if (has_other_routes(scenario))
    print_line("", "the subnet's own routes were not checked. To check them, run `dump_lfts > FILE` on the subnet, "
                   "then add --set routing.kind=lft --set routing.path=FILE to this command");
  print_line("", fmt::format("adaptive routing over all paths that routing `{}` permits{}: {}", routes.name(), counts,
                             verdict_text(topology, all)));
  if (topology.shape() != Shape::graph || routes.structure() != nullptr) return free;
  const auto instead = [&](const RouteTable& other) {
    if (other.name() != routes.name())
      print_line("", fmt::format("the fixed routes of routing.kind = {}: {}", other.name(),
                                 verdict_text(topology, other, Dependencies::default_ports)));
  };
  instead(up_down_routes(topology));
  instead(min_hop_routes(topology));
  return free;
}

// Number, name and place of the hosts that a name or pattern means.
void print_hosts(const Topology& topology, const std::vector<std::string>& texts) {
  const std::string text = fmt::format("{}", fmt::join(texts, ","));
  const HostNames names(topology.host_names());
  const std::vector<HostId> found = names.find(text);
  if (found.empty()) throw InputError(fmt::format("--hosts: {}", names.no_such_host(text)));
  TextTable table({{"host", Align::right, 9, 0}, {"name", Align::left, 9, 16}, {"connected to", Align::left, 8, 16},
                   {"rate", Align::right, 7, 0}, {"port GUID", Align::left, 6, 0}});
  for (const HostId host : found) {
    const PortId port = topology.host_port(host), at = topology.to(port);
    const std::uint64_t guid = topology.identity(topology.node(host)).port_guid;
    table.add({std::to_string(host.index), topology.name(topology.node(host)),
               at.valid() ? topology.port_name(at) : "nothing",
               format_rate(static_cast<double>(topology.link(port).rate.bits_per_second)),
               guid == 0 ? "" : fmt::format("{:016x}", guid)});
  }
  show(table.render(terminal_style()));
}

std::string written_fabric(const View& view, std::string_view format) {
  if (format == "dot") return to_dot(view.topology);
  if (format == "htsim") return write_htsim_fabric(view.topology);
  if (format == "ns3") return write_ns3_fabric(view.topology);
  return write_ibnetdiscover(view.fabric ? *view.fabric : fabric_of(view.topology));
}

int run_topo(const TopoOptions& options) {
  const Scenario scenario = read_fabric_scenario(options.file, options.format, options.set);
  const View view = build_view(scenario);
  if (!options.out_format.empty() && options.out_format != "lfts") {
    put(written_fabric(view, options.out_format));
    return 0;
  }
  if (!options.hosts.empty()) {
    print_hosts(view.topology, options.hosts);
    return 0;
  }
  const RouteTable routes = routes_of(scenario, view.topology);
  if (options.out_format == "lfts") {
    put(write_forwarding(view.topology, routes));
    return 0;
  }
  const TopologySummary summary = topology_summary(view.topology, routes);
  const TreeLevels tree = tree_levels(view.topology);
  print_summary(view, summary, routes);
  print_levels(view, summary, tree);
  if (!options.check) {  // which lists all of them
    for (const std::string& warning : view.warnings) note("warning: {}\n", printable(warning));
    return 0;
  }
  print_irregularities(view, summary, tree);
  return print_deadlock_check(scenario, view.topology, routes) ? 0 : 1;
}

}  // namespace

std::string converted_fabric(const std::string& file, const std::string& from, const std::string& to) {
  return written_fabric(build_view(read_fabric_scenario(file, from, {})), to);
}

Command add_topo(CLI::App& app) {
  auto options = std::make_shared<TopoOptions>();
  CLI::App* command = app.add_subcommand("topo", "inspect a fabric: size, levels, irregularities, routes, deadlocks");
  command->footer(
      "Examples:\n  weir topo scenarios/hotspot.toml --check\n"
      "  ibnetdiscover > cluster.topo; weir topo cluster.topo --check\n"
      "  weir topo cluster.topo --hosts 'node*'\n"
      "  weir topo cluster.topo --check --set routing.kind=min-hop\n"
      "  weir topo cluster.topo --check --set routing.kind=lft --set routing.path=cluster.lfts\n"
      "  weir topo scenarios/hotspot.toml --export dot > fabric.dot");
  command
      ->add_option("file", options->file,
                   "scenario (.toml), ibnetdiscover dump, ibdm topology, or a fabric of htsim or ns-3")
      ->required();
  command->add_option("--format", options->format, "format of the fabric file, if it is not recognised")
      ->check(CLI::IsMember(kFabricFormats));
  command->add_option("--set", options->set, "override a value (repeatable)")->take_all();
  command->add_flag("--check", options->check,
                    "show irregularities, and check routes for deadlock; exit 1 if they can deadlock");
  command
      ->add_option("--hosts", options->hosts,
                   "list the hosts with these names, ranges or patterns, as in 'H1-H60' or 'node*,tank1' "
                   "(repeatable)")
      ->take_all();
  command->add_option("--export", options->out_format, "write the fabric in this format to standard output (lfts: "
                                                       "its forwarding tables)")
      ->check(CLI::IsMember({"dot", "ibnetdiscover", "htsim", "ns3", "lfts"}));
  return [options, command] {
    refuse_if_given(*command, {"--check", "--hosts"}, !options->out_format.empty(), "--export only writes the fabric");
    refuse_if_given(*command, {"--check"}, !options->hosts.empty(), "--hosts only lists hosts");
    return run_topo(*options);
  };
}

}  // namespace weir
