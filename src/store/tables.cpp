// See tables.h: the columns of each table beside the function that fills them. What concerns ports and congestion is in
// tables_fabric.cpp, what concerns flows in tables_flows.cpp.
#include "store/tables.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "base/error.h"
#include "scenario/quantity.h"
#include "scenario/toml/toml_tree.h"
#include "store/tables_fabric.h"
#include "store/tables_flows.h"

namespace weir {

Cell cell(double value) { return std::isfinite(value) ? Cell{value} : Cell{}; }
Cell cell(std::uint64_t value) { return static_cast<std::int64_t>(value); }
Cell literal_cell(const std::string& literal) {
  const bool quoted = literal.size() >= 2 && literal.front() == '"' && literal.back() == '"';
  std::string text = literal;
  if (quoted) {
    const TomlNode node = read_literal(literal, {});
    if (node.is_text()) text = node.text;
  }
  if (!text.empty() && text.find_first_not_of("0123456789", text.front() == '-' ? 1 : 0) == text.npos) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
  }
  try {
    return cell(parse_fraction(text));
  } catch (const InputError&) {
    return text;
  }
}
// Division, not multiplication by 1e-12: 1.2 ms is then written as 0.0012 and not as 0.0012000000000000001.
Cell seconds_cell(Time t) { return t == kNever ? Cell{} : cell(static_cast<double>(t.ps) / 1e12); }
Cell nanoseconds_cell(double ps) { return cell(ps / 1e3); }
Cell seed_cell(std::uint64_t seed) {
  if (seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return cell(seed);
  return std::to_string(seed);
}

namespace {

Cell nanoseconds_cell_of(const std::optional<double>& ps) { return ps ? nanoseconds_cell(*ps) : Cell{}; }

std::vector<TableColumn> run_columns() {
  return {{"label", kText}, {"name", kText}, {"scenario", kText}, {"seed", CellType::any}, {"config_hash", kText},
          {"config", kText}, {"weir_version", kText}, {"scheme", kText}, {"scheme_tag", kText},
          {"scheme_never_acted", kText}, {"ending", kText}, {"ending_text", kText}, {"end_s", kReal},
          {"warmup_s", kReal}, {"bin_s", kReal}, {"hosts", kInt}, {"switches", kInt}, {"generated", kInt},
          {"injected", kInt}, {"received", kInt}, {"received_bytes", kInt}, {"throughput_bps", kReal},
          {"fairness_jain", kReal}, {"fairness_min_over_mean", kReal}, {"event_from_s", kReal},
          {"event_to_s", kReal}, {"hops", kInt}, {"data_hops", kInt}, {"acks", kInt}, {"notifications", kInt},
          {"control_packets", kInt}, {"out_of_order", kInt}, {"resequencing_peak_packets", kInt},
          {"resequencing_mean_packets", kReal}, {"pauses", kInt}, {"paused_s", kReal}};
}

// Of all links and lanes; empty where nobody can be stopped.
void append_pauses(Row& row, const Measurements& m) {
  std::uint64_t stops = 0;
  Time paused;
  for (const PauseResult& pause : m.pauses) {
    stops += pause.stops;
    paused += pause.paused;
  }
  row.push_back(m.pauses.empty() ? Cell{} : cell(stops));
  row.push_back(m.pauses.empty() ? Cell{} : seconds_cell(paused));
}

void run_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  const Scenario& scenario = *run.record.scenario;
  std::uint64_t generated = 0, injected = 0, received = 0, bytes = 0;
  for (const ClassResult& c : m.classes) {
    generated += c.generated;
    injected += c.injected;
    received += c.received;
    bytes += c.received_bytes;
  }
  const auto& fair = run.digest.fairness;
  const auto& event = run.digest.event;
  Row row{run.record.label,
          scenario.name,
          scenario_file_name(scenario),
          seed_cell(scenario.seed),
          run.config_hash,
          run.config,
          run.record.weir_version,
          run.record.scheme,
          run.record.scheme_tag,
          m.scheme_idle.empty() ? Cell{} : Cell{m.scheme_idle},
          std::string(ending_name(m.ending)),
          m.ending_text,
          seconds_cell(m.end),
          seconds_cell(m.warmup),
          seconds_cell(m.bin),
          cell(run.topology().hosts()),
          cell(run.topology().switches()),
          cell(generated),
          cell(injected),
          cell(received),
          cell(bytes),
          cell(bit_rate(static_cast<Bytes>(bytes), m.end)),
          fair ? cell(fair->jain) : Cell{},
          fair ? cell(fair->min_over_mean) : Cell{},
          event ? seconds_cell(event->span.from) : Cell{},
          event ? seconds_cell(event->span.to) : Cell{},
          cell(m.totals.hops),
          cell(m.totals.data_hops),
          cell(m.totals.acks),
          cell(m.totals.notifications),
          cell(m.totals.control_packets),
          cell(m.resequencing.out_of_order),
          cell(m.resequencing.peak_packets),
          cell(m.resequencing.mean_packets)};
  append_pauses(row, m);
  append_slowdown(row, run.digest.slowdown);
  sink(row);
}

void parameter_rows(const AnalysedRun& run, const RowSink& sink) {
  for (const auto& [key, value] : run.record.parameters) sink({key, literal_cell(value)});
}

std::vector<TableColumn> class_columns() {
  return {{"class", kText, true},
          {"aggressor", kInt},
          {"generated", kInt},
          {"injected", kInt},
          {"received", kInt},
          {"refused", kInt},
          {"generated_bytes", kInt},
          {"injected_bytes", kInt},
          {"received_bytes", kInt},
          {"throughput_bps", kReal},
          {"window_throughput_bps", kReal},
          {"latency_mean_ns", kReal},
          {"latency_p50_ns", kReal},
          {"latency_p99_ns", kReal},
          {"latency_max_ns", kReal},
          {"latency_min_ns", kReal},
          {"network_latency_mean_ns", kReal},
          {"network_latency_p50_ns", kReal},
          {"network_latency_p99_ns", kReal},
          {"network_latency_max_ns", kReal},
          {"network_latency_min_ns", kReal},
          {"latency_peak_bin_ns", kReal},
          {"latency_peak_at_s", kReal},
          {"marked", kInt},
          {"marked_share", kReal},
          {"out_of_order", kInt},
          {"fairness_jain", kReal},
          {"fairness_min_over_mean", kReal},
          {"event_latency_before_ns", kReal},
          {"event_latency_peak_ns", kReal},
          {"event_latency_rise", kReal},
          {"event_throughput_before_bps", kReal},
          {"event_throughput_low_bps", kReal},
          {"event_throughput_dip", kReal},
          {"event_recovery_s", kReal},
          {"latency_slowest_ns", kReal},
          {"unsent_share", kReal},
          {"latency_growth", kReal},
          {"event_not_recovered", kInt}};
}

void append_latency(Row& row, const std::optional<LatencySummary>& s) {
  if (!s) {
    row.insert(row.end(), 5, Cell{});
    return;
  }
  for (const double ps : {s->mean_ps, s->p50_ps, s->p99_ps, s->max_ps, s->min_ps}) row.push_back(nanoseconds_cell(ps));
}

void append_impact(Row& row, const std::optional<Impact>& impact) {
  if (!impact) {
    row.insert(row.end(), 7, Cell{});
    return;
  }
  row.insert(row.end(), {nanoseconds_cell(impact->latency_before_ps), nanoseconds_cell(impact->latency_peak_ps),
                         cell(impact->rise()), cell(impact->throughput_before), cell(impact->throughput_low),
                         cell(impact->dip()), cell(impact->recovery)});
}

void class_rows(const AnalysedRun& run, const RowSink& sink) {
  for (std::size_t i = 0; i < run.m().classes.size(); ++i) {
    const ClassResult& c = run.m().classes[i];
    const ClassDigest& d = run.digest.classes[i];
    const auto& s = d.summary;
    Row row{c.name,
            std::int64_t{d.aggressor},
            cell(c.generated),
            cell(c.injected),
            cell(c.received),
            cell(c.refused),
            cell(c.generated_bytes),
            cell(c.injected_bytes),
            cell(c.received_bytes),
            cell(s.throughput),
            cell(s.window_throughput)};
    append_latency(row, s.latency);
    append_latency(row, s.network_latency);
    row.push_back(nanoseconds_cell_of(s.peak_latency_ps));
    row.push_back(s.peak_latency_ps ? seconds_cell(s.peak_at) : Cell{});
    row.insert(row.end(), {cell(c.marked), cell(s.marked_share), cell(c.out_of_order)});
    row.push_back(d.fairness ? cell(d.fairness->jain) : Cell{});
    row.push_back(d.fairness ? cell(d.fairness->min_over_mean) : Cell{});
    append_impact(row, d.impact);
    row.push_back(s.latency ? nanoseconds_cell(s.latency->slowest_mean_ps) : Cell{});
    row.push_back(cell(s.unsent_share));
    row.push_back(cell(s.latency_growth));
    row.push_back(d.impact ? Cell{std::int64_t{!d.impact->recovery}} : Cell{});
    append_slowdown(row, d.slowdown);
    sink(row);
  }
}

void mark_rows(const AnalysedRun& run, const RowSink& sink) {
  for (const ClassResult& c : run.m().classes)
    for (std::size_t bits = 0; bits < c.marks_by_bits.size(); ++bits)
      if (c.marks_by_bits[bits] > 0) sink({c.name, cell(bits), cell(c.marks_by_bits[bits])});
}

std::vector<TableColumn> series_columns() {
  return {{"class", kText, true},     {"bin", kInt, true},
          {"start_s", kReal},         {"generated", kInt},
          {"injected", kInt},         {"received", kInt},
          {"received_bytes", kInt},   {"throughput_bps", kReal},
          {"latency_mean_ns", kReal}, {"network_latency_mean_ns", kReal},
          {"latency_max_ns", kReal},  {"marked", kInt}};
}

void series_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  for (std::uint32_t i = 0; i < m.classes.size(); ++i) {
    const ClassResult& c = m.classes[i];
    const auto throughput = throughput_series(m, {i});
    const auto latency = latency_series(m, {i});
    for (std::size_t b = 0; b < c.series.size(); ++b) {
      const ClassBin& bin = c.series[b];
      const Cell network =
          bin.received == 0 ? Cell{} : nanoseconds_cell(bin.network_latency_sum_ps / static_cast<double>(bin.received));
      sink({c.name, cell(b), seconds_cell(bin_start(m, b)), cell(bin.generated), cell(bin.injected), cell(bin.received),
            cell(bin.received_bytes), cell(throughput[b]), nanoseconds_cell_of(latency[b]), network,
            bin.received == 0 ? Cell{} : nanoseconds_cell(static_cast<double>(bin.latency_max_ps)), cell(bin.marked)});
    }
  }
}

std::vector<TableColumn> host_columns() {
  return {{"host", kInt, true},     {"name", kText},        {"class", kText, true},   {"injected", kInt},
          {"injected_bytes", kInt}, {"received", kInt},     {"received_bytes", kInt}, {"peak_backlog_packets", kInt},
          {"injected_bps", kReal},  {"received_bps", kReal}};
}

// Those whose packets piled up highest; where that is equal, those that sent and received the most.
std::vector<std::uint32_t> kept_hosts(const AnalysedRun& run, std::size_t rows_each) {
  const Measurements& m = run.m();
  std::vector<std::uint32_t> all(std::min(host_count(m), run.topology().hosts()));
  std::iota(all.begin(), all.end(), 0u);
  const std::size_t most = std::max<std::size_t>(1, run.max_rows / std::max<std::size_t>(1, rows_each));
  return first_of(std::move(all), most, [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t h) {
      const HostResult total = host_total(m, {h});
      return std::tuple(~total.peak_backlog_packets, ~(total.injected_bytes + total.received_bytes), h);
    };
    return key(a) < key(b);
  });
}

// Hosts that are not counted by class get one row, of the class "all" (or of the only class there is).
void host_rows(const AnalysedRun& run, const RowSink& sink) {
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  const auto emit = [&](std::uint32_t h, const std::string& traffic_class, const HostResult& host) {
    sink({cell(std::uint64_t{h}), t.name(t.node(HostId{h})), traffic_class, cell(host.injected),
          cell(host.injected_bytes), cell(host.received), cell(host.received_bytes), cell(host.peak_backlog_packets),
          cell(bit_rate(static_cast<Bytes>(host.injected_bytes), m.end)),
          cell(bit_rate(static_cast<Bytes>(host.received_bytes), m.end))});
  };
  const bool by_class = m.hosts_by_class || m.classes.size() == 1;
  for (const std::uint32_t h : kept_hosts(run, by_class ? m.classes.size() : 1)) {
    if (!by_class) emit(h, "all", host_total(m, {h}));
    for (std::uint32_t c = 0; by_class && c < m.classes.size(); ++c)
      emit(h, m.classes[c].name, *host_of_class(m, {h}, {c}));
  }
}

void histogram_rows(const AnalysedRun& run, const RowSink& sink) {
  const auto emit = [&](const ClassResult& c, const char* from, const Histogram& h) {
    const auto bins = h.bins();
    for (std::size_t b = 0; b < bins.size(); ++b)
      sink({c.name, std::string(from), cell(b), nanoseconds_cell(static_cast<double>(bins[b].low)),
            nanoseconds_cell(static_cast<double>(bins[b].high)), cell(bins[b].count)});
  };
  for (const ClassResult& c : run.m().classes) {
    emit(c, "generation", c.latency);
    emit(c, "injection", c.network_latency);
  }
}

void number_rows(const AnalysedRun& run, const RowSink& sink) {
  const auto& numbers = run.m().scheme_numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) sink({cell(i), numbers[i].first, cell(numbers[i].second)});
}

}  // namespace

const ResultTable& runs_table() {
  static const ResultTable table{"runs", "", with_slowdown(run_columns()), run_rows};
  return table;
}

const std::vector<ResultTable>& result_tables() {
  static const std::vector<ResultTable> tables{
      {"parameters", "", {{"key", kText, true}, {"value", CellType::any}}, parameter_rows},
      {"classes", "classes.csv", with_slowdown(class_columns()), class_rows},
      {"marks", "", {{"class", kText, true}, {"bits", kInt, true}, {"packets", kInt}}, mark_rows},
      {"class_series", "series.csv", series_columns(), series_rows},
      flow_table(),
      app_table(),
      phase_table(),
      slowdown_table(),
      collective_table(),
      {"hosts", "hosts.csv", host_columns(), host_rows},
      {"ports", "ports.csv", port_columns(), port_rows},
      {"pauses", "pauses.csv", pause_columns(), pause_rows},
      {"port_series", "watch.csv", watch_columns(), watch_rows},
      {"resequencing_series", "resequencing.csv", resequencing_columns(), resequencing_rows},
      {"congestion_roots", "roots.csv", root_columns(), root_rows},
      {"congestion_victims", "victims.csv", victim_columns(), victim_rows},
      {"histograms",
       "latency.csv",
       {{"class", kText, true},
        {"measured_from", kText, true},
        {"bin", kInt, true},
        {"low_ns", kReal},
        {"high_ns", kReal},
        {"packets", kInt}},
       histogram_rows},
      {"numbers", "", {{"position", kInt, true}, {"name", kText}, {"value", kReal}}, number_rows},
  };
  return tables;
}

const ResultTable& result_table(std::string_view name) {
  for (const ResultTable& table : result_tables())
    if (table.name == name) return table;
  fail(__FILE__, __LINE__, "no such result table");
}

}  // namespace weir
