#include "packet/routing/route_choices.h"

namespace weir {
namespace {

constexpr std::string_view kSnoopTimings[] = {"restart", "once", "each"};
constexpr std::string_view kSnoopReturns[] = {"random", "default"};

constexpr ParamSpec kSnoopParams[] = {
    {"snoop_timer", ParamType::time, "250ms", "an entry about remote congestion expires after this", 1e-9, 1e6},
    {"snoop_timing", ParamType::choice, "restart",
     "how updates affect that timer. restart: every update restarts it; once: it starts when the entry is "
     "marked and is not restarted; each: every update starts one more timer, and the first to expire resets "
     "the entry",
     0, 0, kSnoopTimings},
    {"snoop_queue", ParamType::bytes, "16500B",
     "below this length, a switch's own queue is no longer congested", 0, 1e12},
    {"snoop_return", ParamType::choice, "random",
     "how notifications travel back. random: through a random allowed port, so that all paths learn of the "
     "congestion; default: through the default port",
     0, 0, kSnoopReturns},
};

std::any read_snooping(const ComponentRequest& request, SwitchConfig&) {
  const Section& section = request.section;
  if (request.topology.shape() == Shape::unidirectional_min)
    section.refuse("choice",
                   "snooping needs links in both directions: notifications travel back the way that data came");
  return SnoopConfig{section.time("snoop_timer"), section.choice<SnoopTiming>("snoop_timing"),
                     section.bytes("snoop_queue"), section.chooses("snoop_return", "default")};
}

}  // namespace

constinit const RouteChoiceKind SnoopedChoice::kKind{
    .spec = {.name = "snooping",
             .help = "the first port for which no notification has reported congestion",
             .params = kSnoopParams,
             .read = read_snooping},
    .listens = true,
    .research = true};

}  // namespace weir
