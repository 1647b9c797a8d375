#include "manage/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "network/fabric/identities.h"

namespace weir::manage {

namespace {

constexpr std::uint64_t kStopped32 = 0xffffffffu;
constexpr std::size_t kNamesInRemark = 3;

// Ports of the topology by the names of a dump.
class PortNames {
 public:
  explicit PortNames(const Topology& topology) : topology_(topology), identities_(topology) {
    for (std::uint32_t n = 0; n < topology.nodes(); ++n)
      if (const std::uint32_t lid = topology.identity({n}).lid; lid != 0) by_lid_.emplace(lid, NodeId{n});
  }
  PortId find(const DumpedPort& port) const {
    NodeId node;
    if (port.guid != 0) {
      node = identities_.node_of_guid(port.guid);
      if (!node.valid()) node = {identities_.host_of_port_guid(port.guid).index};
    } else if (const auto found = by_lid_.find(port.lid); found != by_lid_.end()) {
      node = found->second;
    }
    return node.valid() ? identities_.port(node, port.port) : PortId{};
  }

 private:
  const Topology& topology_;
  Identities identities_;
  std::map<std::uint32_t, NodeId> by_lid_;
};

// Difference of a counter; nothing where it cannot be trusted.
std::optional<std::uint64_t> grown(const std::optional<std::uint64_t>& before,
                                   const std::optional<std::uint64_t>& after, bool wide) {
  if (!before || !after || *after < *before) return std::nullopt;
  if (!wide && (*after == kStopped32 || *before == kStopped32)) return std::nullopt;
  return *after - *before;
}

struct Remarks {
  std::size_t count = 0;
  std::string names;
  void add(const std::string& name) {
    if (++count <= kNamesInRemark) names += (names.empty() ? "" : ", ") + name;
  }
  void tell(std::vector<std::string>& to, const std::string& what) const {
    if (count > 0)
      to.push_back(fmt::format("{}: {} ({}{})", what, count, names, count > kNamesInRemark ? ", ..." : ""));
  }
};

}  // namespace

double Diagnosis::lost_gigabits(const Topology& topology, PortId port) const {
  return waiting[port.index] * topology.link(port).rate.gigabits();
}

namespace {

class Examination {
 public:
  Examination(const Topology& topology, const DiagnoseOptions& options)
      : t_(topology), options_(options), names_(topology) {
    d_.load.assign(t_.ports(), 0);
    d_.waiting.assign(t_.ports(), 0);
    m_.ports.resize(t_.ports());
    m_.end = {std::llround(options.seconds * 1e12)};
  }

  Diagnosis run(const CounterDump& before, const CounterDump& after) {
    for (const auto& [where, last] : after) {
      const auto first = before.find(where);
      const PortId port = names_.find(where);
      if (first != before.end() && port.valid() && t_.to(port).valid()) compare(port, first->second, last);
    }
    untrusted_.tell(d_.remarks, "ports whose counters are missing, stopped or were cleared");
    impossible_.tell(d_.remarks,
                     "ports that would have sent or waited for longer than the time (is --seconds right, and "
                     "--wait-bytes?)");
    d_.congestion = find_congestion(m_, t_);
    for (const CongestionRoot& root : d_.congestion.roots) d_.senders.push_back(senders_into(t_.node_of(root.port)));
    return std::move(d_);
  }

 private:
  void compare(PortId port, const DumpedCounters& first, const DumpedCounters& last) {
    const bool wide = last.wide && first.wide;
    const auto wait = grown(first.wait, last.wait, wide), data = grown(first.data, last.data, wide);
    if (!wait || !data) return untrusted_.add(t_.port_name(port));
    const double bytes_in_time = static_cast<double>(t_.link(port).rate.bits_per_second) / 8 * options_.seconds;
    const double load = static_cast<double>(*data) * 4 / bytes_in_time;
    const double waiting = static_cast<double>(*wait) * options_.wait_bytes / bytes_in_time;
    if (load > kMostShare || waiting > kMostShare) return impossible_.add(t_.port_name(port));
    ++d_.compared;
    d_.load[port.index] = std::min(load, 1.0);
    d_.waiting[port.index] = std::min(waiting, 1.0);
    m_.ports[port.index].busy = {std::llround(d_.load[port.index] * static_cast<double>(m_.end.ps))};
    m_.ports[port.index].wait = {std::llround(d_.waiting[port.index] * static_cast<double>(m_.end.ps))};
  }

  std::vector<Diagnosis::Sender> senders_into(NodeId node) const {
    std::vector<Diagnosis::Sender> senders;
    for (std::uint32_t i = 0; i < t_.port_count(node); ++i) {
      const PortId from = t_.from(t_.port(node, i));
      if (from.valid() && d_.load[from.index] > 0)
        senders.push_back({from, d_.load[from.index] * t_.link(from).rate.gigabits()});
    }
    std::stable_sort(senders.begin(), senders.end(),
                     [](const auto& a, const auto& b) { return a.gigabits > b.gigabits; });
    return senders;
  }

  static constexpr double kMostShare = 1.05;  // the two dumps are not taken at one instant
  const Topology& t_;
  DiagnoseOptions options_;
  PortNames names_;
  Measurements m_;
  Diagnosis d_;
  Remarks untrusted_, impossible_;
};

}  // namespace

Diagnosis diagnose(const Topology& topology, const CounterDump& before, const CounterDump& after,
                   const DiagnoseOptions& options) {
  return Examination(topology, options).run(before, after);
}

}  // namespace weir::manage
