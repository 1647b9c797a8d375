// A hand-made run whose derived numbers are easy to compute: two switches, four hosts, ten bins of 10 us, a hot pulse
// in bins 4 to 6 that saturates S2 -> h2 and holds back S1 -> S2 and both hosts of S1.
#pragma once
#include <string>

#include "measure/measurements.h"
#include "network/topology.h"

namespace weir {

inline constexpr std::int64_t kMicro = 1'000'000;
inline constexpr ClassId kCold{0}, kHot{1};

inline Topology sample_topology(const std::string& third_host = "h2") {
  TopologyBuilder builder;
  const LinkProperties link{Rate{8'000'000'000}, Time{1000}, 4096};
  for (const std::string& name : {std::string("h0"), std::string("h1"), third_host, std::string("h3")})
    builder.add_host(name);
  const SwitchId s1 = builder.add_switch("S1", 3);
  const SwitchId s2 = builder.add_switch("S2", 4);  // its last port is not connected
  builder.connect(TopologyBuilder::at(HostId{0}), TopologyBuilder::at(s1, 0), link);
  builder.connect(TopologyBuilder::at(HostId{1}), TopologyBuilder::at(s1, 1), link);
  builder.connect(TopologyBuilder::at(s1, 2), TopologyBuilder::at(s2, 0), link);
  builder.connect(TopologyBuilder::at(HostId{2}), TopologyBuilder::at(s2, 1), link);
  builder.connect(TopologyBuilder::at(HostId{3}), TopologyBuilder::at(s2, 2), link);
  return std::move(builder).build();
}

// Port numbers of sample_topology.
inline constexpr PortId kHost0{0}, kHost1{1}, kUplink{6}, kHotPort{8};

inline Measurements sample_measurements() {
  Measurements m;
  m.end = {100 * kMicro};
  m.warmup = {10 * kMicro};
  m.bin = {10 * kMicro};
  ClassResult cold, hot;
  cold.name = "cold";
  hot.name = "hot";
  // Mean latency of cold per bin in us: 1 before, 50 and 200 in the pulse, 20 and 10 after it, 1 again.
  const std::int64_t latency_us[] = {1, 1, 1, 1, 50, 200, 20, 10, 1, 1};
  const std::uint64_t packets[] = {10, 10, 10, 10, 5, 2, 10, 12, 10, 10};
  for (int b = 0; b < 10; ++b) {
    ClassBin bin;
    bin.generated = bin.injected = 10;
    bin.received = packets[b];
    bin.received_bytes = packets[b] * 1000;
    for (std::uint64_t p = 0; p < packets[b]; ++p) cold.latency.add(static_cast<std::uint64_t>(latency_us[b] * kMicro));
    bin.latency_sum_ps = static_cast<double>(packets[b]) * static_cast<double>(latency_us[b] * kMicro);
    bin.network_latency_sum_ps = bin.latency_sum_ps / 2;
    bin.latency_max_ps = static_cast<std::uint64_t>(latency_us[b] * kMicro);
    cold.series.push_back(bin);
    cold.generated += 10;
    cold.injected += 10;
    cold.received += packets[b];
    if (b > 0) cold.received_in_window += packets[b];
    ClassBin pulse;
    if (b >= 4 && b <= 6) {
      pulse.generated = pulse.injected = pulse.received = 4;
      pulse.received_bytes = 4000;
      pulse.latency_sum_ps = 4.0 * 300 * kMicro;
      for (int p = 0; p < 4; ++p) hot.latency.add(300 * kMicro);
      hot.received += 4;
      pulse.marked = 3;
      hot.marked += 3;
    }
    hot.series.push_back(pulse);
  }
  cold.received_bytes = cold.received * 1000;
  cold.received_bytes_in_window = cold.received_in_window * 1000;
  hot.generated = hot.injected = hot.received;
  hot.received_bytes = hot.received_bytes_in_window = hot.received * 1000;
  hot.marks_by_bits = {3, 9};
  m.classes = {cold, hot};
  m.hosts_by_class = true;
  m.hosts.resize(8);
  m.hosts[0] = {60, 0, 60'000, 0, 3};  // h0, cold
  m.hosts[3] = {12, 0, 12'000, 0, 9};  // h1, hot
  m.hosts[5].received_bytes = 12'000;  // h2, hot
  m.hosts[6].received_bytes = 60'000;  // h3, cold
  m.ports.resize(11);
  for (PortResult& port : m.ports) port.tick_ps = 128'000;
  m.ports[kHotPort.index].busy = {40 * kMicro};
  m.ports[kHotPort.index].xmit_bytes = 40'000;
  m.ports[kHotPort.index].xmit_packets = 40;
  m.ports[kUplink.index].busy = {35 * kMicro};
  m.ports[kUplink.index].wait = {20 * kMicro};
  for (int b = 0; b < 10; ++b) {
    FabricFrame frame;
    frame.at = Time{(b + 1) * 10 * kMicro};
    frame.load.assign(11, 0);
    frame.occupancy.assign(11, 0);
    frame.wait.assign(11, 0);
    if (b >= 4 && b <= 5) {
      frame.load[kHotPort.index] = 255;
      frame.load[kUplink.index] = 128;
      frame.wait[kUplink.index] = 102;  // 40 %
      frame.wait[kHost0.index] = 51;    // 20 %
      frame.wait[kHost1.index] = 5;     // 2 %: too little to count
    }
    m.frames.push_back(frame);
  }
  m.totals.events = 1000;
  m.totals.hops = 500;
  return m;
}

}  // namespace weir
