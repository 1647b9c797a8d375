// Common keys of [routing]: which of the allowed steps a switch takes, and what the adaptive choices need.
#include <fmt/format.h>

#include "packet/config/sections.h"

namespace weir {
namespace {

constexpr std::string_view kChoices[] = {"fixed", "live-queue",  "snooping", "flow-setup", "ecmp",
                                         "spray", "round-robin", "flowlet",  "valiant",    "ugal"};
constexpr std::string_view kSnoopTimings[] = {"restart", "once", "each"};
constexpr std::string_view kSnoopReturns[] = {"random", "default"};
enum class Sideways { automatic, none, forced, free };
constexpr std::string_view kSetupSideways[] = {"auto", "none", "forced", "free"};
constexpr std::string_view kSetupMeasures[] = {"flows", "weight"};
constexpr std::string_view kSetupTies[] = {"default", "random"};

constexpr Condition kSnoopingOnly = when("choice", {"snooping"});
constexpr Condition kSetupOnly = when("choice", {"flow-setup"});
constexpr Condition kFlowletsOnly = when("choice", {"flowlet"});

}  // namespace

std::vector<ParamSpec> route_choice_params() {
  return {
      ParamSpec{"choice", ParamType::choice, "fixed",
       "how a switch chooses among the allowed ports. fixed: the default port; live-queue: for each packet, the port "
       "with the shortest queue; snooping: the first port for which no notification has reported congestion; "
       "flow-setup: a set-up packet chooses the least loaded ports for a whole flow, which keeps them until it is torn "
       "down; ecmp: by a hash of the flow; spray: at random for each packet; round-robin: in turn for each packet; "
       "flowlet: at random, and again after each gap in the flow; valiant: each packet goes through a random "
       "intermediate switch or, in a dragonfly, group; ugal: valiant's path or the shortest one, whichever has the "
       "smaller product of queue length (at the first switch) and hops. All choices except fixed, flow-setup and ecmp "
       "can reorder packets", 0, 0, kChoices}
          .hinting("adaptive routing is \"live-queue\" for each packet, \"flowlet\" after each gap in a flow"),
      ParamSpec{"flowlet_gap", ParamType::time, "10us", "a flow may take another path after a longer gap", 0, 1}
          .applying(kFlowletsOnly),
      ParamSpec{"flowlet_entries", ParamType::integer, "1024",
                "entries in a switch's table of flowlets; flows that share an entry share their path", 1, 1 << 20}
          .applying(kFlowletsOnly),
      ParamSpec{"snoop_timer", ParamType::time, "250ms", "an entry about remote congestion expires after this", 1e-9,
                1e6}
          .applying(kSnoopingOnly),
      ParamSpec{"snoop_timing", ParamType::choice, "restart",
                "how updates affect that timer. restart: every update restarts it; once: it starts when the entry is "
                "marked and is not restarted; each: every update starts one more timer, and the first to expire resets "
                "the entry",
                0, 0, kSnoopTimings}
          .applying(kSnoopingOnly),
      ParamSpec{"snoop_queue", ParamType::bytes, "16500B",
                "below this length, a switch's own queue is no longer congested", 0, 1e12}
          .applying(kSnoopingOnly),
      ParamSpec{"snoop_return", ParamType::choice, "random",
                "how notifications travel back. random: through a random allowed port, so that all paths learn of the "
                "congestion; default: through the default port",
                0, 0, kSnoopReturns}
          .applying(kSnoopingOnly),
      ParamSpec{"setup_sideways", ParamType::choice, "auto",
                "horizontal hops (between switches of the same level) on the way down a modified k-ary n-tree. none: "
                "no such hops; forced: only in the direction of the farther end of their chain (logical node); free: "
                "in both directions; auto: forced on modified trees, none elsewhere",
                0, 0, kSetupSideways}
          .applying(kSetupOnly),
      ParamSpec{"setup_hops", ParamType::integer, "8", "largest number of horizontal hops per level", 0, 1e6}
          .applying(kSetupOnly)
          .applying(when("setup_sideways", {"auto", "forced", "free"})),
      ParamSpec{
          "setup_cache", ParamType::integer, kUnset,
          "number of entries in the route cache of an input port. If the cache is full, a new flow takes the default "
          "port. Default: unlimited",
          0, 1e9}
          .applying(kSetupOnly),
      ParamSpec{"setup_measure", ParamType::choice, "flows",
                "how the load of a port is measured: by the number of its flows, or by the sum of their weights", 0, 0,
                kSetupMeasures}
          .applying(kSetupOnly),
      ParamSpec{"setup_ties", ParamType::choice, "default",
                "which of several equally loaded ports is chosen on the way up a tree, and which of two sides on the "
                "way down. default: the default port and the left side; random: at random. On the way down, the "
                "default port always has preference",
                0, 0, kSetupTies}
          .applying(kSetupOnly),
      ParamSpec{"setup_bytes", ParamType::bytes, "40B", "size of set-up, tear-down and acknowledging packets", 1, 65535}
          .applying(kSetupOnly),
      ParamSpec{"setup_lane", ParamType::integer, kUnset,
                "lane of these packets; default: the "
                "highest",
                0, kMaxLanes - 1}
          .applying(kSetupOnly),
      ParamSpec{"setup_connections", ParamType::integer, "0",
                "largest number of flows between two hosts that have a route at the same time; further flows wait for "
                "a tear-down. 0: no limit",
                0, 1e6}
          .applying(kSetupOnly),
      ParamSpec{"setup_train", ParamType::integer, "2",
                "random traffic: a pair of hosts counts as a flow after this many packets in a row; earlier packets "
                "take default ports",
                1, 1e6}
          .applying(kSetupOnly),
      ParamSpec{"setup_idle", ParamType::time, "20us",
                "a flow of random traffic (see `setup_train`) ends when it has sent no packet for this long", 1e-9, 1e3}
          .applying(kSetupOnly)};
}

namespace config {
namespace {

SnoopConfig read_snooping(const Section& section, RouteChoice choice, const Topology& topology) {
  const bool on = choice == RouteChoice::snooping;
  if (on && topology.shape() == Shape::unidirectional_min)
    section.refuse("choice",
                   "snooping needs links in both directions: notifications travel back the way that data came");
  return {section.time("snoop_timer"), section.choice<SnoopTiming>("snoop_timing"),
          section.bytes("snoop_queue"), section.chooses("snoop_return", "default")};
}

HorizontalPolicy read_sideways(const Section& section, const Topology& topology) {
  using Direction = HorizontalPolicy::Direction;
  const auto sideways = section.choice<Sideways>("setup_sideways");
  const bool has_links = topology.shape() == Shape::tree && topology.horizontal_width() > 0;
  const bool by_digits = section.kind == "digits" || section.kind == "auto";  // other routings know nothing of them
  const bool modified = has_links && by_digits;
  if (has_links && !by_digits && (sideways == Sideways::forced || sideways == Sideways::free))
    section.refuse("setup_sideways", fmt::format("needs routing `digits`, and this is `{}`", section.kind));
  if (!modified && (sideways == Sideways::forced || sideways == Sideways::free))
    section.refuse("setup_sideways", "needs horizontal links: topology kind \"modified-k-ary-n-tree\"");
  if (!modified && section.given("setup_hops"))
    section.refuse("setup_hops", fmt::format("`setup_hops` has no effect here: {}",
                                             has_links ? "only routing `digits` takes horizontal links"
                                                       : "this topology has no horizontal links"));
  const bool off = sideways == Sideways::none || !modified;
  return {off                          ? Direction::none
          : sideways == Sideways::free ? Direction::free
                                       : Direction::forced,
          static_cast<std::uint32_t>(section.integer("setup_hops"))};
}

FlowSetupConfig read_setup(const Section& section, const SwitchConfig& switches, const Topology& topology,
                           const Workload& workload, Bytes largest) {
  FlowSetupConfig c;
  if (switches.choice != RouteChoice::flow_setup) return c;
  for (const auto* key : {"setup_train", "setup_idle"})
    if (workload.sources.empty() && section.given(key))
      section.refuse(key, fmt::format("{} has no effect here: all traffic consists of flows", key));
  c.horizontal = read_sideways(section, topology);
  c.cache_entries =
      section.has("setup_cache") ? static_cast<std::uint32_t>(section.integer("setup_cache")) : 0xffffffffu;
  c.by_weight = section.chooses("setup_measure", "weight");
  c.random_ties = section.chooses("setup_ties", "random");
  c.bytes = static_cast<std::uint32_t>(section.bytes("setup_bytes"));
  if (c.bytes > largest)
    section.refuse("setup_bytes", fmt::format("buffers are made for packets of {} B at most", largest));
  c.lane =
      section.has("setup_lane") ? static_cast<std::uint32_t>(section.integer("setup_lane")) : switches.highest_start();
  check_lane(section, "setup_lane", c.lane, switches);
  c.connections = static_cast<std::uint32_t>(section.integer("setup_connections"));
  c.train = static_cast<std::uint32_t>(section.integer("setup_train"));
  c.idle = section.time("setup_idle");
  return c;
}

}  // namespace

void read_route_choice(const Section& routing, const Topology& topology, const Workload& workload, Bytes largest,
                       SwitchConfig& switches) {
  switches.choice = routing.choice<RouteChoice>("choice");
  switches.snoop = read_snooping(routing, switches.choice, topology);
  switches.flowlets = {routing.time("flowlet_gap"), static_cast<std::uint32_t>(routing.integer("flowlet_entries"))};
  switches.setup = read_setup(routing, switches, topology, workload, largest);
}

}  // namespace config
}  // namespace weir
