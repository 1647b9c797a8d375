#include "report/page/sweep_document.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/number_format.h"
#include "report/page/compressed.h"
#include "report/page/page.h"
#include "report/page/sweep_scale.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostApps = 8;       // more would bury the classes; `weir query` has them all
constexpr std::size_t kMostFailures = 500;

// What `weir compare` decides by comes first, so that it is there however narrow the terminal is.
constexpr SweepMeasure kSweepMeasures[] = {
    {"class", "slowdown_p99", "p99 slowdown", "p99 slowdown", 8, format_slowdown},
    {"class", "latency_slowest_ns", "mean latency of the slowest 1 %", "mean of\nslowest 1 %", 8,
     [](double x) { return format_time(1e3 * x); }},
    {"class", "window_throughput_bps", "throughput", "throughput", 8, [](double x) { return format_rate(x); }},
    {"class", "latency_mean_ns", "mean latency", "mean latency", 8, [](double x) { return format_time(1e3 * x); }},
    {"class", "slowdown_p50", "median slowdown", "p50 slowdown", 7, format_slowdown},
    {"class", "latency_p99_ns", "p99 latency", "p99 latency", 5, [](double x) { return format_time(1e3 * x); }},
    {"class", "marked_share", "marked share", "marked", 3, [](double x) { return format_share(x); }},
    {"app", "completion_s", "completion time", "completion", 8, [](double x) { return format_time(1e12 * x); }},
    {"run", "pauses", "pauses (PAUSE or PFC)", "pauses", 8,
     [](double x) { return format_count(static_cast<std::uint64_t>(x + 0.5)); }},
    {"run", "paused_s", "time that links were paused", "paused", 7, [](double x) { return format_time(1e12 * x); }},
};

const SweepMeasure* measure_of(const Statistic& s) {
  for (const SweepMeasure& measure : kSweepMeasures)
    if (s.kind == measure.kind && s.metric == measure.metric) return &measure;
  return nullptr;
}

std::map<std::string, std::size_t> numbers_of_points(const SweepReport& report) {
  std::map<std::string, std::size_t> numbers;
  for (std::size_t p = 0; p < report.points.size(); ++p) numbers[report.points[p]] = p;
  return numbers;
}

// Those who suffer before those who cause it, then applications in the order of their numbers; the fabric last.
bool comes_before(const SweepSubject& a, const SweepSubject& b) {
  const auto rank = [](const SweepSubject& s) { return s.kind == "class" ? 0 : s.kind == "app" ? 1 : 2; };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (a.aggressor != b.aggressor) return b.aggressor;
  if (a.kind == "app" && a.name.size() != b.name.size()) return a.name.size() < b.name.size();
  return a.name < b.name;
}

Json axes_document(const SweepReport& report, const SweepAnswer& answer) {
  Json list = Json::array();
  for (std::size_t a = 0; a < report.axes.size(); ++a) {
    const SweepScale scale = scale_of(report.axes[a]);
    Json effects = Json::array();
    for (const double effect : answer.effects[a]) effects.push_back(effect > 0 ? Json(effect) : Json(nullptr));
    list.push_back({{"key", report.axes[a].key},
                    {"keys", report.axes[a].keys},
                    {"kind", scale.kind},
                    {"labels", scale.labels},
                    {"numbers", scale.numbers.empty() ? Json(nullptr) : Json(scale.numbers)},
                    {"effects", effects}});
  }
  return list;
}

Json subjects_document(const std::vector<SweepSubject>& subjects) {
  Json list = Json::array();
  for (const SweepSubject& subject : subjects) {
    Json measures = Json::array();
    for (const SweepMeasure* measure : subject.measures)
      measures.push_back({{"metric", measure->metric}, {"title", measure->title}});
    list.push_back({{"kind", subject.kind},
                    {"name", subject.name},
                    {"title", subject.title()},
                    {"aggressor", subject.aggressor},
                    {"main", subject.main()},
                    {"measures", measures}});
  }
  return list;
}

// One row per point: place on every axis, runs, failed runs, and by subject and measure [mean, half width, runs].
Json points_document(const SweepReport& report, const std::vector<SweepSubject>& subjects) {
  const auto numbers = numbers_of_points(report);
  std::vector<std::size_t> runs(report.points.size(), 0), failed(report.points.size(), 0);
  for (const Statistic& s : report.statistics)
    if (const auto at = numbers.find(s.point); at != numbers.end())
      runs[at->second] = std::max(runs[at->second], s.interval.values);
  for (const SweepFailure& failure : report.failures)
    if (const auto at = numbers.find(failure.point); at != numbers.end()) ++failed[at->second];
  Json rows = Json::array();
  for (std::size_t p = 0; p < report.points.size(); ++p) {
    std::vector<std::size_t> place(report.axes.size());
    std::size_t rest = p;
    for (std::size_t a = place.size(); a-- > 0; rest /= report.axes[a].points.size())
      place[a] = rest % report.axes[a].points.size();
    Json values = Json::array();
    for (const SweepSubject& subject : subjects) {
      Json cells = Json::array();
      for (const auto& measure : subject.values) {
        const std::optional<Interval>& i = measure[p];
        if (!i) cells.push_back(nullptr);
        else cells.push_back({i->mean, i->half_width ? Json(*i->half_width) : Json(nullptr), i->values});
      }
      values.push_back(cells);
    }
    rows.push_back({place, runs[p], failed[p], values});
  }
  return compressed(rows.dump());
}

Json failures_document(const SweepReport& report) {
  Json shown = Json::array();
  for (std::size_t f = 0; f < std::min(report.failures.size(), kMostFailures); ++f)
    shown.push_back({{"label", report.failures[f].label}, {"error", report.failures[f].error}});
  return {{"total", report.failures.size()}, {"shown", shown}};
}

Json overloads_document(const SweepReport& report) {
  const auto numbers = numbers_of_points(report);
  Json list = Json::array();
  for (const SweepOverload& o : overloads(report.statistics))
    if (const auto at = numbers.find(o.point); at != numbers.end())
      list.push_back({{"point", at->second}, {"class", o.item}, {"unsent_share", o.unsent_share},
                      {"latency_growth", o.latency_growth}});
  return list;
}

Json answer_document(const SweepAnswer& answer) {
  Json cards = Json::array();
  for (const AnswerCard& card : answer.cards)
    cards.push_back({{"title", card.title}, {"value", card.value}, {"detail", card.detail}, {"tone", card.tone}});
  return {{"sentences", answer.sentences}, {"keys", answer.keys}, {"notes", answer.notes}, {"cards", cards}};
}

}  // namespace

// More unsent than may stand there by chance, or latency that grows. Flows are left out: their packets wait for each
// other.
std::vector<SweepOverload> overloads(const std::vector<Statistic>& statistics) {
  constexpr double kFewest = 10;
  std::map<std::pair<std::string, std::string>, std::map<std::string, Interval>> found;
  for (const Statistic& s : statistics)
    if (s.kind == "class" && (s.metric == "unsent_share" || s.metric == "injected" || s.metric == "flows" ||
                              s.metric == "latency_growth"))
      found[{s.point, s.item}][s.metric] = s.interval;
  std::vector<SweepOverload> list;
  for (const auto& [place, of] : found) {
    const auto unsent = of.find("unsent_share"), injected = of.find("injected"), growth = of.find("latency_growth");
    if (of.contains("flows")) continue;
    SweepOverload overload{place.first, place.second};
    bool is_one = false;
    if (unsent != of.end() && injected != of.end()) {
      const double share = overload.unsent_share = unsent->second.mean;
      const double packets = share < 1 ? injected->second.mean * share / (1 - share) : kFewest + 1;
      is_one = share > kUnsentOverload && packets > kFewest;
    }
    if (growth != of.end()) {
      overload.latency_growth = growth->second.mean;
      is_one = is_one || (growth->second.mean >= kGrowthOverload &&
                          growth->second.mean - growth->second.half_width.value_or(0) > 1);
    }
    if (is_one) list.push_back(std::move(overload));
  }
  return list;
}

std::span<const SweepMeasure> sweep_measures() { return kSweepMeasures; }

std::size_t SweepSubject::main() const {
  for (const std::string_view metric : {"latency_mean_ns", "window_throughput_bps"})
    for (std::size_t m = 0; m < measures.size(); ++m)
      if (measures[m]->metric == metric) return m;
  return 0;
}

bool SweepSubject::lower_is_better() const {
  return measures.empty() || measures[main()]->metric != std::string_view("window_throughput_bps");
}

std::string SweepSubject::title() const {
  if (kind == "run") return "fabric";
  return (kind == "app" ? "application " : "class ") + name;
}

std::vector<SweepSubject> sweep_subjects(const SweepReport& report) {
  const auto numbers = numbers_of_points(report);
  std::map<std::pair<std::string, std::string>, SweepSubject> found;
  std::set<std::string> apps;
  for (const Statistic& s : report.statistics) {
    const SweepMeasure* measure = measure_of(s);
    if (measure == nullptr || !numbers.contains(s.point)) continue;
    if (s.kind == "app") apps.insert(s.item);
    SweepSubject& subject = found[{s.kind, s.item}];
    subject.kind = s.kind;
    subject.name = s.item;
    const bool known = std::find(subject.measures.begin(), subject.measures.end(), measure) != subject.measures.end();
    if (!known && s.interval.mean != 0) subject.measures.push_back(measure);
  }
  std::vector<SweepSubject> subjects;
  for (auto& [key, subject] : found) {
    if (subject.kind == "app" && apps.size() > kMostApps) continue;
    if (subject.measures.empty()) continue;
    std::sort(subject.measures.begin(), subject.measures.end());  // the order of the table above
    subject.values.assign(subject.measures.size(), std::vector<std::optional<Interval>>(report.points.size()));
    subject.aggressor =
        std::find(report.aggressors.begin(), report.aggressors.end(), subject.name) != report.aggressors.end();
    subjects.push_back(std::move(subject));
  }
  std::sort(subjects.begin(), subjects.end(), comes_before);
  std::map<std::pair<std::string, std::string>, SweepSubject*> places;
  for (SweepSubject& subject : subjects) places[{subject.kind, subject.name}] = &subject;
  for (const Statistic& s : report.statistics) {
    const auto point = numbers.find(s.point);
    const auto place = places.find({s.kind, s.item});
    if (point == numbers.end() || place == places.end()) continue;
    SweepSubject& subject = *place->second;
    const auto at = std::find(subject.measures.begin(), subject.measures.end(), measure_of(s));
    if (at != subject.measures.end())
      subject.values[static_cast<std::size_t>(at - subject.measures.begin())][point->second] = s.interval;
  }
  return subjects;
}

Json sweep_document(const SweepReport& report) {
  const std::vector<SweepSubject> subjects = sweep_subjects(report);
  const SweepAnswer answer = sweep_answer(report, subjects);
  Json document{{"format", 1}, {"kind", "sweep"}};
  document["title"] = report.title;
  document["scenario"] = report.scenario;
  document["weir_version"] = report.weir_version;
  document["command"] = report.command;
  document["config"] = report.config;
  document["config_hash"] = report.config_hash;
  document["confidence"] = report.confidence;
  document["repetitions"] = report.repetitions;
  document["answer"] = answer_document(answer);
  document["axes"] = axes_document(report, answer);
  document["subjects"] = subjects_document(subjects);
  document["count"] = report.points.size();
  document["points"] = points_document(report, subjects);
  document["overloaded"] = overloads_document(report);
  document["failures"] = failures_document(report);
  return document;
}

std::string sweep_page(const SweepReport& report) { return page_with(sweep_document(report)); }

}  // namespace weir
