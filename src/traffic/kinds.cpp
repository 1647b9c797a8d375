// The list of traffic patterns, in the order of the reference: one line each. A record stands at the end of its own
// file. And what every [[traffic]] entry may say.
#include "traffic/pattern.h"

namespace weir {

#define WEIR_PATTERNS(KIND)          \
  KIND(uniform_pattern)              \
  KIND(hotspot_pattern)              \
  KIND(burst_pattern)                \
  KIND(permutation_pattern)          \
  KIND(shift_pattern)                \
  KIND(random_pattern)               \
  KIND(incast_pattern)               \
  KIND(flow_arrivals_pattern)        \
  KIND(incast_arrivals_pattern)      \
  KIND(all_to_all_pattern)           \
  KIND(flows_pattern)                \
  KIND(phases_pattern)               \
  KIND(collective_pattern)           \
  KIND(training_pattern)             \
  KIND(trace_pattern)

#define WEIR_PATTERN_RECORD(kind) extern const PatternKind kind;
#define WEIR_PATTERN_ADDRESS(kind) &kind,
WEIR_PATTERNS(WEIR_PATTERN_RECORD)

namespace {

constexpr const PatternKind* kPatterns[] = {WEIR_PATTERNS(WEIR_PATTERN_ADDRESS)};

}  // namespace

const PatternKind& pattern_of(const Section& section) {
  for (const PatternKind* kind : kPatterns)
    if (kind->spec.name == section.kind) return *kind;
  throw InputError(section.kind_where, "unknown traffic pattern");
}

std::vector<KindSpec> traffic_kinds() {
  std::vector<KindSpec> specs;
  for (const PatternKind* kind : kPatterns) specs.push_back(kind->spec);
  return specs;
}

std::vector<ParamSpec> traffic_common_params() {
  return {
      {"name", ParamType::text, kUnset, "name of this entry; default: the pattern and its number"},
      {"class", ParamType::text, kUnset,
       "traffic class, under which results are reported. Default: \"hot\" for hotspot and burst; \"incast\" for incast "
       "and incast-arrivals; for other patterns \"cold\" if the scenario also contains one of those four patterns, "
       "otherwise \"all\""},
      {"lane", ParamType::integer, "0", "virtual lane of its packets", 0, 7},
      {"start", ParamType::time, "0s", "start time, counted from the beginning of the run, or from the moment in "
                                       "which `after_received` packets have arrived", 0, kMaxSeconds},
      {"stop", ParamType::time, kUnset,
       "when open-loop sources stop and no more flows arrive, counted like `start`; default: never", 0,
       kMaxSeconds},
      {"after_received", ParamType::integer, "0",
       "open-loop sources and traces start when the whole network has received this many data packets", 0,
       kMaxCount},
      {"payload", ParamType::bytes_list, kUnset, "payload sizes of open-loop sources; default: those of [packet]", 1,
       1e9},
      ParamSpec{"shares", ParamType::numbers, kUnset, "how often each of these sizes occurs; default: equally often", 0,
                1e9}
          .applying(when_given({"payload"}, "it belongs to `payload`, which is not given")),
  };
}

}  // namespace weir
