// Which variant of a comparison helps those who did nothing wrong. The terminal's last sentence and the first screen of
// the report both say it; it is decided here.
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "store/run_record.h"

namespace weir {

// What the innocent feel: the highest peak latency among their classes during the event, or the 99th percentile without
// one; where they wait for transfers, how long these take.
enum class HarmMeasure { peak_latency, p99_latency, completion };
std::string_view name_of(HarmMeasure measure);  // "peak latency"

struct Harm {
  double ps = std::numeric_limits<double>::infinity();  // infinite: too little was delivered to tell
  HarmMeasure measure = HarmMeasure::p99_latency;
};

struct Judgement {
  std::vector<std::string> classes;   // all names, in order of appearance
  std::vector<std::string> innocent;  // all classes where nobody is the disturbance
  std::vector<std::string> judged;    // those of the innocent whose harm is compared
  std::vector<Harm> harms;            // by run
  std::size_t reference = 0;          // the run called "none", otherwise the first
  std::size_t best = 0;               // the run with the least harm; number of runs if none delivered enough
  bool helps = false;                 // the best is clearly better than the reference
  PortId hot_link;                    // the worst root of all runs, invalid without one
};
Judgement judge(const std::vector<PreparedRun>& runs);

const ClassDigest* find_class(const PreparedRun& run, const std::string& name);
bool is_aggressor(const std::vector<PreparedRun>& runs, const std::string& name);
bool same_fabric(const PreparedRun& a, const PreparedRun& b);
// Waiting of all victims, with and without a root.
Time total_waiting(const PreparedRun& run);
// Share of the event (or of the run) in which a link was busy.
double load_in_event(const PreparedRun& run, PortId port);

}  // namespace weir
