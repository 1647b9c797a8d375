// The way of a flow's last packet, unless it came longer ago than the gap: then a new one.
#pragma once
#include <vector>

#include "packet/routing/spreading.h"

namespace weir {

struct FlowletConfig {
  Time gap;                   // silence of a flow after which it may take another way
  std::uint32_t entries = 1;  // of a switch's table; flows that share one share their way
};

class Flowlets : public SpreadingChoice<Flowlets> {
 public:
  static const RouteChoiceKind kKind;

  explicit Flowlets(const ChoiceInput& in)
      : SpreadingChoice(in), config_(in.config.choice.values<FlowletConfig>()), tables_(in.topology.switches()) {}
  template <class E> RouteStep pick(E& e, SwitchId s, const Packet& p, std::span<const RouteStep> steps) {
    if (steps.size() == 1) return steps[0];
    const std::uint64_t flow = flow_word(e, p);
    const std::int64_t now = e.clock().ps();
    std::vector<Flowlet>& table = tables_[s.index];
    if (table.empty()) table.resize(config_.entries);
    Flowlet& entry = table[flow % table.size()];
    if (entry.last < 0 || now - entry.last > config_.gap.ps)
      entry.word = RandomStream(flow, Purpose::routing, static_cast<std::uint64_t>(now)).next();
    entry.last = now;
    return ecmp_pick(steps, s, entry.word);
  }
  std::size_t bytes_of_state() const {
    std::size_t entries = 0;
    for (const auto& table : tables_) entries += table.capacity();
    return entries * sizeof(Flowlet);
  }

 private:
  struct Flowlet {
    std::int64_t last = -1;
    std::uint64_t word = 0;
  };

  FlowletConfig config_;
  std::vector<std::vector<Flowlet>> tables_;  // by switch, as soon as it needs one
};

WEIR_ROUTE_CHOICE(Flowlets)

}  // namespace weir
