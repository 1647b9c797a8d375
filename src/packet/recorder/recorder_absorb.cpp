// Recorders of several parts of a fabric become one. What belongs to a node is put in its place; everything else is a
// sum or an extreme, so that their order does not matter.
#include <algorithm>

#include "packet/recorder/recorder.h"
#include "packet/recorder/widen_bins.h"

namespace weir {
namespace {

void add(ClassBin& a, const ClassBin& b) {
  a.generated += b.generated;
  a.injected += b.injected;
  a.received += b.received;
  a.received_bytes += b.received_bytes;
  a.latency_sum_ps += b.latency_sum_ps;
  a.network_latency_sum_ps += b.network_latency_sum_ps;
  a.latency_max_ps = std::max(a.latency_max_ps, b.latency_max_ps);
  a.marked += b.marked;
}

void add(std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  a.resize(std::max(a.size(), b.size()), 0);
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += b[i];
}

// Both have bins of the same width.
void add(ClassResult& a, const ClassResult& b) {
  a.generated += b.generated;
  a.injected += b.injected;
  a.received += b.received;
  a.refused += b.refused;
  a.generated_bytes += b.generated_bytes;
  a.injected_bytes += b.injected_bytes;
  a.received_bytes += b.received_bytes;
  a.marked += b.marked;
  add(a.marks_by_bits, b.marks_by_bits);
  a.latency.merge(b.latency);
  a.network_latency.merge(b.network_latency);
  a.received_in_window += b.received_in_window;
  a.received_bytes_in_window += b.received_bytes_in_window;
  a.out_of_order += b.out_of_order;
  a.series.resize(std::max(a.series.size(), b.series.size()));
  for (std::size_t i = 0; i < b.series.size(); ++i) add(a.series[i], b.series[i]);
}

// Its source and its destination may be in two parts.
void put(FlowResult& all, const FlowResult& seen, bool at_source, bool at_destination) {
  if (at_source) all.start = seen.start;
  if (!at_destination) return;
  all.delivered = seen.delivered;
  all.delivered_in_window = seen.delivered_in_window;
  all.first_delivery = seen.first_delivery;
  all.completion = seen.completion;
}

// What links do belongs to the sender, what stands behind them to the receiver.
void put(FabricFrame& all, const FabricFrame& seen, const FabricState& fabric, const Part& part) {
  fabric.used().each([&](std::uint32_t l, std::size_t place) {
    if (part.owns(fabric.sender({l}))) {
      all.load[l] = seen.load[place];
      all.wait[l] = seen.wait[place];
    }
    if (fabric.link({l}).is(Link::kConnected) && part.owns(fabric.receiver({l})))
      all.occupancy[l] = seen.occupancy[place];
  });
}

// What is the sum of what all parts have.
void each_sum(EngineTotals& totals, auto&& visit) {
  for (std::uint64_t* sum : {&totals.events, &totals.hops, &totals.acks, &totals.notifications,
                             &totals.control_packets, &totals.peak_packets_alive})
    visit(*sum);
  visit(totals.state_bytes);
  visit(totals.lacked_space);
}

void add(EngineTotals& a, const EngineTotals& b) {
  a.events += b.events;
  a.hops += b.hops;
  a.acks += b.acks;
  a.notifications += b.notifications;
  a.control_packets += b.control_packets;
  a.state_bytes += b.state_bytes;
  a.peak_packets_alive += b.peak_packets_alive;
  a.lacked_space |= b.lacked_space;
}

}  // namespace

void widen_bins(std::vector<ClassResult>& classes, std::int64_t& width) {
  for (ClassResult& c : classes) {
    for (std::size_t i = 0; i < c.series.size(); ++i) {
      if (i % 2 == 0) c.series[i / 2] = c.series[i];
      else add(c.series[i / 2], c.series[i]);
    }
    c.series.resize((c.series.size() + 1) / 2);
  }
  width *= 2;
}

void Recorder::absorb(Beside other) {
  while (bin_width_ < other.bin_width) widen_bins(m_.classes, bin_width_);
  while (other.bin_width < bin_width_) widen_bins(other.classes, other.bin_width);
  for (std::size_t i = 0; i < m_.classes.size(); ++i) add(m_.classes[i], other.classes[i]);
  add(m_.totals, other.totals);
}

void Recorder::pack(BytesOut& out) {
  out.put(bin_width_);
  out.put(m_.classes);
  each_sum(m_.totals, [&](auto& sum) { out.put(sum); });
}
void Recorder::absorb(BytesIn& in) {
  Beside other;
  in.get(other.bin_width);
  in.get(other.classes);
  each_sum(other.totals, [&](auto& sum) { in.get(sum); });
  absorb(std::move(other));
}

Measurements Recorder::room_for_all(const FabricState& fabric) const {
  Measurements all;
  all.flows = m_.flows;
  all.hosts.resize(m_.hosts.size());
  make_room_for_ports(all, fabric);
  for (const FabricFrame& frame : m_.frames) all.frames.push_back({frame.at, {}, {}, {}});
  return all;
}

void Recorder::put(Measurements& all, const Workload& workload, const Part& part) const {
  const auto owns = [&](HostId host) { return part.owns({host.index}); };
  for (std::uint32_t f = 0; f < m_.flows.size(); ++f) {
    const Flow& flow = workload.flows[{f}];
    weir::put(all.flows[f], m_.flows[f], owns(flow.source), owns(flow.destination));
  }
  for (std::size_t i = 0; i < m_.hosts.size(); ++i)
    if (owns({static_cast<std::uint32_t>(i / class_count_)})) all.hosts[i] = m_.hosts[i];
}
void Recorder::put(FabricFrame& all, std::size_t number, const FabricState& fabric, const Part& part) const {
  for (std::vector<std::uint8_t>* of_links : {&all.load, &all.occupancy, &all.wait}) of_links->resize(fabric.links());
  weir::put(all, m_.frames[number], fabric, part);
}

void Recorder::take(Measurements&& all) {
  m_.flows = std::move(all.flows);
  m_.hosts = std::move(all.hosts);
  m_.ports = std::move(all.ports);
  m_.lanes = all.lanes;
  m_.pauses = std::move(all.pauses);
  m_.frames = std::move(all.frames);
}

}  // namespace weir
