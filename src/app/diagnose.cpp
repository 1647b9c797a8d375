// `weir diagnose`: what two readings of a subnet's counters say about its congestion.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/process.h"
#include "app/runner.h"
#include "base/file_text.h"
#include "manage/diagnose.h"
#include "network/fabric/fabric.h"
#include "report/number_format.h"
#include "report/terminal/table.h"

namespace weir {
namespace {

struct DiagnoseCommand : manage::DiagnoseOptions {
  std::string fabric, before, after;
};

constexpr std::size_t kMostRows = 8;

void print_roots(const Topology& t, const manage::Diagnosis& d) {
  TextTable table({{"root", Align::left, 9, 8}, {"leads to", Align::left, 6, 8}, {"load"}, {"holds back"},
                   {"lost Gb/s"}, {"sent into it most by", Align::left, 4, 8}});
  double lost = 0;
  for (std::size_t i = 0; i < d.congestion.roots.size(); ++i) {
    const CongestionRoot& root = d.congestion.roots[i];
    double here = 0;
    for (const CongestionVictim& v : root.victims)
      here += v.wait.seconds() / std::max(root.congested.seconds(), 1e-12) * t.link(v.port).rate.gigabits();
    lost += here;
    if (i >= kMostRows) continue;
    std::string senders;
    for (std::size_t k = 0; k < std::min<std::size_t>(3, d.senders[i].size()); ++k)
      senders += (senders.empty() ? "" : ", ") + t.port_name(d.senders[i][k].port);
    table.add({t.port_name(root.port), t.name(t.node_of(t.to(root.port))), fmt::format("{:.0f}%", 100 * root.load),
               std::to_string(root.victims.size()), fmt::format("{:.1f}", here), senders});
  }
  fmt::print("{} link{} at the root of congestion; they cost others {:.1f} Gb/s\n\n", d.congestion.roots.size(),
             d.congestion.roots.size() == 1 ? " is" : "s are", lost);
  put(table.render(terminal_style()));
  if (d.congestion.roots.size() > kMostRows) fmt::print("... and {} more\n", d.congestion.roots.size() - kMostRows);
}

void print_victims(const Topology& t, const manage::Diagnosis& d) {
  TextTable table({{"held back", Align::left, 9, 8}, {"by", Align::left, 8, 8}, {"of the time"}, {"lost Gb/s"}});
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
  if (rows.empty()) return;
  fmt::print("\n");
  put(table.render(terminal_style()));
  if (rows.size() > kMostRows) fmt::print("... and {} more\n", rows.size() - kMostRows);
}

int run_diagnose(const DiagnoseCommand& c) {
  const LinkProperties unknown{LinkSpeed{4, LaneSpeed::sdr}.rate(), Time{}, 0};
  const Topology topology = to_topology(read_fabric(c.fabric), {unknown, unknown}).topology;
  const manage::CounterDump before = manage::parse_counters(c.before, read_text_file(c.before));
  const manage::CounterDump after = manage::parse_counters(c.after, read_text_file(c.after));
  const manage::Diagnosis d = manage::diagnose(topology, before, after, c);
  if (d.compared == 0)
    throw InputError(c.after + ": no port of the fabric has counters in both dumps; do they and " + c.fabric +
                     " belong together?");
  if (d.congestion.roots.empty()) fmt::print("no link is at the root of congestion\n");
  else print_roots(topology, d);
  print_victims(topology, d);
  if (!d.congestion.unexplained.empty())
    fmt::print("\n{} ports wait without a full link behind them, {} for one: a receiver that is slow, or pulses "
               "shorter than the time between the dumps\n",
               d.congestion.unexplained.size(), topology.port_name(d.congestion.unexplained.front().port));
  if (!d.congestion.roots.empty())
    fmt::print("\nto try: congestion control with a low Marking_Rate at the roots (`weir manage` does so while they "
               "have victims); other routes, if the root is no port to a host\n");
  for (const std::string& remark : d.remarks) note("{}\n", remark);
  fmt::print("\n{} ports compared over {} s\n", d.compared, c.seconds);
  return 0;
}

}  // namespace

Command add_diagnose(CLI::App& app) {
  auto options = std::make_shared<DiagnoseCommand>();
  CLI::App* command = app.add_subcommand("diagnose", "what two readings of a subnet's counters say");
  command->footer("Examples:\n  weir diagnose cluster.topo before.txt after.txt --seconds 10");
  command->add_option("fabric", options->fabric, "ibnetdiscover dump of the subnet")->required();
  command->add_option("before", options->before, "counters: output of `perfquery -x` or `ibqueryerrors --counters`")
      ->required();
  command->add_option("after", options->after, "the same, later")->required();
  command->add_option("--seconds", options->seconds, "time between the two")->required()->check(CLI::Range(1e-9, 1e9));
  command->add_option("--wait-bytes", options->wait_bytes,
                      "a tick of PortXmitWait is the time of so many bytes on the link (default 8; older devices up to "
                      "248; a fabric of weir 128)")
      ->check(CLI::Range(1u, 65536u));
  return [options] { return run_diagnose(*options); };
}

}  // namespace weir
