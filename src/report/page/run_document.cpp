#include "report/page/run_document.h"

#include <cmath>

#include "report/answer/answer.h"
#include "report/answer/flow_ends.h"
#include "report/answer/judgement.h"
#include "report/answer/phrases.h"
#include "report/page/downsample.h"
#include "store/cell_json.h"
#include "store/tables.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

Json curve(const SampledSeries& series) {
  Json y = Json::array();
  for (const auto& value : series.y) y.push_back(value && std::isfinite(*value) ? Json(*value) : Json(nullptr));
  return {series.x, y};
}

// Curves of one class: time in seconds, latency in ns, throughput in bit/s.
Json class_curves(const Measurements& m, ClassId c) {
  const double step = static_cast<double>(m.bin.ps) / 1e12;
  auto latency = latency_series(m, c);
  for (auto& value : latency)
    if (value) *value /= 1e3;
  std::vector<std::optional<double>> longest;
  for (const ClassBin& bin : m.classes[c.index].series)
    longest.push_back(bin.received == 0 ? std::optional<double>{} : static_cast<double>(bin.latency_max_ps) / 1e3);
  return {{"latency", curve(downsample(latency, 0, step))},
          {"latency_max", curve(downsample(longest, 0, step))},
          {"throughput", curve(downsample(throughput_series(m, c), 0, step))}};
}

// Four of the histogram's 64 bins per power of two in one: the eye cannot tell more apart.
Json histogram(const Histogram& h) {
  Json low = Json::array(), high = Json::array(), count = Json::array();
  std::uint64_t until = 0;
  for (const Histogram::Bin& bin : h.bins()) {
    if (!count.empty() && bin.low < until) {
      high.back() = static_cast<double>(bin.high) / 1e3;
      count.back() = count.back().get<std::uint64_t>() + bin.count;
      continue;
    }
    until = bin.low + 4 * (bin.high - bin.low);
    low.push_back(static_cast<double>(bin.low) / 1e3);
    high.push_back(static_cast<double>(bin.high) / 1e3);
    count.push_back(bin.count);
  }
  return {{"low_ns", low}, {"high_ns", high}, {"packets", count}};
}

// By size; column by column, as the chart needs it.
Json slowdown_curves(const std::optional<Slowdown>& slowdown) {
  Json up_to = Json::array(), flows = Json::array(), p50 = Json::array(), p95 = Json::array(), p99 = Json::array();
  for (const SizeBin& bin : slowdown ? slowdown->by_size : std::vector<SizeBin>{}) {
    const bool known = bin.slowdown.complete > 0;
    up_to.push_back(bin.up_to);
    flows.push_back(bin.slowdown.complete);
    p50.push_back(known ? Json(bin.slowdown.p50) : Json(nullptr));
    p95.push_back(known ? Json(bin.slowdown.p95) : Json(nullptr));
    p99.push_back(known ? Json(bin.slowdown.p99) : Json(nullptr));
  }
  return {{"up_to_bytes", up_to}, {"flows", flows}, {"p50", p50}, {"p95", p95}, {"p99", p99}};
}

Json classes_of(const AnalysedRun& run) {
  Json list = Json::array();
  const ResultTable& table = result_table("classes");
  table.rows(run, [&](const Row& row) { list.push_back(to_object(table.columns, row)); });
  for (std::uint32_t c = 0; c < list.size(); ++c) {
    list[c]["curves"] = class_curves(run.m(), {c});
    list[c]["histogram"] = histogram(run.m().classes[c].latency);
    list[c]["slowdown"] = slowdown_curves(run.digest.classes[c].slowdown);
    const auto ends = flow_ends(run, run.m().classes[c].name);
    const bool known = ends && ends->all();
    list[c]["completion_mean_ns"] = known ? Json(ends->mean_ps / 1e3) : Json(nullptr);
    list[c]["completion_last_ns"] = known ? Json(ends->last_ps / 1e3) : Json(nullptr);
  }
  return list;
}

Json watched_of(const Measurements& m) {
  Json list = Json::array();
  const double step = static_cast<double>(m.watch_bin.ps) / 1e12;
  for (const WatchedPort& port : m.watched) {
    std::vector<std::optional<double>> rate, queue;
    for (const WatchBin& bin : port.series) {
      rate.push_back(bin.rate);
      queue.push_back(bin.queue_mean);
    }
    list.push_back({{"name", port.name},
                    {"rate", curve(downsample(rate, 0, step))},
                    {"queue", curve(downsample(queue, 0, step))}});
  }
  return list;
}

Json scheme_curves(const Measurements& m) {
  Json list = Json::array();
  for (const SchemeSeries& series : m.scheme_series) {
    const std::vector<std::optional<double>> values(series.values.begin(), series.values.end());
    list.push_back({{"name", series.name},
                    {"curve", curve(downsample(values, 0, static_cast<double>(series.bin.ps) / 1e12))}});
  }
  return list;
}

Json run_document(const AnalysedRun& run, const Judgement& j, std::size_t index, std::size_t fabric,
                  std::size_t most_frames) {
  Json document = Json::object();
  const ResultTable& table = runs_table();
  table.rows(run, [&](const Row& row) { document = to_object(table.columns, row); });
  document["fabric"] = fabric;
  document["headline"] = headline(run);
  const double harm = j.harms[index];
  document[is_slowdown(j.measure) ? "harm_slowdown" : "harm_ns"] =
      !std::isfinite(harm) ? Json(nullptr) : Json(is_slowdown(j.measure) ? harm : harm / 1e3);
  document["can_be_deployed"] = can_be_deployed(run);
  document["coarse"] = run.digest.congestion.coarse;
  document["pause"] = !run.m().pauses.empty();
  document["hot_link_load"] = j.hot_link.valid() && j.hot_link.index < run.m().ports.size()
                                  ? Json(load_in_event(run, j.hot_link))
                                  : Json(nullptr);
  document["waiting_s"] = static_cast<double>(total_waiting(run).ps) / 1e12;
  Json parameters = Json::object();
  for (const auto& [key, value] : run.record.parameters) parameters[key] = to_json(literal_cell(value));
  document["parameters"] = parameters;
  document["classes"] = classes_of(run);
  document["watched"] = watched_of(run.m());
  document["scheme_curves"] = scheme_curves(run.m());
  Json numbers = Json::object();
  for (const auto& [name, value] : run.m().scheme_numbers) {
    const std::string title = number_title(name);
    std::string key = title;  // a page shows one value per name
    for (int again = 2; numbers.contains(key); ++again) key = title + " (" + std::to_string(again) + ")";
    numbers[key] = to_json(cell(value));
  }
  document["numbers"] = numbers;
  document["why_ended"] = why_ended(run);
  document["ports_held_back"] = ports_held_back(run);
  document["tables"] = tables_document(run);
  document["frames"] = frames_document(run, most_frames);
  return document;
}

// The time that the column "hot link busy" is a share of.
std::string busy_when(const AnalysedRun& reference) {
  const std::string time = time_of_event(reference);
  return reference.digest.event
             ? " (\"hot link busy\": only during the disturbance, whose time differs from run to run; in `" +
                   reference.record.label + "`, " + time + ")"
             : " (\"hot link busy\": share of the whole run)";
}

Json answer_document(const std::vector<AnalysedRun>& runs, const Judgement& j) {
  const Answer answer = answer_of(runs, j);
  Json cards = Json::array();
  for (const AnswerCard& card : answer.cards)
    cards.push_back({{"title", card.title}, {"value", card.value}, {"detail", card.detail}, {"tone", card.tone}});
  return {{"headline", answer.headline},
          {"verdict", answer.verdict},
          {"cards", cards},
          {"advice", answer.advice},
          {"innocent", j.judged},  // the page ranks the runs by what these feel
          {"measure", name_of(j.measure)},
          {"reference", j.reference},
          {"best", j.best < runs.size() ? Json(j.best) : Json(nullptr)},
          {"helps", j.helps},
          {"deployable", j.deployable < runs.size() ? Json(j.deployable) : Json(nullptr)},
          {"hot_link", j.hot_link.valid()
                           ? Json(link_name(runs.front().topology(), j.hot_link) + busy_when(runs[j.reference]))
                           : Json(nullptr)},
          {"hot_port", j.hot_link.valid() ? Json(j.hot_link.index) : Json(nullptr)}};
}

bool equal_fabrics(const Topology& a, const Topology& b) {
  if (a.nodes() != b.nodes() || a.ports() != b.ports() || a.shape() != b.shape()) return false;
  for (std::uint32_t p = 0; p < a.ports(); ++p)
    if (a.to({p}) != b.to({p}) || a.node_of({p}) != b.node_of({p})) return false;
  for (std::uint32_t n = 0; n < a.nodes(); ++n)
    if (a.name({n}) != b.name({n})) return false;
  return true;
}

}  // namespace

Json report_document(const std::vector<AnalysedRun>& runs, const ReportOptions& options) {
  const Judgement j = judge(runs);
  Json document{{"format", 1}, {"kind", "runs"}};
  const Scenario& scenario = *runs.front().record.scenario;
  document["title"] = scenario.name;
  document["scenario"] = scenario_file_name(scenario);
  document["weir_version"] = runs.front().record.weir_version;
  document["command"] = options.command;
  document["running"] = options.running ? Json(*options.running) : Json(nullptr);
  document["answer"] = answer_document(runs, j);
  std::vector<const Topology*> fabrics;
  std::vector<std::size_t> fabric_of_run;
  std::size_t ports = 0;
  for (const AnalysedRun& run : runs) {
    ports += run.topology().ports();
    std::size_t f = 0;
    while (f < fabrics.size() && !equal_fabrics(*fabrics[f], run.topology())) ++f;
    if (f == fabrics.size()) fabrics.push_back(&run.topology());
    fabric_of_run.push_back(f);
  }
  document["fabrics"] = Json::array();
  for (const Topology* fabric : fabrics) document["fabrics"].push_back(fabric_document(*fabric));
  const std::size_t most_frames = kFrameCells / std::max<std::size_t>(1, ports);
  document["runs"] = Json::array();
  for (std::size_t r = 0; r < runs.size(); ++r)
    document["runs"].push_back(run_document(runs[r], j, r, fabric_of_run[r], most_frames));
  return document;
}

}  // namespace weir
