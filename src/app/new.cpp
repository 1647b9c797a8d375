// `weir new`: a scenario from a few words, with a comment for everything that was assumed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/commands.h"
#include "app/fabric_input.h"
#include "app/process.h"
#include "base/file_text.h"
#include "network/fabric/fabric.h"
#include "network/fabric/irregularities.h"
#include "network/host_names.h"
#include "network/network.h"
#include "network/summary.h"
#include "network/topologies/topology_files.h"
#include "network/topologies/tree_levels.h"
#include "packet/config/config.h"
#include "packet/config/switch_presets.h"
#include "packet/flow_control/operator_headroom.h"
#include "run/simulate.h"
#include "scenario/quantity.h"
#include "scenario/suggest.h"
#include "scenario/toml/toml_tree.h"
#include "store/files/output_file.h"

namespace weir {
namespace {

struct NewOptions {
  std::string what, out;
  std::string rate = "100Gbps", delay = "100ns";
  std::string incast, all_reduce, bytes;
  std::vector<std::string> from{"*"};
  std::string workload, stop = "10ms";
  std::string load = "0.5", incast_load;  // a fraction or per cent
  std::uint32_t senders = 0;  // of each incast of --incast-load; 0 = as is usual
  bool rate_given = false, workload_given = false, load_given = false, stop_given = false, delay_given = false,
       roce = false;
};

// No host sends more than its link carries: a load above 1 is a slip here, and 50 means 50 % to many.
void check_load(const std::string& option, const std::string& text) {
  double load = 0;
  try {
    load = parse_fraction(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
  if (!(load > 0 && load <= 1))
    throw InputError(fmt::format("{}: a load must be above 0 and at most 1 (1 is the full link rate); this is {}{}",
                                 option, text, percent_suggestion(load)));
}

// A number as it is, per cent in quotes.
std::string load_text(const std::string& text) {
  return text.ends_with('%') ? toml_quoted(text) : number_to_text(parse_fraction(text));
}

// "--leaves 8" as a key of [topology]; numbers and lists as they are, anything else quoted.
struct Key {
  std::string name, value;
  std::string option;  // as it was written, without dashes in front
};
std::vector<Key> keys_of(const std::vector<std::string>& words) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (!words[i].starts_with("--") || i + 1 == words.size())
      throw InputError(
          fmt::format("\"{}\" is not expected here; parameters of the topology are given as in --hosts 8", words[i]));
    const std::string option = words[i].substr(2);
    std::string name = option;
    std::replace(name.begin(), name.end(), '-', '_');
    const std::string& value = words[i + 1];
    const bool plain = value == "true" || value == "false" || value.starts_with('[') ||
                       value.find_first_not_of("0123456789.") == value.npos;
    keys.push_back({name, plain ? value : toml_quoted(value), option});
  }
  return keys;
}

// Options that people expect here, and what they should give.
constexpr std::pair<std::string_view, std::string_view> kExpectedOptions[] = {
    {"length", "--delay takes the delay of a cable: 5 ns for each metre, so 200ns for 40 m"},
    {"cable", "--delay takes the delay of a cable: 5 ns for each metre, so 200ns for 40 m"},
    {"host_rate", "--rate is that of every cable; leaf-spine and others have --uplink-rate for those between switches"},
    {"speed", "it is --rate"},
    {"preset", "set preset in [switch] of the file; `weir list presets` shows all"},
    {"size", "it is --bytes"},
    {"switch", "set preset in [switch] of the file; `weir list presets` shows all"},
    {"mtu", "set payload in [packet] of the file, as in payload = [4096]; header comes on top"},
    {"avoid", "--from names the hosts that send to --incast; other patterns have avoid in [[traffic]] of the file"},
};

// A key that this kind of topology does not have was meant as an option of `weir new`. A file has none.
void refuse_other_options(std::span<const ParamSpec> params, const std::vector<Key>& keys) {
  for (const Key& key : keys) {
    const auto is_key = [&](const ParamSpec& param) { return param.name == key.name; };
    if (std::any_of(params.begin(), params.end(), is_key)) continue;
    for (const auto& [other, advice] : kExpectedOptions)
      if (key.name == other) throw InputError(fmt::format("there is no option --{}: {}", key.option, advice));
  }
}

std::string line(const std::string& setting, const std::string& why) {
  return fmt::format("{:<32}# {}\n", setting, why);
}

// What the command line says, and defaults that the file does not show.
std::string topology_text(const NewOptions& options, const std::vector<Key>& keys) {
  const auto kinds = topology_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const KindSpec& k) { return k.name == options.what; });
  if (kind == kinds.end()) {
    if (!std::filesystem::exists(options.what)) {
      if (options.what.find_first_of("./") != options.what.npos)
        throw InputError(fmt::format("there is no file named {}", options.what));
      return fmt::format("[topology]\nkind = {}\n", toml_quoted(options.what));  // the vocabulary knows what to say
    }
    refuse_other_options({}, keys);
    if (!keys.empty())
      throw InputError(fmt::format("unknown option --{}; see `weir new --help`. (Topologies have further options, for "
                                   "their parameters, but {} is a file)",
                                   keys[0].option, options.what));
    const std::string_view simulator = simulator_of_fabric(file_text(options.what).value_or(""));
    return fmt::format("[topology]\nkind = \"{}\"\npath = {}\n", simulator.empty() ? "file" : simulator,
                       toml_quoted(options.what));
  }
  refuse_other_options(kind->params, keys);
  std::string text = fmt::format("[topology]                      # {}\nkind = \"{}\"\n", kind->summary, kind->name);
  for (const Key& key : keys) text += fmt::format("{} = {}\n", key.name, key.value);
  for (const ParamSpec& param : kind->params) {
    const bool given = std::any_of(keys.begin(), keys.end(), [&](const Key& k) { return k.name == param.name; });
    if (!given && param.fallback != kUnset && param.fallback != kRequired)
      text += line(fmt::format("{} = {}", param.name,
                               param.type == ParamType::choice && !param.fallback.starts_with('"')
                                   ? fmt::format("\"{}\"", param.fallback)
                                   : std::string(param.fallback)),
                   fmt::format("assumed: {}", param.help));
  }
  return text;
}

// How an entry begins: what --set and results call it.
std::string entry_text(std::string_view about, std::string_view pattern, const std::string& name) {
  return fmt::format("[[traffic]]                     # {}\n{}pattern = \"{}\"\n{}", about,
                     line(fmt::format("name = {}", toml_quoted(name)),
                          fmt::format("for --set, as in --set traffic.{}.start=1ms", name)),
                     pattern, line(fmt::format("class = {}", toml_quoted(name)), "its name in results"));
}

std::string load_line(const NewOptions& options) {
  return line(fmt::format("load = {}", load_text(options.load)),
              fmt::format("{}share of the rate of a host's link", options.load_given ? "" : "assumed: "));
}

// --incast and --from, found in the fabric.
struct IncastHosts {
  std::string target, from;  // the target quoted
  std::size_t senders = 0;
};
IncastHosts incast_hosts(const NewOptions& options, const Topology& t) {
  const HostNames names(t.host_names());
  const std::string from = fmt::format("{}", fmt::join(options.from, ","));
  const std::vector<HostId> target = names.find(options.incast), senders = names.find(from);
  if (target.empty()) throw InputError(fmt::format("--incast: {}", names.no_such_host(options.incast)));
  if (target.size() > 1)
    throw InputError(fmt::format("--incast: {}. For several targets, write the file for one of them and repeat its "
                                 "[[traffic]] entry, with another name and target",
                                 names.several_hosts(options.incast, target)));
  if (senders.empty()) throw InputError(fmt::format("--from: {}", names.no_such_host(from)));
  const auto count = senders.size() - static_cast<std::size_t>(std::count(senders.begin(), senders.end(), target[0]));
  if (count == 0) throw InputError(fmt::format("--from: \"{}\" is the target itself; name the senders", from));
  return {toml_quoted(t.name(t.node(target[0]))), from, count};
}

std::string single_incast_text(const NewOptions& options, const IncastHosts& incast) {
  const bool one = incast.senders == 1;
  const std::string senders =
      incast.from == "*" ? (one ? "the other host sends" : fmt::format("all {} other hosts send", incast.senders))
                         : fmt::format("{} (see `hosts`) {}", one ? "1 host" : fmt::format("{} hosts", incast.senders),
                                       one ? "sends" : "send");
  return entry_text(fmt::format("{} to {}{}", senders, options.incast, one ? "" : " at the same time"), "incast",
                    "incast") +
         fmt::format(
             "target = {}\nhosts = {}\n{}", incast.target, toml_quoted(incast.from),
             options.bytes.empty() ? line("bytes = \"1MB\"", "assumed: size of each flow")
                                   : line(fmt::format("bytes = \"{}\"", options.bytes), "size of each flow"));
}

std::string incast_text(const NewOptions& options, const Topology& t) {
  const IncastHosts incast = incast_hosts(options, t);
  const std::string text = single_incast_text(options, incast);
  if (!options.load_given) return text;
  if (t.hosts() < incast.senders + 3)
    throw InputError("--load is the load of the hosts that take no part in the incast. Without --from, all hosts take "
                     "part: name the senders, as in --from 'node1*'");
  return text + "\n" +
         entry_text("the other hosts send to hosts drawn at random, and may be its victims", "uniform", "background") +
         fmt::format("except = \"incast\"\n{}{}",
                     line(fmt::format("avoid = {}", incast.target), "none of them sends to the target"),
                     load_line(options));
}

// Incasts at random times, to one host or to hosts drawn at random.
std::string repeated_incast_text(const NewOptions& options, const Topology& t, const std::string& stop) {
  constexpr std::size_t kUsual = 60;  // in HPCC's evaluation
  IncastHosts incast{"", "", t.hosts() / 2};
  if (!options.incast.empty()) incast = incast_hosts(options, t);
  const std::size_t most = std::max<std::size_t>(1, incast.senders);
  if (options.senders > t.hosts() - 1)
    throw InputError(fmt::format("--senders: {} hosts cannot send to one: this network has {} hosts", options.senders,
                                 t.hosts()));
  return entry_text(options.incast.empty() ? "hosts drawn at random send to one host at the same time"
                                           : "hosts drawn at random send to " + options.incast + " at the same time",
                    "incast-arrivals", "incast") +
         (incast.target.empty() ? "" : fmt::format("to = [{}]\n", incast.target)) +
         (incast.from.empty() || incast.from == "*" ? "" : fmt::format("hosts = {}\n", toml_quoted(incast.from))) +
         (options.senders > 0 ? fmt::format("senders = {}\n", options.senders)
                              : line(fmt::format("senders = {}", std::min(kUsual, most)), "assumed")) +
         (options.bytes.empty() ? line("bytes = \"500kB\"", "assumed: size of each flow")
                                : line(fmt::format("bytes = \"{}\"", options.bytes), "size of each flow")) +
         line(fmt::format("load = {}", load_text(options.incast_load)),
              fmt::format("share of the link rates of {} hosts together",
                          incast.from.empty() || incast.from == "*" ? "all" : "these")) +
         stop;
}

// Flows by size and load, and incasts beside them.
std::string workload_text(const NewOptions& options, const Topology& t) {
  const std::string stop =
      line(fmt::format("stop = \"{}\"", options.stop),
           fmt::format("{}no flow arrives later; those that have arrived are completed",
                       options.stop_given ? "" : "assumed: "));
  const bool of_file = options.workload.find_first_of("./") != std::string::npos;
  std::string text =
      entry_text("flows arrive at random, to hosts drawn at random", "flow-arrivals",
                 of_file ? "flows" : options.workload) +
      line(fmt::format("sizes = {}", toml_quoted(options.workload)),
           fmt::format("{}built-in distributions: websearch, fbhadoop, alistorage; a file name works, too",
                       options.workload_given ? "" : "assumed; ")) +
      load_line(options) + stop;
  if (!options.incast_load.empty()) return text + "\n" + repeated_incast_text(options, t, stop);
  if (options.incast.empty()) return text;
  const Time middle{parse_time(options.stop).ps / 2};
  return text + "\n" + single_incast_text(options, incast_hosts(options, t)) +
         line(fmt::format("start = \"{}\"", to_text(middle)), "assumed: by then, about half of the flows have arrived");
}

std::string traffic_text(const NewOptions& options, const Topology& t) {
  if (!options.workload.empty()) return workload_text(options, t);
  if (!options.incast.empty()) return incast_text(options, t);
  if (!options.all_reduce.empty())
    return entry_text("all hosts together, in one ring", "collective", "all-reduce") +
           fmt::format("operation = \"all-reduce\"\nbytes = \"{}\"\n", options.all_reduce);
  return entry_text("every host sends to hosts drawn at random", "uniform", "uniform") +
         load_line(options);
}

// Cables whose speed the file of a subnet does not tell.
std::size_t cables_without_speed(const Scenario& scenario) {
  const Section& section = scenario.section("topology");
  return section.kind == "file" ? import_fabric(read_fabric(section), scenario.section("link")).unknown_speeds : 0;
}

// Files of other simulators have a rate and a delay for every cable; those of subnets have rates, as a rule.
std::string link_text(const NewOptions& options, const std::string& fabric, std::size_t without_speed) {
  const auto is = [&](std::string_view kind) { return fabric.find(fmt::format("kind = \"{}\"", kind)) != fabric.npos; };
  if ((is("htsim") || is("ns3")) && !options.rate_given) {
    if (options.delay_given) throw InputError("--delay has no effect: the file gives the delay of every cable");
    return "";
  }
  std::string link = "\n[link]\n";
  if (!is("file") || options.rate_given)
    link += line(fmt::format("rate = \"{}\"", options.rate),
                 options.rate_given ? "of every cable" : "assumed for every cable");
  else if (without_speed > 0)
    link += line(fmt::format("rate = \"{}\"", options.rate),
                 fmt::format("assumed for the {} cables whose speed is not in the file", without_speed));
  const double metres = static_cast<double>(parse_time(options.delay).ps) / static_cast<double>(kDelayOfMetre.ps);
  return link + line(fmt::format("delay = \"{}\"", options.delay),
                     fmt::format("{} every cable: {:.4g} m at {} per metre", options.delay_given ? "of" : "assumed for",
                                 metres, to_text(kDelayOfMetre)));
}

// How much of what all hosts can send goes up from each level.
std::string capacity_text(const Topology& topology, const RouteTable& routes) {
  const std::vector<double> ratios = topology_summary(topology, routes).capacity_ratio;
  std::string text;
  for (std::size_t level = 0; level < ratios.size(); ++level)
    if (ratios[level] < 0.999)
      text += fmt::format("# The cables up from level {} carry {:.3g} times what all hosts can send: oversubscribed "
                          "{:.3g} to 1.\n",
                          level, ratios[level], 1 / ratios[level]);
  if (text.empty() && !ratios.empty()) text = "# The cables between switches are not oversubscribed.\n";
  if (const TreeLevels tree = tree_levels(topology); topology.shape() == Shape::graph && tree.is_tree)
    for (const std::string& about : describe_levels(topology, tree))
      if (about.starts_with("level ")) text += "# From " + about + ".\n";
  return text;
}

const SwitchPreset* preset_for(const NewOptions& options, const Topology& topology) {
  return options.roce ? fitting_ethernet_preset(topology) : fitting_preset(topology);
}

// Nobody has to look for it in the file: faster uplinks alone make it another switch, with other buffers and delays.
std::string preset_remark(const NewOptions& options, const Topology& topology) {
  const SwitchPreset* preset = preset_for(options, topology);
  if (preset == nullptr) return "";
  return fmt::format("assumed: switches like {} ({}): of the {} switches that weir knows, the slowest that is fast "
                     "enough for the links here (up to {}). To use others, set preset in [switch]",
                     preset->name, preset->product, options.roce ? "Ethernet" : "InfiniBand",
                     to_text(fastest_link(topology)));
}

std::string lanes_text(const NewOptions& options, const RouteTable& routes) {
  const std::size_t block = routes.lanes().size();
  if (!options.roce)
    return line(fmt::format("lanes = {}", block),
                routes.changes_lanes() ? "as many as the routes need to be free of deadlock" : "the routes need one");
  const auto lanes_from = [&](std::size_t first) {
    return block == 1 ? fmt::format("lane {}", first) : fmt::format("lanes {} to {}", first, first + block - 1);
  };
  return line(fmt::format("lanes = {}", 2 * block),
              fmt::format("{}: data, {}: CNPs, which go first (assumed)", lanes_from(0), lanes_from(block)));
}

// The slowest reaction to a PAUSE frame that the standard allows, by the rate of a link. A scenario has one for all
// links, so the longest is taken.
std::string response_text(const Topology& t) {
  std::map<Rate, Time> allowed;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const Rate rate = t.link({p}).rate;
    if (t.to({p}).valid()) allowed[rate] = rate.time_for(standard_response_quanta(rate) * OperatorHeadroom::kQuantum);
  }
  const auto longest = std::max_element(allowed.begin(), allowed.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string why = "how long a sender goes on after a PAUSE frame; assumed: as long as the Ethernet standard allows";
  if (allowed.size() > 1) {
    why += fmt::format(" at {}", to_text(longest->first));
    for (const auto& [rate, time] : allowed)
      if (rate != longest->first) why += fmt::format("; {} at {}", to_text(time), to_text(rate));
    why += ". weir uses the longest of these times for all links, so the others get more headroom than they need";
  }
  return line(fmt::format("credit_delay = \"{}\"", to_text(longest->second)), why);
}

std::string switch_text(const NewOptions& options, const Topology& topology, const RouteTable& routes) {
  std::string text = "\n[switch]\n" + lanes_text(options, routes);
  if (options.roce)
    text += line("organisation = \"output-queued\"", "assumed: packets queue at their output") +
            line("flow_control = \"pfc\"", "lossless by PFC; headroom is calculated, see docs/ethernet.md") +
            response_text(topology);
  const SwitchPreset* preset = preset_for(options, topology);
  const bool memory = options.roce && preset != nullptr;
  if (preset != nullptr)
    text += line(fmt::format("preset = \"{}\"", preset->name),
                 fmt::format("assumed: {}, {} from port to port{}", preset->product, preset->latency,
                             memory ? fmt::format(", {} of memory", preset->memory) : ""));
  if (options.roce && preset == nullptr)
    text += line("shared_buffer = \"64MB\"", "assumed: memory of a switch, shared by all ports") +
            line("switch_delay = \"800ns\"", "assumed: from port to port");
  if (!options.roce) text += line(fmt::format("buffer = \"{}\"", kAssumedBuffer), "assumed: of each input and lane");
  return text;
}

// What all schemes are compared with, DCQCN, and two of research.
std::string roce_schemes(const RouteTable& routes) {
  std::string text = "\n# `weir compare` runs these; `--schemes none,dcqcn` chooses others.\n";
  const std::string dcqcn = fmt::format("\"dcqcn\", cnp_lane = {}", routes.lanes().size());
  for (const std::string& scheme : {std::string("\"none\""), dcqcn, std::string("\"hpcc\""), std::string("\"timely\"")})
    text += fmt::format("[[compare]]\nscheme = {{ name = {} }}\n\n", scheme);
  text.pop_back();
  return text;
}

std::string scheme_text(const NewOptions& options, const RouteTable& routes) {
  if (!options.roce)
    return "\n[scheme]\n" + line("name = \"none\"", "assumed: no congestion management; others: `weir list schemes`");
  return "\n[scheme]\n" +
         line("name = \"dcqcn\"",
              "assumed, with the factory settings of adapters; see `weir list schemes dcqcn`") +
         line(fmt::format("cnp_lane = {}", routes.lanes().size()),
              "assumed: CNPs have a priority of their own, above the data") +
         "# Its ECN thresholds, kmin and kmax, are 4 and 16 kB for each Gb/s of a link, less where buffers are small. "
         "After\n# a run, they and all other values are in scenario.toml in the result directory. `weir calibrate` "
         "compares other\n# thresholds.\n";
}

// RoCE v2 with the largest MTU of InfiniBand's transport.
std::string packet_text(const NewOptions& options) {
  if (!options.roce)
    return "\n# assumed: packets without headers. InfiniBand has 26B or more: set header in [packet]\n";
  return "\n[packet]\n" + line("payload = [\"4096B\"]", "assumed: an RDMA MTU of 4096 bytes") +
         line("header = \"66B\"", "assumed: Ethernet, VLAN, IPv4, UDP, BTH and checksums") +
         line("ack = \"66B\"", "assumed");
}

std::string scenario_text(const NewOptions& options, const std::vector<Key>& keys) {
  const std::string fabric = topology_text(options, keys);
  const auto with = [&](const std::string& more) {
    return parse_scenario_text(fabric + more + "\n[[traffic]]\npattern = \"uniform\"\nload = 0.1\n", "", vocabulary());
  };
  const std::string link = link_text(options, fabric, cables_without_speed(with("")));
  const Scenario draft = with(link);
  const Topology topology = build_topology(draft);
  const RouteTable routes = routes_of(draft, topology);
  const bool arrivals = !options.workload.empty();
  const bool has_flows = arrivals || !options.incast.empty() || !options.all_reduce.empty();
  std::string text = fabric + link + packet_text(options) + switch_text(options, topology, routes);
  if (arrivals || options.roce)
    text += "\n[adapter]\n" + line("organisation = \"per-flow\"", "assumed: flows of a host take turns");
  if (options.roce)
    text += line("acks = true", "assumed: also under schemes that do not need them, so that the load is the same");
  text += "\n[routing]\n";
  text +=
      (arrivals || options.roce) && routes.has_alternatives()
          ? line("choice = \"ecmp\"", "assumed: a hash chooses one path for each flow")
          : line("choice = \"fixed\"", "assumed: one path for each pair of hosts; others: `weir list routings auto`");
  text += scheme_text(options, routes) + "\n" + traffic_text(options, topology);
  text += "\n[run]\n" + (has_flows ? line("until = \"flows\"", "ends with the last flow")
                                   : line("duration = \"1ms\"", "assumed") +
                                         line("warmup = \"100us\"",
                                              "part of `duration`; throughput and latency are measured after it"));
  if (options.roce) text += roce_schemes(routes);
  return fmt::format(
             "# {} hosts, {} switches. Values that weir assumed are marked `assumed`: correct those that you know.\n",
             topology.hosts(), topology.switches()) +
         capacity_text(topology, routes) + text;
}

// What a run of it would warn of, said where the numbers can still be chosen.
void say_what_to_know(const NewOptions& options, const Scenario& scenario) {
  try {
    const RunSetup setup = set_up(scenario);
    if (const std::string remark = preset_remark(options, setup.network->topology); !remark.empty())
      note("{}\n", remark);
    for (const std::string& warning : setup.warnings) note("warning: {}\n", warning);
  } catch (const InputError& error) {
    note("warning: it cannot run as it is: {}\n", error.what());
  }
}

// RoCE without a word on its traffic, or with one that only flows know: --load beside an incast is that of flows, too.
bool goes_with_flows(const NewOptions& options) {
  if (!options.workload.empty() || !options.all_reduce.empty()) return false;
  return options.incast.empty() || options.load_given || options.stop_given || !options.incast_load.empty();
}

int run_new(NewOptions options, const CLI::App& command) {
  if ((!options.workload.empty() || !options.incast.empty()) && !options.all_reduce.empty())
    throw InputError("--all-reduce cannot be given together with --workload or --incast");
  options.workload_given = !options.workload.empty();
  if (options.roce && goes_with_flows(options)) options.workload = "websearch";
  if (options.incast.empty() && command.count("--from") > 0)
    throw InputError("--from goes with --incast, as in --incast H0 --from 'H1-H9': it names the senders of the "
                     "incast");
  refuse_if_given(command, {"--bytes"}, options.incast.empty() && options.incast_load.empty(),
                  "it is the size of the flows of --incast or --incast-load");
  refuse_if_given(command, {"--load"}, !options.all_reduce.empty(), "an all-reduce has a size and no load");
  const auto needs_workload = [&](bool given, std::string_view option) {
    if (given && options.workload.empty())
      throw InputError(fmt::format("{} goes with --workload, as in --workload websearch --incast-load 0.02", option));
  };
  needs_workload(!options.incast_load.empty(), "--incast-load");
  needs_workload(options.stop_given, "--stop");
  check_load("--load", options.load);
  if (!options.incast_load.empty()) check_load("--incast-load", options.incast_load);
  if (options.senders > 0 && options.incast_load.empty())
    throw InputError("--senders goes with --incast-load, as in --workload websearch --incast-load 0.02 --senders 8. An "
                     "incast that happens once names its senders with --from, as in --from 'H1-H9'");
  parse_time(options.stop);
  const std::string text = scenario_text(options, keys_of(command.remaining()));
  parse_scenario_text(text, options.out.empty() ? "" : options.out, vocabulary());
  if (options.out.empty())
    put(text);
  else
    write_file(options.out, text);
  say_what_to_know(options, parse_scenario_text(text, "", vocabulary()));
  return 0;
}

}  // namespace

Command add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "write a commented scenario for a topology or a fabric file");
  command->footer(
      "Every parameter of the topology is an option, too: `weir list topologies leaf-spine` shows those of "
      "leaf-spine.\nExamples:\n  weir new leaf-spine --leaves 8 --spines 4 --hosts 4 --rate 400Gbps\n  weir new "
      "leaf-spine --leaves 8 --spines 4 --hosts 8 --roce --out roce.toml\n  weir new leaf-spine --hosts 8 "
      "--workload websearch --load 0.5 --incast-load 0.02\n  weir new leaf-spine --hosts 8 --roce --workload websearch "
      "--incast H0 --incast-load 0.01 --senders 8\n  weir new dragonfly --all-reduce 10MB --out "
      "dragonfly.toml\n  weir new cluster.topo --incast node1 --from 'node*'");
  command->allow_extras();
  command->add_option("what", options->what, "kind of topology (such as leaf-spine), or a fabric file")->required();
  CLI::Option* rate = command->add_option("--rate", options->rate, "rate of every cable (default: 100Gbps)");
  CLI::Option* delay = command->add_option("--delay", options->delay, "delay of every cable (default: 100ns)");
  command->add_option(
      "--incast", options->incast,
      "all hosts send to this host (name or number) at the same time, once. With --workload, this is added to the "
      "workload. With --incast-load, incasts to this host are repeated, each from hosts drawn at random");
  command
      ->add_option("--from", options->from,
                   "with --incast: only these hosts send; give names, ranges or patterns, as in 'H1-H60' or "
                   "'node*,tank1' (repeatable)")
      ->take_all();
  command->add_option("--bytes", options->bytes,
                      "size of each flow of the incasts (default: 1MB; with --incast-load: 500kB)");
  command->add_option("--all-reduce", options->all_reduce, "all hosts take part in an all-reduce of this size");
  command->add_option(
      "--workload", options->workload,
      "flows arrive at random, with sizes from this distribution: websearch, fbhadoop, alistorage or a file");
  command->add_option("--incast-load", options->incast_load,
                      "with --workload: add repeated incasts, to the host of --incast or to hosts drawn at random. "
                      "Their load is this fraction of the link rates of all hosts together");
  command
      ->add_option("--senders", options->senders,
                   "with --incast-load: number of hosts that send at the same time (default: 60, or half of all hosts "
                   "if that is fewer)")
      ->check(CLI::Range(1u, 4'000'000'000u));
  CLI::Option* stop = command->add_option("--stop", options->stop,
                                          "with --workload: no flow arrives after this time (default: 10ms)");
  command->add_flag("--roce", options->roce,
                    "lossless Ethernet: PFC, ECN and DCQCN, and entries for `weir compare`. Default traffic: "
                    "websearch. --workload or --all-reduce replaces it. --incast replaces it, too, unless --load, "
                    "--stop or --incast-load is also given: then the incast is added to websearch");
  CLI::Option* load = command->add_option(
      "--load", options->load,
      "load of each host: a share of the rate of its link, such as 0.5 or 50% (default: 0.5). With --incast but "
      "neither --workload nor --roce, --load is the load of the hosts that do not send in the incast (default: 0); it "
      "then needs --from, because otherwise all hosts send in the incast");
  command->add_option("--out", options->out, "file to write (default: print it)");
  return [options, command, rate, delay, load, stop] {
    options->rate_given = rate->count() > 0;
    options->delay_given = delay->count() > 0;
    options->load_given = load->count() > 0;
    options->stop_given = stop->count() > 0;
    return run_new(*options, *command);
  };
}

}  // namespace weir
