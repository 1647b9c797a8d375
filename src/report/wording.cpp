// See wording.h. The headline answers, in this order: did the run end badly, what is the root, who is hurt and for
// how long.
#include "report/wording.h"

#include <fmt/format.h>

#include "report/format.h"
#include "report/text.h"

namespace weir {
namespace {

// The innocent class that suffered most.
const ClassDigest* most_hurt(const PreparedRun& run, std::size_t& which) {
  const ClassDigest* worst = nullptr;
  for (std::size_t c = 0; c < run.digest.classes.size(); ++c) {
    const ClassDigest& d = run.digest.classes[c];
    if (d.aggressor || !d.impact) continue;
    if (worst != nullptr && d.impact->rise() <= worst->impact->rise()) continue;
    worst = &d;
    which = c;
  }
  return worst;
}

std::string recovery_clause(const Impact& impact) {
  if (!impact.recovery) return " and had not recovered when the run ended";
  if (impact.recovery->ps == 0) return "";
  return " and recovered after " + format_time(*impact.recovery);
}

std::string impact_clause(const PreparedRun& run) {
  std::size_t which = 0;
  const ClassDigest* hurt = most_hurt(run, which);
  if (hurt == nullptr) return "";
  const Impact& impact = *hurt->impact;
  const std::string& name = run.m().classes[which].name;
  const std::string values =
      fmt::format("({} -> {})", format_time(impact.latency_before_ps), format_time(impact.latency_peak_ps));
  std::string text = impact.rise() < 1.2 ? fmt::format("; {} latency hardly moved {}", name, values)
                                         : fmt::format("; {} latency rose {} {}{}", name, format_factor(impact.rise()),
                                                       values, recovery_clause(impact));
  if (const auto dip = impact.dip(); dip && *dip < 0.8)
    text += fmt::format("; its throughput fell to {}", format_share(*dip));
  return text;
}

std::string root_clause(const PreparedRun& run) {
  const auto& roots = run.digest.congestion.roots;
  const CongestionRoot& root = roots.front();
  const auto names = class_names(run, true);
  std::string text = fmt::format("{}traffic saturates {}", names.empty() ? "" : joined(names) + " ",
                                 link_name(run.topology(), root.port));
  if (roots.size() == 2) text += " and one other link";
  if (roots.size() > 2) text += fmt::format(" and {} other links", roots.size() - 1);
  text += fmt::format("; {} {} held back", root.victims.size(), root.victims.size() == 1 ? "port is" : "ports are");
  return text;
}

std::string calm_clause(const PreparedRun& run) {
  const Measurements& m = run.m();
  PortId busiest;
  for (std::uint32_t p = 0; p < m.ports.size(); ++p)
    if (run.topology().to({p}).valid() && (!busiest.valid() || m.ports[p].busy > m.ports[busiest.index].busy))
      busiest = {p};
  if (!busiest.valid()) return "no congestion";
  return fmt::format("no congestion: the busiest link, {}, is used {} of the time, and nobody waits long",
                     link_name(run.topology(), busiest), format_share(utilisation(m, busiest)));
}

std::string fabric_clause(const PreparedRun& run) {
  const CongestionReport& congestion = run.digest.congestion;
  if (!congestion.roots.empty()) return root_clause(run);
  if (congestion.unexplained.empty()) return calm_clause(run);
  const std::size_t ports = congestion.unexplained.size();
  return fmt::format(
      "{} held back ({} in total) though no link they wait for is saturated: head-of-line blocking or small "
      "buffers",
      ports == 1 ? "one port is" : fmt::format("{} ports are", ports), format_time(congestion.unexplained_wait));
}

}  // namespace

std::string link_name(const Topology& topology, PortId port) {
  const PortId peer = topology.to(port);
  const std::string to = peer.valid() ? topology.name(topology.node_of(peer)) : "nothing";
  return printable(topology.port_name(port) + " -> " + to);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::vector<std::string> class_names(const PreparedRun& run, bool aggressor) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < run.m().classes.size(); ++c)
    if (run.digest.classes[c].aggressor == aggressor) names.push_back(run.m().classes[c].name);
  return names;
}

std::string headline(const PreparedRun& run) {
  std::string ending;
  if (run.m().ending == Ending::deadlock) ending = "deadlock";
  if (run.m().ending == Ending::saturated) ending = "saturated";
  if (!ending.empty()) ending += (run.m().ending_text.empty() ? "" : ": " + run.m().ending_text) + "; ";
  return printable(ending + fabric_clause(run) + impact_clause(run));
}

}  // namespace weir
