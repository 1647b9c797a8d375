// Writes what the engine sees into Measurements while it runs. Adding is constant work; time series have a bounded
// number of bins: unless the scenario fixes the width of a bin, neighbouring bins are merged and the width doubled when
// they run out.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "measure/measurements.h"
#include "packet/config/config.h"
#include "packet/links/fabric_state.h"
#include "packet/parts/part.h"
#include "traffic/workload.h"

namespace weir {

class Recorder {
 public:
  Recorder(const PacketConfig& config, const Workload& workload, const Topology& topology, std::size_t links);

  // Moments may be ahead of the clock, or have passed.
  void generated(std::uint32_t traffic_class, std::uint32_t payload, std::int64_t now) {
    ClassResult& c = m_.classes[traffic_class];
    ++c.generated;
    c.generated_bytes += payload;
    ++bin(traffic_class, now).generated;
  }
  void injected(std::uint32_t traffic_class, HostId host, std::uint32_t payload, std::int64_t now) {
    ClassResult& c = m_.classes[traffic_class];
    ++c.injected;
    c.injected_bytes += payload;
    ++bin(traffic_class, now).injected;
    HostResult& h = host_of(host, traffic_class);
    ++h.injected;
    h.injected_bytes += payload;
  }
  void received(const Packet& packet, std::int64_t now) {
    ClassResult& c = m_.classes[packet.traffic_class];
    ++c.received;
    c.received_bytes += packet.payload;
    if (now >= warmup_) {
      ++c.received_in_window;
      c.received_bytes_in_window += packet.payload;
    }
    const auto latency = static_cast<std::uint64_t>(now - packet.generated);
    const auto in_network = static_cast<std::uint64_t>(now - packet.injected);
    if (now >= warmup_) {
      c.latency.add(latency);
      c.network_latency.add(in_network);
    }
    ClassBin& b = bin(packet.traffic_class, now);
    ++b.received;
    b.received_bytes += packet.payload;
    b.latency_sum_ps += latency;
    b.network_latency_sum_ps += in_network;
    if (latency > b.latency_max_ps) b.latency_max_ps = latency;
    if (packet.marks != 0) {
      ++c.marked;
      ++b.marked;
      if (c.marks_by_bits.empty()) c.marks_by_bits.assign(256, 0);
      ++c.marks_by_bits[packet.marks];
    }
    HostResult& h = host_of(packet.destination, packet.traffic_class);
    ++h.received;
    h.received_bytes += packet.payload;
  }
  void backlog(HostId host, std::uint32_t traffic_class, std::uint64_t packets) {
    HostResult& h = host_of(host, traffic_class);
    if (packets > h.peak_backlog_packets) h.peak_backlog_packets = packets;
  }

  Time first_tick() const { return tick_; }
  // A snapshot of the fabric. Returns the time of the next one: they become rarer as the run goes on, unless its
  // duration is given.
  Time tick(const FabricState& fabric, std::int64_t now);

  // ---- where several recorders share a run, each of them at its own nodes ----
  // Room for what all of them have seen at nodes; that of a frame is made by the first who puts something there.
  Measurements room_for_all(const FabricState& fabric) const;
  // Puts there what this one has seen. All may do so at the same time.
  void put(Measurements& all, const Workload& workload, const Part& part) const;
  // The same for one frame, one recorder after the other.
  void put(FabricFrame& all, std::size_t number, const FabricState& fabric, const Part& part) const;
  // Adds what another one, which is not needed any more, has seen beside nodes.
  void absorb(Recorder& other) { absorb({other.bin_width_, std::move(other.m_.classes), other.m_.totals}); }
  // The same from another process.
  void pack(BytesOut& out);
  void absorb(BytesIn& in);
  void take(Measurements&& all);

  Measurements& results() { return m_; }
  Time bin_width() const { return {bin_width_}; }
  const HostResult* host_record(HostId host, std::uint32_t traffic_class) const {
    return &m_.hosts[host.index * class_count_ + traffic_class];
  }
  [[gnu::always_inline]] void fetch_flow(FlowId flow) const {  // a packet of it will be delivered soon
    const char* const record = reinterpret_cast<const char*>(&m_.flows[flow.index]);
    __builtin_prefetch(record, 1);
    __builtin_prefetch(record + sizeof(FlowResult) - 1, 1);
  }
  // `waiting`, per link: bytes x time of packets that wait for it, beyond what fabric.output() has counted.
  void finish(const FabricState& fabric, std::int64_t now, const std::vector<CostTime>& waiting);
  // The same for the ports of one part: what its nodes have sent, and what stood in their buffers.
  void finish_ports(Measurements& all, const FabricState& fabric, const Part& part, std::int64_t now,
                    const std::vector<CostTime>& waiting) const;
  static void make_room_for_ports(Measurements& all, const FabricState& fabric);
  // What finish() would leave behind now; the run goes on.
  Measurements so_far(const FabricState& fabric, std::int64_t now, const std::vector<CostTime>& waiting) const;

 private:
  HostResult& host_of(HostId host, std::uint32_t traffic_class) {
    return m_.hosts[host.index * class_count_ + traffic_class];
  }
  // What is counted ahead may have begun a bin before others are full, and what is caught up comes late.
  ClassBin& bin(std::uint32_t traffic_class, std::int64_t moment) {
    if (moment >= bin_end_) advance(moment);
    if (moment >= bin_end_ - bin_width_) [[likely]] return *bins_[traffic_class];
    return m_.classes[traffic_class].series[static_cast<std::size_t>(moment / bin_width_)];
  }
  void advance(std::int64_t now);
  void merge_bins();
  // Seen beside nodes.
  struct Beside {
    std::int64_t bin_width = 0;
    std::vector<ClassResult> classes;
    EngineTotals totals;
  };
  void absorb(Beside other);
  void snapshot(const FabricState& fabric, std::int64_t now);
  void merge_frames();

  void find_bins();

  Measurements m_;
  std::size_t class_count_ = 0;
  std::vector<ClassBin*> bins_;       // per class: the one that is being filled
  std::int64_t warmup_ = 0;
  std::int64_t bin_width_ = 0, bin_end_ = 0;
  std::size_t bin_index_ = 0, max_bins_ = 0;
  bool fixed_bin_ = false;
  SourcePosition bin_where_;          // where a fixed width was written
  Time tick_;                         // interval of ticks
  std::uint32_t max_frames_ = 0, ticks_ = 0;  // ticks since 0, of the interval of today
  std::int64_t frame_start_ = 0;
  std::vector<std::int64_t> busy_at_frame_, wait_at_frame_;  // of the links of FabricState::used(), in that order
};

}  // namespace weir
