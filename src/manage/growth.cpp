#include "manage/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "manage/counter_reader.h"
#include "network/fabric/identities.h"
#include "network/short_names.h"

namespace weir::manage {

namespace {

constexpr std::uint64_t kStopped32 = 0xffffffffu;
constexpr std::uint32_t kLastLid = 0xbfff;  // dumps show 65535 where a port has none

// Ports of the topology by the names of a dump.
class PortNames {
 public:
  explicit PortNames(const Topology& topology) : identities_(topology) {
    for (std::uint32_t n = 0; n < topology.nodes(); ++n)
      if (const std::uint32_t lid = topology.identity({n}).lid; lid != 0 && lid <= kLastLid)
        by_lid_.emplace(lid, NodeId{n});
    for (std::uint32_t n = 0; n < topology.nodes(); ++n)
      if (topology.is_host({n}))
        by_adapter_.emplace(std::pair(identities_.guid({n}), identities_.number(topology.first_port({n}))), NodeId{n});
  }
  // A host is named by the GUID of its port or by that of its adapter, which may be that of another of its ports.
  PortId find(const DumpedPort& port) const {
    if (port.guid == 0) {
      const auto found = by_lid_.find(port.lid);
      return found == by_lid_.end() ? PortId{} : identities_.port(found->second, port.port);
    }
    if (const auto adapter = by_adapter_.find({port.guid, port.port}); adapter != by_adapter_.end())
      return identities_.port(adapter->second, port.port);
    NodeId node = identities_.node_of_guid(port.guid);
    if (!node.valid()) node = {identities_.host_of_port_guid(port.guid).index};
    return node.valid() ? identities_.port(node, port.port) : PortId{};
  }

 private:
  Identities identities_;
  std::map<std::uint32_t, NodeId> by_lid_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, NodeId> by_adapter_;  // GUID and number of the port
};

// Difference of a counter; nothing where it cannot be trusted. One of 64 bits that stands at that value by accident is
// lost with those of 32 bits that have stopped there.
std::optional<std::uint64_t> grown(const std::optional<std::uint64_t>& before,
                                   const std::optional<std::uint64_t>& after) {
  if (!before || !after || *after < *before || *after == kStopped32 || *before == kStopped32) return std::nullopt;
  return *after - *before;
}

struct Reading {
  Time at;
  std::optional<std::uint64_t> wait, data;
};

void add(PortGrowth& sum, const Reading& before, const Reading& after) {
  const auto wait = grown(before.wait, after.wait), data = grown(before.data, after.data);
  if (!wait || !data) return;
  sum.wait = sum.wait.value_or(0) + *wait;
  sum.data = sum.data.value_or(0) + *data;
  sum.seconds += (after.at - before.at).seconds();
}

// A port may be in a dump by several names, each with some of its counters. The larger one counts: 0 stands for what
// ibqueryerrors has left out.
std::map<PortId, DumpedCounters> by_port(const PortNames& names, const Topology& topology, const CounterDump& dump) {
  std::map<PortId, DumpedCounters> all;
  for (const auto& [where, counters] : dump) {
    const PortId port = names.find(where);
    if (!port.valid() || !topology.to(port).valid()) continue;
    DumpedCounters& c = all[port];
    c.wait = std::max(c.wait, counters.wait);
    c.data = std::max(c.data, counters.data);
    c.discards = std::max(c.discards, counters.discards);
    c.symbol_errors = std::max(c.symbol_errors, counters.symbol_errors);
  }
  return all;
}

}  // namespace

std::vector<PortGrowth> growth_between(const Topology& topology, const CounterDump& before, const CounterDump& after,
                                       double seconds) {
  const PortNames names(topology);
  const auto first = by_port(names, topology, before);
  std::vector<PortGrowth> all;
  for (const auto& [port, last] : by_port(names, topology, after))
    if (const auto then = first.find(port); then != first.end())
      all.push_back({port, grown(then->second.wait, last.wait), grown(then->second.data, last.data), seconds});
  return all;
}

std::vector<std::string> losses(const Topology& topology, const CounterDump& before, const CounterDump& after) {
  constexpr std::uint64_t kMany =
      1000;  // since they were cleared: fewer may have come with a cable that was plugged in
  const PortNames names(topology);
  const auto first = by_port(names, topology, before), last = by_port(names, topology, after);
  const ShortNames shown(topology);
  std::vector<std::string> lines;
  const auto tell = [&](const char* name, std::optional<std::uint64_t> DumpedCounters::*counter, const char* meaning) {
    std::size_t ports = 0;
    std::uint64_t most = 0, growth_of_most = 0;
    PortId worst;
    for (const auto& [port, counters] : last) {
      const std::uint64_t now = (counters.*counter).value_or(0);
      const auto then = first.find(port);
      const std::uint64_t grew = then == first.end() ? 0 : grown(then->second.*counter, counters.*counter).value_or(0);
      if (grew == 0 && now < kMany) continue;
      ++ports;
      if (std::pair(grew, now) < std::pair(growth_of_most, most)) continue;
      worst = port;
      most = now;
      growth_of_most = grew;
    }
    if (ports > 0)
      lines.push_back(fmt::format("{} at {}: {} is {} at {}, {} more than at the first reading", meaning,
                                  ports == 1 ? "1 port" : fmt::format("{} ports", ports), name, most,
                                  shown.port(worst), growth_of_most));
  };
  tell("PortXmitDiscards", &DumpedCounters::discards, "packets were discarded");
  tell("SymbolErrorCounter", &DumpedCounters::symbol_errors, "bits were damaged on the cable");
  return lines;
}

bool all_went_backwards(const CounterDump& before, const CounterDump& after) {
  bool some = false;
  for (const auto& [where, last] : after) {
    const auto first = before.find(where);
    if (first == before.end()) continue;
    for (const auto counter : {&DumpedCounters::wait, &DumpedCounters::data}) {
      const auto &then = first->second.*counter, &now = last.*counter;
      if (!then || !now) continue;
      if (*now > *then) return false;
      some = some || *now < *then;
    }
  }
  return some;
}

std::vector<PortGrowth> growth_in(const Topology& topology, const Recording& recording, double seconds) {
  const PortNames names(topology);
  std::map<PortId, PortGrowth> sums;
  std::map<PortId, Reading> last;
  if (recording.sweeps.empty()) return {};
  const double begin = recording.sweeps.back().at.seconds() - seconds;
  for (const Recording::Sweep& sweep : recording.sweeps) {
    if (sweep.at.seconds() < begin) continue;
    for (const auto& r : sweep.readings) {
      const PortId port = names.find({0, r.guid, r.port});
      if (!port.valid() || !topology.to(port).valid()) continue;
      const Reading now{sweep.at, r.wait, r.data};
      const auto [before, is_first] = last.try_emplace(port, now);
      PortGrowth& sum = sums.try_emplace(port, PortGrowth{port, {}, {}, 0}).first->second;
      if (!is_first) add(sum, before->second, now);
      before->second = now;
    }
  }
  std::vector<PortGrowth> all;
  for (const auto& [port, sum] : sums) all.push_back(sum);
  return all;
}

CounterDump read_counters(Transport& transport, const Topology& topology) {
  CounterReader reader(transport, topology);
  std::vector<PortId> ports;
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.identity(topology.node_of({p})).lid != 0 && topology.to({p}).valid()) ports.push_back({p});
  CounterDump dump;
  for (const PortReading& r : reader.read(ports, CounterReader::What::traffic).readings) {
    if (!r.xmit_wait || !r.xmit_data) continue;
    DumpedCounters& c = dump[{topology.identity(topology.node_of(r.port)).lid, 0, reader.number(r.port)}];
    c.wait = r.xmit_wait;
    c.data = r.xmit_data;
  }
  return dump;
}

}  // namespace weir::manage
