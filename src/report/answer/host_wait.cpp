#include "report/answer/host_wait.h"

#include <fmt/format.h>

#include <algorithm>

#include "measure/flows/flow_ways.h"
#include "report/answer/phrases.h"
#include "report/number_format.h"

namespace weir {
namespace {

constexpr double kHeldShare = 0.1;  // of the packets offered, not yet sent at the end
constexpr double kFewest = 10;      // packets: fewer may stand there by chance
constexpr double kWaitFactor = 2;   // times longer at the host than in the network

struct Held {
  std::size_t flows = 0;  // of the class: each may hold a packet ready without being late
  double offered = 0, packets = 0;
  double wait_ps = 0, network_ps = 0;  // means; 0 if not known

  double share() const { return offered > 0 ? packets / offered : 0; }
  bool by_share() const { return share() > kHeldShare && packets > std::max(kFewest, static_cast<double>(flows)); }
  // The packets of a flow wait for their turn behind each other; that is no news.
  bool by_wait() const { return flows == 0 && network_ps > 0 && wait_ps > kWaitFactor * network_ps; }
};

Held held_of(const AnalysedRun& run, std::uint32_t number) {
  const Measurements& m = run.m();
  const ClassResult& c = m.classes[number];
  const ClassSummary& s = run.digest.classes[number].summary;
  Held held;
  held.flows = static_cast<std::size_t>(std::count_if(
      m.flows.begin(), m.flows.end(), [&](const FlowResult& f) { return f.traffic_class.index == number; }));
  held.offered = static_cast<double>(c.generated + c.refused);
  held.packets = std::max(0.0, held.offered - static_cast<double>(c.injected));
  if (s.latency && s.network_latency) {
    held.network_ps = s.network_latency->mean_ps;
    held.wait_ps = s.latency->mean_ps - held.network_ps;
  }
  return held;
}

// What a class offers and what arrives of it, in the same time: while its packets are made. Averages over other times
// would show more delivered than offered where a class starts late or the warm-up is left out.
struct Rates {
  Span time;
  double offered_bytes = 0, delivered_bytes = 0;
};

Rates rates_of(const Measurements& m, const ClassResult& c, const Held& held) {
  // Refused packets were never made and have no size; they count like the others.
  const double size =
      c.generated > 0 ? static_cast<double>(c.generated_bytes) / static_cast<double>(c.generated) : 0;
  Rates rates{{Time{0}, m.end}, size * held.offered, static_cast<double>(c.received_bytes)};
  const auto makes = [](const ClassBin& bin) { return bin.generated > 0; };
  const auto first = std::find_if(c.series.begin(), c.series.end(), makes);
  if (first == c.series.end()) return rates;
  const auto end = std::find_if(c.series.rbegin(), c.series.rend(), makes).base();
  rates.time = {bin_start(m, static_cast<std::size_t>(first - c.series.begin())),
                std::min(m.end, bin_start(m, static_cast<std::size_t>(end - c.series.begin())))};
  rates.delivered_bytes = 0;
  for (auto bin = first; bin != end; ++bin) rates.delivered_bytes += static_cast<double>(bin->received_bytes);
  return rates;
}

std::string in_words(const AnalysedRun& run, std::uint32_t number, const Held& held) {
  const ClassResult& c = run.m().classes[number];
  const std::string times =
      held.network_ps > 0 ? fmt::format("{} at the host, {} in the network", format_time(held.wait_ps),
                                        format_time(held.network_ps))
                          : "";
  const bool unnamed = c.name == "all";
  if (!held.by_share())
    return fmt::format("a packet{} spends {}", unnamed ? "" : " of class " + quoted_name(c.name), times);
  const auto shown = [](double bps) { return format_rate(bps); };
  const Rates rates = rates_of(run.m(), c, held);
  const Time length = rates.time.to - rates.time.from;
  return fmt::format("{}{} are offered and {} delivered from {} to {}{}{}",
                     unnamed ? "" : "of class " + quoted_name(c.name) + ", ",
                     or_dash(bit_rate(static_cast<Bytes>(rates.offered_bytes), length), shown),
                     or_dash(bit_rate(static_cast<Bytes>(rates.delivered_bytes), length), shown),
                     format_time(rates.time.from), format_time(rates.time.to),
                     run.m().warmup > rates.time.from ? ", including the warm-up" : "",
                     held.by_wait() ? " (mean latency: " + times + ")" : "");
}

std::string worst_in_words(const AnalysedRun& run, bool unsent_only) {
  std::string text;
  Held worst;
  for (std::uint32_t c = 0; c < run.m().classes.size(); ++c) {
    const Held held = held_of(run, c);
    if (!held.by_share() && (unsent_only || !held.by_wait())) continue;
    const bool worse = held.by_share() != worst.by_share() ? held.by_share()
                       : held.by_share()                   ? held.share() > worst.share()
                                                           : held.wait_ps > worst.wait_ps;
    if (!text.empty() && !worse) continue;
    worst = held;
    text = in_words(run, c, held);
  }
  return text;
}

}  // namespace

std::string waiting_at_hosts(const AnalysedRun& run) { return worst_in_words(run, false); }
std::string unsent_at_hosts(const AnalysedRun& run) { return worst_in_words(run, true); }

std::string flows_held_back(const AnalysedRun& run) {
  constexpr double kMostlyIdle = 0.5;
  constexpr std::int64_t kLongEnough = 4;  // open for this part of the run: others may have begun just before its end
  const Measurements& m = run.m();
  if (run.record.routes == nullptr) return "";
  FlowWays ways(run.topology(), *run.record.routes, ways_taken(*run.record.scenario), run.record.scenario->seed,
                m.flows);
  if (!ways.known()) return "";
  std::size_t held = 0;
  double highest = 0;
  for (std::uint32_t f = 0; f < m.flows.size(); ++f) {
    const FlowResult& flow = m.flows[f];
    if (flow.start == kNever || flow.completion != kNever || flow.source == flow.destination) continue;
    if ((m.end - flow.start) * kLongEnough < m.end) continue;
    double load = 0;
    ways.each_link({f}, flow.source, flow.destination, [&](PortId port) {
      if (port.valid()) load = std::max(load, link_load(m, port, {flow.start, m.end}));
      return port.valid();
    });
    if (load >= kMostlyIdle) continue;
    ++held;
    highest = std::max(highest, load);
  }
  if (held == 0) return "";
  return fmt::format("{} open flow{} {} of {} links at most", held, held == 1 ? " uses" : "s use",
                     format_share(highest), held == 1 ? "its" : "their");
}

}  // namespace weir
