#include "packet/parts/cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "packet/links/link_records.h"
#include "packet/parts/min_cut.h"
#include "scenario/quantity.h"
#include "traffic/flow_progress.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"

namespace weir {
namespace {

constexpr std::uint16_t kNobody = 0xffff;
constexpr std::uint32_t kMostParts = kNobody - 1;
constexpr std::int64_t kLeastLookahead = 1000;  // ps
constexpr double kWorthAThread = 500;           // events per window

// The switches at distance 0, 1, ... from the hosts, each layer in the order of their numbers.
std::vector<std::vector<NodeId>> layers(const Topology& topology) {
  std::vector<bool> seen(topology.nodes(), false);
  std::vector<NodeId> front;
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) front.push_back({h});
  std::vector<std::vector<NodeId>> result;
  while (!front.empty()) {
    std::vector<NodeId> next;
    for (const NodeId node : front)
      for (std::uint32_t i = 0; i < topology.port_count(node); ++i) {
        const PortId far = topology.to(topology.port(node, i));
        if (!far.valid()) continue;
        const NodeId there = topology.node_of(far);
        if (topology.is_host(there) || seen[there.index]) continue;
        seen[there.index] = true;
        next.push_back(there);
      }
    std::sort(next.begin(), next.end());
    if (!next.empty()) result.push_back(next);
    front = std::move(next);
  }
  return result;
}

class Cutter {
 public:
  Cutter(const Topology& topology, std::uint32_t parts)
      : topology_(topology), owner_(topology.nodes(), kNobody), load_(parts, 0) {}

  // By layers: pods of a tree stay together.
  void cut_by_layers() {
    const auto all = layers(topology_);
    for (std::size_t i = 0; i < all.size(); ++i) i == 0 ? deal_out(all[i]) : attach(all[i]);
    attach_hosts();
    finds_pods_ = all.size() > 2 && stay_together(all[0], all[1]);
  }
  // Has cut_by_layers() found groups of switches of the two lowest layers that have hardly any cables to each other?
  bool finds_pods() const { return finds_pods_; }
  void cut_by(const std::vector<std::uint16_t>& of_switches) {
    for (SwitchId s{0}; s.index < of_switches.size(); ++s.index) give(topology_.node(s), of_switches[s.index]);
    attach_hosts();
  }
  const std::vector<std::uint16_t>& owners() const { return owner_; }
  std::uint64_t cables_between() const {
    std::uint64_t count = 0;
    for (PortId p{0}; p.index < topology_.ports(); ++p.index)
      count += topology_.to(p).valid() &&
               owner_[topology_.node_of(p).index] != owner_[topology_.node_of(topology_.to(p)).index];
    return count / 2;
  }
  std::uint64_t largest() const { return *std::max_element(load_.begin(), load_.end()); }

 private:
  std::uint64_t weight(NodeId node) const { return topology_.port_count(node); }
  void give(NodeId node, std::size_t part) {
    owner_[node.index] = static_cast<std::uint16_t>(part);
    load_[part] += weight(node);
  }
  // Do nine in ten of the cables between these layers stay within a part?
  bool stay_together(const std::vector<NodeId>& lower, const std::vector<NodeId>& upper) const {
    std::vector<bool> is_upper(topology_.nodes(), false);
    for (const NodeId node : upper) is_upper[node.index] = true;
    std::uint64_t all = 0, within = 0;
    for (const NodeId node : lower)
      for (std::uint32_t i = 0; i < topology_.port_count(node); ++i) {
        const PortId far = topology_.to(topology_.port(node, i));
        if (!far.valid() || !is_upper[topology_.node_of(far).index]) continue;
        ++all;
        within += owner_[node.index] == owner_[topology_.node_of(far).index];
      }
    return within * 10 >= all * 9;
  }
  // Neighbours in number are mostly neighbours in the fabric.
  void deal_out(const std::vector<NodeId>& nodes) {
    std::uint64_t total = 0, before = 0;
    for (const NodeId node : nodes) total += weight(node);
    for (const NodeId node : nodes) {
      give(node, before * load_.size() / total);
      before += weight(node);
    }
  }
  void attach_hosts() {
    for (std::uint32_t h = 0; h < topology_.hosts(); ++h) {
      const PortId far = topology_.to(topology_.host_port({h}));
      const std::uint16_t near = far.valid() ? owner_[topology_.node_of(far).index] : kNobody;
      owner_[h] = near == kNobody ? 0 : near;
    }
    std::replace(owner_.begin(), owner_.end(), kNobody, std::uint16_t{0});  // switches that no host reaches
  }
  // To the part that it has most links to, as long as that is not much larger than the others.
  void attach(const std::vector<NodeId>& nodes) {
    std::uint64_t total = 0;
    for (const std::uint64_t load : load_) total += load;
    for (const NodeId node : nodes) total += weight(node);
    const std::uint64_t most = total / load_.size();
    for (const NodeId node : nodes) {
      std::vector<std::uint64_t> links(load_.size(), 0);
      for (std::uint32_t i = 0; i < topology_.port_count(node); ++i) {
        const PortId far = topology_.to(topology_.port(node, i));
        if (far.valid() && owner_[topology_.node_of(far).index] != kNobody)
          ++links[owner_[topology_.node_of(far).index]];
      }
      std::size_t best = 0;
      const auto better = [&](std::size_t a, std::size_t b) {
        const bool full_a = load_[a] + weight(node) > most, full_b = load_[b] + weight(node) > most;
        if (full_a != full_b) return full_b;
        if (links[a] != links[b] && !full_a) return links[a] > links[b];
        return load_[a] < load_[b];
      };
      for (std::size_t part = 1; part < load_.size(); ++part)
        if (better(part, best)) best = part;
      give(node, best);
    }
  }

  const Topology& topology_;
  std::vector<std::uint16_t> owner_;
  std::vector<std::uint64_t> load_;  // per part, in ports
  bool finds_pods_ = false;
};

// By pods, where there are some; elsewhere whatever leaves fewer cables between parts that are about as large. To look
// for the least cut of a large tree takes longer than many a run.
std::vector<std::uint16_t> owners_of(const Topology& topology, std::uint32_t parts) {
  Cutter by_layers(topology, parts), least(topology, parts);
  by_layers.cut_by_layers();
  if (by_layers.finds_pods()) return by_layers.owners();
  const std::vector<std::uint16_t> found = min_cut(topology, parts);
  if (found.empty()) return by_layers.owners();
  least.cut_by(found);
  const bool even = least.largest() * 10 <= by_layers.largest() * 11;
  return even && least.cables_between() < by_layers.cables_between() ? least.owners() : by_layers.owners();
}

// The smallest packet that may travel, in bytes on the wire.
Bytes smallest_packet(const RunInput& run, const SchemeTraits& scheme) {
  if (!scheme.none) return 1;  // it may send packets of its own
  const PacketFormat& format = run.config.format;
  Bytes smallest = format.header + 1;  // the rest of a flow
  if (run.workload.flows.size() == 0) {
    smallest = kMaxPacketBytes;
    for (const auto& size : format.payloads) smallest = std::min(smallest, size.payload + format.header);
  }
  return run.config.adapter.acks ? std::min(smallest, format.ack) : smallest;
}

std::int64_t shortest_serialization(Bytes smallest, const LinkKind& link) {
  return std::max<std::int64_t>(0, link.serialization(static_cast<std::uint32_t>(smallest)) - 1);
}
// Least time from the start of a packet onto this link to its landing.
std::int64_t least_on_wire(Bytes smallest, const LinkKind& link) {
  return link.latency + (link.by_tail ? shortest_serialization(smallest, link) : 0);
}
// Least time between an event at one end of this link and what it causes at the other end.
std::int64_t lookahead_of(const SwitchConfig& s, Bytes smallest, const LinkKind& link, std::int64_t return_delay) {
  const std::int64_t shortest = shortest_serialization(smallest, link), packet = least_on_wire(smallest, link);
  std::int64_t leaving = 0;  // from the decision that a packet leaves to the moment at which its space is free
  if (s.flow_control->by_credits) {
    if (s.organisation->crossbar)
      leaving = s.speedup > 0 ? static_cast<std::int64_t>(static_cast<double>(shortest) / s.speedup) - 1 : 0;
    else if (!s.release_at_head) leaving = shortest;
  }
  return std::min(packet, return_delay + std::max<std::int64_t>(0, leaving));
}

// Ticks are not closer to each other: Recorder begins with these.
std::int64_t shortest_tick(const RunInput& run) {
  if (run.config.run.until == Until::duration) return run.config.run.duration.ps / 128;
  const Rate rate = run.topology.link(run.topology.host_port({0})).rate;
  return rate.time_for(run.config.format.max_payload() + run.config.format.header).ps * 20;
}

bool waits_for_number(const Workload& workload) {
  return !workload.triggers.empty() ||
         std::any_of(workload.groups.begin(), workload.groups.end(),
                     [](const SourceGroup& g) { return g.activity.after_received > 0; });
}

// Packets that a host sends to itself are received when they are made: nobody can foresee that.
bool sends_to_itself(const Workload& workload, const Source& source) {
  const SourceGroup& group = workload.groups[source.group];
  switch (group.rule) {
    case DestinationRule::uniform: return group.include_self;
    case DestinationRule::fixed: return group.targets[0] == source.host;
    case DestinationRule::table: return group.targets[source.host.index] == source.host;
  }
  return true;
}
// It may have nothing to make when its turn comes.
bool may_be_empty(const SourceGroup& group, const Source& source) {
  return group.activity.stop != kNever || source.packets == 0 || !(source.packets_per_second > 0);
}

// What ends the run, or lets traffic begin, cannot be foreseen.
std::string why_unforeseen(const RunInput& run) {
  const Workload& workload = run.workload;
  const bool until_class = run.config.run.until == Until::traffic_class;
  if (!until_class && !waits_for_number(workload)) return "";
  const char* const what = until_class ? "the run ends with a class of traffic" : "traffic waits for packets";
  for (const Source& source : workload.sources) {
    const SourceGroup& group = workload.groups[source.group];
    if (sends_to_itself(workload, source)) return fmt::format("{}, and hosts send to themselves", what);
    if (until_class && group.activity.after_received > 0 && may_be_empty(group, source))
      return "the run ends with a class of traffic, and some of it may begin without sending anything";
  }
  if (until_class && run.config.adapter.queue_limit > 0)
    return "the run ends with a class of traffic, and hosts refuse packets";
  for (const Flow& flow : workload.flows)
    if (until_class && flow.bytes == kEndless && workload.classes[flow.traffic_class.index].name ==
                                                    run.config.run.until_class)
      return "the run ends with a class of traffic that has no end";
  return "";
}

// What needs the whole fabric at one instant, or ends a run at a moment that is not known beforehand, cannot be divided
// yet.
std::string why_whole(const RunInput& run, const SchemeHooks& scheme, const SchemeTraits& traits) {
  const PacketConfig& config = run.config;
  if (const std::string why = why_one_thread(scheme, traits); !why.empty()) return why;
  if (const std::string why = why_unforeseen(run); !why.empty()) return why;
  const FlowProgress progress(run.workload);
  if (config.run.until == Until::flows && progress.remaining() == 0) return "there are no flows";
  if (config.switches.priority == LanePriority::preemptive)
    return "a packet of one lane may interrupt a packet of another (switch.priority = \"preemptive\")";
  if (config.switches.choice->listens || config.switches.choice->sets_up)
    return "routes are set up or learned during the run (routing.choice)";
  if (!config.measure.watch.empty()) return "ports are watched (measure.watch)";
  if (!run.routes_proven) return "its routes may deadlock";
  if (run.live != nullptr) return "it is shown live";
  if (run.ranks != nullptr && scheme.in_one_process())
    return "what packets of this scheme carry is in the memory of one process";
  return "";
}

std::uint32_t parts_wanted(const RunInput& run) {
  if (run.ranks != nullptr) return run.ranks->count() * std::max(1u, run.threads);
  if (run.threads != 0) return run.threads;
  return run.cores != 0 ? std::min(run.cores, hardware_threads()) : hardware_threads();
}

}  // namespace

bool traffic_waits(const Workload& workload) {
  return waits_for_number(workload) || FlowProgress(workload).initial().size() != workload.flows.size();
}

Cut cut_fabric(const RunInput& run, const SchemeTraits& scheme, std::uint32_t parts) {
  const Topology& topology = run.topology;
  Cut cut;
  cut.parts = std::clamp<std::uint32_t>(parts, 1,
                                        std::min(kMostParts, static_cast<std::uint32_t>(topology.switches())));
  cut.owner = owners_of(topology, cut.parts);
  cut.lookahead = cut.to_hosts = std::numeric_limits<std::int64_t>::max();
  const SwitchConfig& switches = run.config.switches;
  const Bytes smallest = smallest_packet(run, scheme);
  for (PortId p{0}; p.index < topology.ports(); ++p.index) {
    if (!topology.to(p).valid()) continue;
    const NodeId sender = topology.node_of(p), receiver = topology.node_of(topology.to(p));
    const bool crosses = cut.owner[sender.index] != cut.owner[receiver.index];
    if (!crosses && !topology.is_host(receiver)) continue;
    const LinkKind kind = kind_of_link(topology, switches, p);
    if (topology.is_host(receiver)) cut.to_hosts = std::min(cut.to_hosts, least_on_wire(smallest, kind));
    if (!crosses) continue;
    const std::int64_t back = (topology.link(p).delay + switches.credit_delay).ps;
    cut.lookahead = std::min(cut.lookahead, lookahead_of(switches, smallest, kind, back));
  }
  // Ticks are set after the window in which all parts have had the last one.
  cut.lookahead = std::min(cut.lookahead, shortest_tick(run) - 1);
  return cut;
}

std::optional<Cut> cut_if_possible(const RunInput& run, const SchemeHooks& scheme, const SchemeTraits& traits,
                                   std::string& why) {
  if (run.threads == 0 && run.ranks == nullptr && parts_wanted(run) == 1) return std::nullopt;
  why = why_whole(run, scheme, traits);
  if (!why.empty()) return std::nullopt;
  Cut cut = cut_fabric(run, traits, parts_wanted(run));
  if (run.ranks != nullptr) {
    if (cut.parts < run.ranks->count()) {
      why = fmt::format("there are more ranks ({}) than switches ({})", run.ranks->count(), run.topology.switches());
      return std::nullopt;
    }
    cut.ranks = run.ranks->count();
  }
  if (cut.parts < 2 || std::min(cut.lookahead, cut.to_hosts) < kLeastLookahead) {
    why = cut.parts < 2 ? "there is only one part to execute" : "links are so short that threads would only wait";
    return std::nullopt;
  }
  if (run.threads != 0 || run.ranks != nullptr) return cut;
  const double per_window = static_cast<double>(cut.lookahead) / expected_spacing(run);
  const auto worth = static_cast<std::uint32_t>(std::min(per_window / kWorthAThread, 1e6));
  if (worth < 2) {
    why = fmt::format("about {:.0f} events within {}, the least time between two parts, are too few to share",
                      per_window, to_text(Time{cut.lookahead}));
    return std::nullopt;
  }
  if (worth < cut.parts) cut = cut_fabric(run, traits, worth);
  cut.because = fmt::format("about {:.0f} events for each within {}, the least time between two parts",
                            per_window / cut.parts, to_text(Time{cut.lookahead}));
  return cut;
}

}  // namespace weir
