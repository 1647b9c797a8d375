#include "schemes/explicit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schemes/explicit_run.h"

namespace weir {
namespace {

// On the wire, the largest packet of what is controlled.
Bytes largest_packet(const PacketRun& run, std::uint32_t sporadic_lane) {
  Bytes largest = run.workload.flows.empty() ? 1 : run.config.format.payloads[0].payload;
  for (const SourceGroup& group : run.workload.groups)
    for (const SizeShare& size : group.sizes)
      if (group.lane != sporadic_lane) largest = std::max(largest, size.payload);
  return largest + run.config.format.header;
}

InjectionParams read_injection(const Section& s, const PacketRun& run, std::uint32_t sporadic_lane) {
  InjectionParams p;
  const std::string& name = s.text("injection");
  p.discipline = name == "ps" ? Injection::ps : name == "svc" ? Injection::svc : Injection::leaky_bucket;
  const auto only = [&](const char* key, bool applies, const char* where) {
    if (!applies && s.given(key)) s.refuse(key, fmt::format("has no effect with injection \"{}\": {}", name, where));
  };
  only("burst", p.discipline == Injection::leaky_bucket, "it belongs to \"leaky-bucket\"");
  only("waiting", p.discipline == Injection::ps, "it belongs to \"ps\"");
  only("unit", p.discipline == Injection::leaky_bucket, "the wait follows from the packet that was sent");
  const Bytes largest = largest_packet(run, sporadic_lane);
  p.unit = static_cast<std::uint32_t>(s.has("unit") ? s.bytes("unit") : largest);
  if (p.discipline == Injection::leaky_bucket && p.unit < largest)
    s.refuse("unit", fmt::format("a bucket must hold the largest packet of {} B", largest));
  p.burst = s.number("burst");
  p.make_up = s.text("waiting") == "made-up";
  return p;
}

ExplicitParams read_params(const Section& s, const PacketRun& run) {
  ExplicitParams p;
  const RouteChoice choice = run.config.switches.choice;
  if (choice != RouteChoice::fixed && choice != RouteChoice::flow_setup)
    throw InputError("explicit rates need one route per flow: use routing choice \"fixed\" or \"flow-setup\"");
  p.send_unrated = s.text("unrated") == "source-share";
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
    if (choice == RouteChoice::flow_setup)
      s.refuse(key, fmt::format("with flow set-up the routing decides what a flow is: routing.setup_{}", key));
  }
  p.set_up = choice == RouteChoice::flow_setup;
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

ExplicitOutcome run_explicit(RateAlgorithm algorithm, const PacketRun& run, const Section& scheme) {
  if (scheme.text("method") == "fluid") return run_as_fluid(algorithm, run, scheme);
  if (scheme.text("method") == "distributed")
    return run_distributed(algorithm, run, scheme, read_params(scheme, run));
  for (const char* key : {"control_lane", "control_bytes", "control_time", "broadcast_bytes", "broadcast_time",
                          "probes", "probe_every", "probe_share", "backoff"})
    if (scheme.given(key)) scheme.refuse(key, "has no effect with method \"exact\"");
  const CalculationParams calculation{algorithm, scheme.time("calculation"), reserved_shares(scheme)};
  return run_family(run, algorithm,
                    ExplicitFamily<CalculatedRates>(read_params(scheme, run), calculation));
}

Measurements run_saa(const PacketRun& run, const Section& s) {
  return run_explicit(RateAlgorithm::saa, run, s).measurements;
}
Measurements run_saa_m(const PacketRun& run, const Section& s) {
  return run_explicit(RateAlgorithm::saa_m, run, s).measurements;
}
Measurements run_ffa(const PacketRun& run, const Section& s) {
  return run_explicit(RateAlgorithm::ffa, run, s).measurements;
}
Measurements run_afa(const PacketRun& run, const Section& s) {
  return run_explicit(RateAlgorithm::afa, run, s).measurements;
}

}  // namespace weir
