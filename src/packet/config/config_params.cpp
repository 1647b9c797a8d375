// The keys of the packet engine's sections.
#include "packet/config/config_choices.h"
#include "packet/packet.h"

namespace weir {

using namespace config;

std::vector<ParamSpec> switch_params() {
  return {
      {"organisation", ParamType::choice, "voq-input",
       "voq-input: one shared buffer per input, virtual output queues, infinite speedup; fifo-in-out: FIFO buffers at "
       "inputs "
       "and outputs around a crossbar of finite speedup; output-queued: packets queue at their output, memory "
       "accounted "
       "per input so that PAUSE can stop one input",
       0, 0, kOrganisations},
      {"arbitration", ParamType::choice, "fcfs", "which waiting packet an output serves next", 0, 0, kArbitrations},
      {"flow_control", ParamType::choice, "credits", "credits, or PAUSE (stop and go by thresholds)", 0, 0,
       kFlowControls},
      {"switching", ParamType::choice, "cut-through", "virtual cut-through or store-and-forward", 0, 0, kSwitchings},
      {"buffer", ParamType::bytes, kUnset, "input buffer per port and lane; default: room for 8 of the largest packets",
       1, 1e12},
      {"buffer_packets", ParamType::integer, kUnset,
       "the same counted in packets, whatever their size (instead of `buffer`)", 1, 1e9},
      {"buffer_counts", ParamType::choice, "packet-bytes",
       "what occupies a buffer: whole packets, payload only, or slots of one packet", 0, 0, kUnits},
      {"output_buffer", ParamType::bytes, kUnset,
       "output buffer per port and lane (fifo-in-out); default: same as `buffer`", 1, 1e12},
      {"speedup", ParamType::number, "2", "crossbar rate over link rate (fifo-in-out)", 1, 1000},
      {"route_delay", ParamType::time, "1ns", "routing decision", 0, 1},
      {"switch_delay", ParamType::time, "1ns", "crossing the switch", 0, 1},
      {"credit_delay", ParamType::time, "0ns", "added to the link's delay when released space is reported back", 0, 1},
      {"release", ParamType::choice, "tail", "a slot is free when the packet's tail has left, or when its head leaves",
       0, 0, kReleases},
      {"lanes", ParamType::integer, "1", "virtual lanes; the higher number has priority", 1, kMaxLanes},
      {"priority", ParamType::choice, "non-preemptive",
       "may a packet of the lanes from `express_from` on interrupt one of a lower lane, which resumes afterwards", 0,
       0, kPriorities},
      {"express_from", ParamType::integer, kUnset,
       "the lowest lane that interrupts those below it (preemptive); default: the highest lane alone", 1,
       kMaxLanes - 1},
      {"pause_stop", ParamType::bytes, kUnset,
       "occupancy that stops the sender (PAUSE); default: as high as the headroom allows", 0, 1e12},
      {"pause_go", ParamType::bytes, kUnset,
       "occupancy at which it may go on; default: one largest packet below the stop", 0, 1e12},
  };
}

std::vector<ParamSpec> route_choice_params() {
  return {
      {"choice", ParamType::choice, "fixed",
       "fixed: the default port; live-queue: per packet, the allowed port with the shortest queue; snooping: the first "
       "allowed port behind which no notification has told of congestion (both reorder packets); flow-setup: a set-up "
       "packet picks the least loaded allowed ports for a whole flow, which keeps them until it is torn down (in "
       "order)",
       0, 0, kChoices},
      {"snoop_timer", ParamType::time, "250ms", "an entry about remote congestion expires after this (snooping)", 1e-9,
       1e6},
      {"snoop_timing", ParamType::choice, "restart",
       "restart: every update restarts that timer; once: it starts when the entry is marked and runs to its end; each: "
       "every update starts one more, and the first to end resets the entry",
       0, 0, kSnoopTimings},
      {"snoop_queue", ParamType::bytes, "16500B",
       "congestion of a switch's own queue is over below this length (snooping)", 0, 1e12},
      {"snoop_return", ParamType::choice, "random",
       "notifications travel back by a random allowed port, so that all ways learn of the congestion, or by the "
       "default one",
       0, 0, kSnoopReturns},
      {"setup_sideways", ParamType::choice, "auto",
       "horizontal hops on the way down a modified tree (flow-setup): forced away from the nearer end of the logical "
       "node, to the free choice of side, or none; auto: forced on modified trees, none elsewhere",
       0, 0, kSetupSideways},
      {"setup_hops", ParamType::integer, "8", "horizontal hops per level at most", 0, 1e6},
      {"setup_cache", ParamType::integer, kUnset,
       "entries in the route cache of an input port; a flow that finds it full takes the default port. Default: "
       "unlimited",
       0, 1e9},
      {"setup_measure", ParamType::choice, "flows", "what makes a port loaded: the number or the weight of its flows",
       0, 0, kSetupMeasures},
      {"setup_bytes", ParamType::bytes, "40B", "size of set-up, tear-down and acknowledging packets", 1, 65535},
      {"setup_lane", ParamType::integer, kUnset, "their lane; default: the highest", 0, kMaxLanes - 1},
      {"setup_connections", ParamType::integer, "0",
       "flows between two hosts at a time; a further one waits for a tear-down. 0: no limit", 0, 1e6},
      {"setup_train", ParamType::integer, "2",
       "random traffic: a pair of hosts becomes a flow with this many packets in a row; before, default ports", 1, 1e6},
      {"setup_idle", ParamType::time, "20us",
       "the longest gap between such packets; without a packet for this long, the flow ends", 1e-9, 1e3}};
}

std::vector<ParamSpec> adapter_params() {
  return {
      {"organisation", ParamType::choice, "auto",
       "fifo: one queue; per-destination: a queue per destination; modulo: destination modulo `queues`; shared: one "
       "memory, "
       "oldest allowed packet first; per-flow: a queue per flow; auto: per-flow where the traffic has flows, otherwise "
       "fifo",
       0, 0, kAdapters},
      {"service", ParamType::choice, "round-robin", "order among queues that may send", 0, 0, kServices},
      {"queues", ParamType::integer, "16", "number of queues (modulo)", 1, 1e6},
      {"memory", ParamType::bytes, kUnset,
       "adapter memory per host; packets beyond it wait in the host. Default: unlimited", 1, 1e12},
      {"queue_limit", ParamType::bytes, kUnset,
       "an open-loop source makes no packet for a queue that holds this much, so that an overloaded one does not grow; "
       "default: unlimited",
       1, 1e12},
      {"acks", ParamType::flag, "false", "acknowledge every data packet even where the scheme does not need it"},
      {"ack_lane", ParamType::integer, "0", "lane of acknowledgements and notifications", 0, kMaxLanes - 1},
  };
}

std::vector<ParamSpec> run_params() {
  return {
      {"until", ParamType::choice, "auto",
       "what ends the run: a duration, all finite flows complete, or all packets of `class` delivered; auto: the "
       "duration if "
       "one is given, otherwise the flows",
       0, 0, kUntils},
      {"duration", ParamType::time, kUnset, "simulated time", 0, 1e6},
      {"class", ParamType::text, kUnset, "the class that must be delivered (until = class)"},
      {"settle", ParamType::time, "0s", "keep running this long after the end condition", 0, 1e6},
      {"max_time", ParamType::time, kUnset, "give up at this simulated time", 0, 1e6},
      {"max_backlog", ParamType::integer, "20000000", "give up when so many packets wait at the hosts", 1, 2e9},
      {"warmup", ParamType::time, "0s", "rates and shares are taken after this time", 0, 1e6},
  };
}

std::vector<ParamSpec> measure_params() {
  return {
      {"bin", ParamType::time, kUnset,
       "width of a bin of the time series, of which there are at most 1000000; default: grows with the run, so that "
       "there are at most `max_bins`",
       0, 1e6},
      {"max_bins", ParamType::integer, "2000",
       "bins of the time series at most, where their width grows with the run; has no effect, and is refused, with a "
       "`bin`",
       2, 1e6},
      {"frames", ParamType::integer, kUnset,
       "snapshots of the whole fabric kept for the report; 0 = none. Default: 64, and fewer in fabrics of more than "
       "262144 ports",
       0, 100000},
      {"max_rows", ParamType::integer, "100000",
       "rows of the tables of ports, hosts and victims at most; where there are more, those that waited longest or "
       "carried the most are kept",
       1, 1e9},
      {"watch", ParamType::texts, kUnset,
       "ports whose rate and queue are kept as time series, with the receivers' resequencing buffer: \"S7:4\", or a "
       "host's name"},
      {"watch_bin", ParamType::time, "1ms", "width of the bins of these series, of which there are at most 1000000",
       1e-9, 1e6},
  };
}

}  // namespace weir
