#include <fmt/format.h>

#include "packet/routing/flow_setup.h"
#include "packet/routing/route_choices.h"

namespace weir {
namespace {

enum class Sideways { automatic, none, forced, free };
constexpr std::string_view kSetupSideways[] = {"auto", "none", "forced", "free"};
constexpr std::string_view kSetupMeasures[] = {"flows", "weight"};
constexpr std::string_view kSetupTies[] = {"default", "random"};

constexpr ParamSpec kSetupParams[] = {
    {"setup_sideways", ParamType::choice, "auto",
     "for modified k-ary n-trees, where horizontal links join switches of a level into chains: in which direction a "
     "flow may move along a chain on its way down. none: not at all; forced: only towards the farther end of the "
     "chain; free: in either direction; auto: forced on modified trees, none elsewhere",
     0, 0, kSetupSideways},
    ParamSpec{"setup_hops", ParamType::integer, "8", "how many links of a chain a flow may cross on one level, at "
                                                     "most", 0,
              1e6}
        .applying(when("setup_sideways", {"auto", "forced", "free"})),
    {"setup_cache", ParamType::integer, kUnset,
     "number of entries in the route cache of an input port. If the cache is full, a new flow takes the default "
     "port. Default: unlimited",
     0, 1e9},
    {"setup_measure", ParamType::choice, "flows",
     "how the load of a port is measured: by the number of its flows, or by the sum of their weights", 0, 0,
     kSetupMeasures},
    {"setup_ties", ParamType::choice, "default",
     "which of several equally loaded ports is chosen. default: the default port on the way up a tree, and the left "
     "of two directions along a chain; random: one of them at random. On the way down, the default port always wins if "
     "it is one of them",
     0, 0, kSetupTies},
    {"setup_bytes", ParamType::bytes, "40B", "size of set-up, tear-down and acknowledging packets", 1, 65535},
    {"setup_lane", ParamType::integer, kUnset, "lane of these packets; default: the highest", 0, kMaxLanes - 1},
    {"setup_connections", ParamType::integer, "0",
     "largest number of flows between two hosts that have a route at the same time; further flows wait for "
     "a tear-down. 0: no limit",
     0, 1e6},
    {"setup_train", ParamType::integer, "2",
     "random traffic: a pair of hosts counts as a flow after this many packets in a row; earlier packets "
     "take default ports",
     1, 1e6},
    {"setup_idle", ParamType::time, "20us",
     "a flow of random traffic (see `setup_train`) ends when it has sent no packet for this long", 1e-9, 1e3},
};

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

std::any read_setup(const ComponentRequest& request, SwitchConfig& switches) {
  const Section& section = request.section;
  FlowSetupConfig c;
  for (const auto* key : {"setup_train", "setup_idle"})
    if (request.workload.sources.empty() && section.given(key))
      section.refuse(key, fmt::format("{} has no effect here: all traffic consists of flows", key));
  c.horizontal = read_sideways(section, request.topology);
  c.cache_entries =
      section.has("setup_cache") ? static_cast<std::uint32_t>(section.integer("setup_cache")) : 0xffffffffu;
  c.by_weight = section.chooses("setup_measure", "weight");
  c.random_ties = section.chooses("setup_ties", "random");
  c.bytes = static_cast<std::uint32_t>(section.bytes("setup_bytes"));
  if (c.bytes > request.largest.any())
    section.refuse("setup_bytes",
                   fmt::format("buffers are made for packets of {} B at most", request.largest.any()));
  c.lane =
      section.has("setup_lane") ? static_cast<std::uint32_t>(section.integer("setup_lane")) : switches.highest_start();
  check_lane(section, "setup_lane", c.lane, switches);
  c.connections = static_cast<std::uint32_t>(section.integer("setup_connections"));
  c.train = static_cast<std::uint32_t>(section.integer("setup_train"));
  c.idle = section.time("setup_idle");
  return c;
}

}  // namespace

constinit const RouteChoiceKind SetUpChoice::kKind{
    .spec = {.name = "flow-setup",
             .help = "a set-up packet chooses the least loaded ports for a whole flow, which keeps them until it is "
                     "torn down",
             .params = kSetupParams,
             .read = read_setup},
    .keeps_order = true,
    .sets_up = true,
    .research = true};

}  // namespace weir
