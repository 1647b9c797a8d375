// How switches and adapters are built and how packets choose their way: the [switch] and [adapter] sections and the
// common keys of [routing] as plain values, and beside them those that every engine has (measure/).
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "measure/measure_config.h"
#include "measure/run_config.h"
#include "network/route_step.h"
#include "network/topology.h"
#include "packet/config/lane_order.h"
#include "packet/flow_control/flow_control_kind.h"
#include "packet/packet.h"
#include "packet/routing/route_choice_kind.h"
#include "packet/switches/organisation_kind.h"
#include "scenario/scenario.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"

namespace weir {

class RouteTable;

enum class Arbitration { fcfs, round_robin, oldest_first };
enum class Switching { cut_through, store_and_forward };
enum class LanePriority { non_preemptive, preemptive };
enum class BufferUnit { packet_bytes, payload_bytes, packets };

struct SwitchConfig {
  // Where packets start that are to go before all others: the lowest lane of the highest block.
  std::uint32_t highest_start() const { return blocks.first({lanes - 1}).index; }

  Chosen<OrganisationKind> organisation;
  Arbitration arbitration = Arbitration::fcfs;
  Chosen<FlowControlKind> flow_control;
  Switching switching = Switching::cut_through;
  LanePriority priority = LanePriority::non_preemptive;
  std::uint32_t express_from = kMaxLanes;  // preemptive: the lowest lane that interrupts those below it
  BufferUnit unit = BufferUnit::packet_bytes;
  Chosen<RouteChoiceKind> choice;
  std::uint32_t lanes = 1;
  LaneBlocks blocks;           // of lanes that the routes use together
  Bytes buffer = 0;            // per input port and lane
  Bytes output_buffer = 0;     // per output port and lane (crossbar)
  double speedup = 0;          // crossbar over link rate; 0 = infinite
  Time route_delay, switch_delay;
  Time credit_delay;           // added to the link's delay on the way back
  bool release_at_head = false;  // a slot is free when its packet starts to leave, not when the tail has left
  LaneOrder lane_order;                // of those that wait for a link; empty: the highest first
  LaneTables lane_tables;              // InfiniBand's, where the order is made from them
};

enum class AdapterOrganisation { fifo, per_destination, modulo, shared, per_flow };
enum class AdapterService { round_robin, oldest_first };

struct AdapterConfig {
  AdapterOrganisation organisation = AdapterOrganisation::fifo;
  AdapterService service = AdapterService::round_robin;
  std::uint32_t queues = 1;    // modulo
  Bytes memory = 0;            // bytes of adapter memory per host; 0 = unlimited
  Bytes queue_limit = 0;       // of one queue of an open-loop source, which keeps silent when it is full; 0 = unlimited
  bool acks = false;           // acknowledge every data packet even if the scheme does not ask for it
  std::uint32_t ack_lane = 0;
  Rate receive_rate{0};        // at which an adapter takes packets off its receive buffer; 0 = that of its link
  std::vector<HostId> receive_hosts;  // whose adapters do so, sorted; empty: all
};

struct PacketConfig {
  SwitchConfig switches;
  AdapterConfig adapter;
  RunConfig run;
  MeasureConfig measure;
  PacketFormat format;
  CalculatedValues switch_values;  // of keys of [switch] that the scenario leaves open
};

std::vector<ParamSpec> switch_params();
std::span<const OtherWord> other_words_for_switches();
std::vector<ParamSpec> adapter_params();
std::vector<ParamSpec> route_choice_params();  // common keys of [routing]

// The routes of this scenario, with lanes for detours where its choice makes them.
RouteTable routes_of(const Scenario& scenario, const Topology& topology);

// Reads and cross-checks the sections: a buffer smaller than a packet or a PAUSE without room for what is in flight are
// refused by name. (What a key needs in order to have an effect, its ParamSpec says.)
// `blocks`: of the lanes that the routes use.
PacketConfig packet_config(const Scenario& scenario, const Topology& topology, const Workload& workload,
                           LaneBlocks blocks = LaneBlocks());
// Refuses a lane that does not exist, and one on which no packet may start (network/route_step.h).
void check_lane(const Section& section, std::string_view key, std::uint32_t lane, const SwitchConfig& switches);

}  // namespace weir
