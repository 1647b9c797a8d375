#include "live/metrics.h"

#include <fmt/format.h>

#include "store/prometheus.h"

namespace weir::live {

namespace {

struct Series {
  const char *name, *help;
  std::uint64_t (*value)(const PortSample& s, Time wait_tick, Time congestion_tick);
};

std::uint64_t ticks(Time time, Time tick) { return static_cast<std::uint64_t>(time.ps / tick.ps); }

// Behind "infiniband_switch_port_" and "infiniband_hca_port_".
constexpr Series kSeries[] = {
    {"transmit_data_bytes_total", "PortXmitData, in bytes.",
     [](const PortSample& s, Time, Time) { return s.sent_bytes; }},
    {"receive_data_bytes_total", "PortRcvData, in bytes.", [](const PortSample& s, Time, Time) { return s.rcv_bytes; }},
    {"transmit_packets_total", "PortXmitPkts.", [](const PortSample& s, Time, Time) { return s.sent_packets; }},
    {"receive_packets_total", "PortRcvPkts.", [](const PortSample& s, Time, Time) { return s.rcv_packets; }},
    {"transmit_wait_total", "PortXmitWait, in ticks.",
     [](const PortSample& s, Time wait, Time) { return ticks(s.waited, wait); }},
    {"transmit_congested_total", "PortXmitTimeCong, in ticks.",
     [](const PortSample& s, Time, Time congestion) { return ticks(s.congested, congestion); }},
};

class FabricPage {
 public:
  explicit FabricPage(const Session& session) : session_(session), topology_(session.subnet().topology()) {
    for (std::uint32_t p = 0; p < topology_.ports(); ++p) {
      samples_.push_back(session.machine().sample({p}));
      labels_.push_back(labels_of({p}));
    }
  }

  std::string text() {
    for (const Series& series : kSeries) {
      add(series, "infiniband_switch_port_", false);
      add(series, "infiniband_hca_port_", true);
    }
    page_.counter("weir_fabric_datagrams_total", "Management datagrams that were served.", session_.server().served());
    page_.counter("weir_fabric_datagrams_unanswered_total", "Datagrams that reached no node.",
                  session_.server().unanswered());
    page_.gauge("weir_fabric_clock_seconds", "Simulated time.", session_.machine().now().seconds());
    return page_.take();
  }

 private:
  void add(const Series& series, const std::string& prefix, bool hosts) {
    const std::string name = prefix + series.name;
    page_.family(name.c_str(), "counter", series.help);
    for (std::uint32_t p = 0; p < topology_.ports(); ++p) {
      if (!topology_.to({p}).valid() || topology_.is_host(topology_.node_of({p})) != hosts) continue;
      page_.value(labels_[p], series.value(samples_[p], session_.machine().wait_tick({p}),
                                           session_.machine().congestion_tick()));
    }
  }
  std::string labels_of(PortId port) const {
    const NodeId node = topology_.node_of(port);
    const Identities& names = session_.subnet().identities();
    return fmt::format("{{guid=\"0x{:016x}\",{}=\"{}\",port=\"{}\"}}", names.guid(node),
                       topology_.is_host(node) ? "hca" : "switch", prometheus_label(topology_.name(node)),
                       names.number(port));
  }

  const Session& session_;
  const Topology& topology_;
  std::vector<PortSample> samples_;
  std::vector<std::string> labels_;
  PrometheusPage page_;
};

}  // namespace

std::string metrics_text(const Session& session) { return FabricPage(session).text(); }

}  // namespace weir::live
