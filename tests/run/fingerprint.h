// Everything a run measured, as one hash: two runs are the same run if and only if these are equal. How many events an
// engine needed and how many packets it kept are its own affair.
#pragma once
#include <bit>
#include <string>

#include "measure/measurements.h"
#include "run/fingerprint_hash.h"

namespace weir::testing {

class Fingerprint {
 public:
  static std::string of(const Measurements& m) {
    Fingerprint f;
    f.whole(m.end.ps, m.bin.ps, static_cast<int>(m.ending));
    f.hash_.add(m.ending_text);
    for (const ClassResult& c : m.classes) f.add(c);
    for (const FlowResult& w : m.flows)
      f.whole(w.delivered, w.delivered_in_window, w.start.ps, w.first_delivery.ps, w.completion.ps);
    for (const HostResult& h : m.hosts)
      f.whole(h.injected, h.received, h.injected_bytes, h.received_bytes, h.peak_backlog_packets);
    for (const PortResult& p : m.ports) f.add(p);
    for (const FabricFrame& frame : m.frames) {
      f.whole(frame.at.ps);
      for (const auto* bytes : {&frame.load, &frame.occupancy, &frame.wait})
        f.hash_.add({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    }
    for (const auto& app : m.phase_ends)
      for (const Time end : app) f.whole(end.ps);
    f.whole(m.resequencing.out_of_order, m.resequencing.peak_packets);
    f.real(m.resequencing.mean_packets);
    f.whole(m.totals.hops, m.totals.data_hops, m.totals.acks, m.totals.notifications, m.totals.control_packets);
    for (const auto& [name, number] : m.scheme_numbers) {
      f.hash_.add(name);
      f.real(number);
    }
    f.add_series(m);
    return f.hash_.hex();
  }

 private:
  void add(const ClassResult& c) {
    hash_.add(c.name);
    whole(c.generated, c.injected, c.received, c.generated_bytes, c.injected_bytes, c.received_bytes, c.marked,
          c.refused, c.out_of_order, c.received_in_window, c.received_bytes_in_window);
    for (const std::uint64_t n : c.marks_by_bits) whole(n);
    for (const Histogram* h : {&c.latency, &c.network_latency}) {
      whole(h->count(), h->min(), h->max());
      real(h->mean());
      for (const Histogram::Bin& bin : h->bins()) whole(bin.low, bin.high, bin.count);
    }
    for (const ClassBin& b : c.series) {
      whole(b.generated, b.injected, b.received, b.received_bytes, b.latency_max_ps, b.marked);
      real(b.latency_sum_ps);
      real(b.network_latency_sum_ps);
    }
  }
  void add_series(const Measurements& m) {
    whole(m.watch_bin.ps);
    for (const WatchedPort& port : m.watched) {
      hash_.add(port.name);
      for (const WatchBin& bin : port.series) {
        real(bin.rate);
        real(bin.queue_mean);
        whole(bin.queue_max);
      }
    }
    for (const double packets : m.resequencing_series) real(packets);
    for (const SchemeSeries& series : m.scheme_series) {
      hash_.add(series.name);
      whole(series.bin.ps);
      for (const double value : series.values) real(value);
    }
  }
  void add(const PortResult& p) {
    whole(p.xmit_bytes, p.xmit_packets, p.rcv_bytes, p.rcv_packets, p.busy.ps, p.wait.ps, p.congested.ps, p.marked,
          p.peak_input_bytes, p.peak_output_bytes, p.tick_ps);
    real(p.mean_input_bytes);
    real(p.mean_output_bytes);
  }
  template <class... Numbers>
  void whole(Numbers... numbers) {
    (hash_.add(std::to_string(numbers)), ...);
  }
  void real(double number) { hash_.add(std::to_string(std::bit_cast<std::uint64_t>(number))); }

  FingerprintHash hash_;
};

}  // namespace weir::testing
