#include "report/answer/feeders.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "measure/flows/flow_ways.h"
#include "measure/flows/root_traffic.h"
#include "report/answer/phrases.h"

namespace weir {
namespace {

// By class: those of the disturbance that may have saturated the root; where none of them has, all that may have.
std::vector<bool> saturating_classes(const AnalysedRun& run, const CongestionRoot& root) {
  std::vector<bool> all, disturbing;
  for (std::uint32_t c = 0; c < run.m().classes.size(); ++c) {
    all.push_back(may_saturate(root, {c}));
    disturbing.push_back(all.back() && run.digest.classes[c].aggressor);
  }
  return std::ranges::find(disturbing, true) != disturbing.end() ? disturbing : all;
}

}  // namespace

Feeders::Feeders(const AnalysedRun& run) {
  const Measurements& m = run.m();
  if (run.record.routes == nullptr || run.digest.congestion.roots.empty()) return;
  FlowWays ways(run.topology(), *run.record.routes, ways_taken(*run.record.scenario), run.record.scenario->seed,
                m.flows);
  if (!ways.known()) return;
  std::unordered_map<std::uint32_t, std::vector<bool>> saturating;  // by port of a root; looked up only
  for (const CongestionRoot& root : run.digest.congestion.roots)
    saturating[root.port.index] = saturating_classes(run, root);
  const auto add = [&](FlowId flow, HostId source, HostId destination, ClassId traffic_class) {
    if (source == destination) return;
    known_ = true;
    std::vector<PortId> before;
    ways.each_link(flow, source, destination, [&](PortId port) {
      if (!port.valid()) return false;
      const auto root = saturating.find(port.index);
      if (root != saturating.end() && root->second[traffic_class.index])
        for (const PortId p : before) feeders_[port.index].insert(p.index);
      before.push_back(port);
      return true;
    });
  };
  for (std::uint32_t f = 0; f < m.flows.size(); ++f)
    if (const FlowResult& flow = m.flows[f]; flow.start != kNever && flow.delivered > 0)
      add({f}, flow.source, flow.destination, flow.traffic_class);
  // Packets on their own: it is known what a host sends, and where all of the disturbance goes.
  const auto receiver = common_receiver(run);
  for (std::uint32_t c = 0; receiver && c < m.classes.size(); ++c)
    for (std::uint32_t h = 0; run.digest.classes[c].aggressor && h < host_count(m); ++h)
      if (const HostResult* host = host_of_class(m, {h}, {c}); host != nullptr && host->injected > 0)
        add({}, {h}, *receiver, {c});
}

bool Feeders::feeds(PortId port, PortId root) const {
  const auto found = feeders_.find(root.index);
  return found != feeders_.end() && found->second.contains(port.index);
}

namespace {

// Of the `all` ports that roots hold back: how many feed none of these.
std::string who_feeds(std::size_t all, std::size_t innocent, bool one_root) {
  if (all == 1 && innocent == 1)
    return fmt::format("it sends none of the traffic that saturates {}",
                       one_root ? "this root" : "the roots that hold it back");
  if (all == 1)
    return fmt::format("it sends traffic that saturates {}", one_root ? "this root" : "at least one of them");
  if (innocent == 0)
    return one_root ? "each of these ports feeds this root"
                    : "each of these ports feeds at least one root that holds it back: a victim of one root feeds "
                      "another";
  if (innocent == 1)
    return fmt::format("one of them is only a victim: it {}",
                       one_root ? "does not feed this root" : "feeds none of the roots that hold it back");
  return fmt::format("{} of them are only victims: they {}", innocent,
                     one_root ? "do not feed this root" : "feed none of the roots that hold them back");
}

}  // namespace

std::string innocent_clause(const AnalysedRun& run, const Feeders& feeders) {
  std::unordered_set<std::uint32_t> by_root;  // counted only
  std::size_t roots = 0;
  for (const CongestionRoot& root : run.digest.congestion.roots) {
    for (const CongestionVictim& v : root.victims) by_root.insert(v.port.index);
    roots += root.victims.empty() ? 0 : 1;
  }
  const std::size_t all = by_root.size(), held = ports_held_back(run);
  const std::size_t innocent = feeders.innocent(run.digest.congestion);
  const bool cycle = run.m().ending == Ending::deadlock;
  const bool one_root = roots < 2;
  const std::string others =
      held == all ? ""
                  : fmt::format("; the other {} {} held back {}", held - all, held - all == 1 ? "is" : "are",
                                cycle ? "without a root"
                                      : "although no link ahead of them is saturated (small buffers, or head-of-line "
                                        "blocking: packets in front are for another port)");
  std::string text = held == all ? "" : fmt::format("of the {} ports held back, ", held);
  text += fmt::format("{} {} held back {}", all == 1 ? "one" : fmt::format("{}", all),
                      held == all ? (all == 1 ? "port is" : "ports are") : (all == 1 ? "is" : "are"),
                      one_root ? "by a root" : "by roots");
  if (all == 0) return text + others;
  text += " (" + who_feeds(all, innocent, one_root) + ")";
  return text + others;
}

std::size_t Feeders::innocent(const CongestionReport& congestion) const {
  std::unordered_map<std::uint32_t, bool> feeds_some;  // counted only
  for (const CongestionRoot& root : congestion.roots)
    for (const CongestionVictim& v : root.victims) {
      bool& feeds_one = feeds_some[v.port.index];
      feeds_one = feeds_one || feeds(v.port, root.port);
    }
  return static_cast<std::size_t>(
      std::count_if(feeds_some.begin(), feeds_some.end(), [](const auto& port) { return !port.second; }));
}

}  // namespace weir
