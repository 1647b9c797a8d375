// All that an engine produces and all that a report sees: raw counts, histograms and time series. What is derived from
// them is computed beside it: throughput and fairness in derive.h, roots and victims in congestion.h, the effect of a
// disturbance in event.h; digest.h has all of it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "measure/collectives.h"
#include "measure/histogram.h"
#include "measure/time_sum.h"

namespace weir {

// One bin of a class's time series, by the moment of delivery (generated and injected: by their own moment).
struct ClassBin {
  std::uint64_t generated = 0, injected = 0, received = 0;
  std::uint64_t received_bytes = 0;      // payload
  TimeSum latency_sum_ps;                // from generation, of packets received in this bin
  TimeSum network_latency_sum_ps;        // from injection
  std::uint64_t latency_max_ps = 0;
  std::uint64_t marked = 0;              // received with any congestion mark
};

struct ClassResult {
  std::string name;
  std::uint64_t generated = 0, injected = 0, received = 0;
  std::uint64_t refused = 0;             // never made: the queue at the source was full (adapter.queue_limit)
  std::uint64_t generated_bytes = 0, injected_bytes = 0, received_bytes = 0;  // payload
  std::uint64_t marked = 0;
  std::vector<std::uint64_t> marks_by_bits;  // received packets by header bits (the index); empty if no scheme marks
  Histogram latency;                     // ps, from generation to complete reception; after warm-up
  Histogram network_latency;             // ps, from injection; after warm-up
  std::uint64_t received_in_window = 0, received_bytes_in_window = 0;  // after warm-up
  std::uint64_t out_of_order = 0;
  std::vector<ClassBin> series;

  void each_field(auto&& visit) {
    for (std::uint64_t* count : {&generated, &injected, &received, &refused, &generated_bytes, &injected_bytes,
                                 &received_bytes, &marked, &received_in_window, &received_bytes_in_window,
                                 &out_of_order})
      visit(*count);
    visit(name);
    visit(marks_by_bits);
    visit(latency);
    visit(network_latency);
    visit(series);
  }
};

struct FlowResult {
  HostId source, destination;
  ClassId traffic_class;
  AppId app;
  std::uint32_t phase = 0;
  FlowId hashed_as;                      // see Flow; not the engine's
  Bytes bytes = 0;                       // payload asked for (kEndless for endless flows)
  Bytes delivered = 0;
  Bytes delivered_in_window = 0;         // after warm-up
  Time start = kNever;                   // when it was released
  Time first_delivery = kNever;
  Time completion = kNever;              // last byte received
  double offered_rate = 0;               // bit/s assigned by a scheme, 0 if none
  double weight = 1;                     // asked for, see Flow; not the engine's
  Time alone = kNever;                   // what it would take on an idle network (flows/alone.h); not the engine's
};

// What one host injected and received: fairness among hosts under random patterns. An engine that keeps an entry per
// (host, class) says so in Measurements::hosts_by_class; then it is also known where a class goes.
struct alignas(64) HostResult {  // a cache line: every packet touches two of them
  std::uint64_t injected = 0, received = 0;
  std::uint64_t injected_bytes = 0, received_bytes = 0;
  std::uint64_t peak_backlog_packets = 0;  // generated, not yet injected
};

// Counters of one link direction (named by its sending port), InfiniBand's where they exist.
struct PortResult {
  std::uint64_t xmit_bytes = 0;          // whole packets
  std::uint64_t xmit_packets = 0;
  std::uint64_t rcv_bytes = 0;
  std::uint64_t rcv_packets = 0;
  Time busy;                             // link transmitting
  Time wait;                             // had data and an idle link, but no credit or a PAUSE
  Time congested;                        // as the scheme counts it (PortXmitTimeCong), 0 if it has no notion
  std::uint64_t marked = 0;              // packets marked at this port
  std::uint64_t peak_input_bytes = 0;    // of the buffer at the receiving end of this direction: landed and not left
  double mean_input_bytes = 0;           // the same, over the whole run
  std::uint64_t peak_output_bytes = 0;   // queued for this link, the packet on the wire included
  double mean_output_bytes = 0;          // waiting for this link over the whole run, without the packet on the wire
  std::uint32_t tick_ps = 0;             // PortXmitWait tick: time of 128 bytes on this link
};

// How often and for how long the far end has stopped a lane of a port, by PAUSE.
struct PauseResult {
  std::uint64_t stops = 0;
  Time paused;
};

// One frame of the fabric's state, for the report's player: per port, quantised.
struct FabricFrame {
  Time at;                               // end of the frame's bin (a first frame at 0 means: starts of the bins)
  std::vector<std::uint8_t> load;        // 0..255 = share of the bin the link was busy
  std::vector<std::uint8_t> occupancy;   // 0..255 = fill of the buffer at the receiving end
  std::vector<std::uint8_t> wait;        // 0..255 = share of the bin blocked
};

// What a scheme counted over time.
struct SchemeSeries {
  std::string name;
  Time bin;                              // width
  std::vector<double> values;            // per bin from 0; what follows the last one is 0
};

enum class Ending { finished, duration, saturated, deadlock };

struct ResequencingResult {
  std::uint64_t out_of_order = 0;
  std::uint64_t peak_packets = 0;        // held at one receiver
  double mean_packets = 0;               // held at all receivers together
};

// A port that the scenario wants watched: its time series, in bins of Measurements::watch_bin.
struct WatchBin {
  double rate = 0;                       // bit/s onto the link, whole packets
  double queue_mean = 0;                 // bytes waiting for the link, sampled
  std::uint64_t queue_max = 0;
};
struct WatchedPort {
  PortId port;
  std::string name;
  std::vector<WatchBin> series;
};

struct EngineTotals {
  std::uint64_t events = 0;
  std::uint64_t hops = 0;                // one packet over one link, every kind
  std::uint64_t data_hops = 0;
  std::uint64_t acks = 0, notifications = 0, control_packets = 0;
  double cpu_seconds = 0;                // measured by the app, not part of the result's identity; 0 = not known
  std::uint32_t threads = 1;             // that have executed the run; not part of the result's identity
  std::uint32_t ranks = 1;               // processes that these belonged to
  std::string one_thread;                // why it was one, where several were allowed; not part of it either
  std::string one_rank;                  // the same for processes
  std::string threads_because;           // why several, where weir chose their number; not part of it either
  std::size_t state_bytes = 0;
  std::uint64_t peak_packets_alive = 0;
  bool lacked_space = false;             // some sender has waited, or prepared to wait, for buffer space; if none has,
                                         // larger buffers change nothing. Not part of the result's identity.
};

struct Measurements {
  Time end;                              // simulated
  Time warmup;
  Time bin;                              // width of the series' bins
  Ending ending = Ending::finished;
  std::string ending_text;               // e.g. the cycle of a deadlock
  std::vector<ClassResult> classes;
  std::vector<FlowResult> flows;
  std::vector<HostResult> hosts;         // [host], or [host * classes + class]
  bool hosts_by_class = false;
  std::vector<PortResult> ports;         // by PortId
  std::uint32_t lanes = 1;
  std::vector<PauseResult> pauses;       // [port * lanes + lane]; empty where nobody can be stopped
  std::vector<FabricFrame> frames;
  std::vector<std::vector<Time>> phase_ends;  // [app][n]: of the n-th phase that has flows
  std::vector<CollectiveResult> collectives;  // in the order of the workload
  ResequencingResult resequencing;
  Time watch_bin;
  std::vector<WatchedPort> watched;      // the last bin may be short
  std::vector<double> resequencing_series;  // packets held at all receivers, mean of each such bin
  EngineTotals totals;
  std::vector<std::pair<std::string, double>> scheme_numbers;  // what a scheme wants to tell, by name
  std::vector<SchemeSeries> scheme_series;                     // and over time
  std::vector<std::pair<std::string, std::string>> scheme_values;  // of keys left open: what was calculated for them
  std::vector<std::pair<std::string, std::string>> switch_values;  // the same of [switch]
  std::string scheme_idle;  // of a scheme that never acted: why, by its own counters; otherwise empty
  std::string one_thread;   // why the scheme's nodes must be executed by one thread; empty: they need not

  std::optional<double> scheme_number(std::string_view name) const {
    for (const auto& [key, value] : scheme_numbers)
      if (key == name) return value;
    return std::nullopt;
  }
};

}  // namespace weir
