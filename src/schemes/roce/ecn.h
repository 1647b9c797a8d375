// Explicit congestion notification (ECN) by random early detection (RED): a switch marks a data packet with a
// probability that grows with the queue in front of its link. It is 0 up to Kmin, grows evenly to Pmax at Kmax, and is
// 1 above. The queue is that of the packet's lane, and counts the packet itself.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "packet/run_input.h"
#include "packet/scheme/scheme_state.h"
#include "scenario/scenario.h"

namespace weir {

inline constexpr std::uint8_t kEcnMark = 1;

inline constexpr std::string_view kMarkAt[] = {"departure", "arrival"};
inline constexpr std::array kEcnParams{
    ParamSpec{"kmin", ParamType::bytes, kUnset,
              "queue length up to which no packet is marked. Default: a quarter of the default of kmax, but at least "
              "one packet",
              0, 1e12},
    ParamSpec{
        "kmax", ParamType::bytes, kUnset,
        "queue length above which every packet is marked. Default: 16 kB per Gb/s of the link (1.6 MB at 100 Gb/s); "
        "never more than half of the longest queue that one input can fill (with pfc: half of its share of the shared "
        "memory), never less than two packets",
        0, 1e12},
    ParamSpec{"kmin_per_gbps", ParamType::bytes, kUnset,
              "kmin by the rate of each link, for each Gb/s: \"1kB\" is 100 kB at 100 Gb/s and 400 kB at 400 Gb/s", 0,
              1e9}
        .applying(unless_given({"kmin"})),
    ParamSpec{"kmax_per_gbps", ParamType::bytes, kUnset, "the same for kmax", 0, 1e9}.applying(unless_given({"kmax"})),
    ParamSpec{"pmax", ParamType::fraction, "20%", "marking probability when the queue is as long as kmax", 0, 1},
    ParamSpec{"mark_at", ParamType::choice, "departure",
              "when a switch looks at the queue length: as the packet leaves the queue, or as it joins it", 0, 0,
              kMarkAt},
};

struct RedThresholds {
  double kmin = 0, kmax = 0;  // bytes

  double probability(double queue, double pmax) const {
    if (queue <= kmin) return 0;
    return queue > kmax ? 1 : pmax * (queue - kmin) / (kmax - kmin);
  }
};

struct EcnConfig {
  std::optional<Bytes> kmin, kmax;  // none: by the rate of each link
  std::optional<Bytes> kmin_per_gigabit, kmax_per_gigabit;  // none: the defaults
  double pmax = 0.2;
  bool at_arrival = false;
  Bytes capacity = 0, packet = 0;   // of a queue; the largest data packet

  RedThresholds thresholds(Rate link) const;
};
EcnConfig read_ecn(const Section& scheme, const RunInput& run);

// The rates of the links that switches send on, the lowest first: each may have thresholds of its own.
std::vector<Rate> marking_rates(const Topology& topology);

class EcnMarker {
 public:
  EcnMarker(SchemeState& owner, const EcnConfig& config) : config_(config), ports_(owner) {}

  void start(const GlobalView& all) {
    for (std::uint32_t c = 0; c < ports_.size(); ++c) {
      const LinkId link = all.link_of({c});
      if (!all.topology().to(link).valid()) continue;
      ports_[{c}] = {RandomStream(all.seed(), Purpose::marking, c), config_.thresholds(all.topology().link(link).rate)};
    }
  }
  // Is this packet to be marked?
  bool leaves(SwitchView here, ChannelId out, const Packet& p) { return look(out, p, here.queued(out) + p.size); }
  bool joins(SwitchView here, ChannelId out, const Packet& p) { return look(out, p, here.queued(out)); }

  void report(Measurements& m) const {
    for (std::uint32_t c = 0; c < ports_.size(); ++c)
      m.ports[c / (ports_.size() / m.ports.size())].marked += ports_[{c}].marked;
  }
  std::uint64_t marked() const {
    std::uint64_t sum = 0;
    for (const Port& port : ports_) sum += port.marked;
    return sum;
  }
  // Of the queue that came nearest to the thresholds of its link: its greatest length, and kmin.
  std::pair<Bytes, Bytes> nearest() const {
    std::pair<Bytes, Bytes> nearest{0, 0};
    double highest = -1;
    for (const Port& port : ports_) {
      if (port.red.kmax == 0) continue;  // not connected
      const double fill = static_cast<double>(port.longest) / std::max(1.0, port.red.kmin);
      if (fill <= highest) continue;
      highest = fill;
      nearest = {port.longest, static_cast<Bytes>(port.red.kmin)};
    }
    return nearest;
  }

 private:
  struct Port {
    RandomStream random;
    RedThresholds red;
    std::uint64_t marked = 0;
    Bytes longest = 0;  // queue that was seen
  };

  bool look(ChannelId out, const Packet& p, Bytes queue) {
    if (!p.is(PacketKind::data)) return false;
    Port& port = ports_[out];
    port.longest = std::max(port.longest, queue);
    const double probability = port.red.probability(static_cast<double>(queue), config_.pmax);
    if (probability == 0 || !port.random.chance(probability)) return false;
    ++port.marked;
    return true;
  }

  EcnConfig config_;
  ChannelTable<Port> ports_;
};

}  // namespace weir
