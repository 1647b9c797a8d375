// `weir rates`: explicit rates for given flows, without simulating anything. Flows are routed over a topology, or their
// paths are given; the answer is one line per flow, and can be checked against the definition of what was asked for.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "app/commands.h"
#include "app/fabric_input.h"
#include "app/process.h"
#include "app/rates/rates_csv.h"
#include "app/runner.h"
#include "base/csv.h"
#include "base/file_text.h"
#include "flow/performance.h"
#include "flow/solvers/verify.h"
#include "network/network.h"
#include "packet/config/config.h"
#include "store/files/output_file.h"

namespace weir {
namespace {

struct RatesOptions {
  std::string topology, format = "auto", flows, links, paths, apps, given, out = "-";
  std::string algorithm = "ffa", routing = "static", ties = "default";
  std::vector<std::string> set;
  std::uint32_t hops = 8;
  std::uint64_t seed = 1;
  double reserved = 0;
  bool verify = false, json = false;
};

FlowRoutingPolicy policy_of(const RatesOptions& options) {
  FlowRoutingPolicy policy = options.routing == "static"   ? FlowRoutingPolicy::fixed()
                             : options.routing == "ascent" ? FlowRoutingPolicy::ascent()
                             : options.routing == "forced" ? FlowRoutingPolicy::forced(options.hops)
                                                           : FlowRoutingPolicy::free(options.hops);
  if (options.ties == "random") policy.ties = FlowRoutingPolicy::Ties::chance;
  return policy;
}

// Messages about a table name its file; the text has to live as long as the reader works.
struct Table {
  explicit Table(const std::string& file) : name(file), text(read_text_file(file)) {}
  NamedText named() const { return {name, text}; }
  std::string name, text;
};

RateInput read_input(const RatesOptions& options) {
  const bool routed = !options.topology.empty() || !options.flows.empty();
  const bool given = !options.links.empty() || !options.paths.empty();
  if (routed == given || options.topology.empty() != options.flows.empty() ||
      options.links.empty() != options.paths.empty())
    throw InputError("give either --topology and --flows, or --links and --paths");
  RateInput input;
  if (given) {
    const Table links(options.links), paths(options.paths);
    input = read_links_and_paths(links.named(), paths.named());
  } else {
    const Scenario scenario = read_fabric_scenario(options.topology, options.format, options.set);
    std::vector<std::string> warnings;
    const Topology topology = build_topology(scenario, &warnings);
    for (const std::string& warning : warnings) note("warning: {}\n", warning);
    const RouteTable routes = routes_of(scenario, topology);
    const Table flows(options.flows);
    input = read_flows(flows.named(), topology, routes, policy_of(options), options.seed, options.reserved);
  }
  if (!options.apps.empty()) {
    const Table apps(options.apps);
    read_priorities(apps.named(), input);
  }
  return input;
}

std::size_t column_of(const CsvRecord& header, const std::string& file, std::string_view name) {
  for (std::size_t i = 0; i < header.cells.size(); ++i)
    if (header.cells[i] == name) return i;
  throw InputError(SourcePosition{file, header.line, 0}, fmt::format("column \"{}\" is missing", name));
}

// Rates from elsewhere, by the name of the flow: columns flow and rate, others are not looked at.
std::vector<double> read_given_rates(const std::string& file, const RateInput& input) {
  const Table table(file);
  CsvSplitter splitter(table.name, table.text);
  CsvRecord record;
  if (!splitter.next(record))
    throw InputError(SourcePosition{file, 1, 0}, "is empty; columns flow and rate are needed");
  const std::size_t flow = column_of(record, file, "flow"), rate = column_of(record, file, "rate");
  std::unordered_map<std::string, std::size_t> numbers;  // order-free: only looked up
  for (std::size_t f = 0; f < input.flow_names.size(); ++f) numbers.emplace(input.flow_names[f], f);
  std::vector<double> rates(input.flow_names.size(), std::numeric_limits<double>::quiet_NaN());
  while (splitter.next(record)) {
    const SourcePosition where{file, record.line, 0};
    if (record.cells.size() <= std::max(flow, rate)) throw InputError(where, "a flow and a rate are needed");
    const auto found = numbers.find(record.cells[flow]);
    if (found == numbers.end()) throw InputError(where, fmt::format("there is no flow \"{}\"", record.cells[flow]));
    const std::string& text = record.cells[rate];
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || !std::isfinite(value))
      throw InputError(where, fmt::format("rate must be a number and not negative, not \"{}\"", text));
    if (!std::isnan(rates[found->second]))
      throw InputError(where, fmt::format("flow \"{}\" appears twice", record.cells[flow]));
    rates[found->second] = value;
  }
  for (std::size_t f = 0; f < rates.size(); ++f)
    if (std::isnan(rates[f]))
      throw InputError(SourcePosition{file, 0, 0}, fmt::format("has no rate for flow \"{}\"", input.flow_names[f]));
  return rates;
}

constexpr std::string_view kPromises[] = {
    "every flow has its share, by weight, of the most loaded link on its path",
    "every flow has at least its rate of saa, and crosses a saturated link",
    "every flow crosses a saturated link on which no other flow has a larger normalised rate (rate / weight)",
    "all flows of an application have the same normalised rate (rate / weight), and at least one flow of each "
    "application crosses a saturated link on which no other application has a larger normalised rate"};

// Exact enough to tell a rate from one that is slightly too high.
std::string with_unit(double bits_per_second) {
  const double size = std::abs(bits_per_second);
  if (size >= 1e9) return fmt::format("{:.9g} Gb/s", bits_per_second / 1e9);
  if (size >= 1e6) return fmt::format("{:.9g} Mb/s", bits_per_second / 1e6);
  return fmt::format("{:.9g} bit/s", bits_per_second);
}

// Names are what the user knows; the certificate counts.
std::string named_index(const Violation& violation, const RateInput& input, RateAlgorithm algorithm) {
  using Kind = Violation::Kind;
  if (violation.kind == Kind::overload) return "link " + input.link_names[violation.index];
  const bool of_app = violation.kind == Kind::uneven_application ||
                      (violation.kind == Kind::not_bottlenecked && algorithm == RateAlgorithm::afa);
  return of_app ? "application " + input.app_names[violation.index] : "flow " + input.flow_names[violation.index];
}

int print_certificate(RateAlgorithm algorithm, const RateInput& input, const std::vector<double>& rates) {
  const Certificate certificate = verify(algorithm, input.problem(), rates, kCertificateTolerance, 10);
  const std::string size = fmt::format("{} flows, {} links; {} flow-link pairs checked", input.flow_names.size(),
                                       input.link_names.size(), input.incidence.size());
  if (certificate.holds()) {
    note("verified: the rates are fair according to {} ({})\n  no link carries more than its capacity\n  {}\n",
               name_of(algorithm), size, kPromises[static_cast<std::size_t>(algorithm)]);
    return 0;
  }
  note("not fair according to {} ({}); violations: {}\n", name_of(algorithm), size, certificate.count);
  for (const Violation& v : certificate.violations)
    {
    // For afa, a flow or application that could be faster is measured by its normalised rate.
    const bool normalised = v.kind == Violation::Kind::not_bottlenecked && algorithm == RateAlgorithm::afa;
    note("  {}: {}\n", named_index(v, input, algorithm), v.text(input.in_bits && !normalised ? with_unit : nullptr));
  }
  if (certificate.count > certificate.violations.size())
    note("  and {} more\n", certificate.count - certificate.violations.size());
  return 1;
}

int run_rates(const RatesOptions& options) {
  const RateAlgorithm algorithm = rate_algorithm(options.algorithm);
  check_text_file(options.out,
                  {options.topology, options.flows, options.links, options.paths, options.apps, options.given});
  const RateInput input = read_input(options);
  if (!options.given.empty()) return print_certificate(algorithm, input, read_given_rates(options.given, input));
  const RateSolution solution = solve(algorithm, input.problem());
  const std::string text =
      options.json ? rates_to_json(algorithm, input, solution) : rates_to_csv(input, solution);
  write_text_file(options.out, text);
  return options.verify ? print_certificate(algorithm, input, solution.rate) : 0;
}

void refuse_idle_options(const CLI::App& command, const RatesOptions& options) {
  refuse_if_given(command, {"--format", "--set", "--reserved", "--routing", "--hops", "--ties", "--seed"},
                  options.topology.empty(), "it is for --topology, but paths are given");
  refuse_if_given(command, {"--hops"}, options.routing != "forced" && options.routing != "free",
                  "only --routing forced and free use links between switches of the same level");
  refuse_if_given(command, {"--ties"}, options.routing == "static", "static routes have no ties");
  refuse_if_given(command, {"--seed"}, options.ties != "random", "only --ties random uses it");
  refuse_if_given(command, {"--apps"}, options.algorithm != "afa",
                  "only --algorithm afa uses priorities of applications");
  refuse_if_given(command, {"--json", "--out"}, !options.given.empty(), "with --given, rates are not calculated");
}

void add_routing_options(CLI::App& command, RatesOptions& options) {
  command
      .add_option("--routing", options.routing,
                  "how flows are routed (see below). They are routed one after another, in the order of the file")
      ->check(CLI::IsMember({"static", "ascent", "forced", "free"}))
      ->capture_default_str();
  command
      .add_option(
          "--hops", options.hops,
          "with --routing forced or free: how many links of a chain (see below) a flow may cross on one level, at most")
      ->capture_default_str();
  command
      .add_option("--ties", options.ties,
                  "which of several equally loaded ports is chosen on the way up: the port of the "
                  "static route (default), or one at random")
      ->check(CLI::IsMember({"default", "random"}))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "seed for --ties random")->capture_default_str();
}

constexpr const char* kFooter =
    "Algorithms:\n"
    "  saa    each flow gets its share, by weight, of the most loaded link on its path. A single application that has "
    "the network to itself finishes soonest with these rates\n"
    "  saa-m  like saa, and leftover capacity is used, too\n"
    "  ffa    weighted max-min fair rates of flows\n"
    "  afa    weighted max-min fair among applications: within one, rates are in proportion to the weights of its "
    "flows\n"
    "Routing:\n"
    "  static  the default route of each flow\n"
    "  ascent  on the way up a tree, the port with the fewest flows; on other fabrics, the least loaded of all "
    "candidates\n"
    "  forced  for modified k-ary n-trees, where horizontal links join switches of a level into chains. Like ascent; "
    "in addition, a flow on its way down may move along a chain, but only in one direction: from the switch where it "
    "enters the chain, towards the farther end\n"
    "  free    like forced, but the flow may choose either direction of a chain\n"
    "docs/rates.md describes the columns of all files.\n\n"
    "Examples:\n"
    "  weir rates --links scenarios/rates/links.csv --paths scenarios/rates/paths.csv --algorithm ffa --verify\n"
    "  weir rates --topology scenarios/rates/tree.toml --flows scenarios/rates/flows.csv --algorithm afa --json\n"
    "  weir rates --topology scenarios/rates/tree.toml --flows scenarios/rates/flows.csv --routing forced\n"
    "  weir rates --links L.csv --paths P.csv --given R.csv   # are these rates fair?";

}  // namespace

Command add_rates(CLI::App& app) {
  auto options = std::make_shared<RatesOptions>();
  CLI::App* command = app.add_subcommand("rates", "calculate fair rates for given flows, as CSV or JSON");
  command->footer(kFooter);
  command->add_option("--topology", options->topology, "scenario (.toml; only its network is used) or fabric file");
  command->add_option("--format", options->format, "format of the fabric file, if it is not recognised")
      ->check(CLI::IsMember(kFabricFormats));
  command
      ->add_option("--set", options->set,
                   "override a value of the scenario, as in --set routing.kind=min-hop (repeatable)")
      ->take_all();
  command->add_option("--flows", options->flows, "flows by host: src,dst[,weight][,app][,id]");
  command->add_option("--links", options->links, "links: link,capacity[,reserved]");
  command->add_option("--paths", options->paths, "flows by path: path[,id][,weight][,app]");
  command->add_option("--apps", options->apps, "with --algorithm afa: priorities of applications: app,priority");
  const std::vector<std::string> names(rate_algorithm_names().begin(), rate_algorithm_names().end());
  command->add_option("--algorithm", options->algorithm, "what counts as fair (see below)")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command
      ->add_option("--reserved", options->reserved,
                   "with --topology: share of every link that is kept for other traffic, as in 0.1")
      ->check(CLI::Range(0.0, 0.999999));
  add_routing_options(*command, *options);
  command->add_flag("--verify", options->verify,
                    "check the calculated rates and print the result to stderr; exit 1 if they are wrong");
  command->add_option("--given", options->given, "check the rates in this file (flow,rate) instead of calculating any");
  command->add_flag("--json", options->json, "JSON instead of CSV");
  command->add_option("--out", options->out, "file for the rates (- for standard output)")->capture_default_str();
  return [options, command] {
    refuse_idle_options(*command, *options);
    return run_rates(*options);
  };
}

}  // namespace weir
