// What the hosts want to send. Two families: *flows* (finite or endless transfers between two given hosts) and *sources*
// (open-loop generators of packets at one host, destinations drawn per packet). A Workload is all of them, as tables.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "base/units.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

struct Flow {
  HostId source, destination;
  Bytes bytes = 0;               // payload; kEndless = never ends
  Time start;                    // absolute, or after the dependency / phase is released
  double weight = 1;
  AppId app{0};
  std::uint32_t phase = 0;       // flows of one application start phase p when all of its phase p-1 have completed
  FlowId after;                  // starts `start` after that flow has completed, if valid
  ClassId traffic_class{0};
  std::uint8_t lane = 0;
  Time step;                     // pause between packets: 0 = as fast as the adapter allows
};
inline constexpr Bytes kEndless = std::numeric_limits<Bytes>::max();

enum class Arrivals : std::uint8_t { constant, bernoulli, poisson };

// How a source picks the destination of a packet.
enum class DestinationRule : std::uint8_t { uniform, fixed, table };

// A packet size and the probability that a packet has it.
struct SizeShare {
  Bytes payload;
  double share;
};

// When a group of sources starts and stops.
struct Activity {
  Time start;                          // absolute, or after the trigger
  Time stop = kNever;
  std::uint64_t after_received = 0;    // start when this many data packets have been received in the whole network
  Time spread;                         // each source starts at a random moment within this span after the start
};

// One [[traffic]] entry of the generator family, shared by its sources.
struct SourceGroup {
  std::string name;
  ClassId traffic_class{0};
  std::uint8_t lane = 0;
  Arrivals arrivals = Arrivals::poisson;
  DestinationRule rule = DestinationRule::uniform;
  bool include_self = false;             // uniform: may a host draw itself
  std::vector<HostId> targets;           // fixed: one; table: indexed by source host number; uniform: empty = all hosts
  std::vector<SizeShare> sizes;          // payload sizes; shares sum to 1
  Activity activity;
};

struct Source {
  HostId host;
  std::uint32_t group = 0;
  double packets_per_second = 0;         // mean
  Time slot;                             // bernoulli: length of a slot
  double slot_probability = 0;           // bernoulli
  std::uint64_t packets = std::numeric_limits<std::uint64_t>::max();  // budget
};

struct ClassInfo {
  std::string name;
};

struct Workload {
  std::vector<ClassInfo> classes;        // at least one
  Table<FlowId, Flow> flows;
  std::vector<SourceGroup> groups;
  std::vector<Source> sources;           // sorted by host, then group
  std::uint32_t apps = 1;
  std::vector<Time> app_compute;         // per app: computing time between phases
};

std::vector<KindSpec> traffic_kinds();
std::vector<ParamSpec> traffic_common_params();
std::vector<ParamSpec> packet_params();  // section [packet]: payload sizes, header, ack size

// Sizes on the wire, from [packet].
struct PacketFormat {
  Bytes header = 0;                      // added to every data packet
  Bytes ack = 0;                         // whole size of an acknowledgement
  std::vector<SizeShare> payloads;       // default sizes for sources; flows are cut into payloads[0]
  Bytes max_payload() const;
  Bytes mean_wire_size() const;
};
PacketFormat packet_format(const Scenario& scenario);

Workload build_workload(const Scenario& scenario, const Topology& topology);

// The running state of one source: when the next packet comes, where it goes, how big it is. Pure: draws only from its own
// streams, keyed by (seed, purpose, source number).
class SourceState {
 public:
  SourceState() = default;
  SourceState(std::uint64_t seed, std::uint32_t source_number);

  struct Draw {
    HostId destination;
    Bytes payload;
  };
  // Time of the first packet when the source is switched on at `on`.
  Time first(const Source& source, const SourceGroup& group, Time on);
  // Time of the packet after the one at `now`; kNever when the budget is used up or the activity ends.
  Time next(const Source& source, const SourceGroup& group, Time now);
  // Destination and size of the packet at hand.
  Draw draw(const Source& source, const SourceGroup& group, std::size_t hosts);
  std::uint64_t sent() const { return sent_; }

 private:
  RandomStream arrival_, destination_, size_;
  double fraction_ps_ = 0;  // carries what rounding to picoseconds cut off, so that the mean rate is exact
  std::uint64_t sent_ = 0;
};

// Which flows may start when: dependencies and phase barriers. Used by both engines.
class FlowProgress {
 public:
  explicit FlowProgress(const Workload& workload);

  struct Start {
    FlowId flow;
    Time at;
  };
  // Flows whose start depends on nothing but the clock, sorted by (time, flow).
  std::vector<Start> initial() const;
  // Called once per completed flow; appends the flows that this releases.
  void completed(FlowId flow, Time now, std::vector<Start>& released);
  std::size_t remaining() const { return remaining_; }  // finite flows not yet completed
  Time phase_end(AppId app, std::uint32_t phase) const;  // kNever while it runs

 private:
  const Workload* workload_;
  std::vector<std::vector<FlowId>> dependants_;
  std::vector<std::vector<std::uint32_t>> open_in_phase_;   // [app][phase] flows not completed
  std::vector<std::vector<std::vector<FlowId>>> by_phase_;  // [app][phase] flows
  std::vector<std::vector<Time>> phase_end_;
  std::size_t remaining_ = 0;
};

}  // namespace weir
