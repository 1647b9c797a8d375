// See root_traffic.h. A flow counts with what it delivered, spread evenly over its life; where its packets take several
// ways, it counts on each of them alike.
#include "measure/flows/root_traffic.h"

#include <algorithm>
#include <unordered_map>

#include "measure/derive.h"
#include "measure/flows/turns.h"

namespace weir {
namespace {

double length(Span span) { return static_cast<double>(std::max<std::int64_t>(0, (span.to - span.from).ps)); }

Span common(Span a, Span b) { return {std::max(a.from, b.from), std::min(a.to, b.to)}; }

double bytes_within(const FlowResult& flow, const Measurements& m, Span span) {
  const Span life{flow.start, std::min(flow.completion, m.end)};
  return length(life) > 0 ? static_cast<double>(flow.delivered) * length(common(life, span)) / length(life) : 0;
}

// The share of a class's bytes that arrived in `span`; all of them where there is no series.
double share_within(const Measurements& m, const ClassResult& c, Span span) {
  double within = 0, total = 0;
  for (std::size_t b = 0; b < c.series.size() && m.bin.ps > 0; ++b) {
    const Span bin{bin_start(m, b), bin_start(m, b) + bin_length(m, b)};
    const auto bytes = static_cast<double>(c.series[b].received_bytes);
    total += bytes;
    if (length(bin) > 0) within += bytes * length(common(bin, span)) / length(bin);
  }
  return total > 0 ? within / total : 1;
}

// Payload that a link carried in `span`: as long as it was busy, less the share of headers and control packets, which
// is that of all that hosts sent.
double payload_carried(const Measurements& m, const Topology& topology, PortId port, Span span) {
  double wire = 0, payload = 0;
  for (std::uint32_t h = 0; h < topology.hosts(); ++h)
    wire += static_cast<double>(m.ports[topology.host_port({h}).index].xmit_bytes);
  for (const ClassResult& c : m.classes) payload += static_cast<double>(c.injected_bytes);
  const double share = wire > 0 ? std::min(1.0, payload / wire) : 1;
  return share * link_load(m, port, span) * topology.link(port).rate.bytes_per_second() * length(span) * 1e-12;
}

// What is left for the only class that is not known.
void fill_the_rest(CongestionRoot& root, const Measurements& m, const Topology& topology) {
  double known = 0;
  std::optional<double>* unknown = nullptr;
  for (std::optional<double>& bytes : root.bytes_by_class) {
    if (bytes) known += *bytes;
    else if (unknown != nullptr) return;
    else unknown = &bytes;
  }
  if (unknown != nullptr && root.bytes_by_class.size() > 1)
    *unknown = std::max(0.0, payload_carried(m, topology, root.port, {root.from, root.to}) - known);
}

}  // namespace

void find_root_traffic(CongestionReport& congestion, const Measurements& m, const Topology& topology, FlowWays* ways) {
  if (congestion.roots.empty()) return;
  const bool ways_known = ways != nullptr && ways->known();
  const std::vector<bool> of_flows = classes_of_flows(m);
  std::unordered_map<std::uint32_t, CongestionRoot*> root_at;  // looked up only, never walked
  for (CongestionRoot& root : congestion.roots) {
    root_at[root.port.index] = &root;
    root.bytes_by_class.assign(m.classes.size(), std::nullopt);
    const NodeId end = topology.node_of(topology.to(root.port));
    for (std::uint32_t c = 0; c < m.classes.size(); ++c) {
      if (ways_known && of_flows[c]) root.bytes_by_class[c] = 0;
      else if (topology.is_host(end) && m.hosts_by_class && topology.host(end).index < host_count(m))
        root.bytes_by_class[c] = static_cast<double>(host_of_class(m, topology.host(end), {c})->received_bytes) *
                                 share_within(m, m.classes[c], {root.from, root.to});
    }
  }
  if (!ways_known) return;
  for (std::uint32_t f = 0; f < m.flows.size(); ++f) {
    const FlowResult& flow = m.flows[f];
    if (!of_flows[flow.traffic_class.index] || flow.start == kNever || flow.source == flow.destination) continue;
    ways->each_link({f}, flow.source, flow.destination, [&](PortId port) {
      if (const auto found = root_at.find(port.index); found != root_at.end()) {
        CongestionRoot& root = *found->second;
        *root.bytes_by_class[flow.traffic_class.index] += bytes_within(flow, m, {root.from, root.to});
      }
      return true;
    });
  }
  for (CongestionRoot& root : congestion.roots) fill_the_rest(root, m, topology);
}

bool may_saturate(const CongestionRoot& root, ClassId traffic_class) {
  if (traffic_class.index >= root.bytes_by_class.size() || !root.bytes_by_class[traffic_class.index]) return true;
  double total = 0;
  for (const auto& bytes : root.bytes_by_class) total += bytes.value_or(0);
  const double own = *root.bytes_by_class[traffic_class.index];
  return own > 0 && own >= kLargePart * total;
}

ClassId main_class(const CongestionRoot& root) {
  double total = 0;
  for (const auto& bytes : root.bytes_by_class) {
    if (!bytes) return {};
    total += *bytes;
  }
  for (std::uint32_t c = 0; c < root.bytes_by_class.size(); ++c)
    if (*root.bytes_by_class[c] > total / 2) return {c};
  return {};
}

}  // namespace weir
