#include "measure/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>


namespace weir {
namespace {

enum class UntilKey { automatic, duration, flows, traffic_class };
constexpr std::string_view kUntils[] = {"auto", "duration", "flows", "class"};

bool never_ends(const Workload& workload, const std::string& name) {
  const auto concerns = [&](ClassId c) { return workload.classes[c.index].name == name; };
  for (const Flow& flow : workload.flows)
    if (flow.bytes == kEndless && concerns(flow.traffic_class)) return true;
  return std::any_of(workload.sources.begin(), workload.sources.end(), [&](const Source& source) {
    const SourceGroup& group = workload.groups[source.group];
    return concerns(group.traffic_class) && group.activity.stop == kNever &&
           source.packets == std::numeric_limits<std::uint64_t>::max();
  });
}

const std::string& read_class(const Section& section, const Workload& workload) {
  if (!section.has("class")) section.refuse("until", "until = \"class\" needs `class`, the name of a traffic class");
  const std::string& name = section.text("class");
  std::string names;
  bool known = false;
  for (const ClassInfo& info : workload.classes) {
    known |= info.name == name;
    names += (names.empty() ? "" : ", ") + info.name;
  }
  if (!known)
    section.refuse("class", fmt::format("there is no traffic of class `{}`; the classes are {}", name, names));
  if (!section.has("max_time") && never_ends(workload, name))
    section.refuse("class", fmt::format("class `{}` never ends: limit its traffic (packets, bytes, stop) or give "
                                        "max_time",
                                        name));
  return name;
}

}  // namespace

std::vector<ParamSpec> run_params() {
  return {
      {"until", ParamType::choice, "auto",
       "what ends the run: a duration, all finite flows complete, or all packets of `class` delivered; auto: the "
       "duration if one is given, otherwise the flows",
       0, 0, kUntils},
      {"duration", ParamType::time, kUnset, "simulated time", 0, 1e6},
      ParamSpec{"class", ParamType::text, kUnset, "the class that must be delivered"}.applying(
          when("until", {"class"})),
      {"settle", ParamType::time, "0s", "keep running this long after the end condition", 0, 1e6},
      {"max_time", ParamType::time, kUnset, "give up at this simulated time", 0, 1e6},
      {"max_backlog", ParamType::integer, "20000000", "end the run when this many packets wait at the hosts", 1, 2e9},
      {"warmup", ParamType::time, "0s", "throughput, latency and slowdown are measured only after this time; it is "
                                        "part of `duration`", 0, 1e6},
  };
}

RunConfig read_run(const Section& section, const Workload& workload) {
  RunConfig c;
  const auto until = section.choice<UntilKey>("until");
  const bool has_duration = section.has("duration");
  if (until == UntilKey::duration || (until == UntilKey::automatic && has_duration)) {
    if (!has_duration) section.refuse("until", "until = \"duration\" needs a `duration`, for instance \"1ms\"");
    c.until = Until::duration;
    c.duration = section.time("duration");
  } else if (until == UntilKey::traffic_class) {
    c.until = Until::traffic_class;
    c.until_class = read_class(section, workload);
  } else {
    c.until = Until::flows;
    const auto is_finite = [](const Flow& f) { return f.bytes != kEndless; };
    if (std::none_of(workload.flows.begin(), workload.flows.end(), is_finite))
      section.refuse("until",
                     "this traffic never completes: give a `duration`, for instance duration = \"1ms\"");
  }
  // No condition of the key: what is wrong with the end that was chosen is said first.
  if (c.until != Until::duration && section.given("duration"))
    section.refuse("duration",
                   "duration: has no effect with until = \"" + section.text("until") +
                       "\"; use max_time to bound the run");
  c.settle = section.time("settle");
  c.max_time = section.has("max_time") ? section.time("max_time") : kNever;
  c.max_backlog = static_cast<std::uint64_t>(section.integer("max_backlog"));
  c.warmup = section.time("warmup");
  if (c.until == Until::duration && c.warmup >= c.duration)
    section.refuse("warmup", "the warm-up must be shorter than the run");
  return c;
}

}  // namespace weir
