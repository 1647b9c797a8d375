// Recorders of several parts of a fabric become one. Everything is a sum or an extreme, so their order does not matter.
#include <algorithm>

#include "packet/recorder/recorder.h"

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
void add(FlowResult& a, const FlowResult& b) {
  a.delivered += b.delivered;
  a.delivered_in_window += b.delivered_in_window;
  a.start = std::min(a.start, b.start);
  a.first_delivery = std::min(a.first_delivery, b.first_delivery);
  a.completion = std::min(a.completion, b.completion);
}

void add(HostResult& a, const HostResult& b) {
  a.injected += b.injected;
  a.received += b.received;
  a.injected_bytes += b.injected_bytes;
  a.received_bytes += b.received_bytes;
  a.peak_backlog_packets = std::max(a.peak_backlog_packets, b.peak_backlog_packets);
}

// Of the links of a part; what belongs to the node at the other end is 0 there.
void add(FabricFrame& a, const FabricFrame& b, const std::vector<LinkRange>& links) {
  const auto sum = [&](std::vector<std::uint8_t>& to, const std::vector<std::uint8_t>& from) {
    for (const LinkRange& range : links)
      for (std::uint32_t l = range.begin; l < range.end; ++l) to[l] = static_cast<std::uint8_t>(to[l] + from[l]);
  };
  sum(a.load, b.load);
  sum(a.occupancy, b.occupancy);
  sum(a.wait, b.wait);
}

void add(EngineTotals& a, const EngineTotals& b) {
  a.events += b.events;
  a.acks += b.acks;
  a.notifications += b.notifications;
  a.control_packets += b.control_packets;
  a.state_bytes += b.state_bytes;
  a.peak_packets_alive += b.peak_packets_alive;
  a.lacked_space |= b.lacked_space;
}

}  // namespace

// Twice as wide; the last one may stand alone.
void Recorder::widen_bins() {
  for (ClassResult& c : m_.classes) {
    for (std::size_t i = 0; i < c.series.size(); ++i) {
      if (i % 2 == 0) c.series[i / 2] = c.series[i];
      else add(c.series[i / 2], c.series[i]);
    }
    c.series.resize((c.series.size() + 1) / 2);
  }
  bin_width_ *= 2;
}

void Recorder::absorb(Recorder& other) {
  while (bin_width_ < other.bin_width_) widen_bins();
  while (other.bin_width_ < bin_width_) other.widen_bins();
  const Measurements& m = other.m_;
  for (std::size_t i = 0; i < m_.classes.size(); ++i) add(m_.classes[i], m.classes[i]);
  for (std::size_t i = 0; i < m_.flows.size(); ++i) add(m_.flows[i], m.flows[i]);
  for (std::size_t i = 0; i < m_.hosts.size(); ++i) add(m_.hosts[i], m.hosts[i]);
  for (std::size_t i = 0; i < m_.frames.size(); ++i) add(m_.frames[i], m.frames[i], other.links_);
  add(m_.totals, m.totals);
}

}  // namespace weir
