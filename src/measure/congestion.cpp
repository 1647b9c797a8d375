// See congestion.h for the definition. Each bin is judged by itself: the waiting ports are found, then the saturated
// ports of the switches they wait for. What a port waits is then followed downstream, along held back ports only. A bin
// in which nobody waits costs one scan.
#include "measure/congestion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "measure/flows/turns.h"

namespace weir {
namespace {

// Shares of one bin, by port. Frames are quantised to 1/255, so thresholds give way by half a step.
struct Snapshot {
  Span span;
  std::vector<double> load, wait;
  double slack = 0;
};

struct RootSum {
  Span span{kNever, Time{0}};
  double congested = 0, busy = 0;         // ps
  double held = 0;                        // by a host, ps
  std::map<std::uint32_t, double> waits;  // victim port -> ps
};

class CongestionFinder {
 public:
  CongestionFinder(const Topology& topology, RootRule rule, const FlowTurns* turns)
      : topology_(topology), rule_(rule), turns_(turns), queues_(topology.ports(), 0),
        root_node_(topology.nodes(), NodeId::kNone) {}

  // First all bins are looked at, so that the queues are known, then each is judged.
  void look(const Snapshot& s) {
    for (std::uint32_t p = 0; p < queues_.size(); ++p)
      if (waits(s, p) || is_saturated(s, p)) queues_[p] += static_cast<double>((s.span.to - s.span.from).ps);
  }
  void know_queues(const Measurements& m) {
    const auto length = static_cast<double>(m.end.ps);
    for (std::uint32_t p = 0; p < queues_.size(); ++p)
      queues_[p] = queues_[p] > 0 ? m.ports[p].mean_output_bytes * length / queues_[p] : 0;
  }
  void add(const Snapshot& s) {
    const auto waiting = waiting_ports(s);
    if (waiting.empty()) return;
    const auto roots = roots_by_node(s, waiting);
    label_upstream(s, roots);
    for (const auto& [node, ports] : roots) note_roots(s, ports);
    note_moment(s, waiting, roots);
    for (const std::uint32_t port : waiting) charge(s, port, roots);
    for (const std::uint32_t node : labelled_) root_node_[node] = NodeId::kNone;
    labelled_.clear();
    blamed_.clear();
  }
  CongestionReport report() const;

 private:
  using RootsByNode = std::map<std::uint32_t, std::vector<std::uint32_t>>;
  using Shares = std::vector<std::pair<std::uint32_t, double>>;  // of the waiting, by root port; the rest has no root

  // A host at its end takes packets in too slowly.
  bool waits_for_host(std::uint32_t port) const {
    const auto is_host = [&](PortId p) { return topology_.is_host(topology_.node_of(p)); };
    return is_host(topology_.to({port})) && !is_host({port});
  }
  bool waits(const Snapshot& s, std::uint32_t port) const { return s.wait[port] >= kVictimWait - s.slack; }
  bool is_saturated(const Snapshot& s, std::uint32_t port) const { return s.load[port] >= kRootLoad - s.slack; }

  std::vector<std::uint32_t> waiting_ports(const Snapshot& s) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t p = 0; p < topology_.ports(); ++p)
      if (waits(s, p) && topology_.to({p}).valid()) result.push_back(p);
    return result;
  }

  RootsByNode roots_by_node(const Snapshot& s, const std::vector<std::uint32_t>& waiting) const {
    std::set<std::uint32_t> awaited;
    for (const std::uint32_t p : waiting) {
      const NodeId node = topology_.node_of(topology_.to({p}));
      if (!topology_.is_host(node)) awaited.insert(node.index);
    }
    RootsByNode roots;
    for (const std::uint32_t node : awaited)
      for (std::uint32_t i = 0; i < topology_.port_count({node}); ++i) {
        const PortId p = topology_.port(NodeId{node}, i);
        if (topology_.to(p).valid() && is_saturated(s, p.index) && !(waits(s, p.index) && waits_for_host(p.index)))
          roots[node].push_back(p.index);
      }
    if (rule_ == RootRule::only_sources) {
      const double never_idles = kNeverIdles * busiest(s);
      for (auto& [node, full] : roots) leave_out_idle(s, never_idles, full);
      std::erase_if(roots, [&](const auto& root) {
        return root.second.empty() || may_pass_on(s, {root.first}, root.second);
      });
    }
    for (const std::uint32_t p : waiting)
      if (waits_for_host(p)) roots[topology_.node_of(PortId{p}).index].push_back(p);
    for (auto& [node, ports] : roots) leave_out_unasked(s, {node}, ports);
    std::erase_if(roots, [](const auto& root) { return root.second.empty(); });
    return roots;
  }

  // A full link without a queue carries what one input brings it: nobody waits for it.
  void leave_out_unasked(const Snapshot& s, NodeId node, std::vector<std::uint32_t>& ports) const {
    double longest = 0;
    for (std::uint32_t i = 0; i < topology_.port_count(node); ++i) {
      const PortId p = topology_.port(node, i);
      if (topology_.to(p).valid() && (is_saturated(s, p.index) || waits(s, p.index)))
        longest = std::max(longest, queues_[p.index]);
    }
    std::erase_if(ports, [&](std::uint32_t p) { return queues_[p] < kLeastQueue * longest; });
  }

  // An output of this switch waits itself.
  bool is_held_back(const Snapshot& s, NodeId node) const {
    for (std::uint32_t i = 0; i < topology_.port_count(node); ++i)
      if (const PortId out = topology_.port(node, i); topology_.to(out).valid() && waits(s, out.index)) return true;
    return false;
  }

  // What the port shows that was busy or held back the most: the whole of the time, if the time was measured well.
  static double busiest(const Snapshot& s) {
    constexpr double kWellMeasured = 0.97;
    double most = kWellMeasured;
    for (std::size_t p = 0; p < s.load.size(); ++p) most = std::max(most, s.load[p] + s.wait[p]);
    return std::min(most, 1.0);
  }

  static void leave_out_idle(const Snapshot& s, double never_idles, std::vector<std::uint32_t>& full) {
    const auto idles = [&](std::uint32_t p) { return s.load[p] + s.wait[p] < never_idles - s.slack; };
    if (!std::all_of(full.begin(), full.end(), idles)) std::erase_if(full, idles);
  }

  bool may_pass_on(const Snapshot& s, NodeId node, const std::vector<std::uint32_t>& full_outputs) const {
    const auto carried = [&](std::uint32_t p) {
      return s.load[p] * static_cast<double>(topology_.link({p}).rate.bits_per_second);
    };
    if (!is_held_back(s, node)) return false;
    std::vector<double> brought;  // by inputs that are full and never held back
    for (std::uint32_t i = 0; i < topology_.port_count(node); ++i) {
      const PortId in = topology_.from(topology_.port(node, i));
      if (in.valid() && is_saturated(s, in.index) && s.wait[in.index] < kUnheldWait)
        brought.push_back(carried(in.index));
    }
    return std::ranges::all_of(full_outputs, [&](std::uint32_t p) {
      const auto same = std::ranges::find_if(
          brought, [&](double in) { return std::abs(in - carried(p)) <= kSameTraffic * carried(p); });
      if (same == brought.end()) return false;
      brought.erase(same);
      return true;
    });
  }

  // Gives every switch that holds others back the switch of its nearest root.
  void label_upstream(const Snapshot& s, const RootsByNode& roots) {
    for (const auto& [node, ports] : roots) label(node, node);
    for (std::size_t next = 0; next < labelled_.size(); ++next) {
      const NodeId node{labelled_[next]};
      for (std::uint32_t i = 0; i < topology_.port_count(node); ++i) {
        const PortId sender = topology_.from(topology_.port(node, i));
        if (!sender.valid() || !waits(s, sender.index)) continue;
        const NodeId up = topology_.node_of(sender);
        if (!topology_.is_host(up) && root_node_[up.index] == NodeId::kNone) label(up.index, root_node_[node.index]);
      }
    }
  }
  void label(std::uint32_t node, std::uint32_t root_node) {
    root_node_[node] = root_node;
    labelled_.push_back(node);
  }

  void note_roots(const Snapshot& s, const std::vector<std::uint32_t>& ports) {
    const auto length = static_cast<double>((s.span.to - s.span.from).ps);
    for (const std::uint32_t p : ports) {
      RootSum& sum = sums_[p];
      sum.span = {std::min(sum.span.from, s.span.from), std::max(sum.span.to, s.span.to)};
      sum.congested += length;
      sum.busy += length * s.load[p];
      if (waits_for_host(p)) sum.held += length * s.wait[p];
    }
  }

  void note_moment(const Snapshot& s, const std::vector<std::uint32_t>& waiting, const RootsByNode& roots) {
    CongestedMoment moment{s.span, {}, waiting};
    for (const auto& [node, ports] : roots) moment.roots.insert(moment.roots.end(), ports.begin(), ports.end());
    std::sort(moment.roots.begin(), moment.roots.end());
    moments_.push_back(std::move(moment));
  }

  // A link for which no port has ever waited, although ports wait for others at its switch.
  bool nobody_waited_for(std::uint32_t port) const {
    const RootSum& sum = sums_.at(port);
    return sum.waits.empty() && sum.held == 0;
  }
  // Without links that turned out to be no roots; what is a root is not held back by others.
  CongestedMoment settled(CongestedMoment moment) const {
    std::erase_if(moment.roots, [&](std::uint32_t port) { return nobody_waited_for(port); });
    std::erase_if(moment.held_back, [&](std::uint32_t port) {
      return std::binary_search(moment.roots.begin(), moment.roots.end(), port);
    });
    return moment;
  }

  // Which roots `port` waits for: in proportion to the queues of the outputs that hold its next switch up. What is
  // queued for an output that is held back itself waits for the roots of that one.
  const Shares& blame(const Snapshot& s, std::uint32_t port, const RootsByNode& roots) {
    const NodeId node = topology_.node_of(topology_.to({port}));
    const auto [found, fresh] = blamed_.try_emplace(turns_ != nullptr ? port : node.index);
    if (!fresh) return found->second;  // empty on a circle, where everybody waits for everybody
    Shares& shares = found->second;
    const auto at_node = roots.find(node.index);
    const auto is_root = [&](PortId p) {
      return at_node != roots.end() && std::ranges::find(at_node->second, p.index) != at_node->second.end();
    };
    std::vector<PortId> outputs;
    for (std::uint32_t i = 0; i < topology_.port_count(node); ++i) {
      const PortId p = topology_.port(node, i);
      if (queues_[p.index] > 0 && (is_root(p) || (waits(s, p.index) && topology_.to(p).valid()))) outputs.push_back(p);
    }
    const auto goes_there = [&](PortId p) { return turns_->has({port}, p); };
    if (turns_ != nullptr && std::ranges::any_of(outputs, goes_there))
      std::erase_if(outputs, [&](PortId p) { return !goes_there(p); });
    double queued = 0;
    for (const PortId p : outputs) queued += queues_[p.index];
    if (queued <= 0) return shares = nearest_roots(node, roots);
    std::map<std::uint32_t, double> sums;
    for (const PortId p : outputs) {
      const double share = queues_[p.index] / queued;
      if (is_root(p)) {
        sums[p.index] += share;
        continue;
      }
      for (const auto& [root, part] : blame(s, p.index, roots)) sums[root] += share * part;
    }
    return shares = without_small(sums);
  }
  // Where nothing is known of queues. The roots of one switch share alike.
  Shares nearest_roots(NodeId node, const RootsByNode& roots) const {
    Shares shares;
    if (root_node_[node.index] == NodeId::kNone) return shares;
    const auto& owners = roots.at(root_node_[node.index]);
    for (const std::uint32_t root : owners) shares.emplace_back(root, 1 / static_cast<double>(owners.size()));
    return shares;
  }
  // Large fabrics have many roots, most of which have next to no part in what one port waits.
  static Shares without_small(const std::map<std::uint32_t, double>& sums) {
    constexpr double kLeast = 0.01;
    double all = 0, kept = 0;
    for (const auto& [root, share] : sums) {
      all += share;
      if (share >= kLeast) kept += share;
    }
    Shares shares;
    for (const auto& [root, share] : sums)
      if (kept == 0 || share >= kLeast) shares.emplace_back(root, kept == 0 ? share : share * all / kept);
    return shares;
  }

  void charge(const Snapshot& s, std::uint32_t port, const RootsByNode& roots) {
    if (waits_for_host(port)) return;
    const double wait = s.wait[port] * static_cast<double>((s.span.to - s.span.from).ps);
    double explained = 0;
    for (const auto& [root, share] : blame(s, port, roots)) {
      sums_[root].waits[port] += wait * share;
      explained += share;
    }
    constexpr double kRounding = 1e-9;
    if (explained < 1 - kRounding) unexplained_[port] += wait * (1 - explained);
  }

  const Topology& topology_;
  RootRule rule_;
  const FlowTurns* turns_;  // null: not known
  std::vector<double> queues_;            // by port: bytes, on average while it was full or held back
  std::unordered_map<std::uint32_t, Shares> blamed_;  // of this bin, by node, or by port; looked up only, never walked
  std::vector<std::uint32_t> root_node_;  // by node: the switch of its root in the current bin
  std::vector<std::uint32_t> labelled_;
  std::map<std::uint32_t, RootSum> sums_;
  std::map<std::uint32_t, double> unexplained_;
  std::vector<CongestedMoment> moments_;
};

Time rounded(double ps) { return {std::llround(ps)}; }

std::vector<CongestionVictim> sorted_victims(const std::map<std::uint32_t, double>& waits, Time& total) {
  std::vector<CongestionVictim> victims;
  for (const auto& [port, wait] : waits) {
    victims.push_back({{port}, rounded(wait)});
    total += victims.back().wait;
  }
  std::stable_sort(victims.begin(), victims.end(), [](const auto& a, const auto& b) { return a.wait > b.wait; });
  return victims;
}

CongestionReport CongestionFinder::report() const {
  CongestionReport report;
  for (const auto& [port, sum] : sums_) {
    if (nobody_waited_for(port)) continue;
    CongestionRoot root;
    root.port = {port};
    root.from = sum.span.from;
    root.to = sum.span.to;
    root.congested = rounded(sum.congested);
    root.load = sum.congested > 0 ? sum.busy / sum.congested : 0;
    root.held_by_host = rounded(sum.held);
    root.victims = sorted_victims(sum.waits, root.caused_wait);
    report.roots.push_back(std::move(root));
  }
  std::stable_sort(report.roots.begin(), report.roots.end(),
                   [](const auto& a, const auto& b) { return a.caused_wait > b.caused_wait; });
  report.unexplained = sorted_victims(unexplained_, report.unexplained_wait);
  for (const CongestedMoment& moment : moments_) report.moments.push_back(settled(moment));
  return report;
}

// Averages over long times say nothing about short ones, unless hardly anybody waited in all that time.
bool hides_pulses(const Measurements& m) {
  constexpr double kUsualFrames = 128;
  if (m.frames.size() >= kFewestFrames) return false;
  return std::any_of(m.ports.begin(), m.ports.end(), [&](const PortResult& port) {
    return static_cast<double>(port.wait.ps) >= kVictimWait * static_cast<double>(m.end.ps) / kUsualFrames &&
           port.wait.ps > 0;
  });
}

Snapshot whole_run(const Measurements& m) {
  Snapshot s;
  s.span = {Time{0}, m.end};
  const auto length = static_cast<double>(m.end.ps);
  for (const PortResult& port : m.ports) {
    s.load.push_back(static_cast<double>(port.busy.ps) / length);
    s.wait.push_back(static_cast<double>(port.wait.ps) / length);
  }
  return s;
}

}  // namespace

Span frame_span(const Measurements& m, std::size_t frame) {
  const auto& frames = m.frames;
  if (frames.front().at.ps == 0) {
    const Time end = frame + 1 < frames.size() ? frames[frame + 1].at : m.end;
    return {frames[frame].at, end};
  }
  return {frame == 0 ? Time{0} : frames[frame - 1].at, frames[frame].at};
}

CongestionReport find_congestion(const Measurements& m, const Topology& topology, RootRule rule,
                                 const FlowTurns* turns) {
  if (m.ports.size() != topology.ports()) return {};
  CongestionFinder finder(topology, rule, turns);
  const auto each_bin = [&](const auto& visit) {
    if (m.frames.empty() && m.end.ps > 0) visit(whole_run(m));
    Snapshot s;
    s.slack = 0.5 / 255;
    for (std::size_t f = 0; f < m.frames.size(); ++f) {
      const FabricFrame& frame = m.frames[f];
      if (frame.load.size() != topology.ports() || frame.wait.size() != topology.ports()) continue;
      s.span = frame_span(m, f);
      s.load.assign(frame.load.begin(), frame.load.end());
      s.wait.assign(frame.wait.begin(), frame.wait.end());
      for (double& x : s.load) x /= 255;
      for (double& x : s.wait) x /= 255;
      visit(s);
    }
  };
  each_bin([&](const Snapshot& s) { finder.look(s); });
  finder.know_queues(m);
  each_bin([&](const Snapshot& s) { finder.add(s); });
  CongestionReport report = finder.report();
  report.from_frames = !m.frames.empty();
  report.coarse = hides_pulses(m);
  return report;
}

PortId busiest_awaited(const CongestionReport& report, const Measurements& m, const Topology& topology) {
  PortId busiest;
  for (const CongestionVictim& v : report.unexplained) {
    const NodeId node = topology.node_of(topology.to(v.port));
    if (topology.is_host(node)) continue;
    for (std::uint32_t i = 0; i < topology.port_count(node); ++i) {
      const PortId p = topology.port(node, i);
      if (!topology.to(p).valid()) continue;
      if (!busiest.valid() || m.ports[p.index].busy > m.ports[busiest.index].busy) busiest = p;
    }
  }
  return busiest;
}

double link_load(const Measurements& m, PortId port, Span window) {
  double busy = 0, length = 0;
  for (std::size_t f = 0; f < m.frames.size(); ++f) {
    if (port.index >= m.frames[f].load.size()) continue;
    const Span span = frame_span(m, f);
    const Time overlap = std::min(span.to, window.to) - std::max(span.from, window.from);
    if (overlap.ps <= 0) continue;
    busy += static_cast<double>(overlap.ps) * m.frames[f].load[port.index] / 255;
    length += static_cast<double>(overlap.ps);
  }
  if (length > 0) return busy / length;
  return m.end.ps > 0 ? static_cast<double>(m.ports[port.index].busy.ps) / static_cast<double>(m.end.ps) : 0;
}

}  // namespace weir
