#include "app/manage/diagnose_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "network/fabric/identities.h"
#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

constexpr std::size_t kMostRows = 4, kWidth = 80;

double share_of(const CongestionRoot& root, const CongestionVictim& victim) {
  return victim.wait.seconds() / std::max(root.congested.seconds(), 1e-12);
}

}  // namespace

double lost_to(const Topology& t, const CongestionRoot& root) {
  double lost = 0;
  for (const CongestionVictim& v : root.victims) lost += share_of(root, v) * t.link(v.port).rate.gigabits();
  return lost;
}

namespace {

std::string more(std::size_t count) {
  return count > kMostRows ? fmt::format("... and {} more (--json has them all)\n", count - kMostRows) : "";
}

std::string roots_text(const Topology& t, const manage::Diagnosis& d, const TextStyle& style) {
  TextTable table({{"root", Align::left, 9, 28}, {"leads to", Align::left, 6, 18}, {"load"}, {"holds back"},
                   {"lost Gb/s"}, {"most comes by", Align::left, 4, 18}});
  const auto& roots = d.congestion.roots;
  for (std::size_t i = 0; i < std::min(roots.size(), kMostRows); ++i)
    table.add({t.port_name(roots[i].port), t.name(t.node_of(t.to(roots[i].port))),
               fmt::format("{:.0f}%", 100 * roots[i].load), std::to_string(roots[i].victims.size()),
               fmt::format("{:.1f}", lost_to(t, roots[i])),
               d.senders[i].empty() ? "" : t.port_name(d.senders[i].front().port)});
  return table.render(style) + more(roots.size());
}

std::string victims_text(const Topology& t, const manage::Diagnosis& d, const TextStyle& style) {
  TextTable table({{"held back", Align::left, 9, 28}, {"by", Align::left, 8, 26}, {"of the time"}, {"lost Gb/s"}});
  struct Row {
    PortId victim, root;
  };
  std::vector<Row> rows;
  for (const CongestionRoot& root : d.congestion.roots)
    for (const CongestionVictim& v : root.victims) rows.push_back({v.port, root.port});
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return d.lost_gigabits(t, a.victim) > d.lost_gigabits(t, b.victim);
  });
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i)
    table.add({t.port_name(rows[i].victim), t.port_name(rows[i].root),
               fmt::format("{:.0f}%", 100 * d.waiting[rows[i].victim.index]),
               fmt::format("{:.1f}", d.lost_gigabits(t, rows[i].victim))});
  return rows.empty() ? "" : table.render(style) + more(rows.size());
}

// What was not seen is no proof of health.
std::string headline_without_roots(const manage::Diagnosis& d) {
  if (d.compared == 0) return "no port has counters that can be used: no conclusion is drawn";
  if (!d.data_grew && !d.wait_grew)
    return fmt::format("the counters did not move: no conclusion is drawn ({} ports)", d.compared);
  if (!d.wait_grew)
    return fmt::format("PortXmitWait did not move anywhere: no conclusion is drawn ({} ports)", d.compared);
  return fmt::format("no link is at the root of congestion ({} ports)", d.compared);
}

}  // namespace

std::string diagnosis_headline(const Topology& t, const manage::Diagnosis& d) {
  const auto& roots = d.congestion.roots;
  if (roots.empty()) return headline_without_roots(d);
  double lost = 0;
  for (const CongestionRoot& root : roots) lost += lost_to(t, root);
  return fmt::format("{} link{} at the root of congestion; {:.1f} Gb/s are held back ({} ports)", roots.size(),
                     roots.size() == 1 ? " is" : "s are", lost, d.compared);
}

std::string diagnosis_text(const Topology& t, const manage::Diagnosis& d, bool colour) {
  const TextStyle style{kWidth, colour};
  const auto& c = d.congestion;
  std::string text = diagnosis_headline(t, d) + "\n";
  if (!c.roots.empty()) text += roots_text(t, d, style) + "\n" + victims_text(t, d, style);
  if (d.compared > 0 && !d.data_grew && !d.wait_grew)
    text += "was the subnet idle? The clock of `weir fabric --lockstep` moves only when told:\n"
            "`weir fabric --tell`, or --lockstep with --live\n";
  else if (d.compared > 0 && !d.wait_grew)
    text += "either nobody waited, or the devices do not count it\n";
  if (!c.unexplained.empty())
    text += fmt::format("{} ports wait without a full link behind them, {} for one:\n"
                        "a slow receiver, or pulses shorter than the time between the readings\n",
                        c.unexplained.size(), printable(t.port_name(c.unexplained.front().port)).substr(0, 24));
  if (!c.roots.empty())
    text += "held back are also those who send into the root itself\n"
            "to try, first on the fabric simulated (`weir new`, `weir compare`): congestion\n"
            "control (`weir convert SCENARIO opensm.conf` writes its lines), with a low\n"
            "Marking_Rate at the roots (`weir manage`); other routes, if a root is no port to\n"
            "a host\n";
  for (const std::string& remark : d.remarks) text += wrap(printable(remark), kWidth);
  return text;
}

std::string diagnosis_json(const Topology& t, const manage::Diagnosis& d) {
  using Json = nlohmann::ordered_json;
  const Identities names(t);
  const auto port_of = [&](PortId port) {
    return Json{{"name", t.port_name(port)},
                {"guid", fmt::format("{:#x}", names.guid(t.node_of(port)))},
                {"port", names.number(port)},
                {"load", d.load[port.index]},
                {"waiting", d.waiting[port.index]},
                {"lost_gbps", d.lost_gigabits(t, port)}};
  };
  Json roots = Json::array(), unexplained = Json::array();
  for (std::size_t i = 0; i < d.congestion.roots.size(); ++i) {
    const CongestionRoot& root = d.congestion.roots[i];
    Json entry = port_of(root.port);
    entry["leads_to"] = t.name(t.node_of(t.to(root.port)));
    entry["costs_others_gbps"] = lost_to(t, root);
    entry["victims"] = Json::array();
    for (const CongestionVictim& v : root.victims) entry["victims"].push_back(port_of(v.port));
    entry["senders"] = Json::array();
    for (const auto& sender : d.senders[i])
      entry["senders"].push_back({{"name", t.port_name(sender.port)}, {"gbps", sender.gigabits}});
    roots.push_back(std::move(entry));
  }
  for (const CongestionVictim& v : d.congestion.unexplained) unexplained.push_back(port_of(v.port));
  const Json all{{"ports", d.compared}, {"roots", roots}, {"unexplained", unexplained}, {"remarks", d.remarks}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir
