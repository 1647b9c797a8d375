// Which variant of a comparison helps those who did nothing wrong. The terminal's last sentence and the first screen of
// the report both say it; it is decided here.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "schemes/registry.h"
#include "store/run_record.h"

namespace weir {

// What the innocent feel: the highest peak latency among their classes during the event, or the 99th percentile without
// one; where few packets are hurt far more than that percentile, the mean of the slowest 1 %, which sees them. Flows
// that start by themselves are judged by slowdown. Where one waits for another, or where the fabrics differ, the
// completion of the last one counts. Where no run lowers that figure, the mean decides.
enum class HarmMeasure {
  peak_latency, p99_latency, slowest_latency, p99_slowdown, mean_slowdown, last_completion, mean_completion
};
inline constexpr double kDifference = 0.95;  // what is not lower than this share makes no difference
// The same for what innocents feel. The 99th percentile of flows rests on the few slowest of one run: chance moves it
// by more.
double difference(HarmMeasure measure);
std::string_view name_of(HarmMeasure measure);      // "peak latency"
std::string_view improvement(HarmMeasure measure);  // what a scheme that helps does: "lowers the peak latency"
bool is_slowdown(HarmMeasure measure);
bool is_latency(HarmMeasure measure);  // of packets, not of transfers
std::string format_harm(HarmMeasure measure, double harm);  // "4.00 us"; a slowdown has no unit

struct Judgement {
  std::vector<std::string> classes;   // all names, in order of appearance
  std::vector<std::string> innocent;  // all classes where nobody is the disturbance
  std::vector<std::string> judged;    // those of the innocent whose harm is compared
  HarmMeasure measure = HarmMeasure::p99_latency;  // the same for all runs
  std::vector<double> harms;          // by run, ps or slowdown; infinite: too little was delivered to tell
  // By run, where the mean decides: the slowest wait clearly longer than in the reference, so it does not help. Empty
  // otherwise.
  std::vector<bool> barred;
  std::vector<double> means, lasts;   // by run, ps: of completions, what does not decide; empty otherwise
  std::size_t reference = 0;          // see reference_of()
  // The run with the least harm; of those within 5 % of it, that which costs the others least. Number of runs if none
  // delivered enough.
  std::size_t best = 0;
  std::size_t least_harm = 0;         // whatever it costs
  bool helps = false;                 // the best is clearly better than the reference
  std::size_t deployable = 0;         // the best of those that can be deployed; number of runs if none can
  bool deployable_helps = false;
  PortId hot_link;  // the last link to the host that the disturbance goes to, or the worst root; invalid without both
};
Judgement judge(const std::vector<AnalysedRun>& runs);

// "4.00 us, against 200 us with none (50.0x lower)": what the innocent feel in one run and in the reference.
std::string harm_clause(const std::vector<AnalysedRun>& runs, const Judgement& j, std::size_t run);
// "window (available)"; the label alone where the tag is not known, or where the reference has the same scheme and
// something else makes the difference. Where that is lanes, it says how InfiniBand gets them.
std::string availability(std::string_view scheme_tag);  // "in papers only"
bool is_model_beside_packets(const AnalysedRun& run, const AnalysedRun& reference);
std::string tagged_label(const AnalysedRun& run, const AnalysedRun& reference);
SchemeUse use_of(const AnalysedRun& run);  // of its scheme; of one that is not known, nothing

// In products or in a standard; runs of which nobody knows are taken for such.
bool is_deployable_tag(std::string_view scheme_tag);
bool can_be_deployed(const AnalysedRun& run);
bool is_barred(const Judgement& j, std::size_t run);
bool clearly_helps(const Judgement& j, std::size_t run);  // compared with the reference
// In products, and by configuration alone: no software of the senders must change.
bool can_be_configured(const AnalysedRun& run);
const ClassDigest* find_class(const AnalysedRun& run, const std::string& name);
bool is_aggressor(const std::vector<AnalysedRun>& runs, const std::string& name);
bool same_fabric(const AnalysedRun& a, const AnalysedRun& b);
// Share of the event (or of the run) in which a link was busy.
double load_in_event(const AnalysedRun& run, PortId port);
std::string time_of_event(const AnalysedRun& run);  // "from 300 us to 600 us"

}  // namespace weir
