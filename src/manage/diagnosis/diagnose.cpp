#include "manage/diagnosis/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace weir::manage {

namespace {

constexpr std::size_t kNamesInRemark = 3;
constexpr double kMostShare = 1.05;  // of the time: the two dumps are not taken at one instant
constexpr double kLongWait = 0.2;    // of the time: not by accident

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

double Diagnosis::sent_gigabits(const Topology& topology, PortId port) const {
  return load[port.index] * topology.link(port).rate.gigabits();
}

double Diagnosis::unused_gigabits(const Topology& topology, PortId port) const {
  return waiting[port.index] * topology.link(port).rate.gigabits();
}

std::vector<PortId> Diagnosis::held_back(const Topology& topology) const {
  std::set<PortId> once;
  for (const CongestionRoot& root : congestion.roots)
    for (const CongestionVictim& v : root.victims) once.insert(v.port);
  std::vector<PortId> ports(once.begin(), once.end());
  const auto is_host = [&](PortId p) { return topology.is_host(topology.node_of(p)); };
  std::stable_sort(ports.begin(), ports.end(), [&](PortId a, PortId b) {
    return is_host(a) != is_host(b) ? is_host(b) : waiting[a.index] > waiting[b.index];
  });
  return ports;
}

namespace {

class Examination {
 public:
  Examination(const Topology& topology, std::uint32_t wait_bytes) : t_(topology), wait_bytes_(wait_bytes) {
    d_.load.assign(t_.ports(), 0);
    d_.waiting.assign(t_.ports(), 0);
    m_.ports.resize(t_.ports());
    m_.end = {1'000'000'000'000};  // shares count; what time they belong to does not
  }

  // The largest share of the time for which a port sends and waits: 1 where one never idles.
  double sends_and_waits() const { return sends_and_waits_; }

  Diagnosis run(const std::vector<PortGrowth>& growths) {
    for (const PortGrowth& growth : growths) compare(growth);
    untrusted_.tell(d_.remarks, "ports whose counters are missing, stopped or were cleared");
    impossible_.tell(d_.remarks,
                     "ports that would have sent or waited for longer than the time (is --seconds right, and "
                     "--wait-bytes?)");
    d_.congestion = find_congestion(m_, t_, RootRule::only_sources);
    for (CongestionRoot& root : d_.congestion.roots) drop_merely_delayed(root);
    for (const CongestionRoot& root : d_.congestion.roots) d_.inputs.push_back(inputs_of(root.port));
    return std::move(d_);
  }

 private:
  void compare(const PortGrowth& growth) {
    const PortId port = growth.port;
    if (!growth.wait || !growth.data || growth.seconds <= 0) return untrusted_.add(t_.port_name(port));
    const double bytes_in_time = static_cast<double>(t_.link(port).rate.bits_per_second) / 8 * growth.seconds;
    const double load = static_cast<double>(*growth.data) * 4 / bytes_in_time;
    const double waiting = static_cast<double>(*growth.wait) * wait_bytes_ / bytes_in_time;
    d_.seconds = std::max(d_.seconds, growth.seconds);
    if (load > d_.busiest_load) {
      d_.busiest = port;
      d_.busiest_load = load;
    }
    sends_and_waits_ = std::max(sends_and_waits_, load + waiting);
    if (load > kMostShare || waiting > kMostShare) return impossible_.add(t_.port_name(port));
    ++d_.compared;
    d_.data_grew = d_.data_grew || *growth.data > 0;
    d_.wait_grew = d_.wait_grew || *growth.wait > 0;
    d_.load[port.index] = std::min(load, 1.0);
    d_.waiting[port.index] = std::min(waiting, 1.0);
    m_.ports[port.index].busy = {std::llround(d_.load[port.index] * static_cast<double>(m_.end.ps))};
    m_.ports[port.index].wait = {std::llround(d_.waiting[port.index] * static_cast<double>(m_.end.ps))};
  }

  // A port that has nothing to send for part of the time gets rid of everything in the end: it is late, and loses
  // nothing.
  void drop_merely_delayed(CongestionRoot& root) const {
    std::erase_if(root.victims, [&](const CongestionVictim& v) {
      return d_.load[v.port.index] + d_.waiting[v.port.index] < kNeverIdle;
    });
    root.caused_wait = Time{};
    for (const CongestionVictim& v : root.victims) root.caused_wait += v.wait;
  }

  // Nothing that comes out of a link goes back into it, so what the root leads to is left out.
  std::vector<Diagnosis::Input> inputs_of(PortId root) const {
    const NodeId node = t_.node_of(root);
    std::vector<Diagnosis::Input> inputs;
    for (std::uint32_t i = 0; i < t_.port_count(node); ++i) {
      const PortId from = t_.from(t_.port(node, i));
      if (from.valid() && from != t_.to(root) && d_.load[from.index] > 0)
        inputs.push_back({from, d_.sent_gigabits(t_, from)});
    }
    std::stable_sort(inputs.begin(), inputs.end(),
                     [](const auto& a, const auto& b) { return a.gigabits > b.gigabits; });
    return inputs;
  }

  static constexpr double kNeverIdle = 0.9;   // sending or waiting for this share of the time
  const Topology& t_;
  std::uint32_t wait_bytes_;
  Measurements m_;
  Diagnosis d_;
  double sends_and_waits_ = 0;
  Remarks untrusted_, impossible_;
};

// Devices count PortXmitWait in units of 8 to 248 bytes. With a unit that is too small nobody seems to wait for a full
// link.
constexpr std::uint32_t kUnitStep = 8, kLargestUnit = 248;

void tell_other_unit(const Topology& t, const std::vector<PortGrowth>& growths, std::uint32_t wait_bytes,
                     Diagnosis& d) {
  PortId root;
  std::uint32_t first = 0, last = 0;
  for (std::uint32_t unit = (wait_bytes / kUnitStep + 1) * kUnitStep; unit <= kLargestUnit; unit += kUnitStep) {
    const Diagnosis other = Examination(t, unit).run(growths);
    const auto& roots = other.congestion.roots;
    if (first == 0 && !roots.empty()) {
      root = roots.front().port;
      first = unit;
    }
    const bool is_root = std::any_of(roots.begin(), roots.end(), [&](const auto& r) { return r.port == root; });
    if (first != 0 && !is_root) break;
    last = unit;
  }
  if (first == 0) return;
  d.root_with_other_unit = root;
  d.remarks.push_back(fmt::format("{} is {:.0f} % busy. With --wait-bytes {} it would be a root, with {} nobody waits "
                                  "for it. Find out in which unit these devices count PortXmitWait",
                                  t.port_name(root), 100 * d.load[root.index],
                                  first == last ? std::to_string(first) : fmt::format("{} to {}", first, last),
                                  wait_bytes));
}

std::size_t long_waiting(const std::vector<CongestionVictim>& ports, const Diagnosis& d) {
  return static_cast<std::size_t>(std::count_if(ports.begin(), ports.end(), [&](const CongestionVictim& v) {
    return d.waiting[v.port.index] >= kLongWait;
  }));
}

// Whether the busiest link would be full, and a root, if the readings were so far apart that it was busy all the time.
// Ports behind a full link send or wait for as long as that link sends. Where one does so for longer, for example
// because a receiver is slow, the time is not the reason.
bool would_be_root(const Topology& t, std::vector<PortGrowth> growths, const WaitUnit& given, const Diagnosis& d) {
  for (PortGrowth& growth : growths) growth.seconds *= d.busiest_load;
  WaitUnit unit = given;
  if (given.from != WaitUnit::From::known) unit = derived_wait_unit(t, growths).value_or(WaitUnit{});
  Examination examination(t, unit.bytes);
  const Diagnosis other = examination.run(growths);
  if (examination.sends_and_waits() > kMostShare) return false;
  return std::any_of(other.congestion.roots.begin(), other.congestion.roots.end(), [&](const CongestionRoot& root) {
    return root.port == d.busiest && long_waiting(root.victims, other) > 0;
  });
}

// Counters alone do not tell over which time they have grown: half of it at full rate, or all of it at half the rate.
void doubt_time(const Topology& t, const std::vector<PortGrowth>& growths, const WaitUnit& unit, Diagnosis& d) {
  const bool too_long = d.busiest_load < kRootLoad && d.congestion.roots.empty();
  if (!d.busiest.valid() || (!too_long && d.busiest_load <= kMostShare)) return;
  d.is_time_doubtful = would_be_root(t, growths, unit, d);
  if (d.is_time_doubtful) {
    d.congestion.roots.clear();
    d.inputs.clear();
  } else if (too_long) {
    d.waiting_for_nothing = long_waiting(d.congestion.unexplained, d);
  }
}

}  // namespace

Diagnosis diagnose(const Topology& topology, const std::vector<PortGrowth>& growths, const WaitUnit& unit) {
  Diagnosis d = Examination(topology, unit.bytes).run(growths);
  d.unit = unit;
  doubt_time(topology, growths, unit, d);
  const bool is_any_full = std::any_of(d.load.begin(), d.load.end(), [](double load) { return load >= kRootLoad; });
  if (d.congestion.roots.empty() && d.wait_grew && is_any_full && unit.from == WaitUnit::From::assumed)
    tell_other_unit(topology, growths, unit.bytes, d);
  if (unit.from == WaitUnit::From::derived && unit.bytes != kUsualWaitBytes)
    d.remarks.push_back(fmt::format("one tick of PortXmitWait is taken for the time of {} bytes: then {} ports send or "
                                    "wait all the time (--wait-bytes sets another unit)",
                                    unit.bytes, unit.busy_ports));
  const auto other = unit.from == WaitUnit::From::known ? derived_wait_unit(topology, growths) : std::nullopt;
  if (!other || other->bytes == unit.bytes) return d;
  if (d.congestion.roots.empty())
    for (const CongestionRoot& root : Examination(topology, other->bytes).run(growths).congestion.roots)
      d.root_with_other_unit = root.port;
  d.remarks.push_back(fmt::format("with --wait-bytes {} instead of {}, {} ports would send or wait all the time: which "
                                  "of the two is right?",
                                  other->bytes, unit.bytes, other->busy_ports));
  return d;
}

}  // namespace weir::manage
