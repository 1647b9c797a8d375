// Rows about link directions: their counters, and who congests whom. Split from tables.cpp for size only.
#include <algorithm>
#include <tuple>

#include "store/tables_fabric.h"

namespace weir {

std::vector<std::uint32_t> connected_ports(const AnalysedRun& run) {
  const Topology& t = run.topology();
  std::vector<std::uint32_t> ports;
  for (std::uint32_t p = 0; p < std::min(t.ports(), run.m().ports.size()); ++p)
    if (t.to({p}).valid() || t.from({p}).valid()) ports.push_back(p);
  return ports;
}

namespace {

enum class PortRole { none, held_back, root };

std::vector<PortRole> roles(const AnalysedRun& run) {
  std::vector<PortRole> result(run.topology().ports(), PortRole::none);
  for (const CongestionRoot& root : run.digest.congestion.roots)
    for (const CongestionVictim& v : root.victims) result[v.port.index] = PortRole::held_back;
  for (const CongestionVictim& v : run.digest.congestion.unexplained) result[v.port.index] = PortRole::held_back;
  // A port that was both at different times is first of all a root.
  for (const CongestionRoot& root : run.digest.congestion.roots) result[root.port.index] = PortRole::root;
  return result;
}

Cell role_cell(PortRole role) {
  if (role == PortRole::none) return {};
  return std::string(role == PortRole::root ? "root" : "held back");
}

// Those that waited longest; where they waited equally long, those that carried the most.
std::vector<std::uint32_t> kept_ports(const AnalysedRun& run) {
  const auto& ports = run.m().ports;
  return first_of(connected_ports(run), run.max_rows, [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t p) {
      return std::tuple(-ports[p].wait.ps, ~(ports[p].xmit_bytes + ports[p].rcv_bytes), p);
    };
    return key(a) < key(b);
  });
}

Cell peer_name(const Topology& t, PortId p) { return t.to(p).valid() ? Cell{t.port_name(t.to(p))} : Cell{}; }

}  // namespace

std::vector<TableColumn> port_columns() {
  return {{"port", kInt, true},
          {"name", kText},
          {"node", kText},
          {"peer", kText},
          {"rate_bps", kInt},
          {"xmit_bytes", kInt},
          {"rcv_bytes", kInt},
          {"PortXmitData", kInt},
          {"PortRcvData", kInt},
          {"PortXmitPkts", kInt},
          {"PortRcvPkts", kInt},
          {"PortXmitWait", kInt},
          {"PortXmitTimeCong", kInt},
          {"tick_ns", kReal},
          {"busy_s", kReal},
          {"wait_s", kReal},
          {"congested_s", kReal},
          {"utilisation", kReal},
          {"wait_share", kReal},
          {"marked", kInt},
          {"peak_input_bytes", kInt},
          {"mean_input_bytes", kReal},
          {"peak_output_bytes", kInt},
          {"mean_output_bytes", kReal},
          {"role", kText}};
}

void port_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  const auto role = roles(run);
  for (const std::uint32_t i : kept_ports(run)) {
    const PortId p{i};
    const PortResult& port = m.ports[i];
    const IbCounters ib = ib_counters(port);
    sink({cell(std::uint64_t{i}),
          t.port_name(p),
          t.name(t.node_of(p)),
          peer_name(t, p),
          t.to(p).valid() ? Cell{t.link(p).rate.bits_per_second} : Cell{},
          cell(port.xmit_bytes),
          cell(port.rcv_bytes),
          cell(ib.port_xmit_data),
          cell(ib.port_rcv_data),
          cell(ib.port_xmit_pkts),
          cell(ib.port_rcv_pkts),
          cell(ib.port_xmit_wait),
          cell(ib.port_xmit_cong_time),
          port.tick_ps == 0 ? Cell{} : nanoseconds_cell(port.tick_ps),
          seconds_cell(port.busy),
          seconds_cell(port.wait),
          seconds_cell(port.congested),
          cell(utilisation(m, p)),
          cell(wait_share(m, p)),
          cell(port.marked),
          cell(port.peak_input_bytes),
          cell(port.mean_input_bytes),
          cell(port.peak_output_bytes),
          cell(port.mean_output_bytes),
          role_cell(role[i])});
  }
}

std::vector<TableColumn> pause_columns() {
  return {{"port", kInt, true}, {"lane", kInt, true}, {"name", kText},        {"peer", kText},
          {"stops", kInt},      {"paused_s", kReal},  {"paused_share", kReal}};
}

void pause_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  std::size_t left = run.max_rows;
  for (std::uint32_t i = 0; i < m.pauses.size() && left > 0; ++i) {
    const PauseResult& pause = m.pauses[i];
    if (pause.stops == 0) continue;
    const PortId p{i / m.lanes};
    const double share = m.end.ps > 0 ? static_cast<double>(pause.paused.ps) / static_cast<double>(m.end.ps) : 0;
    sink({cell(std::uint64_t{p.index}), cell(std::uint64_t{i % m.lanes}), t.port_name(p), peer_name(t, p),
          cell(pause.stops), seconds_cell(pause.paused), cell(share)});
    --left;
  }
}

std::vector<TableColumn> root_columns() {
  return {{"rank", kInt, true}, {"port", kInt},         {"name", kText}, {"peer", kText},          {"from_s", kReal},
          {"to_s", kReal},      {"congested_s", kReal}, {"load", kReal}, {"caused_wait_s", kReal}, {"victims", kInt}};
}

void root_rows(const AnalysedRun& run, const RowSink& sink) {
  const Topology& t = run.topology();
  const auto& roots = run.digest.congestion.roots;
  for (std::size_t r = 0; r < roots.size(); ++r) {
    const CongestionRoot& root = roots[r];
    sink({cell(r + 1), cell(std::uint64_t{root.port.index}), t.port_name(root.port), peer_name(t, root.port),
          seconds_cell(root.from), seconds_cell(root.to), seconds_cell(root.congested), cell(root.load),
          seconds_cell(root.caused_wait), cell(root.victims.size())});
  }
}

std::vector<TableColumn> victim_columns() {
  return {{"rank", kInt, true}, {"port", kInt, true}, {"name", kText}, {"peer", kText}, {"wait_s", kReal}};
}

void victim_rows(const AnalysedRun& run, const RowSink& sink) {
  const Topology& t = run.topology();
  std::size_t left = run.max_rows;
  const auto emit = [&](std::size_t rank, const std::vector<CongestionVictim>& victims) {
    for (std::size_t i = 0; i < victims.size() && left > 0; ++i, --left) {
      const CongestionVictim& v = victims[i];
      sink({cell(rank), cell(std::uint64_t{v.port.index}), t.port_name(v.port), peer_name(t, v.port),
            seconds_cell(v.wait)});
    }
  };
  emit(0, run.digest.congestion.unexplained);  // rank 0: nobody's
  const auto& roots = run.digest.congestion.roots;
  for (std::size_t r = 0; r < roots.size(); ++r) emit(r + 1, roots[r].victims);
}

std::vector<TableColumn> watch_columns() {
  return {{"port", kText, true},         {"bin", kInt, true},          {"start_s", kReal}, {"rate_bps", kReal},
          {"queue_mean_bytes", kReal}, {"queue_max_bytes", kInt}};
}

void watch_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  for (const WatchedPort& port : m.watched)
    for (std::size_t b = 0; b < port.series.size(); ++b)
      sink({port.name, cell(b), seconds_cell(m.watch_bin * static_cast<std::int64_t>(b)), cell(port.series[b].rate),
            cell(port.series[b].queue_mean), cell(port.series[b].queue_max)});
}

std::vector<TableColumn> resequencing_columns() {
  return {{"bin", kInt, true}, {"start_s", kReal}, {"mean_packets", kReal}};
}

void resequencing_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  for (std::size_t b = 0; b < m.resequencing_series.size(); ++b)
    sink({cell(b), seconds_cell(m.watch_bin * static_cast<std::int64_t>(b)), cell(m.resequencing_series[b])});
}

}  // namespace weir
