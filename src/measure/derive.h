// What can be said about a run once it is over: pure functions from raw Measurements to the numbers that tables,
// files and reports show. Every definition stands here once, so that the terminal, the JSON document and the database
// agree. A value that does not exist (the latency of a class that received nothing) is an empty optional, never 0 or
// NaN.
#pragma once
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "measure/measurements.h"

namespace weir {

// Bits per second carried in `span`; nothing where the span is empty.
std::optional<double> bit_rate(Bytes bytes, Time span);

struct LatencySummary {
  std::uint64_t packets = 0;
  double mean_ps = 0, p50_ps = 0, p99_ps = 0, max_ps = 0, min_ps = 0;
  double slowest_mean_ps = 0;  // of the slowest 1 %: sees victims that are fewer, which the percentile does not
};
std::optional<LatencySummary> summarize(const Histogram& histogram);
// Mean of the largest samples, this share of all (0..1], one at least; right to 1.6 % like all that comes from bins.
double mean_of_largest(const Histogram& histogram, double share);

// One class, in numbers that need no time series.
struct ClassSummary {
  std::optional<LatencySummary> latency;          // from generation, of packets received after warm-up
  std::optional<LatencySummary> network_latency;  // from injection, of the same
  std::optional<double> throughput;               // bit/s of payload over the whole run
  std::optional<double> window_throughput;        // bit/s of payload after warm-up
  std::optional<double> peak_latency_ps;          // highest mean latency of a bin
  Time peak_at;                                   // start of that bin
  std::optional<double> marked_share;             // of the packets received
  std::optional<double> unsent_share;             // of the packets offered: not yet sent by their hosts at the end
  // Mean latency in the second half of the time after warm-up over that in the first half: well above 1 where queues
  // grow as long as the run lasts. Nothing where the run ends with its traffic, where a class starts late (event.h), or
  // where few packets arrived.
  std::optional<double> latency_growth;
};
ClassSummary summarize(const Measurements& m, ClassId traffic_class);

// Time series, one value per bin [i * bin, (i + 1) * bin). The last bin ends with the run and may be shorter.
Time bin_start(const Measurements& m, std::size_t bin);
Time bin_length(const Measurements& m, std::size_t bin);
std::vector<std::optional<double>> latency_series(const Measurements& m, ClassId traffic_class);     // mean, ps
// bit/s of payload; nothing in a bin of which the end of the run left less than half.
std::vector<std::optional<double>> throughput_series(const Measurements& m, ClassId traffic_class);

// Mean rate of a flow from its release to its completion, or to the end of the run if it is not complete. Nothing for
// a flow that never started.
std::optional<double> flow_rate(const Measurements& m, const FlowResult& flow);
std::optional<double> flow_completion_ps(const FlowResult& flow);  // completion minus start

// How equally a good is shared. Jain's index is (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one has everything.
struct Fairness {
  std::size_t count = 0;
  double jain = 1, min_over_mean = 1;
  double min = 0, mean = 0, max = 0;
};
std::optional<Fairness> fairness_of(const std::vector<double>& shares);  // nothing for an empty list
// Over the mean rates of the flows that started, each divided by its weight; where the run has no flows, over the
// injected payload rates of the hosts that had something to send. `traffic_class` restricts it to one class, where
// hosts are counted by class.
std::optional<Fairness> fairness(const Measurements& m, std::optional<ClassId> traffic_class = {});

// Hosts, whichever way the engine counted them: all classes together, or one class (null if that is not known).
std::size_t host_count(const Measurements& m);
HostResult host_total(const Measurements& m, HostId host);  // peak backlog: the highest of its classes
const HostResult* host_of_class(const Measurements& m, HostId host, ClassId traffic_class);

double utilisation(const Measurements& m, PortId port);  // share of the run in which the link transmitted
double wait_share(const Measurements& m, PortId port);   // share of the run in which it was held back

struct AppResult {
  AppId app;
  std::size_t flows = 0, completed = 0;
  std::optional<Time> completion;           // of its last flow; nothing while a finite flow of it is open
  std::vector<std::optional<Time>> phases;   // end of each phase that has flows
  std::vector<std::uint32_t> phase_numbers;  // and its number
};
std::vector<AppResult> apps(const Measurements& m);

// Port counters with InfiniBand's names and units. They are 64 bits wide and do not saturate.
struct IbCounters {
  std::uint64_t port_xmit_data = 0;  // 32-bit words
  std::uint64_t port_rcv_data = 0;   // 32-bit words
  std::uint64_t port_xmit_pkts = 0;
  std::uint64_t port_rcv_pkts = 0;
  std::uint64_t port_xmit_wait = 0;       // ticks
  std::uint64_t port_xmit_cong_time = 0;  // ticks
};
IbCounters ib_counters(const PortResult& port);

}  // namespace weir
