// See phrases.h. The headline answers, in this order: did the run end badly, what is the root, who is hurt and for
// how long.
#include "report/answer/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include "measure/flows/root_traffic.h"
#include "measure/flows/turns.h"
#include "report/answer/caveats.h"
#include "report/answer/feeders.h"
#include "report/answer/host_wait.h"
#include "report/answer/queueing.h"
#include "report/number_format.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

// Where nobody has named a class, there is one, "all", which says nothing.
std::string of_class(const std::string& class_name) {
  return class_name == "all" ? "" : fmt::format(" of class {}", quoted_name(class_name));
}

std::string impact_clause(const AnalysedRun& run) {
  const auto hurt = most_raised(run, class_names(run, false));
  if (!hurt) return "";
  const Impact& impact = *run.digest.classes[hurt->index].impact;
  const std::string name = of_class(run.m().classes[hurt->index].name);
  const std::string values =
      fmt::format("({} -> {})", format_time(impact.latency_before_ps), format_time(impact.latency_peak_ps));
  std::string text = impact.rise() < kNotableRise ? fmt::format("; the latency{} hardly changed {}", name, values)
                                         : fmt::format("; the latency{} rose {} {}", name, format_factor(impact.rise()),
                                                       values);
  if (const std::string recovery = recovery_phrase(impact);
      !recovery.empty() && (impact.rise() >= kNotableRise || !impact.recovery))
    text += " and was " + recovery;
  if (const std::string alone = rises_by_itself(run, *hurt); !alone.empty()) text += ", but " + alone;
  if (const auto dip = impact.dip(); dip && *dip < 0.8)
    text += fmt::format("; the throughput{} fell to as little as {} of its earlier value", name, format_share(*dip));
  return text;
}

// One of the disturbing classes can have saturated it.
bool is_of_disturbance(const AnalysedRun& run, const CongestionRoot& root) {
  for (std::uint32_t c = 0; c < run.digest.classes.size(); ++c)
    if (run.digest.classes[c].aggressor && may_saturate(root, {c})) return true;
  return false;
}

// By index of the root: the moments in which it was one, and what crossed it and then which other root.
struct Crossing {
  std::vector<std::vector<std::uint32_t>> moments;
  std::vector<std::map<std::size_t, double>> bytes;  // by the root that follows
  std::vector<double> total;
  std::vector<std::vector<std::size_t>> at_node;     // by node: the roots that begin there
  bool known = false;                                // all traffic comes in flows whose ways are known
  std::optional<Feeders> feeders;                    // otherwise
};

Crossing crossing_of(const AnalysedRun& run) {
  const CongestionReport& congestion = run.digest.congestion;
  const std::size_t count = congestion.roots.size();
  Crossing crossing{std::vector<std::vector<std::uint32_t>>(count), std::vector<std::map<std::size_t, double>>(count),
                    std::vector<double>(count, 0),
                    std::vector<std::vector<std::size_t>>(run.topology().nodes()), false, {}};
  std::unordered_map<std::uint32_t, std::size_t> number;  // by port; looked up only, never walked
  for (std::size_t r = 0; r < count; ++r) {
    number[congestion.roots[r].port.index] = r;
    crossing.at_node[run.topology().node_of(congestion.roots[r].port).index].push_back(r);
  }
  for (std::uint32_t i = 0; i < congestion.moments.size(); ++i)
    for (const std::uint32_t port : congestion.moments[i].roots)
      if (const auto found = number.find(port); found != number.end()) crossing.moments[found->second].push_back(i);
  const Measurements& m = run.m();
  const bool in_flows = !m.flows.empty() && std::ranges::all_of(classes_of_flows(m), std::identity{});
  if (run.record.routes == nullptr || !in_flows) {
    crossing.feeders.emplace(run);
    return crossing;
  }
  FlowWays ways(run.topology(), *run.record.routes, ways_taken(*run.record.scenario), run.record.scenario->seed,
                m.flows);
  crossing.known = ways.known();
  if (!crossing.known) {
    crossing.feeders.emplace(run);
    return crossing;
  }
  for (std::uint32_t f = 0; f < m.flows.size(); ++f) {
    const FlowResult& flow = m.flows[f];
    if (flow.start == kNever || flow.source == flow.destination || flow.delivered == 0) continue;
    const auto bytes = static_cast<double>(flow.delivered);
    ways.each_turn({f}, flow.source, flow.destination, [&](PortId in, PortId out) {
      const auto from = number.find(in.index), to = number.find(out.index);
      if (from == number.end()) return;
      crossing.total[from->second] += bytes;
      if (to != number.end()) crossing.bytes[from->second][to->second] += bytes;
    });
  }
  return crossing;
}

// Whether most of what crosses a root crosses the other one next. Where nobody knows, a disturbance that goes through
// both of them does. What other packets cross next, nobody knows.
bool leads_to(const AnalysedRun& run, const Crossing& crossing, std::size_t root, std::size_t other) {
  if (crossing.known) {
    const auto found = crossing.bytes[root].find(other);
    return found != crossing.bytes[root].end() && found->second * 2 >= crossing.total[root];
  }
  const CongestionRoot &here = run.digest.congestion.roots[root], &there = run.digest.congestion.roots[other];
  if (!is_of_disturbance(run, here) || !is_of_disturbance(run, there)) return false;
  return !crossing.feeders->known() || crossing.feeders->feeds(here.port, there.port);
}

// The root that is full while `root` is one, where that leads to; the one that lasted longest. Once links in a row are
// full, only senders into the first of them wait, so that they need not be roots at the same time.
std::optional<std::size_t> next_in_chain(const AnalysedRun& run, const Crossing& crossing, std::size_t root) {
  const Topology& t = run.topology();
  const auto& roots = run.digest.congestion.roots;
  const NodeId node = t.node_of(t.to(roots[root].port));
  std::optional<std::size_t> next;
  for (const std::size_t other : crossing.at_node[node.index]) {
    if (!leads_to(run, crossing, root, other)) continue;
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(crossing.moments[root], crossing.moments[other], std::back_inserter(both));
    const Span time{roots[root].from, roots[root].to};
    if (both.size() * 2 < crossing.moments[root].size() && link_load(run.m(), roots[other].port, time) < kRootLoad)
      continue;
    if (!next || roots[other].congested > roots[*next].congested) next = other;
  }
  return next;
}

constexpr double kNotableRest = 0.1;  // of all waiting, beside the causes that a text names

double share_of(Time part, Time whole) {
  return whole.ps > 0 ? static_cast<double>(part.ps) / static_cast<double>(whole.ps) : 1;
}

// The links of one kind, by their ends.
struct LinkKind {
  bool to_host = false;
  int low = 0, high = 0;  // levels of switches
  auto operator<=>(const LinkKind&) const = default;
};

std::string name_of_kind(const Topology& t, const LinkKind& kind) {
  if (kind.to_host) return "links to hosts";
  if (!t.has_levels()) return "links between switches";
  int highest = 0;
  for (std::uint32_t s = 0; s < t.switches(); ++s) highest = std::max(highest, t.level(t.node(SwitchId{s})));
  if (highest == 1 && kind.low == 0 && kind.high == 1) return "links between leaves and spines";
  if (kind.low == kind.high) return fmt::format("links between switches of level {}", kind.low);
  return fmt::format("links between switches of levels {} and {}", kind.low, kind.high);
}

// A host that holds its link back. Under PAUSE its stops spread through the fabric, which has a name.
std::string slow_host_clause(const AnalysedRun& run, const CongestionRoot& root) {
  const Topology& t = run.topology();
  return fmt::format("{}{} receives packets too slowly and holds {} back for {}",
                     !run.m().pauses.empty() && root.caused_wait.ps > 0 ? "a pause storm: " : "",
                     printable(t.name(t.node_of(t.to(root.port)))), link_name(t, root.port),
                     format_time(root.held_by_host));
}

// The disturbing classes that may have saturated it, and others that are known to have a large part in what crosses it;
// otherwise the class that most of its traffic belongs to: "class `hot` saturates", "classes `base` and `hot`
// saturate". "traffic saturates" where nobody is the disturbance, or nobody knows.
std::string who_saturates(const AnalysedRun& run, const CongestionRoot& root) {
  std::vector<std::string> names;
  bool disturbed = false;
  for (std::uint32_t c = 0; c < run.digest.classes.size(); ++c) {
    const bool aggressor = run.digest.classes[c].aggressor;
    disturbed = disturbed || aggressor;
    const bool known = c < root.bytes_by_class.size() && root.bytes_by_class[c].has_value();
    if (may_saturate(root, {c}) && (aggressor || known)) names.push_back(run.m().classes[c].name);
  }
  constexpr const char* kAnybody = "traffic saturates";
  if (!disturbed) return kAnybody;
  if (const ClassId most = main_class(root); names.empty() && most.valid())
    names.push_back(run.m().classes[most.index].name);
  if (names.empty()) return kAnybody;
  return named_classes(names) + (names.size() == 1 ? " saturates" : " saturate");
}

// "; a pause storm: H37 takes ... (7.4 % of the waiting)", where another cause is named before it.
std::string slow_receiver_clause(const AnalysedRun& run, const CongestionRoot* named) {
  const CongestionRoot* slow = slow_receiver(run);
  if (slow == nullptr || slow == named) return "";
  return fmt::format("; {}, which causes {} of all waiting", slow_host_clause(run, *slow),
                     format_share(share_of(slow->caused_wait, total_waiting(run))));
}

std::string share_of_waiting(const AnalysedRun& run, const CongestionRoot& root) {
  return format_share(share_of(root.caused_wait, total_waiting(run)));
}

std::string level_clause(const AnalysedRun& run, const RootLevel& level) {
  std::string text = fmt::format("{} {} cause {}", level.count, level.links, level_shares(run, level));
  if (const CongestionRoot& worst = run.digest.congestion.roots.front(); &worst != level.worst)
    text += fmt::format("; the worst of all, {}, causes {}", link_name(run.topology(), worst.port),
                        share_of_waiting(run, worst));
  return text + slow_receiver_clause(run, nullptr);
}

bool is_nearly_all(const RootChain& chain) { return chain.share >= 0.9; }

// " and 2 links upstream of it, which together cause 80 % of all waiting; S1:2 -> S2 causes 60 %": what the chain
// causes, and which of its links most ports wait for.
std::string chain_share_clause(const AnalysedRun& run, const RootChain& chain) {
  const std::size_t before = chain.links.size() - (chain.end == chain.last().port ? 1 : 0);
  std::string text;
  if (before == 1) text = " and a link upstream of it";
  else if (before > 1) text = fmt::format(" and {} links upstream of it", before);
  const bool whole = is_nearly_all(chain);
  if (!whole)
    text += fmt::format(", which {} {} of all waiting", before > 0 ? "together cause" : "causes",
                        format_share(chain.share));
  const CongestionRoot& worst = run.digest.congestion.roots.front();
  if (worst.port == chain.end) return text;
  const std::string name = link_name(run.topology(), worst.port), share = share_of_waiting(run, worst);
  return text + (whole ? fmt::format("; the one that causes most waiting is {} ({} of all waiting)", name, share)
                       : fmt::format("; {} causes {}", name, share));
}

std::string chain_clause(const AnalysedRun& run, const RootChain& chain) {
  const std::string who = chain.last().held_by_host.ps > 0
                              ? slow_host_clause(run, chain.last())
                              : fmt::format("{} {}", who_saturates(run, chain.last()),
                                            link_name(run.topology(), chain.end));
  std::string text = who + chain_share_clause(run, chain);
  const bool of_is_said = !is_nearly_all(chain) || run.digest.congestion.roots.front().port != chain.end;
  if (const std::string others = other_roots(run, chain, of_is_said); !others.empty()) text += "; " + others;
  return text + slow_receiver_clause(run, &chain.last());
}

std::string root_clause(const AnalysedRun& run) {
  const RootChain chain = root_chain(run);
  const auto level = root_level(run, chain);
  std::string text = (level ? level_clause(run, *level) : chain_clause(run, chain)) + unexplained_clause(run);
  const std::size_t held = ports_held_back(run);
  text += held == 0 ? "; no other port is held back"
                    : fmt::format("; {} {} held back", held, held == 1 ? "port is" : "ports are");
  const std::string unsent = unsent_at_hosts(run);
  if (!unsent.empty()) text += "; packets wait at the hosts: " + unsent;
  return text;
}

std::string held_clause(const std::string& waiting) {
  return "packets wait at the hosts: " + waiting + "; the scheme or the hosts' own links hold them back";
}

// Where all traffic is flows that start one after another, and the run goes on until they are complete: the time in
// which they start. What drains afterwards says nothing about the load.
std::optional<Span> time_of_starts(const Measurements& m) {
  constexpr std::size_t kFewestBins = 4;
  const auto all = classes_of_flows(m);
  if (m.flows.empty() || m.frames.empty() || !std::ranges::all_of(all, std::identity{})) return {};
  Span span{kNever, Time{0}};
  for (const FlowResult& flow : m.flows) {
    if (flow.start == kNever) continue;
    span = {std::min(span.from, flow.start), std::max(span.to, flow.start)};
  }
  const Time frame = m.end / static_cast<std::int64_t>(m.frames.size());
  if (span.to - span.from < frame * static_cast<std::int64_t>(kFewestBins)) return {};
  return span;
}

std::string busiest_link(const AnalysedRun& run) {
  const Measurements& m = run.m();
  const auto starts = time_of_starts(m);
  const auto load = [&](PortId port) { return starts ? link_load(m, port, *starts) : utilisation(m, port); };
  PortId busiest;
  double highest = 0;
  for (std::uint32_t p = 0; p < m.ports.size(); ++p) {
    if (!run.topology().to({p}).valid()) continue;
    const double here = load({p});
    if (busiest.valid() && here <= highest) continue;
    busiest = {p};
    highest = here;
  }
  if (!busiest.valid()) return "";
  return fmt::format("the busiest link, {}, is used {} of the time{}", link_name(run.topology(), busiest),
                     format_share(highest), starts ? " in which new flows arrive" : "");
}

std::string calm_clause(const AnalysedRun& run) {
  const Measurements& m = run.m();
  if (const auto queue = queueing_link(run)) return queueing_clause(run, *queue);
  if (!m.classes.empty() && std::all_of(m.classes.begin(), m.classes.end(), sent_nothing))
    return "nothing was sent before the run ended at " + format_time(m.end);
  const std::string waiting = waiting_at_hosts(run), busiest = busiest_link(run), held = flows_held_back(run);
  const std::string where = run.record.overloaded ? "more traffic is offered than some links carry"
                            : waiting.empty() && held.empty() ? "no congestion"
                                                  : "no congestion inside the fabric";
  const std::string end = !waiting.empty() ? "; but " + held_clause(waiting)
                          : !held.empty()  ? "; but " + held + ": the scheme or the hosts hold them back"
                                           : "; no port is held back for long";
  if (busiest.empty()) return waiting.empty() && held.empty() ? where : where + end;
  return where + ": " + busiest + end;
}

// Averages over the run, or over a few long frames, do not tell whether a link was saturated for a while.
std::string coarse_clause(const AnalysedRun& run) {
  const CongestionReport& congestion = run.digest.congestion;
  const std::size_t ports = congestion.unexplained.size();
  std::string text = ports == 0   ? "no port is held back for 5 % of the run"
                     : ports == 1 ? "one port is held back"
                                  : fmt::format("{} ports are held back", ports);
  if (ports > 0) text += fmt::format(" ({} summed over all ports)", format_time(congestion.unexplained_wait));
  text += "; " + unknown_root(run);
  const PortId link = busiest_awaited(congestion, run.m(), run.topology());
  if (link.valid())
    text += fmt::format("; the busiest link for which they wait, {}, is used {} of the run",
                        link_name(run.topology(), link), format_share(utilisation(run.m(), link)));
  else if (const std::string busiest = busiest_link(run); !busiest.empty()) text += "; " + busiest;
  const std::string waiting = waiting_at_hosts(run);
  return waiting.empty() ? text : text + "; packets wait at the hosts: " + waiting;
}

std::string fabric_clause(const AnalysedRun& run) {
  const CongestionReport& congestion = run.digest.congestion;
  if (!congestion.roots.empty()) return root_clause(run);
  if (congestion.coarse) return coarse_clause(run);
  if (congestion.unexplained.empty()) return calm_clause(run);
  const std::size_t ports = congestion.unexplained.size();
  const std::string waiting = waiting_at_hosts(run);
  return fmt::format(
      "{} held back ({} summed over all ports), but not by a saturated link: head-of-line "
      "blocking or small buffers{}",
      ports == 1 ? "one port is" : fmt::format("{} ports are", ports), format_time(congestion.unexplained_wait),
      waiting.empty() ? "" : "; packets wait at the hosts, too: " + waiting);
}

}  // namespace

std::string link_name(const Topology& topology, PortId port) {
  const PortId peer = topology.to(port);
  const std::string to = peer.valid() ? topology.name(topology.node_of(peer)) : "nothing";
  return printable(topology.port_name(port) + " -> " + to);
}

std::string joined_with_and(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string quoted_name(const std::string& name) { return fmt::format("`{}`", name); }

std::string named_classes(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(quoted_name(name));
  return (names.size() == 1 ? "class " : "classes ") + joined_with_and(quoted);
}

std::string other_roots(const AnalysedRun& run, const RootChain& chain, bool of_is_said) {
  constexpr std::size_t kNamed = 2;
  constexpr double kNotable = 0.01;
  const auto& roots = run.digest.congestion.roots;
  std::string text;
  std::size_t named = 0;
  for (const CongestionRoot& root : roots) {
    if (named == kNamed || share_of(root.caused_wait, total_waiting(run)) < kNotable) break;
    if (std::ranges::find(chain.links, &root) != chain.links.end()) continue;
    text += fmt::format("{}{} ({}{})", named == 0 ? "next: " : ", ", link_name(run.topology(), root.port),
                        share_of_waiting(run, root), named == 0 && !of_is_said ? " of all waiting" : "");
    ++named;
  }
  if (roots.size() > chain.links.size() + named)
    text += fmt::format("{}in the whole fabric, {} links are saturated at some time", text.empty() ? "" : "; ",
                        roots.size());
  return text;
}

std::string level_shares(const AnalysedRun& run, const RootLevel& level) {
  std::string text = fmt::format("{} of all waiting; the worst of them, {}, causes {}", format_share(level.share),
                                 link_name(run.topology(), level.worst->port), format_share(level.worst_share));
  if (level.rest_share >= kNotableRest)
    text += fmt::format("; other saturated links cause {}", format_share(level.rest_share));
  return text;
}

std::string unexplained_clause(const AnalysedRun& run) {
  const double share = share_of(run.digest.congestion.unexplained_wait, total_waiting(run));
  if (share < kNotableRest) return "";
  return fmt::format("; {} of the waiting has another cause than a saturated link{}", format_share(share),
                     run.m().ending == Ending::deadlock ? "" : " (head-of-line blocking or small buffers)");
}

std::vector<std::string> class_names(const AnalysedRun& run, bool aggressor) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < run.m().classes.size(); ++c)
    if (run.digest.classes[c].aggressor == aggressor) names.push_back(run.m().classes[c].name);
  return names;
}

std::optional<ClassId> class_called(const AnalysedRun& run, const std::string& name) {
  for (std::uint32_t c = 0; c < run.m().classes.size(); ++c)
    if (run.m().classes[c].name == name) return ClassId{c};
  return {};
}

std::optional<ClassId> most_raised(const AnalysedRun& run, const std::vector<std::string>& names) {
  std::optional<ClassId> worst;
  double highest = 0;
  for (const std::string& name : names) {
    const auto c = class_called(run, name);
    if (!c || !run.digest.classes[c->index].impact) continue;
    const double rise = run.digest.classes[c->index].impact->rise();
    if (worst && rise <= highest) continue;
    worst = c;
    highest = rise;
  }
  return worst;
}

std::string rises_by_itself(const AnalysedRun& run, ClassId traffic_class) {
  const auto& impact = run.digest.classes[traffic_class.index].impact;
  const std::vector<std::string> causes = class_names(run, true);
  if (!impact || !impact->rises_by_itself || impact->rise() < kNotableRise || causes.empty()) return "";
  return named_classes(causes) + " may not be the cause: the latency also rises while " +
         (causes.size() == 1 ? "it does" : "they do") + " not send";
}

std::string recovery_phrase(const Impact& impact) {
  if (!impact.latency_recovery) return "not back to normal when the run ended";
  if (!impact.recovery) return "back to normal when the run ended, but the throughput was not";
  if (impact.recovery->ps == 0) return "";
  const std::string both = format_time(*impact.recovery), latency = format_time(*impact.latency_recovery);
  if (impact.latency_recovery->ps == 0)
    return fmt::format("within the normal range; the throughput was back to normal {} after the disturbance began",
                       both);
  if (*impact.latency_recovery == *impact.recovery)
    return fmt::format("back to normal {} after the disturbance began", both);
  return fmt::format("back to normal {} after the disturbance began; the throughput was back to normal after {}",
                     latency, both);
}

std::optional<double> throughput_of(const AnalysedRun& run, ClassId traffic_class) {
  const ClassSummary& s = run.digest.classes[traffic_class.index].summary;
  return s.window_throughput && run.m().warmup.ps > 0 ? s.window_throughput : s.throughput;
}

std::string unknown_root(const AnalysedRun& run) {
  const std::size_t frames = run.m().frames.size();
  return fmt::format("{} of the fabric (measure.frames), it is not known whether a link was saturated for a while",
                     frames == 0 ? "without snapshots" : fmt::format("with only {} snapshots", frames));
}

std::string latency_of_flows(const AnalysedRun& run, std::string_view elsewhere) {
  if (run.m().flows.empty() || run.record.scenario == nullptr) return "";
  bool messages = false, others = false;
  for (const Section* traffic : run.record.scenario->all("traffic")) {
    const bool sends = traffic->kind == "trace" || traffic->kind == "collective" || traffic->kind == "training";
    (sends ? messages : others) = true;
  }
  std::string text;
  if (others)
    text = fmt::format("latency of a flow's packets: counted from the moment the host starts to send the packet. "
                       "Earlier waiting at the host counts only in {}",
                       elsewhere);
  if (messages)
    text += others ? ". For traces and collective operations, latency counts from the start of the message"
                   : "latency: counts from the start of the message";
  return text;
}

Time total_waiting(const AnalysedRun& run) {
  Time waiting = run.digest.congestion.unexplained_wait;
  for (const CongestionRoot& root : run.digest.congestion.roots) waiting += root.caused_wait;
  return waiting;
}

std::size_t ports_held_back(const AnalysedRun& run) {
  std::set<std::uint32_t> ports;
  for (const CongestionVictim& v : run.digest.congestion.unexplained) ports.insert(v.port.index);
  for (const CongestionRoot& root : run.digest.congestion.roots)
    for (const CongestionVictim& v : root.victims) ports.insert(v.port.index);
  return ports.size();
}

std::optional<HostId> common_receiver(const AnalysedRun& run) {
  const Measurements& m = run.m();
  std::vector<std::uint64_t> received(host_count(m), 0);
  std::uint64_t total = 0;
  for (std::uint32_t c = 0; c < m.classes.size(); ++c)
    for (std::uint32_t h = 0; h < received.size(); ++h) {
      const HostResult* host = run.digest.classes[c].aggressor ? host_of_class(m, {h}, {c}) : nullptr;
      if (host == nullptr) continue;
      received[h] += host->received_bytes;
      total += host->received_bytes;
    }
  const auto most = std::max_element(received.begin(), received.end());
  if (total == 0 || *most < total / 10 * 9) return {};
  return HostId{static_cast<std::uint32_t>(most - received.begin())};
}

const CongestionRoot* slow_receiver(const AnalysedRun& run) {
  constexpr double kNotable = 0.05;
  const CongestionRoot* slow = nullptr;
  for (const CongestionRoot& root : run.digest.congestion.roots)
    if (root.held_by_host.ps > 0 && (slow == nullptr || root.caused_wait > slow->caused_wait)) slow = &root;
  if (slow == nullptr) return nullptr;
  const bool causes = share_of(slow->caused_wait, total_waiting(run)) >= kNotable;
  const bool lasts = share_of(slow->held_by_host, run.m().end) >= kNotable;
  return causes || lasts ? slow : nullptr;
}

RootChain root_chain(const AnalysedRun& run) {
  const auto& roots = run.digest.congestion.roots;
  const Crossing crossing = crossing_of(run);
  // Every root belongs to the chain that it leads to.
  std::vector<std::optional<std::size_t>> next(roots.size());
  for (std::size_t r = 0; r < roots.size(); ++r) next[r] = next_in_chain(run, crossing, r);
  std::vector<std::size_t> end(roots.size());
  std::vector<Time> caused(roots.size());
  for (std::size_t r = 0; r < roots.size(); ++r) {
    std::set<std::size_t> passed;
    std::size_t at = r;
    while (next[at] && passed.insert(at).second) at = *next[at];
    end[r] = at;
    caused[at] += roots[r].caused_wait;
  }
  const std::size_t worst = end.front();  // they are sorted
  RootChain chain;
  std::set<std::uint32_t> victims;
  for (std::size_t r = 0; r < roots.size(); ++r)
    if (end[r] == worst && r != worst) chain.links.push_back(&roots[r]);
  chain.links.push_back(&roots[worst]);
  for (const CongestionRoot* root : chain.links)
    for (const CongestionVictim& v : root->victims) victims.insert(v.port.index);
  chain.victims = victims.size();
  chain.caused_wait = caused[worst];
  chain.share = share_of(chain.caused_wait, total_waiting(run));
  chain.end = chain.last().port;
  // A link to a host that nobody waits for, since the one before it lets no more through, is no root.
  const Topology& t = run.topology();
  const auto receiver = common_receiver(run);
  if (receiver && !t.is_host(t.node_of(t.to(chain.end))) && is_of_disturbance(run, chain.last())) {
    const PortId last = t.from(t.host_port(*receiver));
    if (link_load(run.m(), last, {chain.last().from, chain.last().to}) >= kRootLoad) chain.end = last;
  }
  return chain;
}

std::optional<RootLevel> root_level(const AnalysedRun& run, const RootChain& chain) {
  constexpr double kEnough = 0.4;
  constexpr std::size_t kFewest = 3;  // roots: fewer are better named one by one
  const Topology& t = run.topology();
  const auto& roots = run.digest.congestion.roots;
  if (chain.share >= kEnough || roots.size() < kFewest || chain.last().held_by_host.ps > 0) return {};
  struct Sum {
    std::size_t count = 0;
    Time wait;
    const CongestionRoot* worst = nullptr;
  };
  std::map<LinkKind, Sum> sums;
  for (const CongestionRoot& root : roots) {
    if (root.caused_wait.ps == 0) continue;
    const NodeId near = t.node_of(root.port), far = t.node_of(t.to(root.port));
    LinkKind kind{t.is_host(far), 0, 0};
    if (!kind.to_host) kind = {false, std::min(t.level(near), t.level(far)), std::max(t.level(near), t.level(far))};
    Sum& sum = sums[kind];
    ++sum.count;
    sum.wait += root.caused_wait;
    if (sum.worst == nullptr) sum.worst = &root;  // they are sorted
  }
  const auto most = std::ranges::max_element(
      sums, [](const auto& a, const auto& b) { return a.second.wait < b.second.wait; });
  if (most == sums.end() || most->second.count == 1) return {};
  const Time all = total_waiting(run), by_roots = all - run.digest.congestion.unexplained_wait;
  return RootLevel{name_of_kind(t, most->first), most->first.to_host, most->second.count,
                   share_of(most->second.wait, all), most->second.worst,
                   share_of(most->second.worst->caused_wait, all), share_of(by_roots - most->second.wait, all)};
}

std::string why_ended(const AnalysedRun& run) {
  const Measurements& m = run.m();
  const std::string more = m.ending_text.empty() ? "" : " (" + m.ending_text + ")";
  if (m.ending == Ending::duration) return "run.duration is over" + more;
  if (m.ending != Ending::finished) return std::string(ending_name(m.ending)) + more;
  const Section* section = run.record.scenario != nullptr ? run.record.scenario->find("run") : nullptr;
  const Time settle = section != nullptr ? section->time("settle") : Time{};
  const std::string after = settle.ps > 0 ? fmt::format("{} (run.settle) after ", format_time(settle)) : "";
  if (section != nullptr && section->text("until") == "class")
    return after + "the last packet of " + named_classes({section->text("class")}) + " had arrived" + more;
  const bool complete = !m.flows.empty() && std::ranges::all_of(m.flows, [](const FlowResult& flow) {
    return flow.bytes == kEndless || flow.completion != kNever;
  });
  return (complete ? after + "all flows were complete" : "finished") + more;
}

std::string ending_title(Ending ending) {
  return ending == Ending::duration ? "time is up" : std::string(ending_name(ending));
}

std::string number_title(const std::string& name) {
  if (name == "rate limiters of a host at most") return "rate limiters in use at the same time, at the host with most";
  if (name == "entries of a route cache at most") return "most entries in the route cache of any port";
  if (name == "choices lost to a full route cache") return "route choices discarded because the cache was full";
  if (name == "last new rate, us") return "time when a flow was last given a rate, us";
  if (name == "last entry into a round, us") return "time when a flow last joined a recalculation of rates, us";
  if (name == "telemetry echoed") return "acknowledgements that brought telemetry";
  return name;
}

std::string headline(const AnalysedRun& run) {
  std::string ending;
  if (run.m().ending == Ending::deadlock) ending = "deadlock";
  if (run.m().ending == Ending::saturated) ending = "stopped early";
  if (!ending.empty()) ending += (run.m().ending_text.empty() ? "" : ": " + run.m().ending_text) + "; ";
  return printable(ending + fabric_clause(run) + impact_clause(run));
}

}  // namespace weir
