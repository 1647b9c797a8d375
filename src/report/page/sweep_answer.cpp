// What a sweep tells, in sentences: for everybody the best and the worst point, and which key matters most.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/answer/judgement.h"
#include "report/number_format.h"
#include "report/page/sweep_document.h"
#include "report/page/sweep_scale.h"

namespace weir {
namespace {

constexpr std::size_t kMostSubjects = 6;  // in sentences and cards; tables and charts have all

// May both stand for the same true mean? Without intervals nobody knows.
bool touch(const Interval& a, const Interval& b) {
  return a.half_width && b.half_width && std::abs(a.mean - b.mean) <= *a.half_width + *b.half_width;
}

struct Extremes {
  std::size_t best = 0, worst = 0, points = 0;
};

Extremes extremes_of(const SweepSubject& subject) {
  const auto& values = subject.values[subject.main()];
  const double sign = subject.lower_is_better() ? 1 : -1;
  Extremes found;
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (!values[p]) continue;
    if (found.points++ == 0) found.best = found.worst = p;
    if (sign * values[p]->mean < sign * values[found.best]->mean) found.best = p;
    if (sign * values[p]->mean > sign * values[found.worst]->mean) found.worst = p;
  }
  return found;
}

std::string place_of(const SweepReport& report, std::size_t point) {
  return report.points[point].empty() ? "the one point" : report.points[point];
}

std::string sentence_of(const SweepReport& report, const SweepSubject& subject) {
  const SweepMeasure& measure = *subject.measures[subject.main()];
  const auto& values = subject.values[subject.main()];
  const Extremes at = extremes_of(subject);
  const Interval &best = *values[at.best], &worst = *values[at.worst];
  const std::string name = subject.kind == "class" ? subject.name : subject.title();
  if (at.points == 1)
    return fmt::format("{}: {} {} at {}, the only point with a result.", name, measure.title,
                       format_mean(best, measure.format), place_of(report, at.best));
  if (best.mean == worst.mean)
    return fmt::format("{}: {} {} at every point.", name, measure.title, format_mean(best, measure.format));
  const double low = std::min(best.mean, worst.mean), high = std::max(best.mean, worst.mean);
  std::string end = low > 0 ? ", a difference of " + format_factor(high / low) : "";
  if (touch(best, worst)) end = "; their confidence intervals overlap, so the difference may be due to chance";
  return fmt::format("{}: best at {} ({} {}), worst at {} ({}){}.", name, place_of(report, at.best), measure.title,
                     format_mean(best, measure.format), place_of(report, at.worst), format_mean(worst, measure.format),
                     end);
}

// The other numbers at a point, for the small print of a card.
std::string others_of(const SweepSubject& subject, std::size_t point) {
  std::string text;
  for (std::size_t m = 0; m < subject.measures.size(); ++m)
    if (m != subject.main() && subject.values[m][point])
      text += fmt::format("; {} {}", subject.measures[m]->title,
                          format_mean(*subject.values[m][point], subject.measures[m]->format));
  return text;
}

void add_cards(const SweepReport& report, const SweepSubject& subject, std::vector<AnswerCard>& cards) {
  const SweepMeasure& measure = *subject.measures[subject.main()];
  const auto& values = subject.values[subject.main()];
  const Extremes at = extremes_of(subject);
  const auto add = [&](const char* which, std::size_t point, const char* tone) {
    cards.push_back({fmt::format("{}: {} {}", subject.title(), which, measure.title),
                     format_mean(*values[point], measure.format), place_of(report, point) + others_of(subject, point),
                     tone});
  };
  if (values[at.best]->mean == values[at.worst]->mean) return add("the", at.best, "");
  add("best", at.best, "good");
  add("worst", at.worst, "bad");
}

// "For class cold, a has the largest effect: between its best and its worst value, the mean latency differs 12.3x on
// average. It is followed by b (1.40x)."
std::string key_sentence(const SweepReport& report, const SweepSubject& subject, const std::vector<double>& effects) {
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < effects.size(); ++a)
    if (effects[a] > 0) order.push_back(a);
  if (order.size() < 2) return "";
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return effects[x] > effects[y]; });
  const std::string_view what = subject.measures[subject.main()]->title;
  if (effects[order[0]] == 1) return fmt::format("No key changes the {} of {}.", what, subject.title());
  std::string text = fmt::format("For {}, {} has the largest effect: between its best and its worst value, the {} "
                                 "differs {} on average",
                                 subject.title(), report.axes[order[0]].key, what, format_factor(effects[order[0]]));
  for (std::size_t i = 1; i < order.size(); ++i)
    text += fmt::format("{} {} ({})", i == 1 ? ". It is followed by" : ",", report.axes[order[i]].key,
                        format_factor(effects[order[i]]));
  return text + ".";
}

// Calls back with the points of every line along an axis: all that differ in this key alone.
template <class Visit>
void each_line(const SweepReport& report, std::size_t axis, Visit visit) {
  std::size_t inner = 1;
  for (std::size_t a = axis + 1; a < report.axes.size(); ++a) inner *= report.axes[a].points.size();
  std::vector<std::size_t> line(report.axes[axis].points.size());
  for (std::size_t first = 0; first < report.points.size(); ++first) {
    if (first / inner % line.size() != 0) continue;
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = first + i * inner;
    visit(line);
  }
}

// How often a value of a key is the best of those that `counts` lets in, whatever the other keys are.
struct Choice {
  std::vector<std::size_t> wins, clear;  // by value; clear: by more than the intervals
  std::size_t lines = 0;
  bool judged = false;  // there are intervals

  std::size_t most() const {
    return static_cast<std::size_t>(std::max_element(wins.begin(), wins.end()) - wins.begin());
  }
  // "at 4 of 5 values of load (clearly at 3 of them: its confidence interval does not overlap that of the next best)"
  std::string in_words(const std::string& of_what) const {
    const std::size_t won = wins[most()], sure = clear[most()];
    std::string text = fmt::format("at {} of {} {}", won, lines, of_what);
    if (!judged) return text;
    if (sure == 0) return text + " (clearly at none of them: the confidence intervals overlap)";
    return text + fmt::format(" (clearly at {}: its confidence interval does not overlap that of the next best)",
                              sure == won ? (won == 1 ? "it" : won == 2 ? "both" : fmt::format("all {}", won))
                                          : fmt::format("{} of them", sure));
  }
};

template <class Counts>
Choice choice_of(const SweepReport& report, const SweepSubject& subject, std::size_t axis, Counts counts) {
  const auto& values = subject.values[subject.main()];
  const double sign = subject.lower_is_better() ? 1 : -1;
  const std::size_t options = report.axes[axis].points.size();
  Choice choice{std::vector<std::size_t>(options, 0), std::vector<std::size_t>(options, 0)};
  each_line(report, axis, [&](const std::vector<std::size_t>& line) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < line.size(); ++i)
      if (values[line[i]] && counts(i)) order.push_back(i);
    if (order.size() < 2) return;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return sign * values[line[a]]->mean < sign * values[line[b]]->mean;
    });
    const Interval &best = *values[line[order[0]]], &second = *values[line[order[1]]];
    ++choice.lines;
    if (best.mean == second.mean) return;
    ++choice.wins[order[0]];
    choice.judged = choice.judged || (best.half_width && second.half_width);
    if (best.half_width && second.half_width && !touch(best, second)) ++choice.clear[order[0]];
  });
  return choice;
}

std::string tag_in(const SweepReport& report, std::size_t axis, const std::string& value) {
  if (report.axes[axis].key != "scheme.name") return "";
  for (const SweepScheme& scheme : report.schemes)
    if (scheme.name == value) return scheme.tag;
  return "";
}

// Of a key without an order, such as the scheme, people want to know which value to take, whatever the others are:
// "scheme.name=window has the best mean latency of class cold at 4 of 5 values of load (clearly at 3 of them: its
// confidence interval does not overlap that of the next best)"; and if that one is not available, which of the others.
std::string choice_sentence(const SweepReport& report, const SweepSubject& subject, std::size_t axis) {
  const SweepScale scale = scale_of(report.axes[axis]);
  if (scale.kind != "category" || scale.labels.size() < 2 || report.axes.size() < 2) return "";
  const std::string& key = report.axes[axis].key;
  const auto named = [&](std::size_t i) {
    const std::string tag = tag_in(report, axis, scale.labels[i]);
    return fmt::format("{}={}{}", key, scale.labels[i], tag.empty() ? "" : fmt::format(" ({})", availability(tag)));
  };
  const auto deployable = [&](std::size_t i) {
    return is_deployable_tag(tag_in(report, axis, scale.labels[i]));
  };
  const Choice all = choice_of(report, subject, axis, [](std::size_t) { return true; });
  if (all.lines == 0 || all.wins[all.most()] == 0) return "";
  const std::string of_what = report.axes.size() == 2 ? "values of " + report.axes[1 - axis].key
                                                      : std::string("combinations of the other keys");
  std::string text = fmt::format("{} has the best {} of {} {}", named(all.most()),
                                 subject.measures[subject.main()]->title, subject.title(), all.in_words(of_what));
  if (deployable(all.most())) return text + ".";
  const Choice some = choice_of(report, subject, axis, deployable);
  if (some.lines == 0 || some.wins[some.most()] == 0) return text + ".";
  return fmt::format("{}. Among schemes that can be deployed, {} {}.", text, named(some.most()),
                     some.in_words(of_what));
}

std::string overload_note(const SweepReport& report) {
  constexpr std::size_t kMostPoints = 4;  // named
  std::vector<std::string> places;
  for (const SweepOverload& o : overloads(report.statistics))
    if (std::find(report.points.begin(), report.points.end(), o.point) != report.points.end())
      places.push_back(fmt::format(
          "{} ({}, {})", o.point.empty() ? "the one point" : o.point, o.item,
          o.unsent_share > kUnsentOverload
              ? format_share(o.unsent_share) + " unsent"
              : format_factor(o.latency_growth) + " the latency in the second half of the run"));
  if (places.empty()) return "";
  std::string text =
      "At these points, classes are overloaded: ";
  for (std::size_t i = 0; i < std::min(places.size(), kMostPoints); ++i) text += (i == 0 ? "" : "; ") + places[i];
  if (places.size() > kMostPoints) text += fmt::format("; and {} more", places.size() - kMostPoints);
  return text + ". Latency there grows with the length of the run, so its confidence interval holds only for this "
                "run.duration.";
}

std::vector<std::string> notes_of(const SweepReport& report, const std::vector<SweepSubject>& subjects) {
  std::vector<std::string> notes;
  const bool any = std::any_of(report.statistics.begin(), report.statistics.end(),
                               [](const Statistic& s) { return s.interval.half_width.has_value(); });
  if (any)
    notes.push_back(
        fmt::format("± is the {:.4g} % confidence interval of a mean over repetitions with different seeds.",
                    100 * report.confidence));
  else if (!subjects.empty())
    notes.push_back("Every point was run once, so the effect of chance is unknown; --repetitions 5 gives confidence "
                    "intervals.");
  if (std::string overload = overload_note(report); !overload.empty()) notes.push_back(std::move(overload));
  for (std::string& note : idle_notes(report.schemes)) notes.push_back(std::move(note));
  if (!report.failures.empty())
    notes.push_back(fmt::format("{} {} failed; the errors are below.", report.failures.size(),
                                report.failures.size() == 1 ? "run" : "runs"));
  return notes;
}

}  // namespace

std::vector<std::string> idle_notes(const std::vector<SweepScheme>& schemes) {
  std::vector<std::string> notes;
  for (const SweepScheme& scheme : schemes)
    if (scheme.idle > 0)
      notes.push_back(fmt::format("{} never acted in {} of {} {}{}: {}.", scheme.name, scheme.idle, scheme.runs,
                                  scheme.runs == 1 ? "run" : "runs", scheme.idle > 1 ? ", for example" : "",
                                  scheme.why_idle));
  return notes;
}

double effect_of(const SweepReport& report, std::size_t axis, const std::vector<std::optional<Interval>>& values) {
  double sum = 0;
  std::size_t lines = 0;
  each_line(report, axis, [&](const std::vector<std::size_t>& line) {
    double low = 0, high = 0;
    std::size_t found = 0;
    for (const std::size_t p : line) {
      if (!values[p] || !(values[p]->mean > 0)) continue;
      low = found == 0 ? values[p]->mean : std::min(low, values[p]->mean);
      high = std::max(high, values[p]->mean);
      ++found;
    }
    if (found < 2) return;
    sum += std::log(high / low);
    ++lines;
  });
  return lines == 0 ? 0 : std::exp(sum / static_cast<double>(lines));
}

SweepAnswer sweep_answer(const SweepReport& report, const std::vector<SweepSubject>& subjects) {
  SweepAnswer answer;
  answer.effects.assign(report.axes.size(), std::vector<double>(subjects.size(), 0));
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    const SweepSubject& subject = subjects[s];
    std::vector<double> effects;
    for (std::size_t a = 0; a < report.axes.size(); ++a) {
      effects.push_back(effect_of(report, a, subject.values[subject.main()]));
      answer.effects[a][s] = effects.back();
    }
    if (s >= kMostSubjects || extremes_of(subject).points == 0) continue;
    answer.sentences.push_back(sentence_of(report, subject));
    add_cards(report, subject, answer.cards);
    if (std::string keys = key_sentence(report, subject, effects); !keys.empty()) answer.keys.push_back(keys);
    for (std::size_t a = 0; a < report.axes.size(); ++a)
      if (std::string choice = choice_sentence(report, subject, a); !choice.empty()) answer.keys.push_back(choice);
  }
  if (subjects.empty()) answer.sentences.push_back("No run has a result.");
  answer.notes = notes_of(report, subjects);
  return answer;
}

}  // namespace weir
