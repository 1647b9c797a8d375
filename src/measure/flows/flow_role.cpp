#include "measure/flows/flow_role.h"

#include <algorithm>
#include <unordered_map>

namespace weir {

namespace {

// When each port was a root, or was held back: spans in order, those that touch joined.
class PortSpans {
 public:
  void add(std::uint32_t port, Span span) {
    std::vector<Span>& spans = of_[port];
    if (!spans.empty() && spans.back().to >= span.from) spans.back().to = span.to;
    else spans.push_back(span);
  }
  bool during(PortId port, Span life) const {
    const auto found = of_.find(port.index);
    if (found == of_.end()) return false;
    const auto first = std::upper_bound(found->second.begin(), found->second.end(), life.from,
                                        [](Time from, const Span& span) { return from < span.to; });
    return first != found->second.end() && first->from < life.to;
  }

 private:
  std::unordered_map<std::uint32_t, std::vector<Span>> of_;  // looked up only, never walked
};

// Where the far end can stop lanes: whether it ever stopped one that the class may use.
bool may_be_stopped(const Measurements& m, PortId port, ClassId traffic_class,
                    const std::vector<std::uint64_t>& lanes) {
  if (m.pauses.empty() || traffic_class.index >= lanes.size()) return true;
  for (std::uint32_t lane = 0; lane < m.lanes; ++lane)
    if ((lanes[traffic_class.index] >> lane & 1) != 0 &&
        m.pauses[std::size_t{port.index} * m.lanes + lane].stops > 0)
      return true;
  return false;
}

}  // namespace

std::vector<FlowRole> flow_roles(const CongestionReport& congestion, const Measurements& m, FlowWays& ways,
                                 const std::vector<std::uint64_t>& lanes) {
  std::vector<FlowRole> roles;
  if (congestion.moments.empty() || m.flows.empty() || !ways.known()) return roles;
  PortSpans roots, held_back;
  for (const CongestedMoment& moment : congestion.moments) {
    for (const std::uint32_t port : moment.roots) roots.add(port, moment.span);
    for (const std::uint32_t port : moment.held_back) held_back.add(port, moment.span);
  }
  roles.assign(m.flows.size(), FlowRole::none);
  for (std::uint32_t f = 0; f < m.flows.size(); ++f) {
    const FlowResult& flow = m.flows[f];
    if (flow.start == kNever || flow.source == flow.destination) continue;
    const Span life{flow.start, std::min(flow.completion, m.end)};
    bool crosses_root = false, waits = false;
    ways.each_link({f}, flow.source, flow.destination, [&](PortId port) {
      crosses_root = roots.during(port, life);
      waits = waits || (may_be_stopped(m, port, flow.traffic_class, lanes) && held_back.during(port, life));
      return !crosses_root;
    });
    roles[f] = crosses_root ? FlowRole::root : waits ? FlowRole::victim : FlowRole::none;
  }
  return roles;
}

}  // namespace weir
