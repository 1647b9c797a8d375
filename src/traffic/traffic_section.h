// One [[traffic]] entry on its way into the workload: which hosts take part, and what entries of one family have in
// common. The patterns' own files (source_patterns.cpp, flow_patterns.cpp, trace_pattern.cpp) are thin: sections in,
// plain structs of the pattern out.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/generators.h"
#include "traffic/packet_format.h"
#include "traffic/permutations.h"

namespace weir {

struct TrafficSection {
  const Section* section = nullptr;
  std::uint32_t number = 0;  // names its random streams
  std::string name;
  ClassId traffic_class{0};
  std::vector<HostId> hosts;  // that take part, sorted; empty until resolved, and for `flows`
  std::vector<HostId> listed;  // the same in the order of the key `hosts`, where that lists them
  enum class State : std::uint8_t { open, visiting, done } state = State::open;
};

struct PatternContext {
  const HostList& hosts;
  const PacketFormat& format;
  std::uint64_t seed;
  Workload& workload;
  FileReader read;
  Time duration = kNever;  // of the run, where it is given

  // A stream per entry and purpose, apart from the streams of sources; `variant` gives other draws under the same seed.
  RandomStream random(Purpose purpose, const TrafficSection& entry, std::uint64_t variant = 0) const {
    return {seed, purpose, stream(entry) + variant};
  }
  std::uint64_t stream(const TrafficSection& entry) const {
    constexpr std::uint64_t kEntries = std::uint64_t{1} << 55;
    return kEntries + (static_cast<std::uint64_t>(entry.number) << 32);
  }
};

// Errors of the patterns know the parameter, not where it was written.
template <class Action>
void with_position(const Section& section, Action action) {
  try {
    action();
  } catch (const BadParameter& error) {
    section.refuse(error.key(), error.what());
  } catch (const InputError& error) {
    if (!error.where().file.empty()) throw;
    throw InputError(section.where, error.what());
  }
}

std::vector<SizeShare> read_sizes(const Section& section);
HostId read_target(const Section& section, const HostList& hosts);
bool has_rate(const Section& section);  // load, rate or total_rate is given
RateChoice read_rate(const Section& section);
GeneratorBasics read_generator(const TrafficSection& entry, const PatternContext& context);  // all but the rate

// The entries with their names and classes; then the hosts of one entry, after those of the entry that it leaves out.
std::vector<TrafficSection> list_entries(const std::vector<const Section*>& sections, Workload& workload);
void resolve_hosts(std::vector<TrafficSection>& entries, TrafficSection& entry, const PatternContext& context);

}  // namespace weir
