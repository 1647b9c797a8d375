// What the hosts want to send. Two families: *flows* (finite or endless transfers between two given hosts) and
// *sources* (open-loop generators of packets at one host, destinations drawn per packet). A Workload is all of them, as
// tables.
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
  Bytes bytes = 0;  // payload; kEndless = never ends
  Time start;       // absolute, or after the dependency / phase is released
  double weight = 1;
  AppId app{0};
  std::uint32_t phase = 0;  // flows of one application start phase p when all of its phase p-1 have completed
  FlowId after;             // starts `start` after that flow has completed, if valid
  ClassId traffic_class{0};
  std::uint8_t lane = 0;
  bool message = false;  // all of it exists from the start: latency counts from then, not from when a packet is cut
};
inline constexpr Bytes kEndless = std::numeric_limits<Bytes>::max();
// Weights beyond are slips of the pen, and sums of them lose the small ones.
inline constexpr double kLeastWeight = 1e-9, kMostWeight = 1e9;

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
  Time start;                        // absolute, or after the trigger
  Time stop = kNever;                // no packet at or after it; absolute, or after the trigger
  std::uint64_t after_received = 0;  // start when this many data packets have been received in the whole network
  Time spread;                       // each source starts at a random moment within this span after the start
};

// One [[traffic]] entry of the generator family, shared by its sources.
struct SourceGroup {
  std::string name;
  ClassId traffic_class{0};
  std::uint8_t lane = 0;
  Arrivals arrivals = Arrivals::poisson;
  DestinationRule rule = DestinationRule::uniform;
  bool include_self = false;     // uniform: may a host draw itself
  bool aligned = false;          // constant: first packets at once, instead of at a random phase of the interval
  std::vector<HostId> targets;   // fixed: one; table: indexed by source host number; uniform: empty = all hosts
  std::vector<SizeShare> sizes;  // payload sizes; shares sum to 1
  Activity activity;
};

struct Source {
  HostId host;
  std::uint32_t group = 0;
  double packets_per_second = 0;  // mean; infinite = the whole budget at one instant
  Time slot;                      // bernoulli: length of a slot
  double slot_probability = 0;    // bernoulli
  std::uint64_t packets = std::numeric_limits<std::uint64_t>::max();  // budget
  // Names this source's random streams: (group, host), so that further traffic entries leave its draws alone.
  std::uint64_t stream() const { return (static_cast<std::uint64_t>(group) << 32) | host.index; }
};

// Conditions of flows in general form, beside Flow::after and the phases: traces need several per flow, computing times
// between them, and starting signals. A step takes time and sends nothing; a trigger fires when so many data packets
// have been received in the whole network. A step or flow without conditions begins at time 0.
struct WorkNode {
  enum class Kind : std::uint8_t { flow, step, trigger };
  Kind kind = Kind::flow;
  std::uint32_t index = 0;  // into Workload::flows, steps or triggers

  friend constexpr auto operator<=>(WorkNode, WorkNode) = default;
};
struct Dependency {
  WorkNode node;          // a flow or a step; it waits until
  WorkNode before;        // this one is done: a flow delivered, a step over, a trigger fired
  Time delay;             // and for so long after that
  bool on_start = false;  // or only until `before` has begun
};

struct ClassInfo {
  std::string name;
};

struct Workload {
  std::vector<ClassInfo> classes;  // at least one
  Table<FlowId, Flow> flows;
  std::vector<Time> steps;              // duration of each
  std::vector<std::uint64_t> triggers;  // data packets received
  std::vector<Dependency> dependencies;
  std::vector<SourceGroup> groups;
  std::vector<Source> sources;  // sorted by host, then group
  std::uint32_t apps = 1;
  std::vector<Time> app_compute;       // per app: computing time between phases
  std::vector<std::string> app_names;  // per app: name of the traffic entry; empty where there are no flows
};

// One or two lines for the terminal: how many flows and sources, how much they want to send.
std::string describe(const Workload& workload);

std::vector<KindSpec> traffic_kinds();
std::vector<ParamSpec> traffic_common_params();
std::vector<ParamSpec> packet_params();  // section [packet]: payload sizes, header, ack size

// Sizes on the wire, from [packet].
struct PacketFormat {
  Bytes header = 0;                 // added to every data packet
  Bytes ack = 0;                    // whole size of an acknowledgement
  std::vector<SizeShare> payloads;  // default sizes for sources; flows are cut into payloads[0]
  Bytes max_payload() const;
  Bytes mean_wire_size() const;
};
PacketFormat packet_format(const Scenario& scenario);

// Gives the contents of a file that a scenario names.
using FileReader = std::string (*)(const std::string& path);
// `read` is asked for traces and tables of flows; without one they are read from where the scenario says.
Workload build_workload(const Scenario& scenario, const Topology& topology, FileReader read = nullptr);

// The running state of one source: when the next packet comes, where it goes, how big it is. Pure: draws only from its
// own streams, keyed by (seed, purpose, stream); `stream` is Source::stream().
class SourceState {
 public:
  SourceState() = default;
  SourceState(std::uint64_t seed, std::uint64_t stream);

  struct Draw {
    HostId destination;
    Bytes payload;
  };
  // Time of the first packet when the source's group is switched on at `on` = the trigger (or 0) + activity.start. The
  // source's own share of activity.spread is added here.
  Time first(const Source& source, const SourceGroup& group, Time on);
  // Time of the packet after the one at `now`; kNever when the budget is used up or the activity ends. Call it once per
  // packet, with the time that first() or next() gave.
  Time next(const Source& source, const SourceGroup& group, Time now);
  // Destination and size of the packet at hand.
  Draw draw(const Source& source, const SourceGroup& group, std::size_t hosts);
  std::uint64_t sent() const { return sent_; }

 private:
  Time after(Time now, double gap_ps);
  Time slots_after(const Source& source, Time now, std::uint64_t at_least);

  RandomStream start_, arrival_, destination_, size_;
  double fraction_ps_ = 0;  // carries what rounding to picoseconds cut off, so that the mean rate is exact
  double mean_gap_ps_ = 0;
  std::uint64_t sent_ = 0;
  Time stop_ = kNever;  // activity.stop as an absolute time
};

// A flow that can never start, because it waits (directly or not) for itself or for a flow that never ends; invalid if
// there is none. And the same as an InputError.
FlowId stuck_flow(const Workload& workload);
void check_dependencies(const Workload& workload);

// Which flows may start when: dependencies and phase barriers. Used by both engines. A flow that waits for several
// conditions starts `start` after the last of them. The next phase is released app_compute after the last
// flow of the phase has completed; phases without flows do not exist. What would start after kLatest is never released.
class FlowProgress {
 public:
  explicit FlowProgress(const Workload& workload);

  struct Start {
    FlowId flow;
    Time at;
  };
  // Flows whose start depends on nothing but the clock, sorted by (time, flow).
  const std::vector<Start>& initial() const { return initial_; }
  // Called once per completed flow; appends the flows that this releases.
  void completed(FlowId flow, Time now, std::vector<Start>& released);
  // Called once per trigger, when it fires.
  void triggered(std::uint32_t trigger, Time now, std::vector<Start>& released);
  std::size_t remaining() const { return remaining_; }  // finite flows not yet completed
  Time phase_end(AppId app,
                 std::uint32_t phase) const;  // kNever while it runs, or if the application has no such phase
  // [app][n]: the end of the n-th phase that has flows, in the order of the phases' numbers.
  std::vector<std::vector<Time>> phase_ends() const;

 private:
  struct Phase {
    std::uint32_t app = 0, number = 0;
    std::uint32_t first = 0, last = 0;  // its flows: in_phase_[first, last)
    std::uint32_t open = 0;             // of them not completed
    Time end = kNever;
  };
  // Flows, then steps, then triggers, as one range of numbers.
  struct Dependant {
    std::uint32_t node;
    Time delay;
    bool on_start;
  };
  std::uint32_t number(WorkNode node) const;
  void list_dependants();
  void list_phases();
  void count_conditions();
  void fire_initial();
  void satisfy(std::uint32_t node, Time at, std::vector<Start>& released);
  void notify(std::uint32_t node, bool on_start, Time at);
  void settle(std::vector<Start>& released);

  const Workload* workload_;
  std::vector<std::uint32_t> dependants_start_;  // of node n: dependants_[start[n], start[n + 1])
  std::vector<Dependant> dependants_;
  std::vector<Phase> phases_;  // sorted by (app, number); only those with flows
  std::vector<FlowId> in_phase_;
  std::vector<std::uint32_t> phase_of_;   // flow -> index into phases_
  std::vector<std::uint32_t> waits_for_;  // node -> conditions not yet met
  std::vector<Time> ready_;               // node -> latest condition met so far
  std::vector<std::pair<std::uint32_t, Time>> met_;  // conditions met, to be passed on
  std::vector<Start> initial_;
  std::size_t remaining_ = 0;
};

}  // namespace weir
