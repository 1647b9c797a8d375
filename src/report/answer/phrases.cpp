// See phrases.h. The headline answers, in this order: did the run end badly, what is the root, who is hurt and for
// how long.
#include "report/answer/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "measure/flows/root_traffic.h"
#include "report/answer/caveats.h"
#include "report/answer/host_wait.h"
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
  std::string text = impact.rise() < 1.2 ? fmt::format("; the latency{} hardly changed {}", name, values)
                                         : fmt::format("; the latency{} rose {} {}", name, format_factor(impact.rise()),
                                                       values);
  if (const std::string recovery = recovery_phrase(impact);
      !recovery.empty() && (impact.rise() >= 1.2 || !impact.recovery))
    text += " and " + recovery;
  if (const auto dip = impact.dip(); dip && *dip < 0.8)
    text += fmt::format("; {} throughput fell to {} of its earlier value", name.empty() ? "the" : "its",
                        format_share(*dip));
  return text;
}

// One of the disturbing classes can have saturated it.
bool is_of_disturbance(const AnalysedRun& run, const CongestionRoot& root) {
  for (std::uint32_t c = 0; c < run.digest.classes.size(); ++c)
    if (run.digest.classes[c].aggressor && may_saturate(root, {c})) return true;
  return false;
}

// The root that the receiving end of `root` waits for at the same time: among several the one that lasted longest.
const CongestionRoot* next_in_chain(const AnalysedRun& run, const CongestionRoot& root, bool of_disturbance) {
  const Topology& t = run.topology();
  const NodeId node = t.node_of(t.to(root.port));
  const CongestionRoot* next = nullptr;
  for (const CongestionRoot& other : run.digest.congestion.roots) {
    if (t.node_of(other.port) != node || other.from >= root.to || other.to <= root.from) continue;
    if (other.congested.ps < root.congested.ps / 2) continue;
    if (of_disturbance && !is_of_disturbance(run, other)) continue;
    if (next == nullptr || other.congested > next->congested) next = &other;
  }
  return next;
}

// A host that holds its link back. Under PAUSE its stops spread through the fabric, which has a name.
std::string slow_host_clause(const AnalysedRun& run, const RootChain& chain) {
  const Topology& t = run.topology();
  const CongestionRoot& root = chain.last();
  return fmt::format("{}{} receives packets too slowly and holds {} back for {}",
                     !run.m().pauses.empty() && chain.victims > 0 ? "a pause storm: " : "",
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

std::string root_clause(const AnalysedRun& run) {
  const RootChain chain = root_chain(run);
  std::string text = chain.last().held_by_host.ps > 0
                         ? slow_host_clause(run, chain)
                         : fmt::format("{} {}", who_saturates(run, chain.last()),
                                       link_name(run.topology(), chain.last().port));
  if (chain.links.size() > 1)
    text += fmt::format(" and {} before it", chain.links.size() == 2 ? "the link" : "the links");
  text += fmt::format("; {} {} held back by {}", chain.victims, chain.victims == 1 ? "port is" : "ports are",
                      chain.links.size() > 1 ? "them" : "it");
  if (const std::string others = other_roots(run, chain); !others.empty()) text += "; " + others;
  const std::string unsent = unsent_at_hosts(run);
  if (!unsent.empty()) text += "; packets wait at the hosts: " + unsent;
  return text;
}

std::string held_clause(const std::string& waiting) {
  return "packets wait at the hosts: " + waiting + "; the scheme or the hosts' own links hold them back";
}

std::string busiest_link(const AnalysedRun& run) {
  const Measurements& m = run.m();
  PortId busiest;
  for (std::uint32_t p = 0; p < m.ports.size(); ++p)
    if (run.topology().to({p}).valid() && (!busiest.valid() || m.ports[p].busy > m.ports[busiest.index].busy))
      busiest = {p};
  if (!busiest.valid()) return "";
  return fmt::format("the busiest link, {}, is used {} of the time", link_name(run.topology(), busiest),
                     format_share(utilisation(m, busiest)));
}

std::string queueing_clause(const AnalysedRun& run, const QueueingLink& queue) {
  const std::string waiting = unsent_at_hosts(run);
  return fmt::format(
      "packets queue in a switch that has enough memory for all of them: {} is busy {} from {} to {}, and "
      "no port is held back{}",
      link_name(run.topology(), queue.port), format_share(queue.load), format_time(queue.from_to.from),
      format_time(queue.from_to.to), waiting.empty() ? "" : "; packets wait at the hosts: " + waiting);
}

std::string calm_clause(const AnalysedRun& run) {
  const Measurements& m = run.m();
  if (const auto queue = queueing_link(run)) return queueing_clause(run, *queue);
  if (!m.classes.empty() && std::all_of(m.classes.begin(), m.classes.end(), sent_nothing))
    return "nothing was sent before the run ended at " + format_time(m.end);
  const std::string waiting = waiting_at_hosts(run), busiest = busiest_link(run);
  const std::string where = waiting.empty() ? "no congestion" : "no congestion inside the fabric";
  const std::string end = waiting.empty() ? "; no port is held back for long" : "; but " + held_clause(waiting);
  if (busiest.empty()) return waiting.empty() ? where : where + end;
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
      "{} held back ({} summed over all ports), although no link for which they wait is saturated: head-of-line "
      "blocking or small buffers{}",
      ports == 1 ? "one port is" : fmt::format("{} ports are", ports), format_time(congestion.unexplained_wait),
      waiting.empty() ? "" : "; " + held_clause(waiting));
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

std::string other_roots(const AnalysedRun& run, const RootChain& chain) {
  const std::size_t all = run.digest.congestion.roots.size();
  if (chain.others == 0) return "";
  return fmt::format("{} saturated for at least a tenth of that time{}",
                     chain.others == 1 ? "one other link is" : fmt::format("{} other links are", chain.others),
                     all > chain.links.size() + chain.others ? fmt::format(" ({} links in at least one interval)", all)
                                                             : "");
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

std::string recovery_phrase(const Impact& impact) {
  if (!impact.recovery)
    return fmt::format("{}had not recovered when the run ended", impact.latency_recovered ? "its throughput " : "");
  return impact.recovery->ps == 0 ? "" : "recovered after " + format_time(*impact.recovery);
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

RootChain root_chain(const AnalysedRun& run) {
  const auto& roots = run.digest.congestion.roots;
  RootChain chain;
  std::set<std::uint32_t> ports, victims;
  const auto first = std::find_if(roots.begin(), roots.end(),
                                  [&](const CongestionRoot& root) { return is_of_disturbance(run, root); });
  chain.of_disturbance = first != roots.end();
  for (const CongestionRoot* root = chain.of_disturbance ? &*first : &roots.front();
       root != nullptr && ports.insert(root->port.index).second;
       root = next_in_chain(run, *root, chain.of_disturbance)) {
    chain.links.push_back(root);
    chain.caused_wait += root->caused_wait;
    for (const CongestionVictim& v : root->victims) victims.insert(v.port.index);
  }
  for (const std::uint32_t port : ports) victims.erase(port);
  chain.victims = victims.size();
  for (const CongestionRoot& root : roots)
    if (!ports.contains(root.port.index) && root.congested.ps * 10 >= chain.last().congested.ps) ++chain.others;
  return chain;
}

std::optional<QueueingLink> queueing_link(const AnalysedRun& run) {
  constexpr double kRaised = 2;  // latency over that before: less may come from packets in a few queues
  const CongestionReport& congestion = run.digest.congestion;
  if (!congestion.roots.empty() || !congestion.unexplained.empty() || congestion.coarse) return {};
  const bool raised = std::any_of(run.digest.classes.begin(), run.digest.classes.end(),
                                  [](const ClassDigest& c) { return c.impact && c.impact->rise() >= kRaised; });
  if (!raised) return {};
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  std::optional<QueueingLink> fullest;
  std::size_t most = 0;  // frames
  for (std::uint32_t p = 0; p < m.ports.size(); ++p) {
    if (!t.to({p}).valid() || t.is_host(t.node_of({p}))) continue;
    std::size_t full = 0, first = 0, last = 0;
    for (std::size_t f = 0; f < m.frames.size(); ++f) {
      if (p >= m.frames[f].load.size() || m.frames[f].load[p] < kRootLoad * 255) continue;
      if (full++ == 0) first = f;
      last = f;
    }
    if (full <= most) continue;
    most = full;
    const Span span{frame_span(m, first).from, frame_span(m, last).to};
    fullest = QueueingLink{{p}, span, link_load(m, {p}, span)};
  }
  return fullest;
}

std::string headline(const AnalysedRun& run) {
  std::string ending;
  if (run.m().ending == Ending::deadlock) ending = "deadlock";
  if (run.m().ending == Ending::saturated) ending = "stopped early";
  if (!ending.empty()) ending += (run.m().ending_text.empty() ? "" : ": " + run.m().ending_text) + "; ";
  return printable(ending + fabric_clause(run) + impact_clause(run));
}

}  // namespace weir
