#include "app/manage/diagnose_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/manage/diagnose_text.h"
#include "report/page/compressed.h"
#include "report/page/page.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e9;

std::string far_node(const Topology& t, PortId port) {
  return t.to(port).valid() ? t.name(t.node_of(t.to(port))) : "";
}

// The rows that matter come first, so the first ones are kept.
Json page_table(const char* id, std::vector<std::string> columns, std::vector<Json> rows) {
  const std::size_t total = rows.size();
  if (rows.size() > kTableRows) rows.resize(kTableRows);
  return {{"id", id},
          {"csv", "the output of --json"},
          {"total", total},
          {"shown", rows.size()},
          {"kept_by", total > rows.size() ? Json("wait_share") : Json(nullptr)},
          {"columns", std::move(columns)},
          {"rows", compressed(Json(rows).dump(-1, ' ', false, Json::error_handler_t::replace))}};
}

Json roots_table(const Topology& t, const manage::Diagnosis& d) {
  std::vector<Json> rows;
  for (const CongestionRoot& root : d.congestion.roots)
    rows.push_back({t.port_name(root.port), far_node(t, root.port), d.load[root.port.index],
                    kGiga * d.sent_gigabits(t, root.port), root.victims.size()});
  return page_table("roots", {"name", "peer", "load", "rate_bps", "held_back"}, std::move(rows));
}

// A port that several roots hold back has one row.
Json held_back_table(const Topology& t, const manage::Diagnosis& d) {
  std::map<PortId, std::string> roots_of;
  for (const CongestionRoot& root : d.congestion.roots)
    for (const CongestionVictim& v : root.victims) {
      std::string& names = roots_of[v.port];
      names += (names.empty() ? "" : ", ") + t.port_name(root.port);
    }
  std::vector<Json> rows;
  for (const PortId p : d.held_back(t))
    rows.push_back({t.port_name(p), far_node(t, p), roots_of[p], d.load[p.index], d.waiting[p.index],
                    kGiga * d.sent_gigabits(t, p), kGiga * d.unused_gigabits(t, p)});
  return page_table("held_back", {"name", "peer", "root", "load", "wait_share", "rate_bps", "lost_bps"},
                    std::move(rows));
}

Json inputs_table(const Topology& t, const manage::Diagnosis& d) {
  std::vector<Json> rows;
  for (std::size_t i = 0; i < d.inputs.size(); ++i)
    for (const manage::Diagnosis::Input& input : d.inputs[i])
      rows.push_back({t.port_name(input.port), t.port_name(d.congestion.roots[i].port), kGiga * input.gigabits,
                      d.waiting[input.port.index]});
  return page_table("inputs", {"name", "into", "rate_bps", "wait_share"}, std::move(rows));
}

Json unexplained_table(const Topology& t, const manage::Diagnosis& d) {
  std::vector<Json> rows;
  for (const CongestionVictim& v : d.congestion.unexplained)
    rows.push_back({t.port_name(v.port), far_node(t, v.port), d.load[v.port.index], d.waiting[v.port.index]});
  return page_table("unexplained", {"name", "peer", "load", "wait_share"}, std::move(rows));
}

}  // namespace

std::string diagnosis_page(const Topology& t, const manage::Diagnosis& d, const DiagnosedSource& source) {
  Json roots = Json::array(), held_back = Json::array();
  for (const CongestionRoot& root : d.congestion.roots) roots.push_back(root.port.index);
  for (const PortId port : d.held_back(t)) held_back.push_back(port.index);
  Json unexplained = Json::array();
  for (const CongestionVictim& v : d.congestion.unexplained) unexplained.push_back(v.port.index);
  Json document{{"format", 1}, {"kind", "diagnosis"}, {"title", source.title}, {"weir_version", WEIR_VERSION}};
  document["command"] = source.command;
  document["seconds"] = d.seconds > 0 ? Json(d.seconds) : Json(nullptr);
  document["ports_read"] = d.compared;
  document["headline"] = diagnosis_headline(t, d);
  document["conclusive"] = !d.is_inconclusive();
  document["held"] = hosts_and_switch_ports(t, d.held_back(t));
  document["unknown"] = what_counters_do_not_tell(t, d);
  std::vector<std::string> advice = remedies_for(t, d);
  if (const std::string words = unexplained_text(t, d); !words.empty()) advice.push_back(words);
  document["advice"] = advice;
  std::vector<std::string> remarks = d.remarks;
  if (const std::string time = time_of_diagnosis(t, d); !time.empty()) remarks.insert(remarks.begin(), time);
  document["remarks"] = remarks;
  document["roots"] = roots;
  document["held_back"] = held_back;
  document["unexplained"] = unexplained;
  document["fabric"] = fabric_document(t);
  document["moment"] = moment_document(d.load, d.waiting);
  document["tables"] = {roots_table(t, d), held_back_table(t, d), inputs_table(t, d), unexplained_table(t, d)};
  return page_with(document);
}

}  // namespace weir
