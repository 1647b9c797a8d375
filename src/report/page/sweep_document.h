// The page of a sweep, as the JSON document that is put inside it: which point is best and worst, which key matters
// most, and every mean with its interval over the swept keys. It is made of what the result file holds and of what was
// asked for, never of how the runs came about, so that an interrupted sweep ends with the same page.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/answer/answer.h"
#include "scenario/scenario.h"
#include "store/sqlite/sweep_store.h"

namespace weir {

struct SweepFailure {
  std::string point, label, error;
};

// A scheme among the runs: what it takes to have it, and in how many of them it never acted.
struct SweepScheme {
  std::string name, tag, why_idle;  // why: of one of them
  std::size_t runs = 0, idle = 0;
};

struct SweepReport {
  std::string title, scenario, weir_version;
  std::string command;              // that repeats it
  std::string config, config_hash;  // without the swept keys
  double confidence = 0.95;
  std::size_t repetitions = 1;          // of a point, at most
  std::vector<SweepAxis> axes;          // without the seeds
  std::vector<std::string> points;      // names of all combinations, the last axis fastest; one without a name
                                        // where only seeds are swept
  std::vector<Statistic> statistics;    // those of other points do not matter
  std::vector<std::string> aggressors;  // classes that cause the trouble: they come last
  std::vector<SweepFailure> failures;
  std::vector<SweepScheme> schemes = {};
};

// What page and terminal show of a sweep: a number of a class or an application.
struct SweepMeasure {
  const char* kind;  // as in Statistic
  const char* metric;
  const char* title;
  const char* short_title;  // over a column of the terminal
  int importance;           // of that column
  std::string (*format)(double);
};
std::span<const SweepMeasure> sweep_measures();

struct SweepSubject {
  std::string kind, name;
  bool aggressor = false;
  std::vector<const SweepMeasure*> measures;                  // that are not zero everywhere
  std::vector<std::vector<std::optional<Interval>>> values;   // by measure, by point

  // What decides between points: the mean latency, the throughput where nothing has a latency, the completion time.
  std::size_t main() const;
  bool lower_is_better() const;
  std::string title() const;  // "class cold"
};
std::vector<SweepSubject> sweep_subjects(const SweepReport& report);

// A class that is overloaded, or a part of it is: its hosts could not send all that it offers, or its mean latency rose
// from the first half of the run to the second. So it grows as long as the run lasts, and the interval of its mean says
// nothing about runs of another length.
struct SweepOverload {
  std::string point, item;
  double unsent_share = 0;      // mean over the repetitions; 0 if not known
  double latency_growth = 1;    // the same; 1 if not known
};
inline constexpr double kUnsentOverload = 0.05;
inline constexpr double kGrowthOverload = 1.25;  // and by more than the interval of this number
std::vector<SweepOverload> overloads(const std::vector<Statistic>& statistics);

struct SweepAnswer {
  std::vector<std::string> sentences;        // best and worst point, one per subject
  std::vector<std::string> keys;             // which key matters most, and which value of an unordered one
  std::vector<std::string> notes;            // what to keep in mind
  std::vector<AnswerCard> cards;             // best and worst point of each subject
  std::vector<std::vector<double>> effects;  // by axis, by subject: see effect_of()
};
std::vector<std::string> idle_notes(const std::vector<SweepScheme>& schemes);
SweepAnswer sweep_answer(const SweepReport& report, const std::vector<SweepSubject>& subjects);

// By how much a key changes a number when it alone is changed: the highest over the lowest mean along the axis, as the
// geometric mean over all combinations of the other keys. 1 if it changes nothing, 0 if that cannot be said.
double effect_of(const SweepReport& report, std::size_t axis, const std::vector<std::optional<Interval>>& values);

nlohmann::ordered_json sweep_document(const SweepReport& report);
std::string sweep_page(const SweepReport& report);

}  // namespace weir
