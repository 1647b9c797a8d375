#include "schemes/explicit_rates/explicit_rates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schemes/explicit_rates/configure.h"
#include "schemes/explicit_rates/run_family.h"
#include "schemes/packet_scheme.h"

namespace weir {
namespace {

// On the wire, the largest packet of what is controlled.
Bytes largest_packet(const RunInput& run, std::uint32_t sporadic_lane) {
  Bytes largest = run.workload.flows.empty() ? 1 : run.config.format.payloads[0].payload;
  for (const SourceGroup& group : run.workload.groups)
    for (const SizeShare& size : group.sizes)
      if (group.lane != sporadic_lane) largest = std::max(largest, size.payload);
  return largest + run.config.format.header;
}

InjectionParams read_injection(const Section& s, const RunInput& run, std::uint32_t sporadic_lane) {
  InjectionParams p;
  p.discipline = s.choice<Discipline>("injection");
  const Bytes largest = largest_packet(run, sporadic_lane);
  p.unit = static_cast<std::uint32_t>(s.has("unit") ? s.bytes("unit") : largest);
  if (p.discipline == Discipline::leaky_bucket && p.unit < largest)
    s.refuse("unit", fmt::format("a bucket must hold the largest packet of {} B", largest));
  p.burst = s.number("burst");
  p.make_up = s.chooses("waiting", "made-up");
  return p;
}

ExplicitParams read_params(const Section& s, const RunInput& run) {
  ExplicitParams p;
  const RouteChoiceKind& choice = *run.config.switches.choice;
  if (!choice.fixed() && !choice.sets_up)
    throw InputError("explicit rates need one route per flow: use routing choice \"fixed\" or \"flow-setup\"");
  p.send_unrated = s.chooses("unrated", "source-share");
  p.share = 1 - reserved_shares(s).hosts;
  p.priority = read_priorities(s, run.workload);
  if (s.has("sporadic_lane")) {
    p.sporadic_lane = static_cast<std::uint32_t>(s.integer("sporadic_lane"));
    check_lane(s, "sporadic_lane", p.sporadic_lane, run.config.switches);
  }
  p.injection = read_injection(s, run, p.sporadic_lane);
  for (const char* key : {"train", "idle"}) {
    if (!s.given(key)) continue;
    if (run.workload.sources.empty())
      s.refuse(key, fmt::format("{} has no effect here: all traffic consists of flows", key));
    if (choice.sets_up)
      s.refuse(key, fmt::format("with flow set-up the routing decides what a flow is: routing.setup_{}", key));
  }
  p.set_up = choice.sets_up;
  p.pairs = !run.workload.sources.empty();
  p.train = static_cast<std::uint32_t>(s.integer("train"));
  p.idle = s.time("idle");
  return p;
}

}  // namespace

std::vector<double> read_priorities(const Section& s, const Workload& workload) {
  if (!s.knows("priorities") || !s.has("priorities")) return {};
  const std::vector<double>& given_ones = s.at("priorities").numbers;
  if (given_ones.size() != workload.apps)
    s.refuse("priorities", fmt::format("{} priorities for {} application(s): {}", given_ones.size(), workload.apps,
                                       fmt::join(workload.app_names, ", ")));
  return given_ones;
}

ReservedShares reserved_shares(const Section& s) {
  const double all = s.number("reserved");
  return {all, s.has("reserved_hosts") ? s.number("reserved_hosts") : all};
}

ExplicitRun configure_explicit(RateAlgorithm algorithm, const Section& scheme, const RunInput& run) {
  check_pairs(run.workload, run.topology.hosts());
  const ExplicitParams params = read_params(scheme, run);
  if (scheme.chooses("method", "distributed")) return configure_distributed(algorithm, scheme, run, params);
  const CalculationParams calculation{algorithm, scheme.time("calculation"), reserved_shares(scheme)};
  return [=](const RunInput& r) {
    return run_family(r, algorithm, ExplicitFamily<CalculatedRates>(params, calculation));
  };
}

ExplicitOutcome run_explicit(RateAlgorithm algorithm, const RunInput& run, const Section& scheme) {
  return configure_explicit(algorithm, scheme, run)(run);
}

namespace {

// What the protocol of one of them has and those of the others do not.
constexpr Condition kSaaReads = never("only saa can read by data packets");
constexpr Condition kSaaProbes = never("only saa and saa-m send probes");
constexpr Condition kSaaMReserves = never("only saa-m makes reservations");
constexpr Condition kFfaBroadcasts = never("only ffa broadcasts rounds");
constexpr Condition kNeighbours = never("only ffa and afa speak to neighbours");
constexpr KeyCondition kOfSaa[] = {
    {"backoff", kSaaMReserves}, {"broadcast_bytes", kFfaBroadcasts}, {"broadcast_time", kNeighbours}};
constexpr KeyCondition kOfSaaM[] = {
    {"probes", kSaaReads}, {"broadcast_bytes", kFfaBroadcasts}, {"broadcast_time", kNeighbours}};
constexpr KeyCondition kOfFfa[] = {
    {"probes", kSaaReads}, {"probe_every", kSaaProbes}, {"probe_share", kSaaProbes}, {"backoff", kSaaMReserves}};
constexpr KeyCondition kOfAfa[] = {{"probes", kSaaReads},
                                   {"probe_every", kSaaProbes},
                                   {"probe_share", kSaaProbes},
                                   {"backoff", kSaaMReserves},
                                   {"broadcast_bytes", kFfaBroadcasts}};

template <RateAlgorithm algorithm>
ConfiguredScheme configure_scheme(const Section& scheme, const RunInput& run) {
  return {[run_it = configure_explicit(algorithm, scheme, run)](const RunInput& r) { return run_it(r).measurements; }};
}

template <RateAlgorithm algorithm>
ConfiguredScheme configure_without_packets(const Section& scheme, const RunInput& run) {
  return {[run_it = configure_fluid(algorithm, scheme, run)](const RunInput& r) { return run_it(r).measurements; }};
}

}  // namespace

extern const SchemeInfo saa_scheme{
    "saa", SchemeTag::ideal,
    "explicit rates, simple allocation: a flow gets its share, by weight, of the most loaded link on its path",
    kExplicitParams,
    "[scheme]\nname = \"saa\"", configure_scheme<RateAlgorithm::saa>,
    configure_without_packets<RateAlgorithm::saa>, false, kOfSaa};

extern const SchemeInfo saa_m_scheme{
    "saa-m", SchemeTag::ideal, "explicit rates: those of saa; then flows take leftover capacity, one after another",
    kExplicitParams, "[scheme]\nname = \"saa-m\"", configure_scheme<RateAlgorithm::saa_m>,
    configure_without_packets<RateAlgorithm::saa_m>, false, kOfSaaM};

extern const SchemeInfo ffa_scheme{
    "ffa", SchemeTag::ideal, "explicit rates, fair to flows: weighted max-min fair", kExplicitParams,
    "[scheme]\nname = \"ffa\"", configure_scheme<RateAlgorithm::ffa>,
    configure_without_packets<RateAlgorithm::ffa>, false, kOfFfa};

extern const SchemeInfo afa_scheme{
    "afa", SchemeTag::ideal, "explicit rates, fair to applications: within one, rates are in proportion to the "
                             "weights of its flows",
    kAfaParams, "[scheme]\nname = \"afa\"", configure_scheme<RateAlgorithm::afa>,
    configure_without_packets<RateAlgorithm::afa>, false, kOfAfa};

}  // namespace weir
