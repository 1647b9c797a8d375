// The routes that a subnet really has: the forwarding tables of its switches, as its own tools dump them. Which host a
// LID belongs to is told by the dump (GUID of the port, as ibroute prints it), or by the LIDs of the fabric's file.
// Every pair of hosts must have a way that ends; whatever stands against that is reported with its line.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/file_text.h"
#include "network/fabric/forwarding_dump.h"
#include "network/fabric/identities.h"
#include "network/hops.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"
#include "network/routings/stored_routes.h"

namespace weir {

namespace {

constexpr std::uint32_t kFromGap = 0;  // line of an entry that no dump has

struct Hop {
  PortId port;
  std::uint32_t line = kFromGap;
};

class TablesReader {
 public:
  TablesReader(const Topology& topology, const ForwardingDump& dump, Gaps gaps)
      : t_(topology), dump_(dump), gaps_(gaps), names_(topology), headline_(topology.switches(), 0) {}

  RouteTable read() {
    find_hosts();
    table_.assign(t_.switches() * t_.hosts(), {});
    bool any = false;
    for (const ForwardingSwitch& s : dump_.switches) any = read_switch(s) || any;
    if (!any)
      throw InputError(dump_.at(0), fmt::format("no switch of this dump is in the fabric; the first one has the GUID "
                                                "{:#x}, the fabric's first {:#x}",
                                                dump_.switches.front().guid, names_.guid(t_.node(SwitchId{0}))));
    const auto hosts = hosts_by_switch(t_);
    StoredRoutes routes("lft", t_.switches(), t_.hosts());
    for (std::uint32_t target = 0; target < t_.switches(); ++target) {
      if (hosts[target].empty()) continue;
      const std::vector<std::uint32_t> hops = hops_to(t_, {target});
      for (const HostId destination : hosts[target]) {
        if (gaps_ == Gaps::min_hop) fill(destination, {target}, hops);
        check(destination, hosts);
        for (std::uint32_t s = 0; s < t_.switches(); ++s)
          if (at({s}, destination).port.valid()) routes.set({s}, destination, at({s}, destination).port);
      }
    }
    return std::move(routes).build();
  }

 private:
  Hop& at(SwitchId s, HostId destination) { return table_[s.index * t_.hosts() + destination.index]; }
  const std::string& name(SwitchId s) const { return t_.name(t_.node(s)); }
  const std::string& name(HostId h) const { return t_.name(t_.node(h)); }

  // LID of each host: what the dump says goes before what the file of the fabric says.
  void find_hosts() {
    lid_of_.assign(t_.hosts(), 0);
    for (const auto& [lid, target] : dump_.targets) {
      const HostId host = names_.host_of_port_guid(target.port_guid);
      if (!host.valid()) continue;
      if (lid_of_[host.index] == 0) lid_of_[host.index] = lid;  // the lowest of several is the base LID
      host_of_.try_emplace(lid_of_[host.index], host);
    }
    for (std::uint32_t h = 0; h < t_.hosts(); ++h) {
      if (lid_of_[h] != 0) continue;
      const std::uint32_t lid = t_.identity(t_.node(HostId{h})).lid;
      if (lid == 0)
        throw InputError(dump_.at(0), fmt::format("the LID of host {} is unknown: neither this dump (`ibroute` and "
                                                  "`dump_lfts` print the GUID {:#x} of its port) nor the file of "
                                                  "the fabric",
                                                  name(HostId{h}), names_.port_guid(t_.node(HostId{h}))));
      const auto [place, is_new] = host_of_.try_emplace(lid, HostId{h});
      if (!is_new)
        throw InputError(dump_.at(0), fmt::format("hosts {} and {} have the same LID {:#x}: the dump and the file of "
                                                  "the fabric show different states of the subnet",
                                                  name(place->second), name(HostId{h}), lid));
      lid_of_[h] = lid;
    }
  }

  bool read_switch(const ForwardingSwitch& s) {
    const NodeId node = names_.node_of_guid(s.guid);
    if (!node.valid()) return false;
    const SwitchId here = t_.switch_of(node);
    headline_[here.index] = s.line;
    for (const ForwardingEntry& entry : s.entries) {
      const auto host = host_of_.find(entry.lid);
      if (host == host_of_.end() || entry.port == ForwardingEntry::kNoPort) continue;
      const PortId port = entry.port == 0 ? PortId{} : names_.port(node, entry.port);
      if (!port.valid() || !t_.to(port).valid())
        throw InputError(dump_.at(entry.line), fmt::format("switch {} sends LID {:#x} ({}) to port {}, {}", name(here),
                                                           entry.lid, name(host->second), entry.port,
                                                           entry.port == 0 ? "which is the switch itself"
                                                                           : "which has no cable in the fabric"));
      at(here, host->second) = {port, entry.line};
    }
    return true;
  }

  void fill(HostId destination, SwitchId target, const std::vector<std::uint32_t>& hops) {
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      Hop& hop = at({s}, destination);
      if (hop.port.valid() || hops[s] == kFar) continue;
      if (s == target.index) hop.port = t_.from(t_.host_port(destination));
      const NodeId node = t_.node(SwitchId{s});
      for (std::uint32_t local = 0; local < t_.port_count(node) && !hop.port.valid(); ++local) {
        const SwitchId next = next_switch(t_, t_.port(node, local));
        if (next.valid() && hops[next.index] + 1 == hops[s]) hop.port = t_.port(node, local);
      }
    }
  }

  // Every switch that has hosts must lead to the destination.
  void check(HostId destination, const std::vector<std::vector<HostId>>& hosts) {
    std::vector<std::uint32_t> walk(t_.switches(), 0);  // the one that came by; 0 = none
    std::uint32_t number = 0;
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      if (hosts[s].empty() || walk[s] != 0 || (hosts[s].size() == 1 && hosts[s].front() == destination)) continue;
      ++number;
      const HostId source = hosts[s].front() == destination ? hosts[s].back() : hosts[s].front();
      for (SwitchId here{s}; walk[here.index] == 0;) {
        walk[here.index] = number;
        const NodeId next = t_.node_of(t_.to(step(here, source, destination)));
        if (t_.is_host(next)) break;
        here = t_.switch_of(next);
        if (walk[here.index] == number) refuse_loop(here, destination);
      }
    }
  }

  PortId step(SwitchId here, HostId source, HostId destination) {
    const Hop hop = at(here, destination);
    if (!hop.port.valid()) {
      const std::uint32_t line = headline_[here.index];
      const std::string what = line == 0 ? fmt::format("has no table of switch {}", name(here))
                                         : fmt::format("the table of switch {} has no port", name(here));
      throw InputError(dump_.at(line),
                       fmt::format("{} for LID {:#x} ({}), on the way from {}; with gaps = \"min-hop\", weir takes a "
                                   "shortest path where a table is incomplete",
                                   what, lid_of_[destination.index], name(destination), name(source)));
    }
    const NodeId next = t_.node_of(t_.to(hop.port));
    if (t_.is_host(next) && t_.host(next) != destination)
      throw InputError(dump_.at(hop.line), fmt::format("switch {} sends LID {:#x} ({}) to {}, which is another host",
                                                       name(here), lid_of_[destination.index], name(destination),
                                                       name(t_.host(next))));
    return hop.port;
  }

  [[noreturn]] void refuse_loop(SwitchId start, HostId destination) {
    std::string way;
    std::uint32_t line = kFromGap;
    SwitchId here = start;
    do {
      const Hop hop = at(here, destination);
      if (line == kFromGap) line = hop.line;
      way += fmt::format("{}{} -> ", t_.port_name(hop.port),
                         hop.line == kFromGap ? " (filled in)" : fmt::format(" (line {})", hop.line));
      here = t_.switch_of(t_.node_of(t_.to(hop.port)));
    } while (here != start);
    throw InputError(dump_.at(line), fmt::format("packets for LID {:#x} ({}) loop for ever: {}{}",
                                                 lid_of_[destination.index], name(destination), way, name(start)));
  }

  const Topology& t_;
  const ForwardingDump& dump_;
  Gaps gaps_;
  Identities names_;
  std::vector<std::uint32_t> headline_;  // by switch: line of its table; 0 = there is none
  std::vector<std::uint32_t> lid_of_;    // by host
  std::map<std::uint32_t, HostId> host_of_;
  std::vector<Hop> table_;  // [switch][host]
};

constexpr std::string_view kGapChoices[] = {"refuse", "min-hop"};
constexpr ParamSpec kLftParams[] = {
    ParamSpec{"path", ParamType::file, kRequired,
              "file with the tables: output of `dump_lfts`, `ibroute`, or OpenSM's dump"}
        .with_example("cluster.lfts"),
    {.name = "gaps",
     .type = ParamType::choice,
     .fallback = "\"refuse\"",
     .help = "what to do about a switch or a LID that the file lacks: refuse it, or take the first shortest path",
     .choices = kGapChoices},
};

}  // namespace

RouteTable forwarding_routes(const Topology& topology, const ForwardingDump& dump, Gaps gaps) {
  return TablesReader(topology, dump, gaps).read();
}

extern const RoutingKind lft_routing{
    {"lft", "the forwarding tables of a real subnet: `dump_lfts`, `ibroute`, or OpenSM's dump", kLftParams,
     "[routing]\nkind = \"lft\"\npath = \"cluster.lfts\"\n"},
    [](const RoutingRequest& r) {
      const std::string& path = r.section.text("path");
      return forwarding_routes(r.topology, parse_forwarding(path, read_text_file(path)),
                               r.section.choice<Gaps>("gaps"));
    }};

}  // namespace weir
