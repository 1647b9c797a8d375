#include "manage/metrics.h"

#include <fmt/format.h>

#include "store/prometheus.h"

namespace weir::manage {

namespace {

std::string labels_of(const Topology& t, const Identities& names, PortId port) {
  const NodeId node = t.node_of(port);
  return fmt::format("{{guid=\"0x{:016x}\",switch=\"{}\",port=\"{}\"}}", names.guid(node),
                     prometheus_label(t.name(node)), names.number(port));
}

void add_totals(PrometheusPage& page, const Manager& manager) {
  const ManagerTotals& t = manager.totals();
  page.counter("weir_manager_sweeps_total", "Sweeps over the counters of the subnet.", t.sweeps);
  page.counter("weir_manager_readings_total", "Ports that were read.", t.readings);
  page.counter("weir_manager_answers_missing_total", "Requests without an answer that could be used.", t.missing);
  page.counter("weir_manager_settings_total", "Marking rates that were lowered, or would have been in a dry run.",
               t.settings);
  page.counter("weir_manager_refused_total", "Settings that the bounds of the policy have refused.", t.refused);
  page.counter("weir_manager_failed_total", "Settings that failed.", t.failed);
  page.counter("weir_manager_undone_total", "Settings that were undone.", t.undone);
  page.gauge("weir_manager_sweep_seconds", "How long the last sweep took.", manager.last_sweep().seconds());
  page.gauge("weir_manager_blind", "1 while too many answers are missing to act.", manager.is_blind());
  page.gauge("weir_manager_stands_aside", "1 while nothing is set because somebody else has changed settings.",
             manager.stands_aside());
  page.gauge("weir_manager_acts", "1 if marking rates are really set.", manager.acts());
}

}  // namespace

std::string metrics_text(const Manager& manager, const Topology& topology) {
  PrometheusPage page;
  const Identities names(topology);
  add_totals(page, manager);
  const auto& readings = manager.last_readings();
  const auto ports = [&](const char* name, const char* type, const char* help, const auto& value) {
    page.family(name, type, help);
    for (const auto& [port, r] : readings)
      if (const auto v = value(r)) page.value(labels_of(topology, names, port), std::uint64_t{*v});
  };
  ports("infiniband_switch_port_transmit_data_bytes_total", "counter", "PortXmitData, in bytes.",
        [](const PortReading& r) { return r.xmit_data ? std::optional(*r.xmit_data * 4) : std::nullopt; });
  ports("infiniband_switch_port_transmit_wait_total", "counter", "PortXmitWait, in ticks.",
        [](const PortReading& r) { return r.xmit_wait; });
  ports("infiniband_switch_port_transmit_congested_total", "counter", "PortXmitTimeCong, in ticks.",
        [](const PortReading& r) { return r.xmit_cong_time; });
  page.family("weir_port_low", "gauge", "1 while the Marking_Rate of a port is lowered.");
  for (const PortId port : manager.low_port_list()) page.value(labels_of(topology, names, port), std::uint64_t{1});
  page.family("weir_port_victims", "gauge", "Ports of other switches that a congested port holds back.");
  for (const auto& [port, victims] : manager.victims())
    page.value(labels_of(topology, names, port), std::uint64_t{victims});
  return page.take();
}

}  // namespace weir::manage
