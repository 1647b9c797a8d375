// What the hosts want to send. Two families: *flows* (finite or endless transfers between two given hosts) and
// *sources* (open-loop generators of packets at one host, destinations drawn per packet). A Workload is all of them, as
// tables.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "base/units.h"
#include "network/topology.h"
#include "scenario/scenario.h"
#include "traffic/arrivals/destinations.h"

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
  FlowId hashed_as;      // ECMP: flows between two hosts with the same one keep one path; if invalid, the flow itself
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

// A collective operation among some hosts: what its result is worth.
struct CollectiveRecord {
  AppId app;
  std::string operation;
  std::uint32_t group = 0, repetition = 0;
  std::uint32_t ranks = 0;
  Bytes bytes = 0;        // of a rank's buffer
  double bus_factor = 1;  // bus bandwidth over bytes per time
  FlowId first, last;     // its flows: [first, last)
};

// An entry of flows that arrive over time, as it is configured. What is drawn from it is among the flows, and differs
// by chance.
struct ArrivingLoad {
  struct Sender {
    HostId host;
    double bytes_per_second = 0;  // on the wire
  };
  AppId app;
  std::string_view what;          // arrives: "flow" or "incast"
  double expected = 0;            // how many of these
  double seconds = 0;             // for how long they arrive
  std::uint32_t flows_each = 1;
  bool counted = false;           // they end after a number, not at a time
  std::vector<Sender> senders;
  DestinationChoice to;

  double bytes_per_second() const {
    double sum = 0;
    for (const Sender& sender : senders) sum += sender.bytes_per_second;
    return sum;
  }
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
  std::vector<CollectiveRecord> collectives;
  std::vector<ArrivingLoad> arriving;
  std::vector<std::string> app_names;  // per app: name of the traffic entry; empty where there are no flows
};

// One or two lines for the terminal: how many flows and sources, how much they want to send.
std::string describe(const Workload& workload);

std::vector<KindSpec> traffic_kinds();
std::vector<ParamSpec> traffic_common_params();
// Gives the contents of a file that a scenario names.
using FileReader = std::string (*)(const std::string& path);
// `read` is asked for traces and tables of flows; without one they are read from where the scenario says.
Workload build_workload(const Scenario& scenario, const Topology& topology, FileReader read = nullptr);

}  // namespace weir
