#include "app/manage/diagnose_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "network/fabric/identities.h"
#include "network/short_names.h"
#include "report/number_format.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

constexpr std::size_t kMostRoots = 3, kMostSwitchPorts = 2, kMostHosts = 3;

std::string number_of(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::vector<PortId> ports_of(const CongestionRoot& root) {
  std::vector<PortId> ports;
  for (const CongestionVictim& v : root.victims) ports.push_back(v.port);
  return ports;
}

std::string more(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format("... and {} more (--json has them all)\n", all - shown) : "";
}

std::string roots_text(const Topology& t, const manage::Diagnosis& d, const TextStyle& style) {
  const ShortNames names(t);
  TextTable table({{"root", Align::left, 9, 20}, {"peer", Align::left, 6, 12}, {"busy"}, {"sends"},
                   {"holds back", Align::left}});
  const auto& roots = d.congestion.roots;
  for (std::size_t i = 0; i < std::min(roots.size(), kMostRoots); ++i)
    table.add({names.port(roots[i].port), names.node(t.node_of(t.to(roots[i].port))),
               fmt::format("{:.0f}%", 100 * roots[i].load),
               fmt::format("{:.1f} Gb/s", d.sent_gigabits(t, roots[i].port)),
               hosts_and_switch_ports(t, ports_of(roots[i]))});
  return table.render(style) + more(roots.size(), kMostRoots);
}

// Switch ports, then hosts; of both those that wait the longest.
std::string held_back_text(const Topology& t, const manage::Diagnosis& d, const TextStyle& style) {
  const ShortNames names(t);
  TextTable table({{"port", Align::left, 9, 20}, {"peer", Align::left, 6, 12}, {"held back by", Align::left, 8, 12},
                   {"waits"}, {"sends"}});
  std::map<PortId, std::string> roots_of;
  for (const CongestionRoot& root : d.congestion.roots)
    for (const CongestionVictim& v : root.victims) {
      std::string& text = roots_of[v.port];
      text += (text.empty() ? "" : ", ") + names.port(root.port);
    }
  const std::vector<PortId> ports = d.held_back(t);
  std::size_t hosts = 0, switch_ports = 0;
  for (const PortId p : ports) {
    const bool is_host = t.is_host(t.node_of(p));
    if (is_host ? hosts == kMostHosts : switch_ports == kMostSwitchPorts) continue;
    ++(is_host ? hosts : switch_ports);
    table.add({names.port(p), names.node(t.node_of(t.to(p))), roots_of[p],
               fmt::format("{:.0f}%", 100 * d.waiting[p.index]), fmt::format("{:.1f} Gb/s", d.sent_gigabits(t, p))});
  }
  return ports.empty() ? "" : "\n" + table.render(style) + more(ports.size(), hosts + switch_ports);
}

// What was not seen is no proof of health. How many ports were read stands beside the busiest link, where there is one.
std::string headline_without_roots(const Topology& t, const manage::Diagnosis& d) {
  const std::string read = d.busiest.valid() ? "" : fmt::format(" ({} read)", number_of(d.compared, "port"));
  if (d.compared == 0) return "inconclusive: no port has counters that can be used";
  if (!d.data_grew && !d.wait_grew) return "inconclusive: the counters did not grow" + read;
  if (d.is_time_doubtful && d.busiest_load > 1)
    return fmt::format("inconclusive: {} would have been busy for {} of the time{}", ShortNames(t).port(d.busiest),
                       format_share(d.busiest_load), read);
  if (d.is_time_doubtful) return "inconclusive: no link is full, but ports wait as if one were" + read;
  if (d.waiting_for_nothing > 0)
    return fmt::format(
        "inconclusive: no link is full, but {} for a large part of the time{}",
        d.waiting_for_nothing == 1 ? "1 port waits" : fmt::format("{} ports wait", d.waiting_for_nothing), read);
  if (!d.wait_grew) return "inconclusive: PortXmitWait did not grow anywhere" + read;
  if (d.root_with_other_unit.valid())
    return fmt::format("inconclusive: {} is full, and --wait-bytes decides whether it is a root{}",
                       ShortNames(t).port(d.root_with_other_unit), read);
  return "no link is the root of congestion" + read;
}

// Names as they are shown, each once.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 2;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
}

}  // namespace

std::string unexplained_text(const Topology& t, const manage::Diagnosis& d) {
  if (d.congestion.unexplained.empty() || d.is_time_doubtful) return "";
  const auto& ports = d.congestion.unexplained;
  const bool one = ports.size() == 1;
  return fmt::format(
      "{} (for example {}), although no link downstream of {} is full. Either a receiver is slow, or the "
      "congestion is shorter than the time between the two readings: read the counters at shorter "
      "intervals.",
      one ? "1 port waits" : fmt::format("{} ports wait", ports.size()), ShortNames(t).port(ports.front().port),
      one ? "it" : "them");
}

namespace {

std::string sentence(const std::string& text) { return text + (text.ends_with('?') || text.ends_with('.') ? "" : "."); }

}  // namespace

std::string hosts_and_switch_ports(const Topology& t, const std::vector<PortId>& ports) {
  const auto hosts = static_cast<std::size_t>(
      std::count_if(ports.begin(), ports.end(), [&](PortId p) { return t.is_host(t.node_of(p)); }));
  const std::size_t others = ports.size() - hosts;
  if (others == 0) return number_of(hosts, "host");
  return (hosts > 0 ? number_of(hosts, "host") + " and " : "") + number_of(others, "switch port");
}

std::string diagnosis_headline(const Topology& t, const manage::Diagnosis& d) {
  const auto& roots = d.congestion.roots;
  if (roots.empty()) return headline_without_roots(t, d);
  const bool one = roots.size() == 1;
  const std::vector<PortId> held = d.held_back(t);
  return fmt::format("{} of congestion. {} hold{} back {}",
                     one ? "1 link is the root" : fmt::format("{} links are roots", roots.size()),
                     one ? "It" : "They", one ? "s" : "",
                     held.empty() ? "no port all the time" : hosts_and_switch_ports(t, held));
}

std::string what_counters_do_not_tell(const Topology& t, const manage::Diagnosis& d) {
  if (d.held_back(t).empty()) return "";
  return "Each port that is held back either sends traffic into a root, or waits although none of its traffic enters "
         "a root (a victim). The counters do not tell which.";
}

std::string time_of_diagnosis(const Topology& t, const manage::Diagnosis& d) {
  if (!d.busiest.valid()) return "";
  const std::string time = format_time(1e12 * d.seconds) + (d.is_simulated ? " of simulated time" : "");
  const std::string text = fmt::format("{} read over {}. Busiest link: {}, {}.", number_of(d.compared, "port"), time,
                                       ShortNames(t).port(d.busiest), format_share(d.busiest_load));
  if (!d.is_time_doubtful) return text;
  const char* other = d.busiest_load > 1 ? "this link is faster than the fabric says"
                                         : "the congestion lasted for only a part of the time";
  return text + fmt::format(" If the time was {} instead, this link was always full, and it is the root of congestion. "
                            "So the time is wrong (see --seconds), or {}.",
                            format_time(1e12 * d.seconds_if_busiest_was_full()), other);
}

// What fits the roots: a link to a host needs other receivers, a link between switches other routes.
std::vector<std::string> remedies_for(const Topology& t, const manage::Diagnosis& d) {
  const ShortNames names(t);
  std::vector<std::string> full_hosts, slow_hosts, between, advice;
  for (const CongestionRoot& root : d.congestion.roots) {
    const NodeId far = t.node_of(t.to(root.port));
    if (!t.is_host(far)) between.push_back(names.port(root.port));
    else (root.held_by_host > Time{} ? slow_hosts : full_hosts).push_back(t.name(far));
  }
  if (!full_hosts.empty())
    advice.push_back(fmt::format("Let fewer hosts send to {} at once, or spread the data over more hosts: more is sent "
                                 "there than {} can carry.",
                                 some_of(full_hosts), full_hosts.size() == 1 ? "its link" : "their links"));
  if (!slow_hosts.empty())
    advice.push_back(fmt::format("Look at the adapter of {} and its PCIe slot: packets are accepted slowly there.",
                                 some_of(slow_hosts)));
  if (!between.empty())
    advice.push_back(fmt::format("Use other routes or more cables to relieve {}.", some_of(between)));
  if (!d.congestion.roots.empty())
    advice.push_back(
        "Use congestion control: `weir convert SCENARIO opensm.conf` writes the settings, `weir manage` makes "
        "the roots mark more packets. Compare first in a simulation (`weir new`, `weir compare`).");
  return advice;
}

std::string diagnosis_text(const Topology& t, const manage::Diagnosis& d, const TextStyle& style) {
  const auto& c = d.congestion;
  const std::size_t width = style.width;
  std::string text = wrap(printable(sentence(diagnosis_headline(t, d))), width);
  if (const std::string time = time_of_diagnosis(t, d); !time.empty()) text += wrap(printable(time), width);
  if (!c.roots.empty()) text += roots_text(t, d, style) + held_back_text(t, d, style);
  if (const std::string unknown = what_counters_do_not_tell(t, d); !unknown.empty()) text += wrap(unknown, width);
  if (d.compared > 0 && !d.data_grew && !d.wait_grew)
    text += wrap("Was the subnet idle? The clock of `weir fabric --lockstep` advances only on request: by `weir fabric "
                 "--tell 'advance 1ms'`, or by `weir diagnose --live --lockstep NAME`.", width);
  else if (d.compared > 0 && !d.wait_grew)
    text += wrap("Either no port waited, or the devices do not count waiting.", width);
  if (const std::string unexplained = unexplained_text(t, d); !unexplained.empty())
    text += wrap(printable(unexplained), width);
  std::string remedies;
  for (const std::string& remedy : remedies_for(t, d)) remedies += (remedies.empty() ? "To try: " : " ") + remedy;
  if (!remedies.empty()) text += wrap(printable(remedies), width);
  for (const std::string& remark : d.remarks) text += wrap("Note: " + printable(sentence(remark)), width);
  return text;
}

std::string diagnosis_json(const Topology& t, const manage::Diagnosis& d) {
  using Json = nlohmann::ordered_json;
  const Identities names(t);
  const auto port_of = [&](PortId port) {
    return Json{{"name", t.port_name(port)},
                {"guid", fmt::format("{:#x}", names.guid(t.node_of(port)))},
                {"port", names.number(port)},
                {"host", t.is_host(t.node_of(port))},
                {"load", d.load[port.index]},
                {"waiting", d.waiting[port.index]},
                {"sends_gbps", d.sent_gigabits(t, port)},
                {"lost_at_most_gbps", d.unused_gigabits(t, port)}};
  };
  const auto busiest_of = [&](const manage::Diagnosis& of) {
    Json entry = port_of(of.busiest);
    entry["load"] = of.busiest_load;
    entry["sends_gbps"] = of.busiest_load * t.link(of.busiest).rate.gigabits();
    entry["full_if_seconds"] = of.seconds_if_busiest_was_full();
    return entry;
  };
  Json roots = Json::array(), unexplained = Json::array();
  for (std::size_t i = 0; i < d.congestion.roots.size(); ++i) {
    const CongestionRoot& root = d.congestion.roots[i];
    Json entry = port_of(root.port);
    entry["leads_to"] = t.name(t.node_of(t.to(root.port)));
    entry["held_back"] = Json::array();
    for (const CongestionVictim& v : root.victims) entry["held_back"].push_back(port_of(v.port));
    entry["inputs_to_all_destinations"] = Json::array();
    for (const auto& input : d.inputs[i]) entry["inputs_to_all_destinations"].push_back(port_of(input.port));
    roots.push_back(std::move(entry));
  }
  for (const CongestionVictim& v : d.congestion.unexplained) unexplained.push_back(port_of(v.port));
  const Json all{{"ports", d.compared},
                 {"conclusive", !d.is_inconclusive()},
                 {"seconds", d.seconds},
                 {"simulated_time", d.is_simulated},
                 {"busiest", d.busiest.valid() ? busiest_of(d) : Json(nullptr)},
                 {"wait_bytes", d.unit.bytes},
                 {"roots", roots},
                 {"unexplained", unexplained},
                 {"remarks", d.remarks}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir
